package udp

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Two machines of a room that cannot reach each other may both reach a third, their go-between.
// It carries what they have sealed for each other, inside its own sealed sessions with the two.
// So it can delay and drop, and nothing else; those outside the room learn nothing of it.
//
// To the rest of the link a machine behind a go-between has an address, as one behind a relay
// has: its number as the mailbox, and the go-between's place in a list as the relay. So
// handshakes, sessions and changes of paths need no code of their own, and the paths prefer a
// direct way. A go-between that is reached through another one carries nothing.

const (
	firstBetween = 256 // number of the first go-between, where relays have theirs
	maxBetween   = 64  // machines that ever were one
	offeredMost  = 3   // go-betweens that are tried for one connection

	carryRate   = 512 << 10 // bytes a second that a go-between carries for one machine; a second's worth at once
	carryGreets = 50        // greetings a second that one may bring; twice as many at once
)

// members are the machines of the room to which there is a session.
type members struct {
	mu      sync.Mutex
	keys    []seal.Public // each has its place for good
	present map[relay.Mailbox]*session
	changed atomic.Int64
}

// add notes the newest session with a machine.
func (m *members) add(key seal.Public, s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.present == nil {
		m.present = map[relay.Mailbox]*session{}
	}
	box := link.Number(key)
	if m.place(box) < 0 {
		if len(m.keys) == maxBetween {
			return
		}
		m.keys = append(m.keys, key)
	}
	m.present[box] = s
	m.changed.Add(1)
}

func (m *members) remove(s *session) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.present, func(_ relay.Mailbox, other *session) bool { return other == s })
}

func (m *members) place(box relay.Mailbox) int {
	return slices.IndexFunc(m.keys, func(key seal.Public) bool { return link.Number(key) == box })
}

// session finds the one with a machine, nil for none.
func (m *members) session(box relay.Mailbox) *session {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.present[box]
}

// number returns the number that stands for a go-between in an address, 0 for any other machine.
func (m *members) number(box relay.Mailbox) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := m.place(box); i >= 0 && m.present[box] != nil {
		return firstBetween + i
	}
	return 0
}

// key is the way back. It also finds one that is gone.
func (m *members) key(number int) (key seal.Public, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if i := number - firstBetween; i >= 0 && i < len(m.keys) {
		return m.keys[i], true
	}
	return key, false
}

// others are the numbers of the first go-betweens to a machine.
func (m *members) others(but relay.Mailbox) (list []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, key := range m.keys {
		if box := link.Number(key); box != but && m.present[box] != nil && len(list) < offeredMost {
			list = append(list, firstBetween+i)
		}
	}
	return list
}

// membership is a session's part in carrying.
type membership struct {
	in     atomic.Bool // Introduce was said
	seenAt atomic.Pointer[netip.AddrPort]

	// ---- the reader's own
	carried bucket // bytes
	greeted bucket // greetings that came through the peer

	// ---- run's own
	offered int64 // the members' count of changes when their ways were offered
	toldAt  netip.AddrPort
	told    time.Time
}

func newMembership() membership {
	return membership{carried: bucket{rate: carryRate, burst: carryRate}, greeted: bucket{rate: carryGreets, burst: 2 * carryGreets}}
}

// Introduce implements Link.
func (l *Link) Introduce(p link.PeerID) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if s := l.byPeer[p]; s != nil && !s.member.in.Swap(true) {
		l.members.add(s.sealing.peer(), s)
		s.poke()
	}
}

// isBetween reports whether an address is that of a machine behind a go-between.
func isBetween(a netip.AddrPort) bool { return relay.IsRelayed(a) && a.Port() >= firstBetween }

// between sends a datagram through a go-between.
func (l *Link) between(b []byte, to netip.AddrPort) {
	box, n := relay.MailboxOf(to)
	if key, ok := l.members.key(n); ok {
		if s := l.members.session(link.Number(key)); s != nil {
			s.pass(kindCarry, box, b)
		}
	}
}

// pass sends the peer a datagram that is not between us and it. It is not counted: what is lost
// of it may have been lost elsewhere.
func (s *session) pass(k kind, box relay.Mailbox, datagram []byte) {
	at := s.address()
	if isBetween(at) {
		return
	}
	b := append(make([]byte, headRoom, headRoom+carryHeader+len(datagram)+seal.Overhead), box[:]...)
	b = append(b, datagram...)
	b[headRoom-1] = byte(k)
	if b, ok := s.sealing.seal(sessionPrefix(b[:0], s.wire), b[headRoom-1:]); ok {
		s.counters.sentBytes.Add(int64(len(b)))
		_ = s.link.write(b, at)
	}
}

// needs reports whether another connection goes through the peer of this one.
func (l *Link) needs(by *session) bool {
	box := link.Number(by.sealing.peer())
	if !by.member.in.Load() || l.members.session(box) != by {
		return false
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := l.members.number(box)
	for _, s := range l.byPeer {
		if at := s.address(); isBetween(at) && int(at.Port()) == n {
			return true
		}
	}
	return false
}

// carry brings a member's datagram to another one; on the reader's goroutine.
func (l *Link) carry(from *session, p *packet, now time.Time) {
	box, b, err := decodeCarry(p.body())
	if err != nil || !from.member.in.Load() || !from.member.carried.takeN(float64(len(b)), now.Sub(l.began)) {
		return
	}
	if to := l.members.session(box); to != nil && to != from {
		to.pass(kindCarried, link.Number(from.sealing.peer()), b)
	}
}

// carried takes a datagram that a go-between has brought; on the reader's goroutine. It says
// whether the packet was kept.
func (l *Link) carried(by *session, p *packet, now time.Time) bool {
	box, b, err := decodeCarry(p.body())
	n := l.members.number(link.Number(by.sealing.peer()))
	if err != nil || n == 0 || !by.member.in.Load() {
		return false
	}
	if p.n = copy(p.buf[:], b); isGreeting(p.bytes()) && !by.member.greeted.take(now.Sub(l.began)) {
		return false
	}
	return l.take(p, box.At(n), now)
}

// offerWays has a connection that we dialled try the ways through other machines of the room.
func (s *session) offerWays() {
	m := &s.member
	if changed := s.link.members.changed.Load(); s.dialer && m.in.Load() && changed != m.offered {
		m.offered = changed
		box := link.Number(s.sealing.peer())
		for _, n := range s.link.members.others(box) {
			s.ways.set.Offer(box.At(n))
		}
		s.ways.next = time.Time{}
	}
}

// seenEvery is the time between two notes to a peer of where we see it, while that does not change.
const seenEvery = 5 * time.Second

// tellSeen tells the peer where we see it, so that others can be told where its router lets
// datagrams in.
func (s *session) tellSeen(at netip.AddrPort, now time.Time) {
	m := &s.member
	if s.phase == stream.Opening || relay.IsRelayed(at) || at == m.toldAt && now.Sub(m.told) < seenEvery {
		return
	}
	m.toldAt, m.told = at, now
	s.send(kindSeen, appendAddr(make([]byte, 0, candidateSize), at))
}

// takeSeen is told where the peer sees us.
func (s *session) takeSeen(b []byte) {
	if at, err := decodeSeen(b); err == nil {
		s.member.seenAt.Store(&at)
	}
}

// seen are where the machines of the room see us.
func (l *Link) seen() (list []netip.AddrPort) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, s := range l.byPeer {
		if at := s.member.seenAt.Load(); at != nil && s.member.in.Load() && len(list) < seenMost {
			list = append(list, *at)
		}
	}
	return list
}

// seenMost is the limit of these notes.
const seenMost = 3
