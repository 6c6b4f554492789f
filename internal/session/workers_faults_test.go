//go:build nettplay_faults

package session

import (
	"runtime"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/air"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestWorkerKeepsTheAir: a worker that dies while it has the air locked, or never gives it back,
// is a console lost like any other: it and the air are taken from another machine, and all end alike.
func TestWorkerKeepsTheAir(t *testing.T) {
	core, game := pocket(t), rom(t, romstest.Pad)
	crashed := "ended by SIGILL"
	if runtime.GOOS == "windows" {
		crashed = "ended by illegal instruction"
	}
	for _, tt := range []struct {
		name  string
		where air.Where
		told  string
	}{
		{"before it decides", air.DeathLocked, crashed},
		{"after it has decided", air.DeathDecided, crashed},
		{"when others may run", air.DeathCommitted, crashed},
		{"alive", air.DeathStuck, "console hangs: it kept all others from going on"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tb := newTable(t, core, game, 3)
			tb.settings.Frames = 150
			for i := range 3 {
				tb.sit(func(c *Config) {
					wireless(c)
					if c.Host != nil {
						c.Host.Wait = time.Minute
					}
					tweak := c.TestTweak
					c.TestTweak = func(e *emucore.Config) {
						tweak(e)
						if i == 1 && e.Radio != nil {
							e.Radio.Air.Kill(air.Death{Where: tt.where, Seat: 2, Frame: 60})
						}
					}
				})
			}
			tb.machines[0].untilSaid(tt.told + "; it takes one from the others")
			sameEnds(t, 1, tb.machines...)
		})
	}
}
