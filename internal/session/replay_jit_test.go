package session

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// The room's JIT is in the recording. A viewer of a game with a JIT whose states are of no use to
// one machine alone makes no keyframes: the way to each place begins at the start, or where all
// machines have loaded the same states.
func TestJITRecordingsBeginWhereAllLoaded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const frames = 700
		core, game := modelCore(), rom(t, romstest.Pad)
		core.Name = "melonDS DS"
		jit, ok := emucore.ProfileFor(core.Name).JITOption(true)
		if !ok {
			t.Fatal("its JIT is no choice")
		}
		tb := newTable(t, core, game, 2)
		tb.settings.Frames, tb.settings.Options = frames, []room.Option{jit}
		recorder := replay.NewRecorder(replay.Config{Path: t.TempDir() + "/jit" + replay.Extension})
		// A state that only one machine loads is another game.
		like := map[string]string{"testcore_state_loses": "enabled"}
		for i := range 2 {
			tb.sit(func(c *Config) {
				c.TestOptions = map[string]string{"testcore_state_loses": "enabled"}
				if i == 0 {
					c.Recorder = recorder
				} else {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", "ram"
				}
			})
		}
		for _, m := range tb.machines {
			m.end()
		}
		must.Succeed(t, recorder.Close())
		l := openLog(t, recorder.Path())
		if !slices.Equal(l.Settings.Options, []room.Option{jit}) || len(l.Restarts) == 0 {
			t.Fatalf("the recording has the options %v and %d resyncs", l.Settings.Options, len(l.Restarts))
		}
		keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
		must.Succeed(t, err)
		cfg := player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys, Build: true, TestOptions: like}
		all := watched(t, cfg)
		resync := l.Restarts[len(l.Restarts)-1].Frame
		v := viewLog(t, cfg)
		v.Pause()
		for _, place := range []int64{frames - 50, resync + player.Settle + 5, resync - 20} {
			v.mu.Lock()
			clear(v.frames)
			v.mu.Unlock()
			if s := v.arrive(place); s.Drifted || s.Difference != nil {
				t.Fatalf("at frame %d: %+v, %v", place, s, s.Difference)
			}
			for seat := range 2 {
				if v.picture(ds.Seat(seat), place-1) != all.picture(ds.Seat(seat), place-1) {
					t.Errorf("seat %d shows another picture in frame %d", seat+1, place-1)
				}
			}
			v.mu.Lock()
			first := v.frames[0][0]
			v.mu.Unlock()
			if place > resync && first < resync {
				t.Errorf("the way to frame %d began at frame %d, and all loaded after %d", place, first, resync)
			}
		}
		if made, places := keys.Frames(), v.Keyframes(); len(made) > 0 || !slices.Contains(places, resync) {
			t.Errorf("keyframes at %v, places %v", made, places)
		}
	})
}

// A wireless game on the real core with its JIT: machines stay equal, and the
// recording proves itself from the first frame on.
func TestRealJITReplay(t *testing.T) {
	core := realWireless(t)
	jit, ok := emucore.ProfileFor(core.Name).JITOption(true)
	if !ok {
		t.Skip("its JIT is no choice")
	}
	const frames = 500
	game := rom(t, romstest.Multiplay)
	tb := newTable(t, core, game, 2)
	tb.settings.Frames, tb.settings.Options = frames, []room.Option{jit}
	recorder := replay.NewRecorder(replay.Config{Path: t.TempDir() + "/jit" + replay.Extension})
	for i := range 2 {
		tb.sit(func(c *Config) {
			c.Input = chosen(i)
			if i == 0 {
				c.Recorder = recorder
			}
		})
	}
	for _, m := range tb.machines {
		m.end()
	}
	sameHashes(t, frames, tb.machines...)
	must.Succeed(t, recorder.Close())
	l := openLog(t, recorder.Path())
	if s := watched(t, player.Config{Log: l, Core: core, ROMs: romsOf(game)}).Status(); s.Proofs == 0 {
		t.Errorf("nothing was compared: %+v", s)
	}
}
