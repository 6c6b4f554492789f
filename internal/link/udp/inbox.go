package udp

import (
	"net/netip"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/relay"
)

// packet is a datagram from the network in a reused buffer. One byte more than
// is allowed shows what was too long. Once opened it is kind and body, at the place where
// they were sealed.
type packet struct {
	n      int
	from   netip.AddrPort
	newest bool // none that was sent later has come before
	buf    [maxCarrying + relay.HeaderSize + 1]byte
}

func (p *packet) bytes() []byte { return p.buf[:p.n] }

// kind and body are of a packet that was opened.
func (p *packet) kind() kind   { return kind(p.buf[headRoom-1]) }
func (p *packet) body() []byte { return p.buf[headRoom:p.n] }

// The most datagrams that wait for a session, by class. More are lost as on any
// full line.
const (
	inboxMain = 256
	inboxBulk = 1024
	inboxTalk = 64
)

// inbox is where the reader of the socket leaves datagrams for a session.
type inbox struct {
	mu    sync.Mutex
	heard time.Time // when the latest came
	main  []*packet // ENet, main carrier
	bulk  []*packet // ENet, bulk carriers
	talk  []*packet // pings, progress, byes
}

// put takes p and says whether there was room.
func (in *inbox) put(p *packet, now time.Time) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.heard = now
	queue, most := &in.talk, inboxTalk
	switch p.kind() {
	case kindMain:
		queue, most = &in.main, inboxMain
	case kindBulk:
		queue, most = &in.bulk, inboxBulk
	}
	if len(*queue) >= most {
		return false
	}
	*queue = append(*queue, p)
	return true
}

// hear notes that something else was heard.
func (in *inbox) hear(now time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.heard = now
}

// get moves everything in talk, and then at most n of main and of bulk, to a list. rest
// says that there is more.
func (in *inbox) get(n int, list []*packet) (all []*packet, rest bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	list, in.talk = shift(list, in.talk, len(in.talk))
	list, in.main = shift(list, in.main, n)
	list, in.bulk = shift(list, in.bulk, n)
	return list, len(in.main)+len(in.bulk) > 0
}

// shift moves the first n of from to the end of to.
func shift(to, from []*packet, n int) (moved, left []*packet) {
	n = min(n, len(from))
	to = append(to, from[:n]...)
	left = from[:copy(from, from[n:])]
	clear(from[len(left):])
	return to, left
}

// excuse forgives the peer some silence, up to now.
func (in *inbox) excuse(d time.Duration, now time.Time) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.heard = in.heard.Add(d); in.heard.After(now) {
		in.heard = now
	}
}

func (in *inbox) lastHeard() time.Time {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.heard
}
