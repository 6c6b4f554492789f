package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// The game host's clock at the start is in the recordings of all machines, whenever the room was opened; and where
// the computer's clock cannot be right, as in a test's bubble, which begins in the year 2000, its player is told.
func TestClockIsThatOfTheStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.RTC, tb.settings.ClockNow = 100, room.MinRTC, true
		dir := t.TempDir()
		opened := time.Now()
		var logs []string
		recorded := func(c *Config) {
			logs = append(logs, filepath.Join(dir, c.Firmware.Nickname+".nplog"))
			c.Recorder = replay.NewRecorder(replay.Config{Path: logs[len(logs)-1]})
			t.Cleanup(func() { c.Recorder.Close() })
		}
		anna := tb.sit(recorded)
		time.Sleep(2 * time.Hour)
		ben := tb.sit(recorded)
		sameHashes(t, 100, anna, ben)
		for _, path := range logs {
			l, err := replay.Open(path)
			must.Succeed(t, err)
			if d := l.Settings.RTC - room.ClockAt(opened); d < 7200 || d > 7210 {
				t.Errorf("%s begins %d s after the room was opened", path, d)
			}
			l.Close()
		}
		if words := "This computer's clock says 1 January 2000"; !anna.heardOf(words) || ben.heardOf(words) {
			t.Errorf("Anna was told %q, Ben %q", anna.said(), ben.said())
		}
	})
}
