package viewer

import (
	"testing"

	"github.com/nettplay/nettplay/internal/player"
)

// TestLiveWords: how the watching stands is said as it is.
func TestLiveWords(t *testing.T) {
	for want, s := range map[string]player.Status{
		"Watching live, 2 seconds behind":           {Live: true, Playing: true, Frame: 100, Length: 150},
		"Watching, catching up: 0:10 behind":        {Live: true, Playing: true, Frame: 100, Length: 700},
		"Watching, paused, 0:05 behind":             {Live: true, Frame: 100, Length: 400},
		"Watching: waiting for the game to go on …": {Live: true, Playing: true, Waiting: true},
		"The game is over. You see the end of it.":  {Playing: true},
	} {
		if got := liveWords(s, 2); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
}
