package autodelay

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// star is a room whose machines, one seat each, have lines to the game host that cost so many
// quarters of a frame. settle runs it until nothing changes.
type star []int

func (lines star) need(a, b Seat) int {
	return max(lines[a.Machine]+lines[b.Machine]+4*(a.Offset-b.Offset), 0)
}

func (lines star) settle(t *testing.T, k *Keeper, seats []Seat, lie func(from, to Seat, need int) int) {
	t.Helper()
	now, quiet := k.changed, 0
	for range 2000 {
		now = now.Add(time.Second)
		for _, a := range seats {
			for _, b := range seats {
				if a.Machine != b.Machine {
					need := lie(a, b, lines.need(a, b))
					k.Report(now, b.Machine, a.Seat, Arrival{Inputs: MaxInputs / 2, Need: need, Recent: need, Newest: need})
				}
			}
		}
		quiet++
		for _, c := range k.Next(now, seats) {
			seats[c.Seat].Delay, quiet = c.Delay, 0
			for i := range seats {
				if seats[i].Machine == seats[c.Seat].Machine {
					seats[i].Offset = c.Offset
				}
			}
		}
		if quiet > 400 {
			return
		}
	}
	t.Errorf("the delays never rest: %+v", seats)
}

func honest(_, _ Seat, need int) int { return need }

func table(machines, delay int) (seats []Seat) {
	for m := range machines {
		seats = append(seats, Seat{Seat: ds.Seat(m), Machine: m, Delay: delay})
	}
	return seats
}

// On any lines all inputs are in time in the end, offsets and delays keep their bounds,
// and those with good lines have the delay that they would have without the bad ones.
func TestOffsets(t *testing.T) {
	for _, tt := range []struct {
		name   string
		lines  star
		preset Preset
		delays []int // at most, by machine
		behind []int // machines that play behind the others
	}{
		{"two", star{0, 24}, Party, []int{8, 8}, nil},
		{"three alike", star{0, 12, 12}, Party, []int{6, 8, 8}, nil},
		{"one bad line", star{0, 4, 24}, Party, []int{2, 3, 12}, []int{2}},
		{"two bad lines of five", star{0, 4, 4, 20, 22}, Party, []int{2, 3, 3, 12, 12}, []int{3, 4}},
		{"the game host's is bad", star{20, 2, 2}, Party, []int{12, 7, 7}, nil},
		{"a line that is too bad", star{0, 4, 60}, Racing, []int{6, 6, 6}, nil},
	} {
		seats := table(len(tt.lines), 6)
		tt.lines.settle(t, NewKeeper(tt.preset, time.Unix(1000, 0)), seats, honest)
		for _, a := range seats {
			if a.Delay > tt.delays[a.Machine] || a.Offset < 0 || a.Offset > ds.MaxOffset {
				t.Errorf("%s: machine %d has %+v", tt.name, a.Machine, a)
			}
			for _, b := range seats {
				if need := tt.lines.need(a, b); a.Machine != b.Machine && need > 4*a.Delay && a.Delay < tt.preset.Cap() {
					t.Errorf("%s: inputs of %+v need %d quarters at %+v", tt.name, a, need, b)
				}
			}
		}
		for _, m := range tt.behind {
			if seats[m].Offset == 0 {
				t.Errorf("%s: machine %d plays with the others: %+v", tt.name, m, seats)
			}
		}
	}
}

// When the others have left, two machines share what their line costs.
func TestOffsetsGoBack(t *testing.T) {
	lines, seats := star{0, 4, 24}, table(3, 6)
	k := NewKeeper(Party, time.Unix(1000, 0))
	lines.settle(t, k, seats, honest)
	two := []Seat{seats[0], {Seat: 1, Machine: 2, Delay: seats[2].Delay, Offset: seats[2].Offset}}
	star{0, 4, 24}.settle(t, k, two, honest)
	if two[1].Offset != 0 || two[0].Delay > 7 || two[1].Delay > 7 {
		t.Errorf("two are left with %+v", two)
	}
}

// A machine that claims to need the most lengthens its own delay, and the others' to no more than the cap.
func TestLiar(t *testing.T) {
	lines, seats := star{0, 4, 4, 4}, table(4, 3)
	k := NewKeeper(Party, time.Unix(1000, 0))
	lines.settle(t, k, seats, func(_, to Seat, need int) int {
		if to.Machine == 3 {
			return MaxNeed
		}
		return need
	})
	for _, s := range seats {
		if s.Delay > Party.Cap() || s.Offset > ds.MaxOffset || s.Machine < 3 && s.Offset > 0 {
			t.Errorf("with a liar: %+v", s)
		}
	}
}
