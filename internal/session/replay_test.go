package session

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// viewer is a player that runs, and what it shows.
type viewer struct {
	*player.Player
	t    *testing.T
	stop context.CancelFunc
	done chan error

	mu     sync.Mutex
	frames map[int][]int64 // numbers of the frames shown, by seat
	hashes map[[2]int64][32]byte
}

// onModel has a recording of the model core play on model consoles.
func onModel(t testing.TB, cfg player.Config) player.Config {
	if cfg.Core.SHA256 == modelCore().SHA256 {
		cfg.Start = starter(modelMachine(turnsOf(t), viewerSlot))
	}
	return cfg
}

func viewLog(t *testing.T, cfg player.Config) *viewer {
	t.Helper()
	v := &viewer{t: t, done: make(chan error, 1), frames: make(map[int][]int64), hashes: make(map[[2]int64][32]byte)}
	cfg = onModel(t, cfg)
	cfg.Show = v.show
	p, err := player.New(cfg)
	must.Succeed(t, err)
	v.Player = p
	ctx, stop := context.WithCancel(t.Context())
	v.stop = stop
	go func() { v.done <- p.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-v.done; err != nil {
			t.Error(err)
		}
	})
	return v
}

func (v *viewer) show(seat ds.Seat, f emucore.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.frames[int(seat)] = append(v.frames[int(seat)], f.Number)
	v.hashes[[2]int64{int64(seat), f.Number}] = sha256.Sum256(f.Video.Pix)
}

// picture is what a seat showed last in a frame.
func (v *viewer) picture(seat ds.Seat, frame int64) [32]byte {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.hashes[[2]int64{int64(seat), frame}]
}

// until waits for as long as frames go by.
func (v *viewer) until(what string, ok func(player.Status) bool) player.Status {
	v.t.Helper()
	last := v.Status()
	for moved := time.Now(); time.Since(moved) < patience(); time.Sleep(2 * time.Millisecond) {
		s := v.Status()
		if ok(s) {
			return s
		}
		if s.Frame != last.Frame || s.Loading != last.Loading {
			last, moved = s, time.Now()
		}
	}
	v.t.Fatalf("waited until %s: %+v", what, v.Status())
	return player.Status{}
}

func (v *viewer) arrive(frame int64) player.Status {
	v.t.Helper()
	v.SeekTo(frame)
	return v.until(fmt.Sprint("it is at frame ", frame), func(s player.Status) bool { return !s.Seeking && s.Frame == frame && !s.Loading })
}

// shortGame is a log of two players.
func shortGame(t *testing.T, frames int64) (*replay.Log, emucore.Core, *emucore.ROM) {
	core, game := modelCore(), rom(t, romstest.Pad)
	logs, machines := recordedGame(t, core, game, 2, frames, nil)
	sameHashes(t, frames, machines...)
	return logs[0], core, game
}

// A viewer pauses, steps, changes the speed, and seeks to and fro.
func TestPlayerObeys(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 600)
		keys, err := replay.OpenKeyframes(t.TempDir(), l, core.SHA256, 0)
		must.Succeed(t, err)
		v := viewLog(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys})
		v.until("it plays", func(s player.Status) bool { return s.Frame > 5 && s.Playing && s.Length == 600 })
		v.Pause()
		at := v.until("it stands", func(s player.Status) bool { return s.Still }).Frame
		v.Step(1)
		v.until("it has stepped", func(s player.Status) bool { return s.Frame == at+1 && s.Still })
		v.Step(10)
		v.until("it has stepped ten", func(s player.Status) bool { return s.Frame == at+11 && s.Still && !s.Playing })
		if s := v.arrive(500); s.Playing {
			t.Error("it plays on after a seek, though it stood before")
		}
		there := [2][32]byte{v.picture(0, 499), v.picture(1, 499)}
		if s := v.arrive(200); s.Difference != nil {
			t.Error(s.Difference)
		}
		v.arrive(500)
		if again := [2][32]byte{v.picture(0, 499), v.picture(1, 499)}; again != there || there[0] == ([32]byte{}) {
			t.Error("frame 499 is another picture the second time")
		}
		v.arrive(0)
		v.Speed(100) // as fast as is possible for a viewer
		v.Play()
		began := time.Now()
		v.until("a second of game is over", func(s player.Status) bool { return s.Frame >= 240 && s.Speed == player.FastestSpeed })
		if took := time.Since(began); took < 200*time.Millisecond {
			t.Errorf("four seconds of game took %v at eight times the speed", took)
		}
		v.Speed(player.NoLimit)
		v.until("it is at the end", func(s player.Status) bool { return s.AtEnd && s.Frame == 600 })
		v.arrive(599)
		v.Step(5)
		v.until("it is at the end again", func(s player.Status) bool { return s.AtEnd })
		for seat, list := range v.frames {
			if !slices.Contains(list, 0) || !slices.Contains(list, 599) {
				t.Errorf("seat %d showed %d frames, and not the first and the last", seat, len(list))
			}
		}
	})
}

