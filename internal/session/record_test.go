package session

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// recordedGame plays a game of some players, each of whom records it, and returns
// their logs in the order of their names.
func recordedGame(t testing.TB, core emucore.Core, game *emucore.ROM, players int, frames int64, change func(n int, c *Config)) ([]*replay.Log, []*machine) {
	t.Helper()
	machines, logs := recording(t, core, game, players, frames, change)
	return logs(), machines
}

// recording begins a game that all record. The second result waits for the end.
func recording(t testing.TB, core emucore.Core, game *emucore.ROM, players int, frames int64, change func(n int, c *Config)) ([]*machine, func() []*replay.Log) {
	t.Helper()
	tb := newTable(t, core, game, players)
	tb.settings.Frames = frames
	dir := t.TempDir()
	var recorders []*replay.Recorder
	for n := range players {
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(dir, fmt.Sprint(n, replay.Extension)), Chat: true})
		recorders = append(recorders, r)
		tb.sit(func(c *Config) {
			c.Recorder = r
			if change != nil {
				change(n, c)
			}
		})
	}
	return tb.machines, func() (logs []*replay.Log) {
		for _, p := range tb.machines {
			p.end()
		}
		for _, r := range recorders {
			must.Succeed(t, r.Close())
			logs = append(logs, openLog(t, r.Path()))
		}
		return logs
	}
}

func openLog(t testing.TB, path string) *replay.Log {
	t.Helper()
	l, err := replay.Open(path)
	must.Succeed(t, err)
	t.Cleanup(func() { l.Close() })
	return l
}

// sameLogs checks that two logs are of one game.
func sameLogs(t *testing.T, a, b *replay.Log) {
	t.Helper()
	if a.Length() != b.Length() || len(a.Seats) != len(b.Seats) || fmt.Sprint(a.Decisions) != fmt.Sprint(b.Decisions) || a.Machine == b.Machine {
		t.Fatalf("%d frames of %d seats on machine %d, %v\n%d frames of %d seats on machine %d, %v",
			a.Length(), len(a.Seats), a.Machine, a.Decisions, b.Length(), len(b.Seats), b.Machine, b.Decisions)
	}
	inA, inB := a.From(0), b.From(0)
	for f := range a.Length() {
		for _, s := range a.Seats {
			n := s.Plan.Seat
			x, okX, errX := inA.Input(n, f)
			y, okY, errY := inB.Input(n, f)
			if x != y || !okX || !okY || errX != nil || errY != nil {
				t.Fatalf("seat %d frame %d: %v %v %v and %v %v %v", n, f, x, okX, errX, y, okY, errY)
			}
			h, okH, _ := inA.Hash(n, f+1)
			k, okK, _ := inB.Hash(n, f+1)
			if h != k || okH != okK {
				t.Fatalf("seat %d after frame %d: %v %v and %v %v", n, f+1, h, okH, k, okK)
			}
		}
	}
}

// Every player's log is of the same game, and replays to its hashes.
func TestEveryLogReplaysTheGame(t *testing.T) {
	t.Parallel()
	for _, players := range []int{2, 3} {
		inBubble(t, fmt.Sprint(players, " players"), func(t *testing.T) {
			core, game := modelCore(), rom(t, romstest.Pad)
			const frames = 300
			logs, machines := recordedGame(t, core, game, players, frames, nil)
			sameHashes(t, frames, machines...)
			provesItself(t, core, game, frames, logs...)
		})
	}
}

// A clip is in the log of the player who kept it. Without a recorder the player is told that there is none.
func TestClip(t *testing.T) {
	t.Parallel()
	inBubble(t, "", func(t *testing.T) {
		controls := []*Control{NewControl(), NewControl()}
		var recorder Recorder
		machines, _ := recording(t, modelCore(), rom(t, romstest.Pad), 2, 600, func(n int, c *Config) {
			if c.Control = controls[n]; n == 0 {
				recorder = c.Recorder
			} else {
				c.Recorder = nil
			}
		})
		machines[0].until("the game runs", func(n notice.Notice) bool { f, ok := n.(notice.Figures); return ok && f.Frame > 100 })
		for i, want := range []bool{true, false} {
			controls[i].Clip()
			machines[i].until("the answer", func(n notice.Notice) bool {
				c, ok := n.(notice.Clipped)
				if ok && c.Kept != want {
					t.Errorf("machine %d: kept %v", i, c.Kept)
				}
				return ok
			})
		}
		for _, p := range machines {
			p.end()
		}
		must.Succeed(t, recorder.Close())
		l := openLog(t, recorder.Path())
		if len(l.Clips) != 1 || l.Clips[0].From != 0 || l.Clips[0].To <= 100 || l.Clips[0].To > l.Length() {
			t.Errorf("the clips of %d frames are %v", l.Length(), l.Clips)
		}
	})
}

