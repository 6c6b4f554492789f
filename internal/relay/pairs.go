package relay

import (
	"maps"
	"time"

	"golang.org/x/time/rate"
)

// A relay knows no rooms. It sees of one only the pairs: one machine that sends to another one. Each has a
// rate of its own, in bytes and in datagrams, so that a state on its way to one machine leaves room for
// the inputs to the others, and small datagrams cannot cost more than large ones.

// maxPeers is the number of others that one machine sends to at once: a game host with 15 players and 16
// spectators needs 31.
const maxPeers = 32

// pair counts what a machine has sent to another one.
type pair struct{ bytes, datagrams *rate.Limiter }

// mayCarry reports whether a holder may send so many bytes more to a mailbox, and counts them.
func (s *Server) mayCarry(h *holder, to Mailbox, size int, now time.Duration) bool {
	p := h.peers[to]
	if p == nil {
		if p = s.meet(h, to, now); p == nil {
			return false
		}
	}
	at := clock(now)
	return p.bytes.TokensAt(at) >= float64(size) && p.datagrams.AllowN(at, 1) && p.bytes.AllowN(at, size)
}

// meet makes a pair of a holder and a mailbox, in the place of those that are silent if there is no room; nil if
// there is none all the same.
func (s *Server) meet(h *holder, to Mailbox, now time.Duration) *pair {
	if len(h.peers) >= maxPeers {
		maps.DeleteFunc(h.peers, func(_ Mailbox, p *pair) bool {
			return p.bytes.TokensAt(clock(now)) == float64(p.bytes.Burst()) && p.datagrams.TokensAt(clock(now)) == float64(p.datagrams.Burst())
		})
	}
	if len(h.peers) >= maxPeers {
		return nil
	}
	if h.peers == nil {
		h.peers = map[Mailbox]*pair{}
	}
	p := &pair{allow(s.limits.PairRate), allow(s.limits.PairDatagrams)}
	h.peers[to] = p
	return p
}
