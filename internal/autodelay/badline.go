package autodelay

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// When one line counts as bad: over each way to its machine, or from it, inputs are late so often,
// of 10,000, which is seven a minute; and a fifth of its share is more than any other machine has.
const (
	badShare = 20
	badTimes = 5
)

// BadLine returns the machine of three or more whose line alone is bad: the others wait for it, at the
// delays that they have. None is bad while reports are missing.
func (k *Keeper) BadLine(now time.Time, seats []Seat) (machine int, bad bool) {
	all := machines(seats)
	if len(all) < 3 {
		return 0, false
	}
	late, known := k.lateWays(now, seats)
	if !known {
		return 0, false
	}
	worst, next := -1, -1
	for _, m := range all {
		switch share := late.best(m, all); {
		case share > worst:
			worst, next, machine = share, worst, m
		case share > next:
			next = share
		}
	}
	return machine, worst >= badShare && worst >= badTimes*next
}

// lateWays are how many of 10,000 inputs are late between two machines, in the worse direction.
// A machine that lies makes its own ways worse, and no others.
type lateWays [ds.MaxMachines][ds.MaxMachines]int

func (k *Keeper) lateWays(now time.Time, seats []Seat) (w lateWays, known bool) {
	for _, s := range seats {
		for _, m := range machines(seats) {
			if m == s.Machine {
				continue
			}
			r := k.reports[m][s.Seat]
			if r.at.IsZero() || now.Sub(r.at) > stale || r.line.Inputs < enough {
				return w, false
			}
			share := r.line.Late * 10_000 / r.line.Inputs
			w[m][s.Machine] = max(w[m][s.Machine], share)
			w[s.Machine][m] = max(w[s.Machine][m], share)
		}
	}
	return w, true
}

// best is the share of a machine's best way.
func (w *lateWays) best(machine int, all []int) int {
	best := 10_000
	for _, m := range all {
		if m != machine {
			best = min(best, w[machine][m])
		}
	}
	return best
}
