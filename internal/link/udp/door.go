package udp

import (
	"hash/maphash"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// All limits on those outside are here. A session that somebody else has opened is a
// stranger's until Vouch says that it belongs here. Strangers that come too many are not
// answered, or give way; a dialer asks again for 5 s.
//
// A socket that was vouched for once is an acquaintance: its owner comes back when a
// connection breaks. No number of strangers keeps it out, and it has rates of its own.
const (
	strangersMost    = 32 // strangers' sessions
	strangersPerHost = 8  // of them from one IP address, or network of IPv6
	acquaintances    = 64 // sockets that are remembered, the last to be vouched for
)

// door counts what those outside cause. It keeps nothing for a stranger but counts that
// many addresses share. Its methods may be called from any goroutine.
type door struct {
	mu       sync.Mutex
	answers  limit // datagrams that are looked at: some cost an HMAC and an answer
	sessions limit // new sessions
	known    []acquaintance
}

type acquaintance struct {
	addr              netip.AddrPort
	answers, sessions bucket
}

func newDoor() door {
	return door{
		answers:  newLimit(bucket{rate: 2000, burst: 500}, bucket{rate: 100, burst: 200}),
		sessions: newLimit(bucket{rate: 16, burst: 64}, bucket{rate: 8, burst: 32}),
	}
}

// mayAsk reports whether a datagram of no session is looked at.
func (d *door) mayAsk(from netip.AddrPort, at time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.find(from); i >= 0 {
		return d.known[i].answers.take(at)
	}
	return d.answers.take(from.Addr(), at)
}

// mayEnter says whether one who has shown a good cookie may have a session, as far as it
// is a matter of how often. An acquaintance need not fit among the strangers.
func (d *door) mayEnter(from netip.AddrPort, at time.Duration) (ok, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.find(from); i >= 0 {
		return d.known[i].sessions.take(at), true
	}
	return d.sessions.take(from.Addr(), at), false
}

// remember makes a socket an acquaintance.
func (d *door) remember(addr netip.AddrPort) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.find(addr) >= 0 {
		return
	}
	if len(d.known) == acquaintances {
		d.known = slices.Delete(d.known, 0, 1)
	}
	d.known = append(d.known, acquaintance{addr, bucket{rate: 10, burst: 40}, bucket{rate: 1, burst: 8}})
}

func (d *door) find(addr netip.AddrPort) int {
	return slices.IndexFunc(d.known, func(a acquaintance) bool { return a.addr == addr })
}

// limit bounds how often something may happen: in all, and for one IP address, so that one does not use up
// what is for all. Addresses (see [ds.Origin]) are told apart by a hash that nobody outside can foresee;
// two of them seldom share a bucket.
type limit struct {
	all  bucket
	each [1 << 10]bucket
	seed maphash.Seed
}

func newLimit(all, each bucket) limit {
	l := limit{all: all, seed: maphash.MakeSeed()}
	for i := range l.each {
		l.each[i] = each
	}
	return l
}

func (l *limit) take(from netip.Addr, at time.Duration) bool {
	return l.of(from).take(at) && l.all.take(at)
}

func (l *limit) of(from netip.Addr) *bucket {
	return &l.each[maphash.Comparable(l.seed, ds.Origin(from))%uint64(len(l.each))]
}

// bucket is a token bucket: burst things at once, then rate a second. The zero
// value with rate and burst set is full.
type bucket struct {
	rate, burst float64
	used        float64
	last        time.Duration
}

func (b *bucket) take(at time.Duration) bool { return b.takeN(1, at) }

func (b *bucket) takeN(n float64, at time.Duration) bool {
	b.used = max(0, b.used-(at-b.last).Seconds()*b.rate)
	b.last = at
	if b.used+n > b.burst {
		return false
	}
	b.used += n
	return true
}

// place says whether there is room for a stranger's session from an IP address among
// those of other strangers, and which of them gives way to it, if one must: the oldest of
// the address that has most, if that has more than this one.
func place(strangers []*session, from netip.Addr) (ok bool, evict *session) {
	origin := func(s *session) netip.Addr { return ds.Origin(s.address().Addr()) }
	from = ds.Origin(from)
	count := make(map[netip.Addr]int, len(strangers))
	for _, s := range strangers {
		count[origin(s)]++
	}
	switch {
	case count[from] >= strangersPerHost:
		return false, nil
	case len(strangers) < strangersMost:
		return true, nil
	}
	for _, s := range strangers {
		n, most := count[origin(s)], 0
		if evict != nil {
			most = count[origin(evict)]
		}
		if n > count[from] && (n > most || n == most && s.id < evict.id) {
			evict = s
		}
	}
	return evict != nil, evict
}