// After a first look at the whole game, any place is reached from a keyframe, and
// the way goes on as recorded, or is set right soon.
func TestSeekingGoesFromKeyframes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const frames = 1500
		l, core, game := shortGame(t, frames)
		cache := t.TempDir()
		keys, err := replay.OpenKeyframes(cache, l, core.SHA256, 0)
		must.Succeed(t, err)
		first := viewLog(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys})
		first.arrive(frames)
		if s := first.Status(); s.Difference != nil || len(first.Keyframes()) < 1 || s.Proofs != 2*frames/20 {
			t.Fatalf("%+v, %v", s, s.Difference)
		}
		last := [2][32]byte{first.picture(0, frames-1), first.picture(1, frames-1)}
		first.stop()
		first.done <- <-first.done
		// Later, in another program.
		if keys, err = replay.OpenKeyframes(cache, l, core.SHA256, 0); err != nil || len(keys.Frames()) < 1 {
			t.Fatalf("%v: %d keyframes", err, len(keys.Frames()))
		}
		v := viewLog(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), Keyframes: keys})
		v.Pause()
		newest, ok := keys.Before(frames - player.Settle - 50)
		if !ok {
			t.Fatalf("keyframes only at %v", keys.Frames())
		}
		v.arrive(newest + player.Settle + 50)
		v.mu.Lock()
		shown := slices.Clone(v.frames[0])
		v.mu.Unlock()
		if i := slices.Index(shown, newest+player.Settle); i < 0 || len(shown) > 60+i && i > 60 {
			t.Errorf("the way led over %d frames, from a keyframe at %d: %v", len(shown), newest, i)
		}
		if slices.Contains(shown, newest+player.Settle-1) {
			t.Errorf("frame %d was shown, right after the keyframe at %d, or before", newest+player.Settle-1, newest)
		}
		v.Speed(player.NoLimit)
		v.Play()
		s := v.until("it is at the end", func(s player.Status) bool { return s.AtEnd })
		if s.Difference != nil {
			t.Error(s.Difference)
		}
		t.Logf("keyframes %v; drifted at the end: %v; same last pictures: %v", keys.Frames(), s.Drifted,
			last == [2][32]byte{v.picture(0, frames-1), v.picture(1, frames-1)})
		// A damaged keyframe is no obstacle.
		files, err := filepath.Glob(filepath.Join(cache, "*", "*.key"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, path := range files {
			must.Succeed(t, os.WriteFile(path, []byte("NPKEY2 is no keyframe"), 0o600))
		}
		v.Pause()
		v.arrive(200)
	})
}

// forged is a copy of a log in which a seat's input differs in one frame.
func forged(t *testing.T, l *replay.Log, seat ds.Seat, at int64) *replay.Log {
	t.Helper()
	path := filepath.Join(t.TempDir(), "forged")
	r := replay.NewRecorder(replay.Config{Path: path})
	b := replay.Beginning{Head: l.Head, Part: func([32]byte) ([]byte, bool) { return nil, false }}
	must.Succeed(t, r.Begin(b))
	c := l.From(0)
	for _, d := range l.Decisions {
		r.Decided(d)
	}
	for f := range l.Length() {
		for _, s := range l.Seats {
			n := s.Plan.Seat
			in, _, err := c.Input(n, f)
			must.Succeed(t, err)
			if n == seat && f == at {
				in.Keys ^= inputdelay.KeyX
			}
			r.Input(n, f, in)
			if h, ok, err := c.Hash(n, f+1); ok && err == nil {
				// The log keeps only the lower half of it.
				r.Hashes(n, f+1, ds.Hash{RAM: uint64(h.RAM), Video: uint64(h.Video), SRAM: uint64(h.SRAM)})
			}
		}
	}
	r.Ended("")
	must.Succeed(t, r.Close())
	return openLog(t, path)
}

