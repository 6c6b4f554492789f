package udp

import (
	"cmp"
	"hash/maphash"
	"net/netip"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

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
	answers, sessions *rate.Limiter
}

func newDoor() door {
	return door{
		answers:  newLimit(share{2000, 500}, share{100, 200}, share{2000, 1000}, share{2, 20}),
		sessions: newLimit(share{16, 64}, share{8, 32}, share{32, 64}, share{0.05, 3}),
	}
}

// mayAsk reports whether a datagram of no session is looked at.
func (d *door) mayAsk(from netip.AddrPort, at time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.find(from); i >= 0 {
		return d.known[i].answers.AllowN(clock(at), 1)
	}
	return d.answers.allow(from.Addr(), at)
}

// mayEnter says whether one who has shown a good cookie may have a session, as far as it
// is a matter of how often. An acquaintance need not fit among the strangers.
func (d *door) mayEnter(from netip.AddrPort, at time.Duration) (ok, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := d.find(from); i >= 0 {
		return d.known[i].sessions.AllowN(clock(at), 1), true
	}
	return d.sessions.allow(from.Addr(), at), false
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
	d.known = append(d.known, acquaintance{addr, rate.NewLimiter(10, 40), rate.NewLimiter(1, 8)})
}

func (d *door) find(addr netip.AddrPort) int {
	return slices.IndexFunc(d.known, func(a acquaintance) bool { return a.addr == addr })
}

// limit bounds how often something may happen: in all, and for one IP address, so that one does not use up
// what is for all. An address that asks seldom does not compete with those that ask often: hundreds of them
// that use up what is for all keep out nobody who comes for the first time.
//
// Addresses (see [ds.Origin]) are told apart by hashes that nobody outside can foresee. Each has two
// buckets, and is denied only where both are used up: so it hardly ever suffers by another.
type limit struct {
	often, seldom level // of those who ask often, and of the others
	seed          maphash.Seed
}

// level is one of two limits, for all and for each address.
type level struct {
	all   *rate.Limiter
	share share             // of each
	each  [2][]rate.Limiter // without a burst where nobody came yet
}

// share is that of an address: burst things at once, then so many a second.
type share struct {
	second rate.Limit
	burst  int
}

func (s share) limiter() *rate.Limiter { return rate.NewLimiter(s.second, s.burst) }

func newLevel(all, each share, size int) level {
	return level{all.limiter(), each, [2][]rate.Limiter{make([]rate.Limiter, size), make([]rate.Limiter, size)}}
}

func newLimit(all, each, seldom, eachSeldom share) limit {
	return limit{
		often:  newLevel(all, each, 1<<10),
		seldom: newLevel(seldom, eachSeldom, 1<<13), // these are used up for long
		seed:   maphash.MakeSeed(),
	}
}

func (l *limit) allow(from netip.Addr, at time.Duration) bool {
	sum := maphash.Comparable(l.seed, ds.Origin(from))
	return l.often.mine(sum, at) && (l.seldom.mine(sum, at) && l.seldom.all.AllowN(clock(at), 1) || l.often.all.AllowN(clock(at), 1))
}

// mine takes from what is for one address.
func (l *level) mine(sum uint64, at time.Duration) (ok bool) {
	for i := range l.each {
		of := &l.each[i][(sum>>(32*i))%uint64(len(l.each[i]))]
		if of.Burst() == 0 { // it is full from the first time on
			of.SetLimitAt(time.Time{}, l.share.second)
			of.SetBurstAt(time.Time{}, l.share.burst)
		}
		if of.AllowN(clock(at), 1) {
			ok = true
		}
	}
	return ok
}

// clock is the time of a limiter, from that since the link began.
func clock(at time.Duration) time.Time { return time.Unix(0, 0).Add(at) }

// place says whether there is room for a stranger's session from an IP address among
// those of other strangers, and which of them gives way to it, if one must. Those of addresses that have
// more than this one do: first such as have not finished their handshake, then those of the address
// that has most, of these the oldest.
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
	half := func(s *session) int {
		if s.sealing.opener() == nil {
			return 0
		}
		return 1
	}
	strangers = slices.DeleteFunc(strangers, func(s *session) bool { return count[origin(s)] <= count[from] })
	if len(strangers) == 0 {
		return false, nil
	}
	return true, slices.MinFunc(strangers, func(a, b *session) int {
		return cmp.Or(half(a)-half(b), count[origin(b)]-count[origin(a)], cmp.Compare(a.id, b.id))
	})
}
