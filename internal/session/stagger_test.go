package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// All wait until the furthest machine has heard; who has left delays nobody.
func TestStagger(t *testing.T) {
	const ms = time.Millisecond
	players := []room.Player{
		{Machine: 0, Present: true},
		{Machine: 1, Present: true, Beat: room.Beat{Ping: 40 * ms}},
		{Machine: 2, Present: true, Beat: room.Beat{Ping: 200 * ms}},
		{Machine: 3, Beat: room.Beat{Ping: 900 * ms}},
	}
	for _, c := range []struct {
		me   int
		own  time.Duration
		want time.Duration
	}{
		{0, 0, 100 * ms},
		{1, 40 * ms, 80 * ms},
		{1, 60 * ms, 70 * ms}, // its own line knows better
		{2, 200 * ms, 0},
		{2, 300 * ms, 0},
	} {
		if got := stagger(players, c.me, c.own); got != c.want {
			t.Errorf("machine %d with a round trip of %v waits %v, want %v", c.me, c.own, got, c.want)
		}
	}
	if got := stagger(nil, 0, 0); got != 0 {
		t.Errorf("alone: %v", got)
	}
}
