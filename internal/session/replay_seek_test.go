package session

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// watched is a viewer who has seen a whole recording, and has stopped.
func watched(t *testing.T, cfg player.Config) *viewer {
	t.Helper()
	v := viewLog(t, cfg)
	v.Speed(player.NoLimit)
	s := v.until("it is at the end", func(s player.Status) bool { return s.AtEnd })
	if s.Difference != nil || s.Drifted {
		t.Fatalf("%+v, %v", s, s.Difference)
	}
	v.stop()
	v.done <- <-v.done
	return v
}

// sameShow checks that all that a viewer was shown is what another one was shown,
// and returns how many frames of the first seat that were.
func (v *viewer) sameShow(all *viewer) (frames int) {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for at, picture := range v.hashes {
		if at[0] == 0 {
			frames++
		}
		if want := all.picture(ds.Seat(int(at[0])), at[1]); picture != want {
			v.t.Fatalf("seat %d shows another picture in frame %d", at[0]+1, at[1])
		}
	}
	return frames
}

// Consoles that come from keyframes are those of the game, with the default core
// too: no memory, no save and no picture that anybody sees is another one, whether
// they are new or have run already.
func TestKeyframesAreExact(t *testing.T) {
	bubble(t, func(t *testing.T) { exactKeyframes(t, modelCore(), acrossFrames) })
}

func exactKeyframes(t *testing.T, core emucore.Core, change func(*Config)) {
	game := rom(t, romstest.Pad)
	const frames = 600
	logs, _ := recordedGame(t, core, game, 2, frames, func(_ int, c *Config) { change(c) })
	l := logs[0]
	keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
	must.Succeed(t, err)
	cfg := playedBy(change, l, core, game)
	cfg.Keyframes = keys
	all := watched(t, cfg)
	key, ok := keys.Before(frames - 100)
	if !ok {
		t.Fatalf("keyframes only at %v", keys.Frames())
	}
	v := viewLog(t, cfg)
	v.Pause()
	for _, place := range []int64{key + player.Settle + 1, frames, key + player.Settle + 2, key - 10, frames} {
		if s := v.arrive(place); s.Drifted || s.Difference != nil {
			t.Fatalf("at frame %d: %+v, %v", place, s, s.Difference)
		}
	}
	if n := v.sameShow(all); n < 100 {
		t.Errorf("only %d frames were shown", n)
	}
}

// In a game whose exchanges go over the end of every frame no frame has all consoles stand
// before it, and a viewer comes to each all the same.
func TestSeekAcrossFrames(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const frames = 300
		core, game := modelCore(), rom(t, romstest.Pad)
		across := func(_ int, c *Config) { wireless(c); c.TestOptions["testcore_radio"] = "across" }
		logs, _ := recordedGame(t, core, game, 2, frames, across)
		v := viewLog(t, playedBy(func(c *Config) { across(0, c) }, logs[0], core, game))
		v.Pause()
		for _, place := range []int64{100, 101, 50, 250, frames} {
			if s := v.near(place); s.Drifted || s.Difference != nil {
				t.Errorf("at frame %d: %+v, %v", place, s, s.Difference)
			}
		}
	})
}

// near comes to a frame of a wireless game: a console that waited for the next one may go on
// to its end.
func (v *viewer) near(frame int64) player.Status {
	v.t.Helper()
	v.SeekTo(frame)
	return v.until(fmt.Sprint("it is near frame ", frame), func(s player.Status) bool {
		return !s.Seeking && s.Frame >= frame && s.Frame <= frame+1 && !s.Loading
	})
}

// With a core whose states lose something, what is seen is the game all the same,
// if only by the long way: as soon as there is a hash after the keyframe that tells.
func TestNoWrongPictureStays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 900)
		keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
		must.Succeed(t, err)
		cfg := player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys, TestOptions: map[string]string{"testcore_state_loses": "enabled"}}
		all := watched(t, cfg)
		if len(keys.Frames()) < 1 {
			t.Fatal("there is no keyframe")
		}
		v := viewLog(t, cfg)
		v.Pause()
		key := keys.Frames()[0] // the next one is further away than two hashes
		for _, place := range []int64{key + 45, key - 60, key + 45} {
			v.arrive(place)
			v.until("it stays", func(s player.Status) bool { return s.Still && s.Frame == place })
			for seat := range 2 {
				if v.picture(ds.Seat(seat), place-1) != all.picture(ds.Seat(seat), place-1) {
					t.Errorf("seat %d shows another picture in frame %d, with keyframes at %v", seat+1, place-1, keys.Frames())
				}
			}
		}
	})
}

