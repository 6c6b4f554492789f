package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// delays are the input delays of a seat as they were decided: on every machine, while the
// queues only know those of the machine's own seats.
type delays struct {
	first int // before the first change
	list  []delayChange
}

// delayChange is a delay that inputs have from a frame on, the frame at which they apply.
type delayChange struct {
	from  int64
	delay int
}

// maxDelayChanges is the number of changes that are kept. They are decided seconds apart, and inputs
// are on their way for less than that.
const maxDelayChanges = 16

// change notes that inputs sampled at local frames >= at have another delay. The frames between the
// old delay and the new one repeat an input or have been sent before, so they count for the old.
func (d *delays) change(at int64, delay int) {
	from := at + int64(max(d.decided(), delay))
	d.list = slices.DeleteFunc(d.list, func(c delayChange) bool { return c.from >= from })
	d.list = append(d.list, delayChange{from, delay})
	if len(d.list) > maxDelayChanges {
		d.first, d.list = d.list[0].delay, slices.Delete(d.list, 0, 1)
	}
}

// of is the delay of the input that applies at a frame.
func (d *delays) of(frame int64) int {
	delay := d.first
	for _, c := range d.list {
		if c.from <= frame {
			delay = c.delay
		}
	}
	return delay
}

// decided is the newest delay, which may not be in force yet.
func (d *delays) decided() int {
	if n := len(d.list); n > 0 {
		return d.list[n-1].delay
	}
	return d.first
}

// setDelay changes the input delay of all seats.
func (g *Game) setDelay(d timeline.Decision) error {
	for m := range g.feed.offsets {
		g.setOffset(m, 0)
	}
	for _, s := range g.seats {
		if err := g.setDelayOf(s, d); err != nil {
			return err
		}
	}
	return nil
}

// setSeatDelay changes the input delay of one seat, and how far its machine plays behind.
func (g *Game) setSeatDelay(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return nil // a recording of a late joiner has the seat later
	}
	g.setOffset(s.owner, d.Offset)
	return g.setDelayOf(s, d)
}

// setOffset notes how far a machine plays behind the others. Needs that were measured are moved, as if it
// always had been so.
func (g *Game) setOffset(machine, offset int) {
	by := 4 * (offset - g.feed.offsets[machine])
	g.feed.offsets[machine] = offset
	for _, s := range g.seats {
		switch {
		case by == 0 || s.mine:
		case machine == g.me:
			s.arrivals.Shift(-by)
		case machine == s.owner:
			s.arrivals.Shift(by)
		}
	}
}

func (g *Game) setDelayOf(s *seat, d timeline.Decision) error {
	s.delays.change(d.Frame, d.Delay)
	if !s.mine && (!g.feed.clock.on || s.vacant()) {
		return nil // in clocked play this machine may come to stamp it
	}
	return s.queue.SetDelay(d.Frame, d.Delay)
}

// KnowDelays tells a late joiner's game the delays of the seats that were there before, at
// the frame of the resync: all, or the newest decision on those of some seats.
func (g *Game) KnowDelays(all int, of map[ds.Seat]timeline.Decision) {
	for _, s := range g.seats {
		d, own := of[s.number]
		if own {
			g.feed.offsets[s.owner] = d.Offset
		}
		switch {
		case s.mine:
		case own:
			s.delays = delays{first: d.Delay}
		default:
			s.delays = delays{first: all}
		}
	}
}

// chooseDelay takes note of what a player has chosen.
func (g *Game) chooseDelay(d timeline.Decision) {
	switch d.Kind {
	case timeline.SetDelay:
		g.feed.chosen = new(autodelay.Off)
	case timeline.AutoDelay:
		g.feed.chosen = new(d.Auto)
	}
}

// AutoDelay returns the preset of the automatic input delay, in a game that began with one: a player
// may have chosen another one since, or a number.
func (g *Game) AutoDelay(first autodelay.Preset) autodelay.Preset {
	if g.feed.chosen != nil {
		return *g.feed.chosen
	}
	return first
}
