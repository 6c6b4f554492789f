package spectate

import (
	"slices"

	"github.com/nettplay/nettplay/host/event"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// Entry is the last part of a late joiner's way: from being let in to the resync with which
// its consoles are in the game.
type Entry struct {
	Round    uint32
	Settings room.Settings
	Known    game.Timeline   // First and At are -1 while the resync with which we come in is not decided
	seats    []room.SeatPlan // that have played in the game so far
	joins    []room.SeatPlan // who comes in with that resync
}

// Enter begins it: this machine is let in.
func Enter(e event.LateJoined) *Entry {
	return &Entry{Round: e.Round, Settings: e.Settings, seats: e.Seats, Known: game.Timeline{First: -1, At: -1}}
}

// HandleDecision takes a decision of the game, on machine me. Build tells that the consoles of the
// resync with which we come in are to be built, begin that they are in the game.
func (e *Entry) HandleDecision(d timeline.Decision, me int) (build, begin bool) {
	e.Known.Decisions = append(e.Known.Decisions, d)
	newest := len(e.Known.Decisions) - 1
	switch {
	case d.Kind == timeline.Enter:
		e.seats = append(e.seats, d.Plan)
		game.SortPlans(e.seats)
	case d.Kind == timeline.Resync && e.Known.At >= 0: // in place of one that came to nothing
		e.Known.At = newest
		return true, false
	case d.Kind == timeline.Resync:
		joins := e.newestJoins()
		if slices.ContainsFunc(joins, func(p room.SeatPlan) bool { return p.Machine == me }) {
			e.Known.First, e.Known.At, e.joins = newest, newest, joins
			return true, false
		}
	}
	return false, d.Kind == timeline.Resynced && e.Known.At >= 0
}

// newestJoins are the seats that join with the newest decision, a resync.
func (e *Entry) newestJoins() []room.SeatPlan {
	var list []room.SeatPlan
	for _, d := range e.Known.Decisions[:len(e.Known.Decisions)-1] {
		switch d.Kind {
		case timeline.Enter:
			list = append(list, d.Plan)
		case timeline.Resync:
			list = nil
		}
	}
	return list
}

// Playing are the seats whose consoles are built with our resync, by rising seat.
func (e *Entry) Playing() []room.SeatPlan {
	left := make(map[ds.Seat]bool)
	for i, d := range e.Known.Decisions[:e.Known.At] {
		if d.Kind == timeline.Leave && (i < e.Known.First || d.Frame < e.Known.Frame()) {
			left[d.Seat] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(e.seats), func(p room.SeatPlan) bool { return left[p.Seat] })
}

// Resync is the one with which we come in, and the plan for its consoles: those of seats that
// play already come from its donor.
func (e *Entry) Resync() (*game.Resync, event.Prepare) {
	r := &game.Resync{Decision: e.Known.Decisions[e.Known.At], Joins: e.joins}
	r.Decision.Frame = e.Known.Frame()
	for _, o := range e.Known.Decisions {
		if o.Kind == timeline.Resync {
			r.Number++
		}
	}
	plan := event.Prepare{Round: e.Round, Settings: e.Settings, Seats: e.Playing()}
	for i, p := range plan.Seats {
		if !r.Joined(p.Seat) {
			plan.Seats[i].Machine = r.Decision.Machine
		}
	}
	return r, plan
}
