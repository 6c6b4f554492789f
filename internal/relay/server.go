package relay

import (
	"container/list"
	"errors"
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/cookie"
)

// Limits bound what a relay keeps and carries. Zero values stand for the usual ones.
type Limits struct {
	Mailboxes int // in all, 10,000
	PerHost   int // of one IPv4 address or one IPv6 network of 64 bits, 64
	Rate      int // bytes a second that the holder of a mailbox may send, 2 MiB; a second's worth at once
}

const (
	// Lease is how long a mailbox is held after its holder was last heard of.
	Lease = 30 * time.Second

	usualMailboxes = 10_000
	usualPerHost   = 64
	usualRate      = 2 << 20
)

func (l Limits) withDefaults() Limits {
	for _, d := range []struct {
		value *int
		usual int
	}{{&l.Mailboxes, usualMailboxes}, {&l.PerHost, usualPerHost}, {&l.Rate, usualRate}} {
		if *d.value <= 0 {
			*d.value = d.usual
		}
	}
	return l
}

// Figures are what a relay has done since it was started.
type Figures struct {
	Mailboxes int   // held now
	Carried   int64 // datagrams
	Bytes     int64 // of them, as they were sent
	Refused   int64 // datagrams of those beyond their rate
	Malformed int64
}

// Server is a relay without its socket. One goroutine owns it.
type Server struct {
	limits  Limits
	jar     *cookie.Jar
	boxes   map[Mailbox]*holder
	at      map[netip.AddrPort]*holder
	hosts   map[netip.Prefix]int
	renewed *list.List // of *holder, the one that was heard of last at the end
	figures Figures
}

// holder is who holds a mailbox.
type holder struct {
	box   Mailbox
	owner Owner
	addr  netip.AddrPort
	heard time.Duration
	spent float64 // bytes that count against the rate, at heard
	place *list.Element
}

// NewServer makes a relay.
func NewServer(limits Limits) *Server {
	return &Server{
		limits: limits.withDefaults(), jar: cookie.New(),
		boxes: map[Mailbox]*holder{}, at: map[netip.AddrPort]*holder{}, hosts: map[netip.Prefix]int{},
		renewed: list.New(),
	}
}

// Figures are those of now.
func (s *Server) Figures() Figures {
	s.figures.Mailboxes = len(s.boxes)
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
	case err == nil && m.kind == kindPost:
		return s.carry(b, m, from, now)
	case err == nil && m.kind == kindClaim:
		return s.claim(m, from, now).append(nil), from
	}
	s.figures.Malformed++
	return nil, from
}

// carry brings a datagram from the holder of one mailbox to that of another.
func (s *Server) carry(b []byte, m message, from netip.AddrPort, now time.Duration) ([]byte, netip.AddrPort) {
	sender := s.at[from]
	if sender == nil {
		return message{kind: kindUnknown, mailbox: m.mailbox}.append(b[:0]), from
	}
	if !s.affords(sender, len(b), now) {
		s.figures.Refused++
		return nil, from
	}
	s.renew(sender, now)
	to := s.boxes[m.mailbox]
	if to == nil {
		return message{kind: kindNobody, mailbox: m.mailbox}.append(b[:0]), from
	}
	s.figures.Carried++
	s.figures.Bytes += int64(len(b))
	b[0] = kindBrought
	copy(b[2:], sender.box[:])
	return b, to.addr
}

// affords tells whether a holder may send so many bytes more, and counts them.
func (s *Server) affords(h *holder, size int, now time.Duration) bool {
	rate := float64(s.limits.Rate)
	h.spent = max(0, h.spent-(now-h.heard).Seconds()*rate)
	h.heard = now
	if h.spent+float64(size) > rate {
		return false
	}
	h.spent += float64(size)
	return true
}

// claim answers a claim.
func (s *Server) claim(m message, from netip.AddrPort, now time.Duration) message {
	h := s.boxes[m.mailbox]
	known := h != nil && h.addr == from && h.owner == m.owner
	switch {
	case !known && !s.jar.Check(m.cookie[:], from, m.mailbox[:], now):
		prove := message{kind: kindProve, mailbox: m.mailbox}
		s.jar.Mint(prove.cookie[:], from, m.mailbox[:], now)
		return prove
	case h != nil && h.owner != m.owner:
		return message{kind: kindRefused, mailbox: m.mailbox, why: whyTaken}
	case h == nil:
		s.drop(s.at[from]) // one that changes its room
		if len(s.boxes) >= s.limits.Mailboxes || s.hosts[network(from)] >= s.limits.PerHost {
			return message{kind: kindRefused, mailbox: m.mailbox, why: whyFull}
		}
		h = &holder{box: m.mailbox, owner: m.owner, heard: now}
		h.place = s.renewed.PushBack(h)
		s.boxes[h.box] = h
		s.settle(h, from)
	case !known:
		if s.at[from] != nil {
			s.drop(s.at[from])
		}
		s.leave(h)
		s.settle(h, from)
	}
	s.renew(h, now)
	return message{kind: kindHeld, mailbox: h.box, life: Lease, seen: from}
}

// settle and leave note where a holder is.
func (s *Server) settle(h *holder, addr netip.AddrPort) {
	h.addr = addr
	s.at[addr] = h
	s.hosts[network(addr)]++
}

func (s *Server) leave(h *holder) {
	delete(s.at, h.addr)
	if n := network(h.addr); s.hosts[n] > 1 {
		s.hosts[n]--
	} else {
		delete(s.hosts, n)
	}
}

// network is what one who has many addresses cannot change.
func network(a netip.AddrPort) netip.Prefix {
	ip := a.Addr().Unmap()
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // fails for no address with so many bits
	return p
}

func (s *Server) renew(h *holder, now time.Duration) {
	h.spent = max(0, h.spent-(now-h.heard).Seconds()*float64(s.limits.Rate))
	h.heard = now
	s.renewed.MoveToBack(h.place)
}

// drop forgets a holder, if there is one.
func (s *Server) drop(h *holder) {
	if h == nil {
		return
	}
	s.leave(h)
	delete(s.boxes, h.box)
	s.renewed.Remove(h.place)
}

// expire forgets those that were not heard of for too long.
func (s *Server) expire(now time.Duration) {
	for e := s.renewed.Front(); e != nil; e = s.renewed.Front() {
		h := e.Value.(*holder)
		if now-h.heard < Lease {
			return
		}
		s.drop(h)
	}
}