// The first frame at which a replay differs is named, with the seat.
func TestADifferenceIsNamed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 600)
		f := forged(t, l, 1, 330)
		status := verified(t, f, core, game)
		d := status.Difference
		if d == nil || d.Seat != 1 || d.Frames != 340 || d.Agreed != 320 {
			t.Fatalf("%+v, %v", status, d)
		}
		owner := l.Seats[1].Plan.Nickname
		for _, words := range []string{"seat 2", owner, "after frame 340", "main RAM", "equal after frame 320"} {
			if !strings.Contains(d.Error(), words) {
				t.Errorf("%q does not say %q", d, words)
			}
		}
		if status.Frame > 340+player.MaxApart {
			t.Errorf("it played on to frame %d", status.Frame)
		}
	})
}

// Another core plays only by force, and what differs is named then.
func TestAnotherCore(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 200)
		other := modelCore()
		other.Name, other.SHA256 = "other", [32]byte{2}
		if _, err := player.New(player.Config{Log: l, Core: other, ROMs: romsOf(game)}); err == nil || !strings.Contains(err.Error(), "another core") {
			t.Errorf("another core: %v", err)
		}
		cfg := onModel(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), Force: true, StopAtDifference: true, EndAtEnd: true})
		cfg.Core = other
		p, err := player.New(cfg)
		must.Succeed(t, err)
		p.Speed(player.NoLimit)
		if err := p.Run(t.Context()); err != nil || p.Status().Difference == nil {
			t.Errorf("another core plays the same game: %v", err)
		}
		_, needs, err := player.Needs(t.Context(), l, other, false, nil, nil)
		if err != nil || len(needs) != 2 || !strings.Contains(needs[0].Hint, "here is other") || !strings.Contains(needs[1].What, fmt.Sprintf("%x", game.SHA256)) {
			t.Errorf("%v, %v", needs, err)
		}
		found, needs, err := player.Needs(t.Context(), l, core, false, []*emucore.ROM{game}, nil)
		if err != nil || len(needs) != 0 || found[game.SHA256] != game {
			t.Errorf("%v, %v, %v", found, needs, err)
		}
		if _, needs, _ = player.Needs(t.Context(), l, other, true, []*emucore.ROM{game}, nil); len(needs) != 0 {
			t.Errorf("by force: %v", needs)
		}
	})
}

// A console that dies ends the replay with its reason.
func TestACrashEndsTheReplay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		logs, machines := recordedGame(t, core, game, 2, 200, nil)
		sameHashes(t, 200, machines...)
		p, err := player.New(onModel(t, player.Config{
			Log: logs[0], Core: core, ROMs: romsOf(game), EndAtEnd: true,
			TestOptions: map[string]string{"testcore_fault": "segv", "testcore_fault_at": "frame:90"},
		}))
		must.Succeed(t, err)
		p.Speed(player.NoLimit)
		var crash *emucore.CrashError
		if err := p.Run(t.Context()); !errors.As(err, &crash) || crash.Signal != "SIGSEGV" {
			t.Errorf("%v", err)
		}
		if err := p.Run(t.Context()); err == nil {
			t.Error("it runs twice")
		}
	})
}

// Commands before Run and after its end do no harm.
func TestCommandsAtAnyTime(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 200)
		v := viewLog(t, player.Config{Log: l, Core: core, ROMs: romsOf(game)})
		var wait sync.WaitGroup
		for i := range 4 {
			wait.Go(func() {
				for n := range int64(50) {
					switch (int(n) + i) % 6 {
					case 0:
						v.SeekTo(n * 7)
					case 1:
						v.Pause()
					case 2:
						v.Step(n)
					case 3:
						v.Play()
					case 4:
						v.Speed(float64(n) / 5)
					case 5:
						v.Status()
					}
				}
			})
		}
		wait.Wait()
		v.Pause()
		v.arrive(123)
		v.stop()
		err := <-v.done
		v.Play()
		v.SeekTo(3)
		v.done <- err
	})
}
