package savestate

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/ds"
)

// Trial states are states that builds of a core have made, for other builds to try: see
// internal/corecheck. They belong to no round and no seat; a manifest's seat is the number of the machine
// with that build. Each machine has one at most.

// TrialReceived tells that the peer offers such a state. Whether the peer may speak for that machine is
// for the owner of the exchange to know.
type TrialReceived struct{ Manifest Manifest }

func (TrialReceived) event() {}

// OfferTrial tells the peer of a state, and lets it fetch the parts. It takes the place of the one
// of the same machine before; the same one again does nothing. An invalid manifest is an error.
func (x *Exchange) OfferTrial(m Manifest) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("offer a trial state: %w", err)
	}
	if old, there := x.trials[m.Seat]; there && string(old.Append(nil)) == string(m.Append(nil)) {
		return nil
	}
	if x.trials == nil {
		x.trials = make(map[ds.Seat]Manifest)
	}
	x.trials[m.Seat] = m
	x.reoffer()
	x.settleServing()
	x.say(kindTrial, &trial{m})
	return nil
}

func (x *Exchange) handleTrial(s *trial) error {
	if len(x.events) >= maxHeard {
		return errors.New("too many at a time")
	}
	x.tell(TrialReceived{s.manifest})
	return nil
}
