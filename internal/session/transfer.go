package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/savestate"
)

// transfer is how consoles' parts travel.
type transfer struct {
	store     *savestate.Store
	exchanges map[int]*savestate.Exchange    // by directly connected machine
	manifests map[ds.Seat]savestate.Manifest // of the newest assembly
}

// Parts of consoles travel between directly connected machines by an exchange for
// each of them, which lives as long as both are in the room: over starts and
// resyncs, so that nothing comes twice because something is begun again, and over
// lines that break and are replaced.

// resyncBits are those of a start's number that tell which resync it is; 0 is for
// the start of a round.
const resyncBits = 12

// startID is the number of the start of a round, or of one of its resyncs. They
// rise. An exchange calls it a round.
func startID(round uint32, r *game.Resync) uint32 {
	id := round << resyncBits
	if r != nil {
		id += uint32(min(r.Number, 1<<resyncBits-1))
	}
	return id
}

// keptParts is how many packed bytes are kept of the start before, for one that is
// begun again: so many leave room for the next one.
const keptParts = savestate.DefaultStoreLimit / 4

// exchange is the one with a machine.
func (s *session) exchange(machine int) *savestate.Exchange {
	x := s.exchanges[machine]
	if x == nil {
		x = savestate.NewExchange(s.store, savestate.ExchangeConfig{
			Rate: s.cfg.Upload,
			Background: func(job func()) {
				s.background(func() (func(), func()) { job(); return func() {}, nil })
			},
		})
		s.exchanges[machine] = x
	}
	return x
}

// endExchange is for a machine that is not in the room any more.
func (s *session) endExchange(machine int) {
	if x := s.exchanges[machine]; x != nil {
		x.Close()
		delete(s.exchanges, machine)
	}
	delete(s.lateJoiners, machine)
	if s.assembly != nil {
		delete(s.assembly.exchanges, machine)
	}
}

// newLine tells the exchange with a machine, if there is one, that it goes on over
// another line. It must be called before anything is taken from that line.
func (s *session) newLine(machine int) {
	if s.catchUp != nil && machine == s.gameHost {
		s.catchUp.Interrupted()
	}
	if x := s.exchanges[machine]; x != nil {
		x.Reset()
	}
}

// retain forgets the parts of all starts but the last, to make room for another, but not
// those of consoles that are to come in, now or later.
func (s *session) retain() {
	parts, size := partsOf(s.manifests)
	if size > keptParts {
		parts = nil
	}
	more, _ := partsOf(s.incoming)
	parts = append(parts, more...)
	for _, n := range s.lateJoiners {
		more, _ = partsOf(n.manifests)
		parts = append(parts, more...)
	}
	s.store.Retain(parts)
}

// partsOf are the parts of some consoles, and how many packed bytes they have.
func partsOf(manifests map[ds.Seat]savestate.Manifest) (parts []savestate.Part, size int64) {
	for _, m := range manifests {
		for _, p := range m.Parts {
			parts, size = append(parts, p), size+p.PackedSize
		}
	}
	return parts, size
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
	return s.exchange(machine).Receive(now, b)
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
	for machine := range ds.MaxMachines {
		if x := s.exchanges[machine]; x != nil {
			for _, e := range x.Events() {
				s.exchangeEvent(now, machine, e)
			}
			s.send(now, machine, x)
			if s.host != nil {
				s.host.Moved(now, machine, x.Moved())
			}
		}
	}
}

// exchangeEvent takes what came of a start; all other is of one that is over.
func (s *session) exchangeEvent(now time.Time, machine int, event savestate.Event) {
	if s.assembly == nil || s.assembly.exchanges[machine] == nil {
		s.lateJoinerEvent(now, machine, event)
		return
	}
	switch e := event.(type) {
	case savestate.ManifestReceived:
		if err := s.know(machine, e.Manifest); err != nil {
			s.breaksRules(now, machine, err)
		}
	case savestate.PartDone:
		delete(s.assembly.waiting, e.Part)
		s.handOn()
	case savestate.PartFailed:
		err := fmt.Errorf("fetching %v: %w", e.Part, e.Err)
		if e.Garbage {
			s.breaksRules(now, machine, err)
		} else {
			s.giveUp(err)
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
				s.cfg.Link.Disconnect(peer, "your line does not keep up")
			}
			return
		}
	}
	for _, p := range x.Probes(now) {
		_ = s.cfg.Link.Send(peer, link.Input, p) // may be lost like any of them
	}
}

// exchangesWake is how long no exchange has anything to send.
func (s *session) exchangesWake(now time.Time) time.Duration {
	wait := tick
	for machine, x := range s.exchanges {
		if _, ok := s.bulkLine(machine); !ok {
			continue
		}
		if at := x.NextWake(now); !at.IsZero() {
			wait = min(wait, at.Sub(now))
		}
	}
	return max(wait, 0)
}
