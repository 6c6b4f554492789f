package relay

import (
	"container/list"
	"net/netip"
	"time"

	"golang.org/x/time/rate"

	"github.com/nettplay/nettplay/internal/ds"
)

// network is one address, or one network of IPv6, from which mailboxes are held.
type network struct {
	mailboxes int
	limit     *rate.Limiter
}

// holder is the holder of a mailbox.
type holder struct {
	box   Mailbox
	owner Owner
	token token // of the last claim; zero of an older program
	addr  netip.AddrPort
	from  *network
	heard time.Duration
	limit *rate.Limiter
	place *list.Element

	entries []*entry // all that it publishes
	peers   map[Mailbox]*pair
}

// count returns the number of entries of a kind that a holder has.
func (h *holder) count(of Kind) (n int) {
	for _, e := range h.entries {
		if e.Kind == of {
			n++
		}
	}
	return n
}

// settle and leave note where a holder is.
func (s *Server) settle(h *holder, addr netip.AddrPort) {
	h.addr = addr
	s.at[addr] = h
	s.crowd.Add(addr.Addr(), 1)
	n := ds.Origin(addr.Addr())
	if s.hosts[n] == nil {
		s.hosts[n] = &network{limit: allow(s.limits.HostRate)}
	}
	h.from = s.hosts[n]
	h.from.mailboxes++
	s.listed.Add(addr.Addr(), h.count(KindRoom))
}

func (s *Server) leave(h *holder) {
	delete(s.at, h.addr)
	s.crowd.Add(h.addr.Addr(), -1)
	s.listed.Add(h.addr.Addr(), -h.count(KindRoom))
	if h.from.mailboxes--; h.from.mailboxes == 0 {
		delete(s.hosts, ds.Origin(h.addr.Addr()))
	}
}

// full reports whether there is no room for a mailbox at an address: a new one, or the one of h. That
// which is there now makes room for it.
func (s *Server) full(h *holder, from netip.AddrPort) bool {
	held := len(s.boxes)
	for _, gone := range []*holder{h, s.at[from]} {
		if gone != nil {
			held--
			s.crowd.Add(gone.addr.Addr(), -1)
			defer s.crowd.Add(gone.addr.Addr(), 1)
		}
	}
	return held >= s.limits.Mailboxes || !s.crowd.Fits(from.Addr(), s.limits.PerHost)
}

func (s *Server) renew(h *holder, now time.Duration) {
	h.heard = now
	s.renewed.MoveToBack(h.place)
}

// drop forgets a holder, if there is one.
func (s *Server) drop(h *holder) {
	if h == nil {
		return
	}
	s.leave(h)
	s.index.withdraw(h)
	delete(s.boxes, h.box)
	s.renewed.Remove(h.place)
}

// expire forgets those that were not heard of for too long.
func (s *Server) expire(now time.Duration) {
	s.index.expire(now)
	for e := s.renewed.Front(); e != nil; e = s.renewed.Front() {
		h := e.Value.(*holder)
		if now-h.heard < Lease {
			return
		}
		s.drop(h)
	}
}
