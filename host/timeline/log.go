package timeline

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Log is the decisions of a game, in the order in which they were made.
type Log []Decision

// Limits on the decisions of one game. The reserve is kept for decisions that end something: every seat leaves,
// a pause or a resync ends, another machine takes over a resync whose machine is gone, the game ends.
const (
	MaxDecisions     = 4096
	reserveDecisions = ds.MaxSeats + ds.MaxMachines + 8
)

// SeatEnded reports whether a decision has ended a seat's part in the game.
func (decisions Log) SeatEnded(seat ds.Seat) bool {
	return slices.ContainsFunc(decisions, func(d Decision) bool { return d.EndsSeat() && d.Seat == seat })
}

// Paused reports whether a player's pause is in force.
func (decisions Log) Paused() bool {
	return decisions.under(Pause, Resume, End) // an end overrides a pause
}

// Resyncing reports whether a resync is under way.
func (decisions Log) Resyncing() bool { return decisions.under(Resync, Resynced, GiveUp) }

// Donor returns the machine whose consoles the newest resync distributes, or -1 without a resync.
func (decisions Log) Donor() int {
	for _, d := range slices.Backward(decisions) {
		if d.Kind == Resync {
			return d.Machine
		}
	}
	return -1
}

// under reports whether the newest decision among begin and ends is begin.
func (decisions Log) under(begin Kind, ends ...Kind) bool {
	for _, d := range slices.Backward(decisions) {
		if d.Kind == begin || slices.Contains(ends, d.Kind) {
			return d.Kind == begin
		}
	}
	return false
}

// EndFrame returns the first frame that no console runs, and whether an end is decided.
func (decisions Log) EndFrame() (int64, bool) {
	end, found := int64(ds.MaxFrame), false
	for _, d := range decisions {
		if d.Kind == End {
			end, found = min(end, d.Frame), true
		}
	}
	return end, found
}

// Check returns an error if d, received from the game host, is not valid as the next decision.
func (decisions Log) Check(d Decision, seats []room.SeatPlan) error {
	plays := func(seat ds.Seat) bool {
		return slices.ContainsFunc(seats, func(s room.SeatPlan) bool { return s.Seat == seat })
	}
	switch {
	case len(decisions) == 0 && d.Kind != Start:
		return fmt.Errorf("the first decision is %v, not start", d.Kind)
	case len(decisions) > 0 && d.Kind == Start:
		return errors.New("the game starts twice")
	case len(decisions) >= MaxDecisions:
		return fmt.Errorf("more than %d decisions", MaxDecisions)
	case d.Kind == Resync && (decisions.Resyncing() && decisions.Donor() == d.Machine || !slices.ContainsFunc(seats, func(s room.SeatPlan) bool { return s.Machine == d.Machine })):
		return fmt.Errorf("a resync from machine %d, which does not play, or during another resync", d.Machine)
	case d.Kind == Resync && decisions.Incoming().Has(d.Machine):
		return fmt.Errorf("a resync from machine %d, which is only just joining", d.Machine)
	case (d.Kind == Resynced || d.Kind == GiveUp) && !decisions.Resyncing():
		return errors.New("the end of a resync that never began")
	case d.Kind == GiveUp && decisions.Incoming() != 0:
		return errors.New("a resync by which a player joins cannot be given up")
	case d.Kind == Enter && decisions.Resyncing():
		return errors.New("a player joins during a resync")
	case d.Kind == Enter && plays(d.Plan.Seat):
		return fmt.Errorf("seat %v joins the game, but plays or has played in it", d.Plan.Seat)
	case d.Kind == SeatDelay && !plays(d.Seat):
		return fmt.Errorf("delay of seat %v, which does not play", d.Seat)
	case d.Kind == SwitchOn && !plays(d.Seat):
		return fmt.Errorf("seat %v is switched on, but does not play", d.Seat)
	case !d.EndsSeat():
		return nil
	case !plays(d.Seat):
		return fmt.Errorf("seat %v leaves, but does not play", d.Seat)
	case decisions.SeatEnded(d.Seat):
		return fmt.Errorf("seat %v leaves twice", d.Seat)
	case d.InputEnd > d.Frame:
		return fmt.Errorf("seat %v leaves at frame %d with inputs up to frame %d", d.Seat, d.Frame, d.InputEnd)
	}
	return nil
}

// InOrder returns seats with p added, sorted by seat: a late joiner may have a lower seat than
// those already in the game.
func InOrder(seats []room.SeatPlan, p room.SeatPlan) []room.SeatPlan {
	seats = append(slices.Clone(seats), p)
	slices.SortFunc(seats, func(a, b room.SeatPlan) int { return int(a.Seat - b.Seat) })
	return seats
}

// Began returns the seats that were in the game from its start.
func (decisions Log) Began(seats []room.SeatPlan) []room.SeatPlan {
	return slices.DeleteFunc(slices.Clone(seats), func(s room.SeatPlan) bool {
		return slices.ContainsFunc(decisions, func(d Decision) bool { return d.Kind == Enter && d.Plan.Seat == s.Seat })
	})
}

// Remade returns the seats whose consoles the last resync rebuilds: those whose leaving was not decided
// before it, or before the one it replaces. A seat that leaves at an earlier frame is
// not among them: its console stays at that frame.
func (decisions Log) Remade(seats []room.SeatPlan) []room.SeatPlan {
	first, frame := len(decisions), int64(-1)
	for i, d := range slices.Backward(decisions) {
		if d.Kind == Resynced || d.Kind == GiveUp {
			break
		}
		if d.Kind == Resync {
			first = i
			if frame < 0 {
				frame = d.Frame // of the last resync, which another game host may have decided for an earlier frame
			}
		}
	}
	if end, decided := decisions.EndFrame(); decided {
		frame = min(frame, end) // no console gets any further
	}
	var list []room.SeatPlan
	for _, s := range seats {
		i := slices.IndexFunc(decisions, func(d Decision) bool { return d.Kind == Leave && d.Seat == s.Seat })
		if i < 0 || i > first && decisions[i].Frame >= frame {
			// This includes a late joiner's: its Enter comes just before the resync that brings it in.
			list = append(list, s)
		}
	}
	return list
}

// Incoming returns the machines that have been let in but have no consoles until the
// resync is over.
func (decisions Log) Incoming() (coming room.MachineSet) {
	for _, d := range slices.Backward(decisions) {
		switch d.Kind {
		case Resynced:
			return coming
		case Enter:
			coming = coming.With(d.Plan.Machine)
		}
	}
	return coming
}

// Digest returns the SHA-256 of the decisions as encoded for the wire.
func (decisions Log) Digest() [32]byte {
	c := wire.Writer(nil)
	for i := range decisions {
		DecisionFields(c, &decisions[i])
	}
	return sha256.Sum256(c.Bytes())
}
