package game

import (
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// twoSeats is a game of this machine, the game host, and another one.
func twoSeats(t *testing.T) *Game {
	t.Helper()
	g, err := New(Config{
		Round: 1, Delay: 4, HashEvery: 10, Machines: []int{0, 1}, Horizon: ds.Horizon{Frame: 100},
		Seats: []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}},
	})
	must.Succeed(t, err)
	t.Cleanup(g.Close)
	return g
}

// A late joiner's machine may get the number of one that has left. It plays behind nobody for that.
func TestAnOffsetLeavesWithItsMachine(t *testing.T) {
	g := twoSeats(t)
	for _, d := range []timeline.Decision{
		{Kind: timeline.SeatDelay, Frame: 100, Seat: 1, Delay: 9, Offset: 3},
		{Kind: timeline.Leave, Frame: 200, Seat: 1, InputEnd: 150},
	} {
		must.Succeed(t, g.Decide(d))
	}
	must.Succeed(t, g.join(room.SeatPlan{Seat: 2, Machine: 1}, Fresh{Console: model.Bare()}, 300, 9))
	for _, s := range g.Delays() {
		if s.Offset != 0 {
			t.Errorf("%+v has an offset that was the one of another machine", s)
		}
	}
}
