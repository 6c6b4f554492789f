package autodelay

import (
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
