package session

import (
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// Assemblies and late joiners speak with other machines over the connections: the exchanges of package
// assembly know none.

// endExchange is for a machine that is not in the room any more.
func (s *session) endExchange(machine int) {
	s.assembler.EndExchange(machine)
	delete(s.lateJoiners, machine)
}

// newLine tells the exchange with a machine, if there is one, that it goes on over
// another connection. It must be called before anything is taken from that one.
func (s *session) newLine(machine int) {
	if s.catchUp != nil && machine == s.gameHost {
		s.catchUp.Interrupted()
	}
	s.assembler.Reconnected(machine)
}

// workExchanges sends what is due, and takes what has come.
func (s *session) workExchanges(now time.Time) {
	for machine, x := range s.assembler.Exchanges() {
		for _, e := range x.Events() {
			if about, err := s.trialEvent(machine, e); about {
				if err != nil {
					s.breaksRules(now, machine, err)
				}
				continue
			}
			taken, err := s.assembler.HandleEvent(machine, e)
			if err != nil {
				s.breaksRules(now, machine, err)
			} else if !taken {
				s.lateJoinerEvent(now, machine, e)
			}
		}
		s.send(now, machine, x)
		if s.host != nil {
			s.host.Moved(now, machine, x.Moved())
		}
	}
}

// send sends what an exchange has for a machine.
func (s *session) send(now time.Time, machine int, x *savestate.Exchange) {
	if peer, st, ok := s.bulkLine(machine); ok {
		s.sendAll(peer, link.Bulk, x.Outgoing(now, st.BulkBacklog, st.BulkUnsent)...)
	}
}

// bulkLine is the connection on which bulk goes to a machine, if the link still has it: of its end we may not have
// heard yet.
func (s *session) bulkLine(machine int) (peer link.PeerID, st link.Stats, ok bool) {
	if peer, ok = s.bulkPeer(machine); ok {
		st, ok = s.cfg.Link.Stats(peer)
	}
	return peer, st, ok
}

// exchangesWake returns the time until an exchange has something to send.
func (s *session) exchangesWake(now time.Time) time.Duration {
	wait := tick
	for machine, x := range s.assembler.Exchanges() {
		if _, _, ok := s.bulkLine(machine); !ok {
			continue
		}
		if at := x.NextWake(now); !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return wait
}
