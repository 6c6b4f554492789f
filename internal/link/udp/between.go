package udp

import (
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// Two machines of a room that cannot reach each other may both reach a third, their peer relay.
// It carries what they have sealed for each other, inside its own sealed sessions with the two.
// So it can delay and drop, and nothing else; those outside the room learn nothing of it.
//
// To the rest of the link a machine behind a peer relay has an address, as one behind a relay
// has: its number as the mailbox, and the peer relay's place in a list as the relay. So
// handshakes, sessions and changes of paths need no code of their own, and the paths prefer a
// direct way. A peer relay that is reached through another one carries nothing.

// Introduce implements Link.
func (l *Link) Introduce(p link.PeerID) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if s := l.byPeer[p]; s != nil && !s.member.in.Swap(true) {
		l.members.add(s.sealing.peer(), s)
		s.poke()
	}
}

// write sends a datagram, through a relay or a peer relay if that is where the address is. One that the
// system refuses is lost, like one that the network loses.
func (l *Link) write(b []byte, to netip.AddrPort) error {
	if !isBetween(to) {
		return l.writeRelayed(b, to)
	}
	box, n := relay.MailboxOf(to)
	if key, ok := l.members.key(n); ok {
		if s := l.members.session(link.Number(key)); s != nil {
			s.pass(kindCarry, box, b)
		}
	}
	return nil
}

// pass sends the peer a datagram that is not between us and it. It is not counted: what is lost
// of it may have been lost elsewhere.
func (s *session) pass(k kind, box relay.Mailbox, datagram []byte) {
	at := s.address()
	if isBetween(at) {
		return
	}
	b := append(make([]byte, headRoom, headRoom+carryHeader+len(datagram)+seal.Overhead), box[:]...)
	if b, ok := s.seal(k, append(b, datagram...)); ok {
		s.sentBytes.Add(int64(len(b)))
		_ = s.link.writeRelayed(b, at)
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
	if err != nil || !from.member.in.Load() || !from.member.carried.AllowN(now, len(b)) {
		return
	}
	if to := l.members.session(box); to != nil && to != from {
		to.pass(kindCarried, link.Number(from.sealing.peer()), b)
	}
}

// carried makes what a peer relay has brought the datagram that was sent, and says where it came
// from; on the reader's goroutine.
func (l *Link) carried(by *session, p *packet, now time.Time) (at netip.AddrPort, ok bool) {
	box, b, err := decodeCarry(p.body())
	n := l.members.number(link.Number(by.sealing.peer()))
	if err != nil || n == 0 || !by.member.in.Load() {
		return at, false
	}
	p.n = copy(p.buf[:], b)
	return box.At(n), !isGreeting(p.bytes()) || by.member.greeted.AllowN(now, 1)
}

// offerPeerRelays has a connection that we dialled try the candidate pairs through other machines of the room.
func (s *session) offerPeerRelays() {
	m := &s.member
	if changed := s.link.members.changed.Load(); s.dialer && m.in.Load() && changed != m.offered {
		m.offered = changed
		box := link.Number(s.sealing.peer())
		for _, n := range s.link.members.others(box) {
			s.pairs.set.Offer(box.At(n))
		}
		s.pairs.next = time.Time{}
	}
}