// While somebody watches the beginning, keyframes come to be everywhere, and a jump
// into what nobody has seen runs few frames.
func TestKeyframesAreBuiltInTheBackground(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const frames = 6000
		core, game := modelCore(), rom(t, romstest.Pad)
		logs, _ := recordedGame(t, core, game, 1, 30, nil)
		l := lengthened(t, logs[0], frames)
		keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
		must.Succeed(t, err)
		v := viewLog(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys, Build: true})
		v.Pause()
		v.until("there are keyframes everywhere", func(player.Status) bool {
			last, everywhere := int64(0), len(keys.Frames()) > 0
			for _, key := range append(keys.Frames(), l.Length()) {
				everywhere, last = everywhere && key-last <= player.MaxKeyInterval*3/2, key
			}
			return everywhere
		})
		if s := v.Status(); s.Frame > 100 || s.Drifted || s.Difference != nil {
			t.Errorf("it stands at %+v, %v", s, s.Difference)
		}
		rng := rand.New(rand.NewPCG(5, 5))
		for range 8 {
			place := 2*player.MaxKeyInterval + rng.Int64N(frames-2*player.MaxKeyInterval)
			v.mu.Lock()
			clear(v.frames)
			v.mu.Unlock()
			v.arrive(place)
			v.mu.Lock()
			ran := v.frames[0]
			v.mu.Unlock()
			if len(ran) == 0 || len(ran) > player.MaxKeyInterval*3/2 || ran[len(ran)-1] != place-1 {
				t.Errorf("the way to frame %d led over %d frames, with keyframes at %v", place, len(ran), keys.Frames())
			}
		}
	})
}

// lengthened is a log with the consoles of another one, in which random keys are
// pressed for so many frames.
func lengthened(t testing.TB, l *replay.Log, frames int64) *replay.Log {
	t.Helper()
	r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "long")})
	must.Succeed(t, r.Begin(replay.Beginning{Head: l.Head, Part: func([32]byte) ([]byte, bool) { return nil, false }}))
	scripts := make([]*inputdelay.Script, len(l.Seats))
	for i := range scripts {
		scripts[i] = inputdelay.RandomScript(uint64(i)+1, frames)
	}
	for f := range frames {
		for i, s := range l.Seats {
			r.Input(s.Plan.Seat, f, scripts[i].At(f))
		}
	}
	r.Decided(timeline.Decision{Kind: timeline.End, Frame: frames})
	r.Ended("")
	must.Succeed(t, r.Close())
	return openLog(t, r.Path())
}

// Any place of a game of an hour is reached in two seconds, once it was played, and
// shows what it showed then. It takes some minutes.
func TestSeekInAnHour(t *testing.T) {
	if !long() {
		t.Skip("it takes minutes: NETTPLAY_LONG=1")
	}
	const frames, seeks = 215_374, 50
	core, game := desmume(t), rom(t, romstest.Pad)
	logs, _ := recordedGame(t, core, game, 2, 30, nil)
	l := lengthened(t, logs[0], frames)
	keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
	must.Succeed(t, err)
	cfg := player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys}
	began := time.Now()
	all := watched(t, cfg)
	t.Logf("all %d frames were played in %v; %d keyframes", frames, time.Since(began).Round(time.Second), len(keys.Frames()))
	v := viewLog(t, cfg)
	v.Pause()
	v.until("it is there", func(s player.Status) bool { return s.Still })
	rng := rand.New(rand.NewPCG(9, 9))
	var took []time.Duration
	for range seeks {
		place := 1 + rng.Int64N(frames)
		began := time.Now()
		if s := v.arrive(place); s.Drifted {
			t.Errorf("drifted at frame %d", place)
		}
		took = append(took, time.Since(began))
		for seat := range 2 {
			if v.picture(ds.Seat(seat), place-1) != all.picture(ds.Seat(seat), place-1) {
				t.Errorf("seat %d shows another picture in frame %d", seat+1, place-1)
			}
		}
	}
	slices.Sort(took)
	t.Logf("%d seeks: median %v, worst %v", seeks, took[seeks/2], took[seeks-1])
}

