package player

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// Pauses are not waited for, and frames on both sides of them are played.
func TestPausesArePassed(t *testing.T) {
	l := &replay.Log{Head: replay.Head{Settings: room.Settings{HashEvery: 10}}}
	r := &playing{cfg: Config{Log: l}, pending: []timeline.Decision{{Kind: timeline.Pause, Frame: 50}}}
	g, err := game.New(game.Config{Me: nobody, HashEvery: 10, Unlimited: true, Seats: []game.SeatConfig{{Console: model.Bare()}}})
	must.Succeed(t, err)
	defer g.Close()
	r.g = g
	g.SetHorizon(ds.Horizon{Frame: 100})
	must.Succeed(t, r.decide())
	for f := range int64(100) {
		must.Succeed(t, g.Put(0, f, inputdelay.Input{}))
	}
	for range 100 {
		must.Succeed(t, g.Advance(time.Time{}))
		must.Succeed(t, g.Finish(<-g.Done()))
	}
	if g.Slowest() != 100 {
		t.Errorf("it stands at frame %d", g.Slowest())
	}
}

func TestEdge(t *testing.T) {
	var e edge
	for i, tt := range []struct {
		ahead int64
		want  int
	}{
		{5000, paceFast},
		{179, paceFast},
		{61, paceFast},
		{60, paceGame},
		{100, paceGame},
		{179, paceGame},
		{180, paceFast},
		{30, paceGame},
		{1, paceGame},
		{0, paceStop},
		{44, paceStop},
		{45, paceGame},
		{30, paceGame},
	} {
		if got := e.pace(tt.ahead); got != tt.want {
			t.Errorf("step %d: pace %d with %d frames ahead, want %d", i, got, tt.ahead, tt.want)
		}
	}
}

func TestHoles(t *testing.T) {
	for _, c := range []struct {
		keys               []int64
		after, length, end int64
	}{
		{nil, 0, 50, 0},
		{nil, 0, 500, 500},
		{[]int64{100, 200, 300}, 0, 350, 0},
		{[]int64{100, 300, 400}, 0, 450, 300},
		{[]int64{100, 300, 400}, 250, 450, 0},
		{[]int64{100, 300, 400}, 300, 600, 600},
		{[]int64{200, 300}, 0, 300, 200},
	} {
		if end, ok := hole(c.keys, c.after, c.length, 150); end != c.end || ok != (c.end > 0) {
			t.Errorf("%+v: %d, %v", c, end, ok)
		}
	}
}
