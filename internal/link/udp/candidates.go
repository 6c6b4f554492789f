package udp

import (
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/relay"
)

// Candidates are told soon, then again at longer intervals until the peer has them.
const (
	tellFirst  = 150 * time.Millisecond
	tellSlowly = 5 * time.Second
)

// SetAddresses tells at which addresses this machine may be reached without a relay. Peers
// with whom it speaks through one are told, and try them.
func (l *Link) SetAddresses(list []netip.AddrPort) {
	list = list[:min(len(list), maxCandidates)]
	l.addresses.Store(&list)
}

// candidates are the addresses that peers may try. Our mailbox is among them, with a number that
// says nothing: which relays both use only the peer finds out.
func (l *Link) candidates() (list []netip.AddrPort) {
	if box, held := l.relays.client.Mailbox(); held {
		list = append(list, box.At(1))
	}
	for _, st := range l.relays.client.Status() {
		if st.Seen.IsValid() {
			list = append(list, st.Seen)
		}
	}
	list = append(list, l.seen()...)
	if own := l.addresses.Load(); own != nil {
		list = append(list, *own...)
	}
	return unique(list, maxCandidates)
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

func (s *session) takeCandidates(c candidates) {
	w := &s.ways
	w.acked, w.telling = c.seen, true
	if c.number != w.seen {
		w.seen = c.number
		s.offerMailbox(c.list)
		w.set.Offer(slices.DeleteFunc(c.list, relay.IsRelayed)...)
		w.told, w.next = time.Time{}, time.Time{}
	}
}

// offerMailbox has a connection that we dialled try the peer's mailbox at the relays that we use
// ourselves: what a peer says brings no other one.
func (s *session) offerMailbox(list []netip.AddrPort) {
	i := slices.IndexFunc(list, relay.IsRelayed)
	if !s.dialer || i < 0 {
		return
	}
	if box, _ := relay.MailboxOf(list[i]); !s.link.relays.client.Owns(box) {
		s.ways.set.Offer(s.link.relays.client.Everywhere(box)...)
	}
}

// tellCandidates tells the peer our addresses until it has them.
func (s *session) tellCandidates(now time.Time) {
	w := &s.ways
	if !w.telling && s.dialer {
		w.telling = w.set.Relayed()
	}
	if !w.telling || now.Sub(w.told) < w.wait {
		return
	}
	if list := s.link.candidates(); w.number == 0 || !slices.Equal(list, w.mine) {
		w.mine, w.wait = list, 0
		w.number = w.number%255 + 1
	}
	if w.acked == w.number && !w.told.IsZero() {
		w.wait = time.Second // until the list is looked at again
		w.told = now
		return
	}
	w.told = now
	w.wait = min(max(2*w.wait, tellFirst), tellSlowly)
	s.send(kindCandidates, candidates{number: w.number, seen: w.seen, list: w.mine}.append(make([]byte, 0, 256)))
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
