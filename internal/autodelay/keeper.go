package autodelay

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Change is a keeper's wish for a decision, and its reason.
type Change struct {
	Seat   ds.Seat
	Delay  int // frames
	Offset int // of its machine, frames
	Why    Why
}

// A Keeper is the game host's: it keeps the input delay of each seat where the lines from that seat
// need it.
type Keeper struct {
	preset  Preset
	rules   [ds.MaxSeats]*rule
	reports [ds.MaxMachines][ds.MaxSeats]report
	turns   [ds.MaxMachines]turn // of offsets
	chosen  [ds.MaxSeats]chosen
	changed time.Time // last, in calm or for a line that has become worse
}

// NewKeeper makes the keeper of a game that begins, or whose game host is another one, now.
func NewKeeper(p Preset, now time.Time) *Keeper { return &Keeper{preset: p, changed: now} }

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
		least, _ := s.Choice.Frames()
		if delay := r.next(now, line, free, least); delay != s.Delay {
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

// Capped returns the seats whose delay is as long as the preset lets it be where the lines need at least that, also where the
// game began so, and whose line it is for. Nothing is to change.
func (k *Keeper) Capped(now time.Time, seats []Seat) (list []Change) {
	most := k.preset.Cap()
	for _, s := range seats {
		line, why, heard := k.worst(now, s, seats)
		if heard && s.Delay >= most && line.Inputs >= enough && frames(line.Need) >= most {
			list = append(list, Change{s.Seat, s.Delay, s.Offset, why})
		}
	}
	return list
}

// stale is the age at which a report says nothing any more. Machines report about once a second.
const stale = 5 * time.Second

// Seat is somebody who plays, as the keeper is told of them.
type Seat struct {
	Seat    ds.Seat
	Machine int // 0 to 15
	Delay   int // decided last, frames
	Offset  int // of its machine, frames that it plays behind the others, 0 to ds.MaxOffset
	Choice  Choice
}

// Why is the way of a seat's inputs that needs the longest delay: what it needs, in quarters of a frame, if all machines
// played at the same time.
type Why struct {
	To     int // machine
	Middle int // half of the inputs need no more
	Spread int // 19 of 20 need no more than so much above the middle
}

// report tells how a seat's inputs arrive at a machine.
type report struct {
	arrival Arrival
	at      time.Time // zero for none
}

// Report takes how a seat's inputs arrive at a machine.
func (k *Keeper) Report(now time.Time, machine int, seat ds.Seat, l Arrival) {
	if machine >= 0 && machine < ds.MaxMachines && seat >= 0 && seat < ds.MaxSeats {
		k.reports[machine][seat] = report{l, now}
	}
}

// worst returns the arrival for which a seat's delay has to be long enough: the worst of its ways to other machines. One
// of which nothing is known leaves too few inputs for more than to see that a line has become worse.
func (k *Keeper) worst(now time.Time, s Seat, seats []Seat) (worst Arrival, why Why, heard bool) {
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
		if need := max(r.arrival.Need, r.arrival.Newest); need > most {
			most, why = need, Why{m, max(r.arrival.Middle-4*s.Offset+4*offsetOf(seats, m), 0), r.arrival.Spread}
		}
		worst.Inputs = min(worst.Inputs, r.arrival.Inputs)
		worst.Need = max(worst.Need, r.arrival.Need)
		worst.Recent = max(worst.Recent, r.arrival.Recent)
		worst.Newest = max(worst.Newest, r.arrival.Newest)
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

// eachWay goes through the newest reports of all machines on the others' seats, and tells whether all are known.
func (k *Keeper) eachWay(now time.Time, seats []Seat, visit func(s Seat, to int, l Arrival)) (known bool) {
	for _, s := range seats {
		for _, m := range machines(seats) {
			if m == s.Machine {
				continue
			}
			r := k.reports[m][s.Seat]
			if r.at.IsZero() || now.Sub(r.at) > stale || r.arrival.Inputs < enough {
				return false
			}
			visit(s, m, r.arrival)
		}
	}
	return true
}

// offsetOf is the offset of a machine, in frames.
func offsetOf(seats []Seat, machine int) int {
	for _, s := range seats {
		if s.Machine == machine {
			return s.Offset
		}
	}
	return 0
}
