package game

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/mirror"
)

// A game ends at any moment, also with the consoles of all late joiners in the middle of
// a frame of which nobody takes the outcome any more.
func TestAGameWithLateJoinersIsClosed(t *testing.T) {
	g, err := New(Config{Round: 1, Seats: []SeatConfig{{Console: model.Bare()}}, Machines: []int{0}})
	must.Succeed(t, err)
	for n := 1; n < ds.MaxSeats; n++ {
		must.Succeed(t, g.join(room.SeatPlan{Seat: ds.Seat(n), Machine: n % ds.MaxMachines}, Fresh{Console: model.Bare()}, 0, 4))
	}
	for _, s := range g.seats {
		s.run.submit(job{step: true})
	}
	g.Close()
}

// A machine whose game began in the middle has no inputs from before that. It passes on
// those that it has when it becomes game host right after.
func TestALateJoinerBecomesGameHost(t *testing.T) {
	const first = 700
	g, err := New(Config{
		Round: 1, Me: 0, Host: 1, First: first, Delay: 4, HashEvery: 10, Machines: []int{0, 1}, Horizon: ds.Horizon{Frame: first},
		Seats: []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}},
	})
	must.Succeed(t, err)
	defer g.Close()
	must.Succeed(t, g.Rewire(0))
	for _, s := range g.seats {
		if err := g.offer(s); err != nil || s.past.oldest() != first || int64(len(s.inputs(s.past.oldest()))) != s.newest()-first+1 {
			t.Errorf("seat %v is offered from frame %d on, %d inputs: %v", s.number, s.past.oldest(), len(s.inputs(s.past.oldest())), err)
		}
	}
}

// The clock of a game host that has taken another's place, while somebody came in, may have begun
// after the late joiner's first sample.
func TestALateJoinerHearsALaterClock(t *testing.T) {
	const first, clock = 158, 178
	g, err := New(Config{
		Round: 1, Me: 1, Host: 0, First: first, Delay: 4, HashEvery: 10, Machines: []int{0, 1}, Horizon: ds.Horizon{Frame: first}, Clocked: true,
		Seats: []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}},
	})
	must.Succeed(t, err)
	defer g.Close()
	d := mirror.Datagram{Round: 1, Frames: []mirror.MachineFrame{{Frame: first}}, Acks: []mirror.SeatFrame{{Seat: 1, Frame: clock - 1}}}
	if err := g.Receive(time.Time{}, 0, d.Append(nil)); err != nil {
		t.Errorf("the game host breaks the rules: %v", err)
	}
}
