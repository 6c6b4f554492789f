package session

import (
	"context"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// quiet is a room in which nothing goes on, for what is tested without one.
type quiet struct {
	member
	me room.Player
}

func (r *quiet) Me() room.Player { return r.me }

func (r *quiet) Room() room.Room {
	return room.Room{Players: []room.Player{r.me}, Round: 1, Phase: room.PhasePlaying}
}

func (r *quiet) Failed(time.Time, uint32, room.Cause, string) error { return nil }

// bare is a session without lines and without a game.
func bare(r member) *session {
	s := newSession(context.Background(), Config{})
	s.room = r
	return s
}

// jobsDone waits for all background jobs, and takes what they hand over.
func (s *session) jobsDone() {
	for again := true; again; {
		s.jobs.all.Wait() // there is room for what is handed over
		for again = false; len(s.calls) > 0; again = true {
			(<-s.calls)()
		}
	}
}

// emptyGame is a game of a round with a seat for each owner, whose consoles do nothing.
func emptyGame(t *testing.T, round uint32, owners ...int) *game.Game {
	cfg := game.Config{Round: round, HashEvery: 10, Machines: owners}
	names := [...]string{"Anna", "Ben", "Carla", "Dora"}
	for seat, owner := range owners {
		cfg.Plan = append(cfg.Plan, room.SeatPlan{Seat: ds.Seat(seat), Machine: owner, Nickname: names[seat]})
		cfg.Seats = append(cfg.Seats, game.SeatConfig{Seat: ds.Seat(seat), Owner: owner, Console: model.Bare()})
	}
	g, err := game.New(cfg)
	must.Succeed(t, err)
	t.Cleanup(g.Close)
	return g
}
