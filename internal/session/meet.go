package session

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/host"
)

// meeting is a frame at whose beginning all consoles of this machine stand still
// together, for something that concerns all of them: one is unplugged, or the
// players want a pause. Consoles otherwise run frames apart; only here they and
// the air are one state that all machines have in common.
type meeting struct {
	frame int64
	what  []host.Decision // in the order in which they were made
	hold  map[host.Kind]bool
	began bool // all are here, and what there is to do is done
}

// meetAt has all consoles come together at the beginning of d.Frame, for d. Those
// that hold the meeting up last until they are released.
func (g *game) meetAt(d host.Decision) error {
	i, found := slices.BinarySearchFunc(g.meetings, d.Frame, func(m meeting, f int64) int { return cmp.Compare(m.frame, f) })
	if !found {
		g.meetings = slices.Insert(g.meetings, i, meeting{frame: d.Frame, hold: make(map[host.Kind]bool)})
	}
	m := &g.meetings[i]
	m.what = append(m.what, d)
	if holds(d.Kind) {
		m.hold[d.Kind] = true
	}
	if m.began {
		return g.perform(d)
	}
	return g.openAir()
}

// holds tells whether a meeting for a decision lasts until another decision.
func holds(k host.Kind) bool { return k == host.Pause || k == host.Resync }

// release ends what holds up meetings; those that are still to come do not wait
// for it either.
func (g *game) release(k host.Kind) {
	for i := range g.meetings {
		delete(g.meetings[i].hold, k)
	}
}

// stop is the first frame that no console begins before all have met.
func (g *game) stop() int64 {
	if len(g.meetings) == 0 {
		return never
	}
	return g.meetings[0].frame
}

// met tells whether all consoles that still run stand at the beginning of a frame.
func (g *game) met(frame int64) bool {
	for _, s := range g.seats {
		if s.busy || !s.closed && s.frame < frame {
			return false
		}
	}
	return true
}

// meet holds every meeting for which all are here.
func (g *game) meet() error {
	for len(g.meetings) > 0 && g.met(g.meetings[0].frame) {
		m := &g.meetings[0]
		if !m.began {
			m.began = true
			for _, d := range m.what {
				if err := g.perform(d); err != nil {
					return err
				}
			}
		}
		if len(m.hold) > 0 {
			return nil
		}
		g.meetings = g.meetings[1:]
		if g.ending() <= m.frame {
			continue // nobody goes on from here
		}
		if err := g.radio.resume(m.frame); err != nil {
			return err
		}
		if err := g.openAir(); err != nil {
			return err
		}
	}
	return nil
}

// perform does what a decision wants of consoles that stand together.
func (g *game) perform(d host.Decision) error {
	if d.Kind != host.Leave {
		return nil
	}
	if g.repair != nil && slices.Contains(g.repair.seats, d.Seat) {
		g.seat(d.Seat).unplugs = true // a console that the resync replaces, from the new air
		return nil
	}
	return g.radio.unplug(d.Seat)
}

// paused tells whether the players want the game to stand, and it does.
func (g *game) paused() bool {
	return len(g.meetings) > 0 && g.meetings[0].began && g.meetings[0].hold[host.Pause]
}

// openAir lets the consoles' radios go as far as all decisions are known.
func (g *game) openAir() error {
	if g.radio == nil || g.decisions < g.horizon.Decisions {
		return nil
	}
	first, second := int64(never), int64(never)
	note := func(frame int64) {
		switch {
		case frame < first:
			first, second = frame, first
		case frame > first && frame < second:
			second = frame
		}
	}
	for _, m := range g.meetings {
		note(m.frame)
	}
	for _, s := range g.seats {
		if !s.left {
			note(s.end)
		}
	}
	return g.radio.limit(min(g.horizon.Frame, second), first)
}
