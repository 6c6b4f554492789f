package relay

import (
	"container/list"
	"net/netip"
	"slices"
	"time"
)

// network is one address, or one network of IPv6, from which mailboxes are held.
type network struct {
	mailboxes int
	rooms     int // open ones
	spent     allowance
}

// holder is who holds a mailbox.
type holder struct {
	box   Mailbox
	owner Owner
	addr  netip.AddrPort
	heard time.Duration
	spent allowance
	place *list.Element

	entries []*entry // all that it publishes
	peers   map[Mailbox]*pair
}

// entry is one of a kind of which a holder has one at most; nil for none.
func (h *holder) entry(of Kind) *entry {
	if i := slices.IndexFunc(h.entries, func(e *entry) bool { return e.Kind == of }); i >= 0 {
		return h.entries[i]
	}
	return nil
}

// rooms is how many open rooms a holder has, 0 or 1.
func (h *holder) rooms() int {
	if h.entry(KindRoom) != nil {
		return 1
	}
	return 0
}

// friends is how many friends it lets know.
func (h *holder) friends() (n int) {
	for _, e := range h.entries {
		if e.Kind == KindFriend {
			n++
		}
	}
	return n
}

func (h *holder) forget(e *entry) {
	h.entries = slices.DeleteFunc(h.entries, func(of *entry) bool { return of == e })
}

// settle and leave note where a holder is.
func (s *Server) settle(h *holder, addr netip.AddrPort) {
	h.addr = addr
	s.at[addr] = h
	n := Network(addr.Addr())
	if s.hosts[n] == nil {
		s.hosts[n] = new(network)
	}
	s.hosts[n].mailboxes++
	if wide, ok := Wide(addr.Addr()); ok {
		s.wide[wide]++
	}
	s.hosts[n].rooms += h.rooms()
}

func (s *Server) leave(h *holder) {
	delete(s.at, h.addr)
	if wide, ok := Wide(h.addr.Addr()); ok {
		if s.wide[wide]--; s.wide[wide] == 0 {
			delete(s.wide, wide)
		}
	}
	n := Network(h.addr.Addr())
	s.hosts[n].rooms -= h.rooms()
	if s.hosts[n].mailboxes--; s.hosts[n].mailboxes == 0 {
		delete(s.hosts, n)
	}
}

// Network is what one who has many addresses cannot change: an IPv4 address, or an IPv6
// network of 64 bits.
func Network(ip netip.Addr) netip.Prefix {
	ip = ip.WithZone("").Unmap()
	bits := 64
	if ip.Is4() {
		bits = 32
	}
	p, _ := ip.Prefix(bits) // fails for no address with so many bits
	return p
}

// WideShare is how many times as much as one network of 64 bits all those of 48 bits together have.
const WideShare = 4

// Wide is the IPv6 network of 48 bits that an address is in: some have all of one. It is not ok
// for IPv4.
func Wide(ip netip.Addr) (p netip.Prefix, ok bool) {
	if ip = ip.WithZone("").Unmap(); !ip.Is6() {
		return p, false
	}
	p, err := ip.Prefix(48)
	return p, err == nil
}

// full tells whether there is no room for a mailbox more from an address.
func (s *Server) full(from netip.Addr) bool {
	of := s.hosts[Network(from)]
	wide, six := Wide(from)
	return len(s.boxes) >= s.limits.Mailboxes || of != nil && of.mailboxes >= s.limits.PerHost ||
		six && s.wide[wide] >= WideShare*s.limits.PerHost
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
