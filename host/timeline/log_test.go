package timeline

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
)

// The last resync makes anew the consoles of late joiners too, but not of seats that left
// before it was decided or stay behind at an earlier frame.
func TestRemade(t *testing.T) {
	seats := []room.SeatPlan{{Seat: 0}, {Seat: 1, Machine: 1}, {Seat: 2, Machine: 2}, {Seat: 3, Machine: 3}}
	leave := func(seat ds.Seat, frame int64) Decision { return Decision{Kind: Leave, Seat: seat, Frame: frame} }
	resync := func(machine int, frame int64) Decision {
		return Decision{Kind: Resync, Machine: machine, Frame: frame}
	}
	for _, tt := range []struct {
		name      string
		decisions Log
		want      []ds.Seat
	}{
		{"all", Log{resync(0, 50)}, []ds.Seat{0, 1, 2, 3}},
		{"left before", Log{leave(1, 40), resync(0, 50)}, []ds.Seat{0, 2, 3}},
		{"leaves since", Log{resync(0, 50), leave(1, 60)}, []ds.Seat{0, 1, 2, 3}},
		{"the donor goes, at the frame of the next", Log{resync(0, 50), leave(0, 60), resync(1, 60)}, []ds.Seat{0, 1, 2, 3}},
		{"the donor goes, before the frame of the next", Log{resync(0, 50), leave(0, 60), resync(1, 80)}, []ds.Seat{1, 2, 3}},
		{"two donors go", Log{resync(0, 50), leave(0, 60), resync(1, 60), leave(1, 80), resync(2, 80)}, []ds.Seat{1, 2, 3}},
		{"after one that was given up", Log{resync(0, 50), leave(0, 60), {Kind: GiveUp, Frame: 90}, leave(3, 100), resync(1, 120)}, []ds.Seat{1, 2}},
		{"one after the other", Log{resync(0, 50), leave(0, 60), resync(1, 80), {Kind: Resynced, Frame: 90}, leave(3, 100), resync(1, 120)}, []ds.Seat{1, 2}},
		{"the next one, of another game host, is at an earlier frame", Log{resync(0, 92), resync(1, 91), leave(0, 91)}, []ds.Seat{0, 1, 2, 3}},
		{"the game ends before the next", Log{{Kind: End, Frame: 55}, resync(0, 50), leave(0, 60), resync(1, 80)}, []ds.Seat{0, 1, 2, 3}},
	} {
		var got []ds.Seat
		for _, s := range tt.decisions.Remade(seats) {
			got = append(got, s.Seat)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: seats %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A late joiner that is just coming in has nothing to give.
func TestResyncFromALateJoiner(t *testing.T) {
	seats := []room.SeatPlan{{Seat: 0}, {Seat: 1, Machine: 1}, {Seat: 2, Machine: 2}}
	have := Log{{Kind: Start}, {Kind: Enter, Plan: seats[2]}}
	if err := have.Check(Decision{Kind: Resync, Machine: 1}, seats); err != nil {
		t.Error(err)
	}
	if err := have.Check(Decision{Kind: Resync, Machine: 2}, seats); err == nil {
		t.Error("all are to take its consoles")
	}
}
