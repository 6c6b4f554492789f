package game

import (
	"fmt"
	"testing"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// three is the game on machine 0, a client of machine 1.
func three(t *testing.T, clocked bool) *Game {
	t.Helper()
	cfg := Config{Round: 1, Me: 0, Host: 1, Delay: 4, HashEvery: 10, Clocked: clocked, Horizon: ds.Horizon{Frame: timeline.Margin(4)}}
	for m := range 3 {
		cfg.Machines = append(cfg.Machines, m)
		cfg.Seats = append(cfg.Seats, SeatConfig{Seat: ds.Seat(m), Owner: m, Console: model.Bare()})
	}
	g, err := New(cfg)
	must.Succeed(t, err)
	t.Cleanup(g.Close)
	return g
}

// A new game host that lacks inputs of a player who has left, up to the end of these that was
// decided, gives that seat neutral ones: nobody would have them ever.
func TestANewGameHostFillsAVacantSeat(t *testing.T) {
	const end, leaves = 20, 30
	for _, clocked := range []bool{false, true} {
		t.Run(fmt.Sprint("clocked ", clocked), func(t *testing.T) {
			g := three(t, clocked)
			must.Succeed(t, g.Decide(timeline.Decision{Kind: timeline.Leave, Seat: 1, InputEnd: end, Frame: leaves}))
			must.Succeed(t, g.Rewire(0))
			if s := g.seat(1); s.queue.Newest() < leaves-1 {
				t.Errorf("all wait for frame %d of a player who has gone", s.queue.Newest()+1)
			}
			if s := g.seat(2); s.queue.Newest() >= end-1 {
				t.Errorf("a player who plays has inputs up to frame %d", s.queue.Newest())
			}
			next, _ := g.feed.out.Next(1)
			if next < end {
				t.Errorf("the others are told of that seat up to frame %d", next-1)
			}
		})
	}
}

// The promise of an earlier game host does not count any more for frames that were not begun:
// the new one may decide for them.
func TestANewGameHostPromisesAnew(t *testing.T) {
	for _, clocked := range []bool{false, true} {
		g := three(t, clocked)
		must.Succeed(t, g.Rewire(2))
		if g.Promised() != 0 || g.Horizon() != 0 {
			t.Errorf("clocked %v: no frame was begun, and the machine may play up to frame %d or %d", clocked, g.Promised(), g.Horizon())
		}
	}
}
