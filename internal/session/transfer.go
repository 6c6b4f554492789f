package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// Assemblies and late joiners speak with other machines over the lines: the exchanges of package
// assembly know none.

// endExchange is for a machine that is not in the room any more.
func (s *session) endExchange(machine int) {
	s.assembler.EndExchange(machine)
	delete(s.lateJoiners, machine)
}

// newLine tells the exchange with a machine, if there is one, that it goes on over
// another line. It must be called before anything is taken from that line.
func (s *session) newLine(machine int) {
	if s.catchUp != nil && machine == s.gameHost {
		s.catchUp.Interrupted()
	}
	s.assembler.Reconnected(machine)
}

// bulk takes a message of the bulk channel.
func (s *session) bulk(now time.Time, peer link.PeerID, b []byte) error {
	if watches, err := s.spectators.Receive(peer, b); watches {
		return err
	}
	machine, known := s.machine(peer)
	if !known {
		return errors.New("bulk message from outside the room")
	}
	if about, err := s.fromMember(now, peer, machine, b); about {
		return err
	}
	return s.assembler.Exchange(machine).Receive(now, b)
}

// bulkLine is the line to a machine, if bulk messages may be sent on it. A machine
// that comes back to the room says nothing before it is let in.
func (s *session) bulkLine(machine int) (link.PeerID, bool) {
	if s.client != nil && s.client.Reconnecting() {
		return 0, false
	}
	return s.line(machine)
}

// workExchanges sends what is due, and takes what has come.
func (s *session) workExchanges(now time.Time) {
	for machine, x := range s.assembler.Exchanges() {
		for _, e := range x.Events() {
			taken, err := s.assembler.Take(machine, e)
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

// breaksRules ends the line to a machine that does.
func (s *session) breaksRules(now time.Time, machine int, err error) {
	if peer, ok := s.line(machine); ok {
		s.hangUp(now, peer, "broke the rules: "+err.Error())
	}
}

// send sends what an exchange has for a machine.
func (s *session) send(now time.Time, machine int, x *savestate.Exchange) {
	peer, ok := s.bulkLine(machine)
	if !ok {
		return
	}
	for _, m := range x.Outgoing(now) {
		if err := s.cfg.Link.Send(peer, link.Bulk, m); err != nil {
			if errors.Is(err, link.ErrBacklog) {
				s.cfg.Link.Disconnect(peer, "your connection does not keep up")
			}
			return
		}
	}
	for _, p := range x.Probes(now) {
		_ = s.cfg.Link.Send(peer, link.Input, p) // may be lost like any of them
	}
}

// exchangesWake returns the time until an exchange has something to send.
func (s *session) exchangesWake(now time.Time) time.Duration {
	wait := tick
	for machine, x := range s.assembler.Exchanges() {
		if _, ok := s.bulkLine(machine); !ok {
			continue
		}
		if at := x.NextWake(now); !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return max(wait, 0)
}
