package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// A Resync replaces the consoles of all machines by those of one of them, at one frame: all
// consoles meet there, everyone makes them anew from that machine's states and air, hashes
// are compared, and the game goes on. It is decided where machines differ, where one has
// lost a console, to let somebody join late, to keep a moment, and for a checkpoint.
type Resync struct {
	Number   int // of the game's, from 1
	Decision timeline.Decision
	Seats    []ds.Seat       // whose consoles are replaced: those that had not left when it was decided
	Joins    []room.SeatPlan // whose consoles join with it, switched on
}

// Frame is the frame at which the consoles are replaced.
func (r *Resync) Frame() int64 { return r.Decision.Frame }

// Joined reports whether a seat joins with the resync.
func (r *Resync) Joined(seat ds.Seat) bool {
	return slices.ContainsFunc(r.Joins, func(p room.SeatPlan) bool { return p.Seat == seat })
}

// Repairs reports whether something was wrong: otherwise it lets somebody join, has a moment kept, or makes
// a place in the log from which one can follow.
func (r *Resync) Repairs() bool { return len(r.Joins) == 0 && !r.Decision.Alike }

// DelayAt is the input delay that a late joiner's seat begins with at the frame of the
// resync, in a game that began with delay: the longest of the others that was decided before, since
// nothing is known of its line yet. Later decisions reach a late joiner as they do all others.
func (r *Resync) DelayAt(delay int, decisions []timeline.Decision) int {
	delay, of := r.DelaysAt(delay, decisions)
	if len(of) > 0 {
		delay = 0
	}
	for _, d := range of {
		delay = max(delay, d.Delay)
	}
	return delay
}

// DelaysAt are the input delays at the frame of the resync, in a game that began with delay, as
// far as they were decided before: the newest decision on each seat that has one of its own, and the delay
// of all others.
func (r *Resync) DelaysAt(delay int, decisions []timeline.Decision) (all int, of map[ds.Seat]timeline.Decision) {
	number := 0
	of = make(map[ds.Seat]timeline.Decision)
	for _, d := range decisions {
		switch {
		case d.Kind == timeline.SetDelay && d.Frame <= r.Frame():
			delay = d.Delay
			clear(of)
		case d.Kind == timeline.SeatDelay && d.Frame <= r.Frame():
			of[d.Seat] = d
		case d.Kind == timeline.Resync:
			if number++; number == r.Number {
				return delay, of
			}
		}
	}
	return delay, of
}

// resyncs are those of a game.
type resyncs struct {
	now   *Resync         // under way, nil for none
	count int             // decided so far
	joins []room.SeatPlan // that join with the next one
}

// Resync is the one that is under way, nil for none. It must not be changed.
func (g *Game) Resync() *Resync { return g.resyncs.now }

// Joining reports whether somebody is just joining the game.
func (g *Game) Joining() bool {
	return len(g.resyncs.joins) > 0 || g.resyncs.now != nil && len(g.resyncs.now.Joins) > 0
}

// ReadyForResync reports whether a resync is under way and all consoles have met for it.
func (g *Game) ReadyForResync() bool { return g.resyncs.now != nil && g.held(timeline.Resync) }

// resync notes that consoles are to be replaced. Where the game ends before its frame, all
// stand there.
func (g *Game) resync(d timeline.Decision) error {
	d.Frame = min(d.Frame, g.last)
	g.resyncs.count++
	g.release(timeline.Resync) // of one whose game host is gone, or whose donor cannot give
	old := g.resyncs.now
	r := &Resync{Number: g.resyncs.count, Decision: d, Joins: g.resyncs.joins}
	g.resyncs.now, g.resyncs.joins = r, nil
	if old == nil {
		for _, s := range g.seats {
			if !s.left {
				r.Seats = append(r.Seats, s.number)
			}
		}
		return g.barrierFor(d)
	}
	r.Joins = append(r.Joins, old.Joins...)
	for _, number := range old.Seats {
		// Also those that have left since; but not one that stays behind at an earlier frame.
		if s := g.seat(number); !s.left || s.end >= d.Frame {
			r.Seats = append(r.Seats, number)
		} else if s.unplugs {
			if err := g.unplugNow(s); err != nil {
				return err
			}
		}
	}
	return g.barrierFor(d)
}
