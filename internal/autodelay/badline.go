package autodelay

import "time"

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
	var late ways // how many of 10,000 inputs are late between two machines, in the worse direction
	known := k.eachWay(now, seats, func(s Seat, to int, l Arrival) {
		share := l.Late * 10_000 / l.Inputs // a machine that lies makes its own ways worse, and no others
		late.atLeast(s.Machine, to, share)
		late.atLeast(to, s.Machine, share)
	})
	if !known {
		return 0, false
	}
	worst, next := -1, -1
	for _, m := range all {
		switch share := late.best(m, all, 10_000); {
		case share > worst:
			worst, next, machine = share, worst, m
		case share > next:
			next = share
		}
	}
	return machine, worst >= badShare && worst >= badTimes*next
}
