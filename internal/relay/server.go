package relay

import (
	"container/list"
	"errors"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/internal/seal"
)

// Figures count the work of a relay since it was started.
type Figures struct {
	Mailboxes int   // held now
	Codes     int   // that are known now, here and from other relays
	Rooms     int   // open ones, the same
	Friends   int   // things that friends are let know, the same
	Heard     int   // how many of them come from other relays
	Unheard   int64 // those of other relays for which there was no room
	Carried   int64 // datagrams
	Bytes     int64 // of them, as they were sent
	Refused   int64 // datagrams of those beyond their rate
	Crowded   int64 // datagrams beyond the rate of a pair, or of the relay
	Full      int64 // claims for which there was no room
	Networks  int   // addresses and networks of those who hold mailboxes
	Forged    int64 // questions without the token of whoever holds a mailbox at their address
	Malformed int64
}

// Server is a relay without its socket. One goroutine owns it.
type Server struct {
	limits  Limits
	jar     *seal.Cookies
	boxes   map[Mailbox]*holder
	index   *index
	at      map[netip.AddrPort]*holder
	hosts   map[netip.Addr]*network // by ds.Origin
	crowd   Crowd                   // of those who hold mailboxes
	listed  Crowd                   // of those who list open rooms
	renewed *list.List              // of *holder, the one that was heard of last at the end
	figures Figures
	leaving bool

	strangers *rate.Limiter // answers to those who hold no mailbox

	siblings []byte        // what the holders are told
	checks   *rate.Limiter // of signatures
	carrying *rate.Limiter // of what is carried in all
}

// NewServer makes a relay.
func NewServer(limits Limits) *Server {
	limits = limits.WithDefaults()
	return &Server{
		limits: limits, strangers: allow(unknownRate), checks: allow(mostChecks), carrying: allow(limits.Total), jar: seal.NewCookies(),
		boxes: map[Mailbox]*holder{}, index: newIndex(), at: map[netip.AddrPort]*holder{}, hosts: map[netip.Addr]*network{}, crowd: Crowd{}, listed: Crowd{},
		renewed: list.New(),
	}
}

// Figures are those of now.
func (s *Server) Figures() Figures {
	s.figures.Mailboxes, s.figures.Networks, s.figures.Heard = len(s.boxes), len(s.hosts), s.index.heard.Len()
	s.figures.Codes, s.figures.Rooms, s.figures.Friends = s.index.counts[KindCode], s.index.counts[KindRoom], s.index.counts[KindFriend]
	return s.figures
}

// Receive acts on a datagram that came at a time since the start, and returns what to send
// and where: nil for nothing, never more bytes than came. The answer may use b's memory.
func (s *Server) Receive(b []byte, from netip.AddrPort, now time.Duration) (out []byte, to netip.AddrPort) {
	s.expire(now)
	m, err := decode(b)
	switch {
	case errors.Is(err, errVersion) && m.kind == kindClaim && len(b) >= claimSize:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyVersion}.append(nil), from
	case err == nil && served[m.kind]:
		return s.serve(b, m, from, now)
	case err == nil && m.kind == kindClaim:
		if answer := s.claim(m, from, now); answer.kind != 0 {
			answer.token = m.token
			return answer.append(nil), from
		}
		s.figures.Refused++
		return nil, from
	}
	s.figures.Malformed++
	return nil, from
}

// serve does what only the holder of a mailbox may ask for.
func (s *Server) serve(b []byte, m message, from netip.AddrPort, now time.Duration) ([]byte, netip.AddrPort) {
	sender, cost := s.at[from], max(len(b), leastCost, costs[m.kind])
	if sender == nil {
		if !s.strangers.AllowN(clock(now), 1) {
			s.figures.Refused++
			return nil, from
		}
		return message{kind: kindUnknown, mailbox: m.mailbox}.append(b[:0]), from
	}
	if m.kind != kindPost && m.token != sender.token {
		s.figures.Forged++
		return nil, from
	}
	if !affords(sender, cost, now) {
		s.figures.Refused++
		return nil, from
	}
	s.renew(sender, now)
	answer, out := message{}, b[:0]
	switch m.kind {
	case kindPublish:
		answer = s.publish(sender, m)
	case kindAsk:
		answer = s.find(m)
	case kindPut:
		if m.entries[0].Kind == KindRoom && !s.mayCheck(sender, m.entries[0], now) {
			s.figures.Refused++
			return nil, from
		}
		answer, out = s.put(sender, m), nil // it has a part of b
	case kindBrowse:
		answer = s.browse(m)
	case kindSeek:
		answer = s.seek(m)
	default:
		return s.carry(b, m, sender, now)
	}
	answer.token = sender.token
	return answer.append(out), from
}

// carry brings a datagram from the holder of one mailbox to that of another.
func (s *Server) carry(b []byte, m message, sender *holder, now time.Duration) ([]byte, netip.AddrPort) {
	to := s.boxes[m.mailbox]
	if to == nil {
		answer := message{kind: kindNobody, mailbox: m.mailbox}
		if len(b) >= HeaderSize+len(sender.token) { // no answer is longer than what it answers
			answer.token = sender.token
		}
		return answer.append(b[:0]), sender.addr
	}
	if !s.mayCarry(sender, m.mailbox, len(b), now) || !s.mayPass(len(b), now) {
		s.figures.Crowded++
		return nil, sender.addr
	}
	s.figures.Carried++
	s.figures.Bytes += int64(len(b))
	b[0] = kindBrought
	copy(b[2:], sender.box[:])
	return b, to.addr
}

// claim answers a claim; the answer has no kind where there is none. A mailbox that comes from another
// address must find a place there like a new one, and stays where it is without one.
func (s *Server) claim(m message, from netip.AddrPort, now time.Duration) message {
	h := s.boxes[m.mailbox]
	known := h != nil && h.addr == from && h.owner == m.owner
	switch {
	case !known && !s.jar.Check(m.cookie[:], from, m.mailbox[:], now):
		prove := message{kind: kindProve, mailbox: m.mailbox}
		s.jar.Mint(prove.cookie[:], from, m.mailbox[:], now)
		return prove
	case !s.mayClaim(from.Addr(), now):
		return message{}
	case h != nil && h.owner != m.owner:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyTaken}
	case h == nil && s.leaving:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyLeaving}
	case !known && s.full(h, from):
		s.figures.Full++
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyFull}
	case h == nil:
		s.drop(s.at[from]) // one that changes its room
		h = &holder{limit: allow(s.limits.Rate), box: m.mailbox, owner: m.owner, heard: now}
		h.place = s.renewed.PushBack(h)
		s.boxes[h.box] = h
		s.settle(h, from)
	case !known:
		s.drop(s.at[from])
		s.leave(h)
		if room := h.entry(KindRoom); room != nil && !s.listed.Fits(from.Addr(), s.limits.Rooms) {
			s.index.remove(room)
		}
		s.settle(h, from)
	}
	s.renew(h, now)
	h.token = m.token
	return message{kind: kindHeld, mailbox: h.box, life: Lease, seen: from}
}

// Leave begins the end: nobody new is taken, and all holders are to be told what it returns.
func (s *Server) Leave() (list []Datagram) {
	s.leaving = true
	for _, h := range s.boxes {
		list = append(list, Datagram{h.addr, message{kind: kindLeaving, mailbox: h.box, token: h.token}.append(nil)})
	}
	return list
}

// Leaving reports whether the end has begun.
func (s *Server) Leaving() bool { return s.leaving }