// provesItself checks that recordings are of one whole game, and give it again.
func provesItself(t *testing.T, core emucore.Core, game *emucore.ROM, frames int64, logs ...*replay.Log) {
	t.Helper()
	for i, l := range logs {
		if i > 0 {
			sameLogs(t, logs[0], l)
		}
		if !l.Ended || l.Cut != "" || l.Length() != frames || l.Program != "test" {
			t.Errorf("log %d: ended %v, cut %q, %d frames, of %s", i, l.Ended, l.Cut, l.Length(), l.Program)
		}
		status := verified(t, l, core, game)
		if want := int64(len(l.Seats)) * frames / 20; status.Proofs != want || status.Difference != nil {
			t.Errorf("log %d: %d hashes were as recorded, want %d; difference %v", i, status.Proofs, want, status.Difference)
		}
	}
}

func romsOf(game *emucore.ROM) map[[32]byte]*emucore.ROM {
	return map[[32]byte]*emucore.ROM{game.SHA256: game}
}

// verified plays a log to its end and returns how that went.
func verified(t testing.TB, l *replay.Log, core emucore.Core, game *emucore.ROM) player.Status {
	t.Helper()
	return replayed(t, playedBy(nil, l, core, game))
}

// playedBy is how a log is played by consoles like those of a player whose configuration this changes, if it is not nil.
func playedBy(like func(*Config), l *replay.Log, core emucore.Core, game *emucore.ROM) player.Config {
	var c Config
	if like != nil {
		like(&c)
	}
	return player.Config{Log: l, Core: core, ROMs: romsOf(game), TestOptions: c.TestOptions, TestTweak: c.TestTweak}
}

// replayed plays a log to its end, or to the first difference.
func replayed(t testing.TB, cfg player.Config) player.Status {
	t.Helper()
	cfg.StopAtDifference, cfg.EndAtEnd = true, true
	p, err := player.New(onModel(t, cfg))
	must.Succeed(t, err)
	p.Speed(player.NoLimit)
	must.Succeed(t, p.Run(t.Context()))
	return p.Status()
}

// A game from saves, with a player who leaves and a delay that changes, is in the
// log whole.
func TestALogHasSavesAndLeavers(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Save)
		save := make([]byte, 8<<10)
		for i := range save {
			save[i] = byte(i / 3)
		}
		logs, machines := recordedGame(t, core, game, 3, 900, func(n int, c *Config) {
			if n == 1 {
				c.SRAM = save
			}
			if n == 2 {
				c.Frames = 300
			}
		})
		for _, p := range machines {
			p.expect(notice.ResultOK)
		}
		for n, l := range logs[:2] {
			if l.Length() != 900 {
				t.Errorf("log %d has %d frames", n, l.Length())
			}
			leaves := 0
			for _, d := range l.Decisions {
				if (d.Kind == timeline.End || d.Kind == timeline.Leave) && d.Frame < 900 {
					leaves++
					if l.Frames(d.Seat) != d.Frame {
						t.Errorf("log %d: seat %d leaves at frame %d and has %d frames", n, d.Seat, d.Frame, l.Frames(d.Seat))
					}
				}
			}
			if leaves != 1 {
				t.Errorf("log %d: %d leave", n, leaves)
			}
			if status := verified(t, l, core, game); status.Difference != nil || status.Proofs < 100 || status.Frame != 900 {
				t.Errorf("log %d: %+v, %v", n, status, status.Difference)
			}
		}
	})
}

// faulty is a recorder whose disk is full from some frame on.
type faulty struct {
	*replay.Recorder
	broken bool
}

func (f *faulty) Hashes(_ ds.Seat, frames int64, _ ds.Hash) {
	if frames >= 60 {
		f.broken = true
	}
}

func (f *faulty) Problem() error {
	if f.broken {
		return errors.New("no space left on device")
	}
	return nil
}

