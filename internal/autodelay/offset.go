package autodelay

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Bounds of offsets.
const (
	// maxDelayed is the longest delay, in frames, up to which an offset may lengthen a machine's own: it is
	// as many frames behind as the others see it, and they wait at ds.MaxBehind.
	maxDelayed = 12
	worthIt    = 2 // frames: less is not worth an offset
)

// offset returns the changes to a machine's seats and the others' when it plays further behind the others,
// or less. A machine behind a worse line than most takes what its line costs upon itself: it plays later by
// that, so the others' inputs are in time there with the delay of their own lines. See docs/decisions/0058.
func (k *Keeper) offset(now time.Time, seats []Seat) (list []Change) {
	all := machines(seats)
	var needs ways // as they would be if all played at the same time
	known := k.eachWay(now, seats, func(s Seat, to int, l Arrival) {
		needs.atLeast(s.Machine, to, l.Need-4*s.Offset+4*offsetOf(seats, to))
	})
	if !known {
		return nil
	}
	for _, m := range all {
		switch is, want := offsetOf(seats, m), needs.want(m, all); {
		case want >= worthIt && want > is && is < ds.MaxOffset && k.turns[m].mayRise(now) && k.bearable(m, seats, all):
			k.turns[m].rise()
			return k.move(now, m, 1, seats)
		case want < is-1 || want == 0 && is > 0:
			k.turns[m].back = now
			return k.move(now, m, -1, seats)
		}
	}
	return nil
}

// turn bounds how often a machine's offset goes to and fro, whatever the machine says of its lines.
type turn struct {
	back  time.Time // when it became smaller last, zero for never
	turns int       // how often it rose after that
}

// mayRise reports whether an offset that became smaller has stayed so long enough: twice as long each time.
func (t *turn) mayRise(now time.Time) bool {
	return t.back.IsZero() || now.Sub(t.back) >= patience<<min(t.turns, 8)
}

func (t *turn) rise() {
	if !t.back.IsZero() {
		t.turns, t.back = t.turns+1, time.Time{}
	}
}

// ways are the costs from machine to machine.
type ways [ds.MaxMachines][ds.MaxMachines]int

func (w *ways) atLeast(from, to, cost int) { w[from][to] = max(w[from][to], cost) }

// want is the offset, in frames, at which the best way to a machine costs its owner no more than
// it does with most machines.
func (w *ways) want(machine int, all []int) int {
	if len(all) < 3 {
		return 0 // two share what their line costs
	}
	best := make([]int, 0, len(all))
	for _, m := range all {
		best = append(best, w.best(m, all, MaxNeed))
	}
	slices.Sort(best)
	return min(max(w.best(machine, all, MaxNeed)-best[(len(best)-1)/2], 0)/4, ds.MaxOffset)
}

// best returns the cost of the best way to a machine, at most so much.
func (w *ways) best(machine int, all []int, most int) int {
	best := most
	for _, m := range all {
		if m != machine {
			best = min(best, w[m][machine])
		}
	}
	return best
}

// bearable reports whether the delay of a machine's own seats may become a frame longer.
func (k *Keeper) bearable(machine int, seats []Seat, all []int) bool {
	longest := min(k.preset.Cap(), maxDelayed)
	for _, s := range seats {
		for _, m := range all {
			if s.Machine == machine && m != machine && frames(k.reports[m][s.Seat].arrival.Need)+1 > longest {
				return false
			}
		}
		if s.Machine == machine && s.Delay+1 > longest {
			return false
		}
	}
	return true
}

// move changes a machine's offset by a frame. Its own delays become a frame longer with a longer one; with a shorter
// one those of the others do whose inputs would be late there.
func (k *Keeper) move(now time.Time, machine, by int, seats []Seat) (list []Change) {
	for _, s := range seats {
		_, why, _ := k.worst(now, s, seats)
		was := Change{s.Seat, s.Delay, s.Offset, why}
		c := was
		switch {
		case s.Machine == machine && by > 0:
			c.Delay, c.Offset = c.Delay+1, c.Offset+1
		case s.Machine == machine:
			c.Offset--
		case by < 0 && frames(k.reports[machine][s.Seat].arrival.Need+4) > s.Delay:
			c.Delay = min(s.Delay+1, k.preset.Cap())
		}
		if c != was {
			k.rule(now, s).move(now, c.Delay)
			list = append(list, c)
		}
	}
	return list
}

// Shift moves all needs by so many quarters of a frame: this machine or the inputs' owner plays later or earlier
// from now on.
func (a *Arrivals) Shift(quarters int) {
	for i := range a.ring {
		old := a.ring[i].needs
		a.ring[i].needs = [MaxNeed + 1]uint16{}
		for need, count := range old {
			a.ring[i].needs[min(max(need+quarters, 0), MaxNeed)] += count
		}
	}
}
