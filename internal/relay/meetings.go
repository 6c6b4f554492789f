package relay

import "net/netip"

// Meetings are the machines that a relay brings together now.
type Meetings struct {
	Machines int // that have sent something to another one, or got something
	Rooms    int // groups of such machines; a relay knows no others
	// Far4 and Far6 report whether one is there, by itself or with others, from an address of IPv4, or of IPv6, that
	// is far: who holds a mailbox has shown that it gets what is sent to its address.
	Far4, Far6 bool
}

// Meetings looks at all machines: for a relay with few.
func (s *Server) Meetings(far func(netip.Addr) bool) (m Meetings) {
	group := map[*holder]*holder{} // to another one of its group; to itself for one of each
	var find func(h *holder) *holder
	find = func(h *holder) *holder {
		if next := group[h]; next != nil && next != h {
			group[h] = find(next)
		}
		return group[h]
	}
	for _, h := range s.boxes {
		if a := h.addr.Addr().WithZone("").Unmap(); far(a) {
			m.Far4, m.Far6 = m.Far4 || a.Is4(), m.Far6 || a.Is6()
		}
		for to := range h.peers {
			peer := s.boxes[to]
			if peer == nil || peer == h {
				continue
			}
			for _, one := range [...]*holder{h, peer} {
				if group[one] == nil {
					group[one] = one
				}
			}
			group[find(h)] = find(peer)
		}
	}
	for h, next := range group {
		if m.Machines++; h == next {
			m.Rooms++
		}
	}
	return m
}
