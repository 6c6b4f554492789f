package game

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
)

// barrier is a frame at whose beginning all consoles of this machine stand still together,
// for something that concerns all of them: one is unplugged, the players want a pause, or
// a resync replaces them. Consoles otherwise run frames apart; only here they and the air
// are one state that all machines have in common.
type barrier struct {
	frame     int64
	decisions []timeline.Decision // that want it, in the order in which they were made
	holds     map[timeline.Kind]bool
	reached   bool // all are here, and what there is to do is done
}

// barrierFor has all consoles meet at the beginning of d.Frame, for d. Decisions that hold
// the barrier do so until they are released.
func (g *Game) barrierFor(d timeline.Decision) error {
	i, found := slices.BinarySearchFunc(g.barriers, d.Frame, func(b barrier, f int64) int { return cmp.Compare(b.frame, f) })
	if !found {
		g.barriers = slices.Insert(g.barriers, i, barrier{frame: d.Frame, holds: make(map[timeline.Kind]bool)})
	}
	b := &g.barriers[i]
	b.decisions = append(b.decisions, d)
	if holds(d.Kind) {
		b.holds[d.Kind] = true
	}
	if b.reached {
		return g.perform(d)
	}
	return g.openAir()
}

// holds reports whether the barrier of a decision lasts until another decision.
func holds(k timeline.Kind) bool { return k == timeline.Pause || k == timeline.Resync }

// release ends what holds barriers; those that are still to come do not wait for it
// either.
func (g *Game) release(k timeline.Kind) { g.ReleaseBefore(k, Never) }

// ReleaseBefore ends what holds the barriers before a frame; for a game that is played
// again.
func (g *Game) ReleaseBefore(k timeline.Kind, frame int64) {
	if g.held(k) {
		g.pace.started = false // the beat begins anew
	}
	for i := range g.barriers {
		if g.barriers[i].frame < frame {
			delete(g.barriers[i].holds, k)
		}
	}
}

// HeldAt reports whether all consoles stand at the barrier of a frame, and a decision of a
// kind holds it.
func (g *Game) HeldAt(frame int64, k timeline.Kind) bool {
	return g.held(k) && g.barriers[0].frame == frame
}

// held reports whether all consoles stand at a barrier that a decision of a kind holds.
func (g *Game) held(k timeline.Kind) bool {
	return len(g.barriers) > 0 && g.barriers[0].reached && g.barriers[0].holds[k]
}

// Paused reports whether the players want the game to stand, and it does.
func (g *Game) Paused() bool { return g.held(timeline.Pause) }

// Stop is the first frame that no console begins before all have met; [Never] for none.
func (g *Game) Stop() int64 {
	if len(g.barriers) == 0 {
		return Never
	}
	return g.barriers[0].frame
}

// allowed tells whether every decision that could apply to a frame is known, and no
// barrier stands before it. A decision that is still on its way applies no earlier than the frame
// that was promised before it: up to there nobody waits for it.
func (g *Game) allowed(frame int64) bool {
	known := frame < g.feed.promised || frame < g.feed.horizon.Frame && g.feed.informed()
	return known && frame < g.Stop()
}

// Met reports whether all consoles that still run stand at the beginning of a frame.
func (g *Game) Met(frame int64) bool {
	return !slices.ContainsFunc(g.seats, func(s *seat) bool { return s.busy || !s.closed && s.frame < frame })
}

// meet passes every barrier that all consoles have reached and nothing holds.
func (g *Game) meet() error {
	for len(g.barriers) > 0 && g.Met(g.barriers[0].frame) {
		b := &g.barriers[0]
		if !b.reached {
			b.reached = true
			for _, d := range b.decisions {
				if err := g.perform(d); err != nil {
					return err
				}
			}
		}
		if len(b.holds) > 0 {
			return nil
		}
		g.barriers = g.barriers[1:]
		if g.Ending() <= b.frame {
			continue // nobody goes on from here
		}
		if err := g.radio.resume(b.frame); err != nil {
			return err
		}
		if err := g.openAir(); err != nil {
			return err
		}
	}
	return nil
}

// perform does what a decision wants of consoles that stand together.
func (g *Game) perform(d timeline.Decision) error {
	if d.Kind != timeline.Leave {
		return nil
	}
	if r := g.resyncs.now; r != nil && slices.Contains(r.Seats, d.Seat) {
		g.seat(d.Seat).unplugs = true // a console that the resync replaces, from the new air
		return nil
	}
	return g.unplugNow(g.seat(d.Seat))
}

// openAir lets the consoles' radios go as far as all decisions are known.
func (g *Game) openAir() error {
	if g.radio == nil || !g.feed.informed() {
		return nil
	}
	first, second := int64(Never), int64(Never)
	note := func(frame int64) {
		switch {
		case frame < first:
			first, second = frame, first
		case frame > first && frame < second:
			second = frame
		}
	}
	for _, b := range g.barriers {
		note(b.frame)
	}
	for _, s := range g.seats {
		if !s.left {
			note(s.end)
		}
	}
	return g.radio.limit(min(g.feed.horizon.Frame, second), first)
}
