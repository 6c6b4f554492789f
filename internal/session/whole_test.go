package session

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// playThrough plays a whole game and returns the consoles' hashes at its end.
func (tb *table) playThrough(frames int64) []game.Hash {
	tb.t.Helper()
	tb.settings.Frames = frames
	for range tb.players {
		tb.sit(nil)
	}
	return sameHashes(tb.t, frames, tb.machines...)
}

// A game of four over a bad line ends as over a good one.
func TestBadMemoryLine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		bad := onNetwork(t, memnet.New(3, memnet.Impairment{Delay: 40 * time.Millisecond, Jitter: 20 * time.Millisecond, Loss: 0.05, Duplicate: 0.02, Reorder: 0.02}), core, game, 4)
		bad.settings.Delay = 6
		good := newTable(t, core, game, 4)
		good.settings.Delay = 6
		if a, b := bad.playThrough(200), good.playThrough(200); !slices.Equal(a, b) {
			t.Errorf("the game ends with %v, over a good line with %v", a, b)
		}
	})
}

// At the DS' own speed a second of play takes a second.
func TestRealSpeed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 90
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		tb.machines[0].untilPlaying()
		began := time.Now()
		sameHashes(t, 90, tb.machines...)
		if took, want := time.Since(began), ds.FrameTime(90); took < want*19/20 || took > want*21/20 {
			t.Errorf("90 frames took %v, not %v", took, want)
		}
	})
}
