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
	case timeline.SwitchOn:
		return g.switchOn(d)
	case timeline.Pause:
		return g.barrierFor(d)
	case timeline.Enter:
		g.resyncs.joins = append(g.resyncs.joins, d.Plan)
		return nil
	case timeline.Resync:
		return g.resync(d)
	case timeline.Resynced:
		return nil // the caller brings the new consoles; see Game.Resynced
	case timeline.GiveUp:
		return nil // the caller knows when nobody reads the consoles any more; see Game.GiveUpResync
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

// unplug takes a seat out of the game at the decision's frame: its inputs end at InputEnd,
// neutral ones follow up to that frame.
func (g *Game) unplug(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return fmt.Errorf("the game host lets seat %v leave, but it does not play", d.Seat)
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

// switchOn has a console begin anew at the decision's frame, if it is off then.
func (g *Game) switchOn(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return nil // it left before we came in
	}
	s.power = append(s.power, d.Frame)
	slices.Sort(s.power)
	return nil
}

// switchesOn reports whether a console is to be switched on before its next frame.
func (s *seat) switchesOn() bool {
	on := false
	for len(s.power) > 0 && s.power[0] <= s.frame {
		on, s.power = on || s.power[0] == s.frame, s.power[1:]
	}
	return on
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
	case timeline.SwitchOn:
		applies = d.Frame >= first && g.Plays(d.Seat) // before that the consoles that came have it
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
