package game

import (
	"testing"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ds"
)

// A game ends at any moment, also with the consoles of all late joiners in the middle of
// a frame of which nobody takes the outcome any more.
func TestAGameWithLateJoinersIsClosed(t *testing.T) {
	g, err := New(Config{Round: 1, Seats: []SeatConfig{{Console: &model{}}}, Machines: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < ds.MaxSeats; n++ {
		if err := g.join(host.SeatPlan{Seat: ds.Seat(n), Machine: n % ds.MaxMachines}, Fresh{Console: &model{}}, 0, 4); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range g.seats {
		s.run.submit(job{step: true})
	}
	g.Close()
}
