package game

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Decide applies the next decision of the timeline. Decisions come in order.
func (g *Game) Decide(d timeline.Decision) error {
	g.feed.decisions++
	g.feed.promise()
	g.rec.Decided(d)
	g.chooseDelay(d)
	switch d.Kind {
	case timeline.Start, timeline.AutoDelay:
		return nil
	case timeline.SetDelay:
		return g.setDelay(d)
	case timeline.SeatDelay:
		return g.setSeatDelay(d)
	case timeline.Leave:
		return g.unplug(d)
	case timeline.Idle:
		return g.idle(d)
	case timeline.Pause:
		return g.barrierFor(d)
	case timeline.Enter:
		g.resyncs.joins = append(g.resyncs.joins, d.Plan)
		return nil
	case timeline.Resync:
		return g.resync(d)
	case timeline.Resynced:
		return nil // the caller brings the new consoles; see Game.Resynced
	case timeline.Resume:
		g.release(timeline.Pause)
		return nil
	case timeline.End:
		g.release(timeline.Pause) // a game that stands is ended, too
		g.last = min(g.last, d.Frame)
		g.StopAt(d.Frame)
		return nil
	}
	return fmt.Errorf("the game host decided %v, which this version does not know", d.Kind)
}

// StopAt makes frame the first that no console runs.
func (g *Game) StopAt(frame int64) {
	for _, s := range g.seats {
		g.stopAt(s, frame)
	}
}

func (g *Game) stopAt(s *seat, frame int64) {
	s.end = min(s.end, frame)
	g.atEnd(s, false)
}

// unplug takes a seat out of the game at the decision's frame: its inputs end at InputEnd,
// neutral ones follow up to that frame.
func (g *Game) unplug(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return fmt.Errorf("the game host lets seat %v leave, which does not play", d.Seat)
	}
	if s.left = true; !s.idle {
		s.until = d.InputEnd
	}
	if err := g.vacate(s, d.InputEnd, d.Frame); err != nil {
		return err
	}
	g.stopAt(s, d.Frame)
	return g.barrierFor(d)
}

// idle lets a console run on whose player has gone: all its inputs from InputEnd on are
// neutral.
func (g *Game) idle(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return fmt.Errorf("the game host lets seat %v run on without a player, and it does not play", d.Seat)
	}
	s.idle, s.until = true, d.InputEnd
	return g.vacate(s, d.InputEnd, ds.MaxFrame)
}

// vacate takes the player out of a seat, whose inputs are neutral in a range of frames.
func (g *Game) vacate(s *seat, from, to int64) error {
	if s.owner != g.me && !g.TakesPart(s.owner) {
		g.Drop(s.owner)
		// A late joiner's machine may get its number.
		g.feed.offsets[s.owner], g.feed.steps[s.owner] = 0, step{}
	}
	if s.mine && !g.feed.clock.on {
		return nil
	}
	if err := s.queue.Cut(from, to); err != nil || !g.hosting() {
		return err
	}
	return g.offer(s) // machines that hear of the cut have these frames too and will say so
}

// Depart is for a seat that left before the frame at which a recording is played from: it
// has no console and nothing more happens to it.
func (g *Game) Depart(seat ds.Seat, frame int64) error {
	s := g.seat(seat)
	if s == nil {
		return fmt.Errorf("seat %v leaves, which does not play", seat)
	}
	s.left, s.closed, s.end = true, true, min(s.end, frame)
	return nil
}

// Finished reports whether every console has done its last frame.
func (g *Game) Finished() bool {
	return !slices.ContainsFunc(g.seats, func(s *seat) bool { return !s.closed })
}

// Ending is the first frame that no console runs, as far as is known.
func (g *Game) Ending() int64 {
	end := int64(Never)
	for _, s := range g.seats {
		if !s.left {
			end = min(end, s.end)
		}
	}
	return end
}

// Closing reports whether the game's end is so near that no more can be decided before it.
func (g *Game) Closing() bool { return g.Ending() <= g.feed.horizon.Frame }
