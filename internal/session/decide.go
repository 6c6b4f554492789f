package session

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/host"
)

// What the decisions of the timeline do to a game.

// decide applies the next decision of the timeline. Decisions come in order.
func (g *game) decide(d host.Decision) error {
	g.decisions++
	g.promise()
	g.rec.Decided(d)
	switch d.Kind {
	case host.Start:
		return nil
	case host.SetDelay:
		for _, s := range g.seats {
			if s.mine {
				if err := s.line.SetDelay(d.Frame, d.Delay); err != nil {
					return err
				}
			}
		}
		return nil
	case host.Leave:
		if err := g.unplug(d); err != nil {
			return err
		}
		return g.meetAt(d)
	case host.Idle:
		return g.idle(d)
	case host.Pause:
		return g.meetAt(d)
	case host.Enter:
		g.entering = append(g.entering, d.Plan)
		return nil
	case host.Resync:
		d, err := g.resync(d)
		if err != nil {
			return err
		}
		return g.meetAt(d)
	case host.Resynced:
		return nil // the session puts the new consoles in; see session.resynced
	case host.Resume:
		g.release(host.Pause)
		return nil
	case host.End:
		g.release(host.Pause) // a game that stands is ended, too
		g.last = min(g.last, d.Frame)
		for _, s := range g.seats {
			g.stopAt(s, d.Frame)
		}
		return nil
	}
	return fmt.Errorf("the game host decided %v, which this version does not know", d.Kind)
}

// stopAt makes frame the first that a console does not run.
func (g *game) stopAt(s *seat, frame int64) {
	s.end = min(s.end, frame)
	g.atEnd(s, false)
}

// unplug takes a seat out of the game at the decision's frame: its inputs end
// at InputEnd, neutral ones follow up to that frame.
func (g *game) unplug(d host.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return fmt.Errorf("the game host lets seat %d leave, which does not play", d.Seat)
	}
	s.left = true
	if err := g.vacate(s, d.InputEnd, d.Frame); err != nil {
		return err
	}
	g.stopAt(s, d.Frame)
	return nil
}

// idle lets a console run on whose player has gone: all its inputs from InputEnd on are
// neutral.
func (g *game) idle(d host.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return fmt.Errorf("nobody plays seat %d any more, says the game host, and nobody has", d.Seat)
	}
	s.idle, s.until = true, d.InputEnd
	return g.vacate(s, d.InputEnd, ds.MaxFrame)
}

// vacate takes the player out of a seat, whose inputs are neutral in a range of frames.
func (g *game) vacate(s *seat, from, to int64) error {
	if s.owner != g.me && !g.takesPart(s.owner) {
		g.drop(s.owner)
	}
	if s.mine {
		return nil
	}
	if err := s.line.Cut(from, to); err != nil || !g.hosting {
		return err
	}
	return g.offer(s) // whoever hears of the cut has these frames too and will say so
}

// vacant tells whether nobody plays the seat any more.
func (s *seat) vacant() bool { return s.left || s.idle }

// newest is the newest frame whose input can be passed on. That nothing is pressed since
// nobody plays, everybody knows.
func (s *seat) newest() int64 {
	if s.idle {
		return min(s.line.Newest(), s.until-1)
	}
	return s.line.Newest()
}

// takesPart tells whether a machine still plays a seat of the game.
func (g *game) takesPart(machine int) bool {
	return slices.ContainsFunc(g.seats, func(s *seat) bool { return s.owner == machine && !s.vacant() })
}

// drop forgets a machine that is gone: nobody waits for it any more.
func (g *game) drop(machine int) {
	g.pressure.Remove(machine)
	g.out.RemoveClient(machine)
	delete(g.in, machine)
}

// finished tells whether every console has done its last frame.
func (g *game) finished() bool {
	for _, s := range g.seats {
		if !s.closed {
			return false
		}
	}
	return true
}

// ending is the first frame that no console runs, as far as is known.
func (g *game) ending() int64 {
	end := int64(never)
	for _, s := range g.seats {
		if !s.left {
			end = min(end, s.end)
		}
	}
	return end
}
