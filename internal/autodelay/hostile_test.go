package autodelay

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// hours runs a room for some half hours, in which one machine tells what it likes. It returns how often each seat's delay
// changed in the last of them.
func (lines star) hours(t *testing.T, p Preset, seats []Seat, half int, lie func(at time.Duration, to Seat, l Arrival) Arrival) (changes [ds.MaxSeats]int) {
	t.Helper()
	start := time.Unix(1000, 0)
	k := NewKeeper(p, start)
	for n := range half {
		clear(changes[:])
		for s := range 1800 {
			at := time.Duration(1800*n+s) * time.Second
			now := start.Add(at)
			for _, a := range seats {
				for _, b := range seats {
					if a.Machine == b.Machine {
						continue
					}
					need := lines.need(a, b)
					l := Arrival{Inputs: MaxInputs / 2, Need: need, Recent: need, Newest: need, Middle: need}
					k.Report(now, b.Machine, a.Seat, lie(at, b, l))
				}
			}
			list := k.Next(now, seats)
			for _, c := range list {
				if c.Delay < 0 || c.Delay > p.Cap() || c.Offset < 0 || c.Offset > ds.MaxOffset {
					t.Fatalf("%v after %v: %+v", p, at, c)
				}
				seats[c.Seat].Delay = c.Delay
				changes[c.Seat]++
				for i := range seats {
					if seats[i].Machine == seats[c.Seat].Machine {
						seats[i].Offset = c.Offset
					}
				}
			}
		}
	}
	return changes
}

// A machine that lies about its lines in any rhythm spoils little: no delay becomes longer than the preset's longest, no
// offset but its own changes, and after an hour a seat's delay changes no more often than once in 20 s in the mean.
func TestLiarsTire(t *testing.T) {
	const liar = 3
	for _, p := range []Preset{Trading, Party, Racing} {
		for _, period := range []time.Duration{3 * time.Second, 61 * time.Second, 5 * time.Minute, 11 * time.Minute} {
			for name, lie := range map[string]func(high bool, l Arrival) Arrival{
				"needs all or nothing": func(high bool, l Arrival) Arrival {
					l.Need, l.Recent, l.Newest = 0, 0, 0
					if high {
						l.Need, l.Recent, l.Newest = MaxNeed, MaxNeed, MaxNeed
					}
					return l
				},
				"far away and back": func(high bool, l Arrival) Arrival {
					if high {
						l.Need += 16
					}
					return l
				},
				"suddenly": func(high bool, l Arrival) Arrival {
					if high {
						l.Newest = MaxNeed
					}
					return l
				},
				"has heard next to nothing": func(high bool, l Arrival) Arrival {
					l.Inputs = 0
					if high {
						l.Inputs, l.Newest = some, MaxNeed
					}
					return l
				},
			} {
				seats := table(4, 3)
				changes := star{0, 4, 4, 4}.hours(t, p, seats, 3, func(at time.Duration, to Seat, l Arrival) Arrival {
					if to.Machine != liar {
						return l
					}
					return lie(at%period >= period/2, l)
				})
				if most := slices.Max(changes[:]); most > 90 {
					t.Errorf("%v, %s, every %v: %v changes of delays in half an hour", p, name, period, changes)
				}
				for _, s := range seats {
					if s.Machine != liar && s.Offset != 0 {
						t.Errorf("%v, %s, every %v: %+v", p, name, period, s)
					}
				}
			}
		}
	}
}

// A report that a machine does not repeat counts for some seconds. A seat whose machine comes back, or
// that somebody takes later, begins with what is told of it then.
func TestOldReportsCountForNothing(t *testing.T) {
	now := time.Unix(1000, 0)
	k, seats := NewKeeper(Party, now), table(2, 4)
	bad := Arrival{Inputs: MaxInputs, Need: 40, Recent: 40, Newest: 40}
	k.Report(now, 1, 0, bad)
	for range 60 {
		now = now.Add(time.Second)
		k.Report(now, 0, 1, Arrival{Inputs: MaxInputs, Need: 15, Recent: 15, Newest: 15})
		for _, c := range k.Next(now, seats) {
			if c.Seat == 0 && now.Sub(time.Unix(1000, 0)) > stale+time.Second {
				t.Fatalf("%v after the only report: %+v", now.Sub(time.Unix(1000, 0)), c)
			}
			seats[c.Seat].Delay = c.Delay
		}
	}
	for _, from := range []int{-1, ds.MaxMachines} {
		k.Report(now, from, 0, bad)
	}
	k.Report(now, 1, -1, bad)
	k.Report(now, 1, ds.MaxSeats, bad)
}

// Somebody else's change of a delay begins its rule anew: it is left alone for a while.
func TestChosenByHandAndBack(t *testing.T) {
	now := time.Unix(1000, 0)
	k, seats := NewKeeper(Party, now), table(2, 4)
	good := Arrival{Inputs: MaxInputs, Need: 7, Recent: 7, Newest: 7}
	look := func() []Change {
		now = now.Add(time.Second)
		k.Report(now, 1, 0, good)
		k.Report(now, 0, 1, good)
		list := k.Next(now, seats)
		for _, c := range list {
			seats[c.Seat].Delay = c.Delay
		}
		return list
	}
	for range 120 {
		look()
	}
	if seats[0].Delay != 2 || seats[1].Delay != 2 {
		t.Fatalf("the delays are %+v", seats)
	}
	seats[0].Delay, seats[1].Delay = 9, 9
	for s := range 15 {
		if list := look(); len(list) > 0 {
			t.Errorf("%d s after a player chose 9: %+v", s, list)
		}
	}
	for range 180 {
		look()
	}
	if seats[0].Delay != 2 || seats[1].Delay != 2 {
		t.Errorf("in the end the delays are %+v", seats)
	}
}

// A change tells the way for which it is made, as if all machines played at the same time.
func TestWhy(t *testing.T) {
	now := time.Unix(1000, 0)
	k := NewKeeper(Party, now)
	seats := []Seat{{Seat: 0, Machine: 0, Delay: 4}, {Seat: 1, Machine: 1, Delay: 4}, {Seat: 2, Machine: 5, Delay: 4, Offset: 3}}
	var list []Change
	for range 15 {
		now = now.Add(time.Second)
		k.Report(now, 1, 0, Arrival{Inputs: MaxInputs, Need: 8, Recent: 8, Newest: 8, Middle: 5})
		k.Report(now, 5, 0, Arrival{Inputs: MaxInputs, Need: 20, Recent: 20, Newest: 8, Middle: 11, Spread: 4})
		if list = k.Next(now, seats); len(list) > 0 {
			break
		}
	}
	if want := (Change{Seat: 0, Delay: 5, Why: Why{To: 5, Middle: 11 + 4*3, Spread: 4}}); len(list) != 1 || list[0] != want {
		t.Errorf("%+v, want %+v", list, want)
	}
}
