package autodelay

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// stale is the age at which a report says nothing any more. Machines report about once a second.
const stale = 5 * time.Second

// Seat is somebody who plays, as the keeper is told of them.
type Seat struct {
	Seat    ds.Seat
	Machine int // 0 to 15
	Delay   int // decided last, frames
	Offset  int // of its machine, frames that it plays behind the others, 0 to ds.MaxOffset
}

// Change is a keeper's wish for a decision, and its reason.
type Change struct {
	Seat   ds.Seat
	Delay  int // frames
	Offset int // of its machine, frames
	Why    Why
}

// Why is the way of a seat's inputs that needs the longest delay: what it needs, in quarters of a frame, if all machines
// played at the same time.
type Why struct {
	To     int // machine
	Middle int // half of the inputs need no more
	Spread int // 19 of 20 need no more than so much above the middle
}

// A Keeper is the game host's: it keeps the input delay of each seat where the lines from that seat
// need it.
type Keeper struct {
	preset  Preset
	rules   [ds.MaxSeats]*rule
	reports [ds.MaxMachines][ds.MaxSeats]report
	turns   [ds.MaxMachines]turn // of offsets
	changed time.Time            // last, in calm or for a broken line
}

// report tells how a seat's inputs arrive at a machine.
type report struct {
	line Line
	at   time.Time // zero for none
}

// NewKeeper makes the keeper of a game that begins, or whose game host is another one, now.
func NewKeeper(p Preset, now time.Time) *Keeper { return &Keeper{preset: p, changed: now} }

// Report takes how a seat's inputs arrive at a machine.
func (k *Keeper) Report(now time.Time, machine int, seat ds.Seat, l Line) {
	if machine >= 0 && machine < ds.MaxMachines && seat >= 0 && seat < ds.MaxSeats {
		k.reports[machine][seat] = report{l, now}
	}
}

// Next returns the delays that are to change now, by rising seat, most often none. All that
// change at once count as one change.
func (k *Keeper) Next(now time.Time, seats []Seat) (list []Change) {
	free := now.Sub(k.changed) >= calm
	for _, s := range seats {
		line, why, heard := k.worst(now, s, seats)
		r := k.rule(now, s)
		if !heard {
			continue
		}
		if delay := r.next(now, line, free); delay != s.Delay {
			list = append(list, Change{s.Seat, delay, s.Offset, why})
		}
	}
	for _, c := range list {
		k.rules[c.Seat].set(now, c.Delay)
	}
	if len(list) == 0 && free {
		list = k.offset(now, seats)
	}
	if len(list) > 0 {
		k.changed = now
	}
	return list
}

// rule is a seat's rule. It begins anew where somebody else has changed the delay.
func (k *Keeper) rule(now time.Time, s Seat) *rule {
	if r := k.rules[s.Seat]; r != nil && r.delay == s.Delay {
		return r
	}
	r := newRule(k.preset, s.Delay, now)
	k.rules[s.Seat] = &r
	return &r
}

// worst returns the line for which a seat's delay has to be long enough: the worst of its ways to other machines. One
// of which nothing is known leaves too few inputs for more than to see a line that is broken.
func (k *Keeper) worst(now time.Time, s Seat, seats []Seat) (worst Line, why Why, heard bool) {
	worst.Inputs = MaxInputs
	unknown, most := false, -1
	for _, m := range machines(seats) {
		if m == s.Machine {
			continue
		}
		r := k.reports[m][s.Seat]
		if r.at.IsZero() || now.Sub(r.at) > stale {
			unknown = true
			continue
		}
		heard = true
		if need := max(r.line.Need, r.line.Newest); need > most {
			most, why = need, Why{m, max(r.line.Middle-4*s.Offset+4*offsetOf(seats, m), 0), r.line.Spread}
		}
		worst.Inputs = min(worst.Inputs, r.line.Inputs)
		worst.Need = max(worst.Need, r.line.Need)
		worst.Recent = max(worst.Recent, r.line.Recent)
		worst.Newest = max(worst.Newest, r.line.Newest)
	}
	if unknown {
		worst.Inputs = min(worst.Inputs, enough-1)
	}
	return worst, why, heard
}

// machines are those that play, by rising number.
func machines(seats []Seat) (list []int) {
	for _, s := range seats {
		if !slices.Contains(list, s.Machine) {
			list = append(list, s.Machine)
		}
	}
	slices.Sort(list)
	return list
}
