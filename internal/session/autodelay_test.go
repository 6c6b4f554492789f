package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/link/memnet"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// When the lines become worse, the delay is raised by decisions; when the game host is gone, the
// next one goes on with that. All machines stay alike, and the decisions are in the recordings.
func TestDelayKeepsItself(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(9, memnet.Impairment{Delay: 5 * time.Millisecond, Jitter: time.Millisecond, Loss: 0.01})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames, tb.settings.KeepConsoles, tb.settings.Delay, tb.settings.AutoDelay = 1500, true, 1, autodelay.Party
		var logs []*replay.Recorder
		for range 3 {
			rec := replay.NewRecorder(replay.Config{Folder: t.TempDir()})
			t.Cleanup(func() { rec.Close() })
			logs = append(logs, rec)
			tb.sit(func(c *Config) { c.Recorder, c.MaxSpeed = rec, false })
		}
		gone := tb.machines[0]
		gone.untilFrame(200)
		net.Set(memnet.Impairment{Delay: 45 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.01})
		gone.untilFrame(450)
		net.Cut(gone.name)
		for _, m := range tb.machines[1:] {
			m.expect(notice.ResultOK)
		}
		alike(t, 1500, 3, tb.machines[1:]...)
		for i, rec := range logs[1:] {
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			delays, longest := 0, 0
			for _, d := range openLog(t, rec.Path()).Decisions {
				if d.Kind == timeline.SeatDelay {
					delays, longest = delays+1, max(longest, d.Delay)
				}
			}
			if delays < 2 || longest < 5 || longest > autodelay.Party.Cap() {
				t.Errorf("log %d has %d decisions on delays, the longest %d frames", i, delays, longest)
			}
		}
	})
}
