package udp

import (
	"net/netip"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/link/pairs"
	"github.com/nettplay/nettplay/internal/relay"
	"github.com/nettplay/nettplay/internal/seal"
)

// route is the present one of a session's datagrams, for other goroutines.
type route struct {
	addr   netip.AddrPort // of the peer
	direct link.Direct
}

// candidatePairs are a session's pairs, and what both machines tell each other to find them.
type candidatePairs struct {
	set   *pairs.Set
	since time.Time
	next  time.Time // when to look after them; zero: when something is heard

	// Candidates are told where a relay is among the pairs: by the machine that dialled first,
	// then by the other one.
	telling bool
	mine    []netip.AddrPort
	number  byte // of the list
	acked   byte // the last of our lists that the peer has
	seen    byte // the last of its lists that we have
	told    time.Time
	wait    time.Duration // until it is told again

	offered time.Time // when pairs through other relays were looked for
}

const (
	tellFirst  = 150 * time.Millisecond
	tellSlowly = 5 * time.Second
	searching  = 5 * time.Second // after which a direct pair is seldom found
)

// also adds an address that was dialled at the same time as the one that accepted first.
func (w *candidatePairs) also(addr netip.AddrPort) {
	w.set.Offer(addr)
	w.telling = w.telling || relay.IsRelayed(addr)
}

// due is when they are to be looked after; zero: when something is heard.
func (w *candidatePairs) due(now time.Time) time.Time {
	at := w.next
	if told := w.told.Add(w.wait); w.telling && (at.IsZero() || told.Before(at)) {
		at = told
	}
	if !at.IsZero() && at.Before(now) {
		at = now
	}
	return at
}

// heardFrom takes note of where a packet came from. The peer may send from another address
// than before: it found a better pair, its router has forgotten it, or it changed networks.
func (s *session) heardFrom(p *packet, now time.Time) {
	k := p.kind()
	check := k == kindCheck || k == kindChecked
	if s.pairs.set.Heard(p.from, p.newest, check, now) {
		s.settle()
	}
}

// settle sends to the current pair from now on.
func (s *session) settle() {
	w := route{s.pairs.set.Current(), s.direct()}
	moved := w.addr != s.address()
	s.route.Store(&w)
	if moved {
		s.newPair()
	}
	s.pairs.next = time.Time{}
	s.link.moved(s, w.addr)
}

// direct says how far the search for a direct pair has come.
func (s *session) direct() link.Direct {
	tried, heard := s.pairs.set.Direct()
	switch {
	case heard:
		return link.OneWay
	case !tried:
		return link.NotTried
	case time.Since(s.pairs.since) < searching:
		return link.Trying
	}
	return link.Unheard
}

// tendPairs checks the pairs, and chooses among them.
func (s *session) tendPairs(now time.Time) {
	if s.sealing.opener() == nil {
		return
	}
	w := &s.pairs
	s.offerPeerRelays()
	s.offerRelays(now)
	if w.set.Decide(now) {
		s.settle()
	}
	if w.set.Silent(now) {
		s.link.relays.client.Doubt(now)
	}
	if w.next.IsZero() || !now.Before(w.next) {
		var checks []pairs.Check
		checks, w.next = w.set.Due(now)
		for _, p := range checks {
			s.sendCheck(kindCheck, p.Seq, p.To, p.LowTTL)
		}
	}
	if now := (route{w.set.Current(), s.direct()}); now != *s.route.Load() {
		s.route.Store(&now)
	}
	s.tellCandidates(now)
}

// relaysAgain is the time between two looks of a connection through a relay for others to go through.
const relaysAgain = 250 * time.Millisecond

// offerRelays has a connection that we dialled, and that goes through a relay, try the others of
// the same service: the peer may have a mailbox there, and that may be shorter.
func (s *session) offerRelays(now time.Time) {
	w := &s.pairs
	at := w.set.Current()
	if !s.dialer || !relay.IsRelayed(at) || isBetween(at) || now.Sub(w.offered) < relaysAgain {
		return
	}
	w.offered = now
	box, n := relay.MailboxOf(at)
	for _, other := range s.link.relays.client.Together(n) {
		if w.set.Offer(box.At(other)) {
			w.next = time.Time{}
		}
	}
}

// handleCheck acts on a datagram about pairs.
func (s *session) handleCheck(p *packet, now time.Time) {
	switch p.kind() {
	case kindCheck:
		if seq, err := decodeCheck(p.body()); err == nil {
			s.sendCheck(kindChecked, seq, p.from, false)
			s.pairs.next = time.Time{}
		}
	case kindChecked:
		if seq, err := decodeCheck(p.body()); err == nil && s.pairs.set.Answered(seq, now) {
			s.settle()
		}
	case kindCandidates:
		if c, err := decodeCandidates(p.body()); err == nil {
			s.handleCandidates(c)
		}
	case kindSeen:
		if at, err := decodeSeen(p.body()); err == nil {
			s.member.seenAt.Store(&at)
		}
	}
}

// sendCheck sends a check, or the answer to one, by a pair. It is not counted: what is lost
// on a pair that leads nowhere says nothing about the line.
func (s *session) sendCheck(k kind, seq uint32, to netip.AddrPort, lowTTL bool) {
	b, ok := s.seal(k, appendCheck(make([]byte, headRoom, headRoom+checkSize+seal.Overhead), seq))
	switch {
	case !ok:
	case lowTTL:
		s.link.open(b, to)
	default:
		_ = s.link.write(b, to)
	}
}

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

// seenMost is the limit of addresses where others see us that peers are told.
const seenMost = 3

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

func (s *session) handleCandidates(c candidates) {
	w := &s.pairs
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
	own, _ := s.link.relays.client.Mailbox()
	if box, _ := relay.MailboxOf(list[i]); box != own {
		for n := range s.link.relays.client.Status() {
			s.pairs.set.Offer(box.At(n + 1))
		}
	}
}

// tellCandidates tells the peer our addresses until it has them.
func (s *session) tellCandidates(now time.Time) {
	w := &s.pairs
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
	if s.conn.Phase() == conn.Opening || relay.IsRelayed(at) || at == m.toldAt && now.Sub(m.told) < seenEvery {
		return
	}
	m.toldAt, m.told = at, now
	s.send(kindSeen, appendAddr(make([]byte, 0, candidateSize), at))
}
