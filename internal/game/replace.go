package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Fresh is a console that was made anew.
type Fresh struct {
	Console Console
	Hash    ds.Hash
}

// Resynced puts the consoles of the resync that is under way in their places, with the air
// between them, and lets the game go on. Delay is the input delay at that frame. It takes
// ownership of the consoles and the radio, also when it fails.
func (g *Game) Resynced(consoles map[ds.Seat]Fresh, radio *Radio, delay int) error {
	r, old := g.resyncs.now, g.radio
	g.radio = radio
	defer old.Close()
	for _, number := range r.Seats {
		g.replace(number, consoles[number])
		delete(consoles, number)
	}
	for _, plan := range r.Joins {
		if err := g.join(plan, consoles[plan.Seat], r.Frame(), delay); err != nil {
			for _, c := range consoles {
				c.Console.Close()
			}
			return err
		}
		delete(consoles, plan.Seat)
	}
	if err := g.serveAnew(r); err != nil {
		return err
	}
	if err := g.tuneIn(r); err != nil {
		return err
	}
	g.resyncs.now = nil
	g.release(timeline.Resync)
	return nil
}

// replace puts a console in the place of a seat's old one, at the same frame.
func (g *Game) replace(number ds.Seat, c Fresh) {
	s := g.seat(number)
	s.run.close()
	s.run = startRunner(number, c.Console, g.show, g.done, unknown)
	s.dead, s.final, s.guesses.list = false, c.Hash, nil
	if s.closed = s.frame >= s.end; s.closed {
		s.reported = s.frame
	}
}

// tuneIn has the consoles of a resync use the air that came with it.
func (g *Game) tuneIn(r *Resync) error {
	for _, s := range g.seats {
		if !slices.Contains(r.Seats, s.number) {
			s.final = ds.Hash{} // it left while the machines were not alike, or has not run yet
		}
	}
	for _, p := range r.Joins {
		g.radio.own(p.Seat, g.seat(p.Seat).run.console)
	}
	for _, number := range r.Seats {
		s := g.seat(number)
		g.radio.own(number, s.run.console)
		if s.unplugs = false; s.left && s.end <= r.Frame() {
			if err := g.radio.Unplug(number); err != nil {
				return err
			}
		}
	}
	return nil
}
