package session

import (
	"testing"

	"github.com/nettplay/nettplay/internal/game"
)

// A machine is as slow as its frames since the last look were, and a game that begins tells nothing
// of the one before.
func TestSlowness(t *testing.T) {
	s := slowness{all: 1000, late: 900}
	if s.measure(new(game.Durations)); s != (slowness{}) {
		t.Errorf("%+v of no frames", s)
	}
	s = slowness{share: 0.5}
	if s.measure(new(game.Durations)); s.share != 0 {
		t.Errorf("%+v while nothing runs", s)
	}
}
