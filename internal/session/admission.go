package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/assembly"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/savestate"
)

// Late join, on the game host. While the others play on, the late joiner's machine looks
// for the games and hands its consoles, switched off, to the game host. Once all of that is
// there it is let in: by a resync (resync.go) in which all machines get its
// consoles as well, which are switched on at that frame. Should it vanish meanwhile,
// everybody has what it takes to go on all the same, and its seats are unplugged like
// any other's. The late joiner's own side is in latejoin.go.

// admitEvery is the time nobody else is let in: each time the others stand for a moment.
const admitEvery = 5 * time.Second

// lateJoiner is the game host's state of a machine that waits to be let in.
type lateJoiner struct {
	spectate.Progress
	said      bool                           // to the others that it cannot follow the game
	manifests map[ds.Seat]savestate.Manifest // by seat
	waiting   map[savestate.Part]bool
}

// lateJoinerEvent takes what comes from a machine that waits to be let in.
func (s *session) lateJoinerEvent(now time.Time, machine int, event savestate.Event) {
	if s.host == nil {
		return
	}
	plans := s.host.Plans(machine)
	if len(plans) == 0 {
		return
	}
	n := s.lateJoiner(machine)
	switch e := event.(type) {
	case savestate.ManifestReceived:
		if err := n.know(e.Manifest, plans, s.host.Settings()); err != nil {
			s.breaksRules(now, machine, err)
			return
		}
		s.assembler.Exchange(machine).Fetch(e.Manifest.Parts)
	case savestate.PartDone:
		delete(n.waiting, e.Part)
	case savestate.PartFailed:
		err := fmt.Errorf("fetching %v: %w", e.Part, e.Err)
		if e.Garbage {
			s.breaksRules(now, machine, err)
		} else {
			s.cutOff(now, machine, "could not join the game: "+err.Error())
		}
	}
}

// know takes the manifest of one of a late joiner's consoles.
func (n *lateJoiner) know(m savestate.Manifest, plans []room.SeatPlan, settings room.Settings) error {
	i := slices.IndexFunc(plans, func(p room.SeatPlan) bool { return p.Seat == m.Seat })
	if i < 0 {
		return fmt.Errorf("manifest of seat %v, which is another's", m.Seat)
	}
	if _, state := m.Part(savestate.KindState); state {
		return fmt.Errorf("manifest of seat %v with a state, for a console that is switched off", m.Seat)
	}
	if err := assembly.Agreed(m, plans[i], settings, 0); err != nil {
		return err
	}
	n.manifests[m.Seat] = m
	for _, p := range m.Parts {
		n.waiting[p] = true
	}
	return nil
}

// admitLateJoiners lets in late joiners that are ready, on the game host.
func (s *session) admitLateJoiners(now time.Time) error {
	g := s.game
	if s.host == nil || g == nil || s.assembler.Current() != nil || g.Resync() != nil || now.Sub(s.lastAdmission) < admitEvery || g.Closing() {
		return nil
	}
	for _, machine := range s.host.LateJoiners() {
		n := s.lateJoiners[machine]
		if why, tried := s.triedBuildOf(machine); !tried {
			continue
		} else if why != "" {
			s.cutOff(now, machine, "could not join the game: "+why)
			continue
		}
		if n == nil || len(n.manifests) < len(s.host.Plans(machine)) || len(n.waiting) > 0 {
			continue
		}
		switch here, err := s.prepared(now, machine, n); {
		case err != nil:
			return err
		case g.Resync() != nil:
			return nil // a place is made for it
		case !here:
			continue
		}
		err := s.host.Admit(now, machine, s.me())
		if errors.Is(err, room.ErrPhase) {
			return nil // a little later
		}
		s.lastAdmission, s.comparer, s.incoming = now, nil, n.manifests // which it need not be here for
		return err
	}
	return nil
}
