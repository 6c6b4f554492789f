package session

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/desync"
	"github.com/nettplay/nettplay/internal/ds"
)

// Repairs are decided here, and done in resync.go.

// A room is repaired so often, and a machine gets new consoles; a fault that comes again
// at once is not cured by it.
const (
	maxRepairs   = 3
	repairWindow = time.Minute
	allMachines  = -1 // for mayRepair: the room's own number
)

// alone reports whether no other machine plays. A client that hears nobody looks for a game host.
func (s *session) alone() bool { return s.host != nil && s.game.Solo() }

// repairable tells whether there is somebody to take consoles from, and time for it.
func (s *session) repairable() bool { return !s.alone() && !s.game.Closing() }

// mayRepair tells the game host whether one more resync is in order, and notes it: for a
// machine that has lost a console, or, with allMachines, for the machines that differ. One
// machine's trouble is not laid to another's charge.
func (s *session) mayRepair(now time.Time, machine int) bool {
	recent := since(s.repaired[machine], now, repairWindow)
	may := len(recent) < maxRepairs
	if may {
		recent = append(recent, now)
	}
	s.repaired[machine] = recent
	return may
}

// since are those of some times that are no longer ago than that.
func since(list []time.Time, now time.Time, ago time.Duration) []time.Time {
	return slices.DeleteFunc(list, func(at time.Time) bool { return now.Sub(at) > ago })
}

// decideRepair orders a resync from a machine. Until it is over nothing is compared:
// what is reported meanwhile is of consoles that are to be replaced.
func (s *session) decideRepair(now time.Time, donor int, why string) error {
	s.comparer = nil
	_, err := s.host.Decide(now, timeline.Decision{Kind: timeline.Resync, Machine: donor, Why: why})
	return unlessOver(err)
}

// donor is a machine with whom the others agree: not the odd one out. With two, the
// console's owner is right.
func (s *session) donor(v desync.Verdict) int {
	if v.Machine != s.me() {
		return s.me()
	}
	if seat, _ := s.game.Seat(v.Seat); seat.Owner != v.Machine && s.game.TakesPart(seat.Owner) && s.everybodyLoads(seat.Owner) {
		return seat.Owner
	}
	return s.otherThan(v.Machine)
}

// otherThan is the lowest machine but one that still plays; one whose states not everybody has tried only where there
// is no other.
func (s *session) otherThan(machine int) int {
	other := machine
	for m := range ds.MaxMachines {
		if m == machine || !s.game.TakesPart(m) {
			continue
		}
		if s.everybodyLoads(m) {
			return m
		}
		if other == machine {
			other = m
		}
	}
	return other
}

// askForRepair tells what becomes of the game when one of our consoles is gone: others may
// have it still. It tells whether that is tried.
func (s *session) askForRepair(now time.Time, err error) bool {
	g := s.game
	if s.alone() || g.Finished() {
		return false
	}
	if g.Resync() != nil && g.Resync().Decision.Machine == s.me() {
		return true // if it is to be given to others we say that it cannot be: cannotGive
	}
	if s.host != nil {
		if s.host.Decisions().Resyncing() || g.Closing() {
			return true // it is replaced anyway, perhaps by a resync that was decided just now, or hardly missed
		}
		if !s.mayRepair(now, s.me()) {
			return false
		}
		why := room.Reason(fmt.Sprintf("%s's computer lost a console: %v", s.room.Me().Nickname, err), "; it takes one from the others")
		return s.decideRepair(now, s.otherThan(s.me()), why) == nil
	}
	return s.client.RequestResync(now, g.Round(), err.Error()) == nil
}

// otherBroken is a client that asks for a resync.
func (s *session) otherBroken(now time.Time, e event.ResyncRequested) error {
	if s.game == nil || s.game.Resync() != nil && s.givenUp == nil || !s.repairable() {
		return nil // with the end so near its seats go on without a console there
	}
	if !s.mayRepair(now, e.Machine) {
		s.cutOff(now, e.Machine, "its consoles fail again and again: "+e.Words)
		return nil
	}
	return s.decideRepair(now, s.me(), room.Reason(e.Words, "; it takes one from the others"))
}