// A wireless game on the real core: every log proves itself, and from a keyframe in
// the middle, with packets on their way, it goes on with the pictures of the game.
func TestRealWirelessReplay(t *testing.T) {
	core := realWireless(t)
	const frames = 700
	game := rom(t, romstest.Multiplay)
	logs, machines := recordedGame(t, core, game, 2, frames, func(n int, c *Config) { c.Input = chosen(n) })
	sameHashes(t, frames, machines...)
	sameLogs(t, logs[0], logs[1])
	if s := verified(t, logs[1], core, game); s.Difference != nil || s.Proofs != 2*frames/20 {
		t.Fatalf("%+v, %v", s, s.Difference)
	}
	keys, err := replay.OpenKeyframes(t.TempDir(), logs[0], core.SHA256, 0)
	must.Succeed(t, err)
	cfg := player.Config{Log: logs[0], Core: core, ROMs: romsOf(game), Keyframes: keys}
	all := watched(t, cfg)
	list := keys.Frames()
	if len(list) < 1 {
		t.Fatal("there is no keyframe")
	}
	t.Logf("keyframes at %v", list)
	v := viewLog(t, cfg)
	v.Pause()
	for _, place := range []int64{list[0] + player.Settle + 1, frames, min(list[0]+100, frames), 50, frames - 1} {
		if s := v.near(place); s.Drifted || s.Difference != nil {
			t.Errorf("at frame %d: %+v, %v", place, s, s.Difference)
		}
	}
	if n := v.sameShow(all); n < 50 {
		t.Errorf("only %d frames were shown", n)
	}
}

// TestSeekedFramesHaveTheGamesHashes: each frame has the same hash after any way to it, and a
// seek tells from where it goes to where.
func TestSeekedFramesHaveTheGamesHashes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const frames = 1500
		core, game := modelCore(), rom(t, romstest.Pad)
		logs, _ := recordedGame(t, core, game, 2, frames, nil)
		keys, err := replay.OpenKeyframes(t.TempDir(), logs[0], core.SHA256, 0)
		must.Succeed(t, err)
		type place struct {
			seat   ds.Seat
			frames int64
		}
		var mu sync.Mutex
		seen, apart := map[place]ds.Hash{}, 0
		cfg := player.Config{
			Log: logs[0], Core: core, ROMs: romsOf(game), Keyframes: keys, Start: starter(new(model.Machine)), HashTo: frames,
			Hashed: func(seat ds.Seat, frames int64, h ds.Hash, _ uint64) {
				mu.Lock()
				defer mu.Unlock()
				at := place{seat, frames}
				if before, ok := seen[at]; ok && before != h {
					apart++
				}
				seen[at] = h
			},
		}
		watched(t, cfg)
		if len(seen) != 2*frames || len(keys.Frames()) == 0 {
			t.Fatalf("%d hashes, keyframes at %v", len(seen), keys.Frames())
		}
		v := viewLog(t, cfg)
		v.Pause()
		rng := rand.New(rand.NewPCG(3, 3))
		for range 12 {
			to := 1 + rng.Int64N(frames)
			s := v.arrive(to)
			if s.Difference != nil || s.Drifted || s.From > to {
				t.Fatalf("at frame %d: %+v, %v", to, s, s.Difference)
			}
		}
		if places := v.Keyframes(); !slices.Equal(places, keys.Frames()) {
			t.Errorf("keyframes at %v, want %v", places, keys.Frames())
		}
		if apart > 0 {
			t.Errorf("%d hashes are not those of the game", apart)
		}
	})
}

// Keyframes of a game whose consoles talk over the air take nothing away from it,
// and the way goes on from them as recorded, packets in flight included.
func TestKeyframesOfAWirelessGame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		const frames = 1000
		logs, machines := recordedGame(t, core, game, 2, frames, func(_ int, c *Config) { wireless(c) })
		sameHashes(t, frames, machines...)
		keys, err := replay.OpenKeyframes(t.TempDir(), logs[0], core.SHA256, 0)
		must.Succeed(t, err)
		cfg := playedBy(wireless, logs[0], core, game)
		cfg.Keyframes = keys
		v := viewLog(t, cfg)
		v.Speed(player.NoLimit)
		s := v.until("it is at the end", func(s player.Status) bool { return s.AtEnd })
		if s.Difference != nil || s.Proofs != 2*frames/20 {
			t.Fatalf("with keyframes at %v: %+v, %v", keys.Frames(), s, s.Difference)
		}
		v.until("there is a keyframe", func(player.Status) bool { return len(keys.Frames()) > 0 })
		list := keys.Frames()
		v.Pause()
		v.arrive(list[0] + 5)
		v.Play()
		s = v.until("it is at the end again", func(s player.Status) bool { return s.AtEnd })
		if want := 2 * (frames - list[0]/20*20) / 20; s.Drifted || s.Difference != nil || s.Proofs < 2*frames/20+want {
			t.Errorf("from the keyframe at %d of %v: %+v, %v; %d hashes were to be compared", list[0], list, s, s.Difference, want)
		}
	})
}