// A recording that fails does not end the game, and is told once.
func TestARecordingThatFailsIsToldOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 300
		r := replay.NewRecorder(replay.Config{Path: filepath.Join(t.TempDir(), "g")})
		defer r.Close()
		tb.sit(func(c *Config) { c.Recorder = &faulty{Recorder: r} })
		tb.sit(func(c *Config) {
			c.Recorder = replay.NewRecorder(replay.Config{Folder: "/proc/none"})
		})
		sameHashes(t, 300, tb.machines...)
		for _, p := range tb.machines {
			told := 0
			for _, n := range p.heard {
				if m, ok := n.(notice.Message); ok && strings.Contains(m.Text, "Recording has stopped") {
					told++
				}
			}
			if told != 1 {
				t.Errorf("%s heard of it %d times", p.name, told)
			}
		}
	})
}

// A game that was repaired on the way replays through the resync, from the states
// that the log has of it.
func TestALogHasResyncs(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		logs, machines := recordedGame(t, core, game, 3, 400, func(n int, c *Config) {
			wireless(c)
			if n == 2 {
				c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "150", "ram"
			}
		})
		sameEnds(t, 1, machines...)
		for n, l := range logs[:2] {
			if len(l.Restarts) != 1 || len(l.Restarts[0].Seats) != 3 || l.Length() != 400 {
				t.Fatalf("log %d: restarts %v, %d frames", n, l.Restarts, l.Length())
			}
			if s := replayed(t, playedBy(wireless, l, core, game)); s.Difference != nil || s.Frame != 400 || s.Proofs < 3*400/20-3 {
				t.Errorf("log %d, resync at frame %d: %+v, %v", n, l.Restarts[0].Frame, s, s.Difference)
			}
		}
	})
}

// The game host leaves a game over the radio while consoles are built anew: its console
// is off the air from that frame on, in the replay as in the game.
func TestALogHasTheGameHostGo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		machines, end := recording(t, core, game, 3, 400, func(n int, c *Config) {
			wireless(c)
			if n == 2 {
				c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "110", "ram"
			}
		})
		machines[1].untilSaid("take their consoles from Anna")
		machines[0].stop()
		logs := end()
		alike(t, 400, 2, machines[1:]...)
		for _, l := range logs[1:2] { // the third has the hashes of what was wrong
			if len(l.Restarts) != 1 || l.Length() != 400 {
				t.Fatalf("restarts %v, %d frames", l.Restarts, l.Length())
			}
			left := slices.ContainsFunc(l.Decisions, func(d timeline.Decision) bool { return d.Kind == timeline.Leave && d.Frame == l.Restarts[0].Frame })
			if s := replayed(t, playedBy(wireless, l, core, game)); s.Difference != nil || s.Frame != 400 || !left {
				t.Errorf("resync at frame %d, it left then %v: %+v, %v", l.Restarts[0].Frame, left, s, s.Difference)
			}
		}
	})
}

// A recording has a picture of its game, however short the game is beyond the first seconds.
func TestRecordingHasAPicture(t *testing.T) {
	t.Parallel()
	for frames, want := range map[int64]bool{600: false, 6000: true} {
		inBubble(t, fmt.Sprint(frames, " frames"), func(t *testing.T) {
			_, logs := recording(t, modelCore(), rom(t, romstest.Pad), 2, frames, nil)
			for i, l := range logs() {
				img, err := png.Decode(bytes.NewReader(l.Shot))
				if want && (err != nil || img.Bounds() != image.Rect(0, 0, shotWide, shotHigh)) {
					t.Errorf("machine %d: the picture has %d bytes: %v", i, len(l.Shot), err)
				}
				if !want && l.Shot != nil {
					t.Errorf("machine %d: a game of ten seconds has a picture", i)
				}
			}
		})
	}
}

// A screen of one colour, as between two scenes, is no picture of a game. Of two screens the upper one counts.
func TestPlainScreens(t *testing.T) {
	t.Parallel()
	shot := image.NewRGBA(image.Rect(0, 0, 256, 384))
	shot.Set(200, 300, color.White)
	if !plain(shot) {
		t.Error("a black upper screen shows something")
	}
	shot.Set(201, 33, color.White)
	if plain(shot) {
		t.Error("a screen with a dot shows nothing")
	}
	img, err := png.Decode(bytes.NewReader(small(shot)))
	must.Succeed(t, err)
	if r, _, _, _ := img.At(100, 16).RGBA(); r == 0 || img.Bounds().Dy() != shotHigh {
		t.Errorf("the dot is not in the picture of %v", img.Bounds())
	}
}
