package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// Late join: a seat is added to the running game at the frame of a resync. All others get
// its console as well; its machine begins its game in the middle.

// join gives a late joiner's console a seat.
func (g *Game) join(plan room.SeatPlan, c Fresh, frame int64, delay int) error {
	config := SeatOf(plan, c.Console)
	config.SRAM = unknown
	s, err := g.newSeat(config, frame, delay, delay)
	if err != nil {
		return err
	}
	s.final, s.closed = c.Hash, s.frame >= s.end
	g.seats, g.plan = append(g.seats, s), append(slices.Clone(g.plan), plan)
	slices.SortFunc(g.seats, func(a, b *seat) int { return int(a.number - b.number) })
	SortPlans(g.plan)
	g.feed.pressure.Add(plan.Machine)
	g.feed.pressure.Report(plan.Machine, frame)
	if g.hosting() {
		g.feed.out.AddSeat(plan.Seat, s.offered)
	}
	return nil
}

// SortPlans puts seats in rising order, in which the hashes of all are told. A late joiner
// may have a lower one than those that played before.
func SortPlans(list []room.SeatPlan) {
	slices.SortFunc(list, func(a, b room.SeatPlan) int { return int(a.Seat - b.Seat) })
}

// serveAnew has the game host serve the inputs of all seats to all machines, late joiners
// included, which lack everything from the frame of the resync on.
func (g *Game) serveAnew(r *Resync) error {
	if !g.hosting() || len(r.Joins) == 0 {
		return nil
	}
	again := slices.DeleteFunc(slices.Clone(g.seats), func(s *seat) bool { return s.closed || r.Joined(s.number) })
	for _, s := range again {
		s.offered = s.frame
		g.feed.out.AddSeat(s.number, s.frame)
	}
	// All that are served, before the first input, which would not be kept otherwise.
	g.mirrorAll()
	for _, s := range again {
		if err := g.offer(s); err != nil {
			return err
		}
	}
	return nil
}

// A Timeline is the decisions of a game that a late joiner was told before its own game
// begins.
type Timeline struct {
	Decisions []timeline.Decision
	First     int // the resync with which it joins, as it was decided first
	At        int // the one in whose place it is now: First, or a later one
}

// Frame is the frame at which the late joiner's game begins.
func (t Timeline) Frame() int64 {
	frame := t.Decisions[t.At].Frame
	for _, d := range t.Decisions[:t.At] {
		if d.Kind == timeline.End {
			frame = min(frame, d.Frame)
		}
	}
	return frame
}

// CatchUp applies the decisions that were made before this machine's game begins, and
// while it was made.
func (g *Game) CatchUp(t Timeline) error {
	for i, d := range t.Decisions {
		if err := g.catchUp(d, i > t.First, i > t.At, t.Frame()); err != nil {
			return err
		}
		if d.Kind == timeline.Resync && i <= t.At {
			g.resyncs.count++
		}
	}
	return nil
}

// catchUp applies a decision that was made before we came in at a frame, or while we did:
// since a resync was decided first, or since the one with which we came in.
func (g *Game) catchUp(d timeline.Decision, meanwhile, since bool, first int64) error {
	applies := false
	g.chooseDelay(d)
	switch d.Kind {
	case timeline.End:
		applies = true
	case timeline.Leave, timeline.Pause, timeline.Resume:
		applies = meanwhile && (d.Frame >= first || d.Kind == timeline.Resume)
	case timeline.Idle:
		applies, d.Frame = true, max(d.Frame, first)
	case timeline.SetDelay, timeline.SeatDelay:
		applies = since // else Resync.DelayAt knows
	}
	if applies {
		// A player that left meanwhile may have had no input for frames that we have never seen.
		d.InputEnd = min(max(d.InputEnd, first), d.Frame)
		return g.Decide(d)
	}
	g.feed.decisions++
	return nil
}
