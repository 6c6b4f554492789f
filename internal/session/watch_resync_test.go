package session

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// A spectator that comes after a resync begins there, not at the first frame.
func TestSpectatorBeginsAtTheResync(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = 700, 1
		for i := range 2 {
			tb.sit(func(c *Config) {
				wireless(c)
				c.MaxSpeed = false
				if i == 1 {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "100", "ram"
				}
			})
		}
		early := tb.watch("Early", likeWireless)
		early.sees(50)
		early.stop()
		<-early.done
		if early.err != nil || early.report.Result != notice.ResultOK {
			t.Errorf("who stops to watch: %v", early.err)
		}
		tb.machines[1].untilFrame(330)
		late := tb.watch("Late", likeWireless)
		sameEnds(t, 1, tb.machines...)
		late.sawAll(tb.machines...)
		if late.first < 100 {
			t.Errorf("it began at frame %d", late.first)
		}
	})
}

// A spectator's machine computes what the game host's would have been. When that goes wrong
// and is repaired, the spectator sees the repair too, and was no other game's.
func TestSpectatorOfARepair(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = 700, 1
		for i := range 2 {
			tb.sit(func(c *Config) {
				c.MaxSpeed = false
				if i == 0 {
					c.TestOptions = map[string]string{"testcore_desync_at": "100", "testcore_desync_what": "ram"}
				}
			})
		}
		tb.machines[0].untilPlaying()
		uma := tb.watch("Uma", nil)
		sameEnds(t, 1, tb.machines...)
		uma.end()
		if d := uma.player.Status().Difference; d == nil {
			t.Error("the spectator did not see the desync")
		}
		uma.sawAll(tb.machines...)
	})
}

// A game is over before all is here that its consoles start from: whoever watches still sees all of it.
func TestWatchingAGameThatIsOver(t *testing.T) {
	bubble(t, func(t *testing.T) {
		l, core, game := shortGame(t, 300)
		all, err := os.ReadFile(l.Path)
		must.Succeed(t, err)
		live, err := replay.NewLive(t.TempDir())
		must.Succeed(t, err)
		defer live.Close()
		log, n := (*replay.Log)(nil), 0
		for log == nil { // the head alone
			must.Succeed(t, live.Write(int64(n), all[n:n+1]))
			n++
			if log, err = live.Log(); !errors.Is(err, replay.ErrShort) {
				must.Succeed(t, err)
			}
		}
		if log.Whole(0) || log.Length() > 0 {
			t.Fatalf("%d of %d bytes have %d frames", n, len(all), log.Length())
		}
		p, err := player.New(onModel(t, player.Config{Log: log, Core: core, ROMs: romsOf(game), EndAtEnd: true}))
		must.Succeed(t, err)
		p.Speed(player.NoLimit)
		ended := make(chan error, 1)
		go func() { ended <- p.Run(t.Context()) }()
		time.Sleep(200 * time.Millisecond) // it waits
		must.Succeed(t, live.Write(int64(n), all[n:]))
		live.End()
		must.Succeed(t, <-ended)
		if s := p.Status(); s.Frame != 300 || s.Length != 300 || s.Difference != nil || len(p.Consoles()) != 2 {
			t.Errorf("of 300 frames of 2 consoles it sees %d of %d, with %d; %v", s.Frame, s.Length, len(p.Consoles()), s.Difference)
		}
	})
}

// The room is gone while somebody who watches lacks a part of what all consoles were built
// from anew: then the game ends there, and is not waited for.
func TestWatchingEndsAmidResync(t *testing.T) {
	bubble(t, func(t *testing.T) {
		core, game := modelCore(), rom(t, romstest.Pad)
		logs, _ := recordedGame(t, core, game, 2, 300, func(n int, c *Config) {
			c.TestOptions = map[string]string{}
			if n == 1 {
				c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "110", "ram"
			}
		})
		all, err := os.ReadFile(logs[0].Path)
		if err != nil || len(logs[0].Restarts) != 1 {
			t.Fatalf("restarts %v, %v", logs[0].Restarts, err)
		}
		at := logs[0].Restarts[0].Frame
		for n := len(all); ; n -= 64 {
			if n <= 0 {
				t.Fatal("there is no place at which a part of the resync is missing")
			}
			live, err := replay.NewLive(t.TempDir())
			if err == nil {
				err = live.Write(0, all[:n])
			}
			must.Succeed(t, err)
			defer live.Close()
			l, err := live.Log()
			must.Succeed(t, err)
			if len(l.Restarts) == 0 || l.Whole(1) {
				continue
			}
			p, err := player.New(onModel(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), EndAtEnd: true}))
			must.Succeed(t, err)
			playable := p.Length()
			p.Speed(player.NoLimit)
			ended := make(chan error, 1)
			go func() { ended <- p.Run(t.Context()) }()
			time.Sleep(200 * time.Millisecond) // it waits, or is still on its way there
			live.End()
			select {
			case err = <-ended:
			case <-time.After(patience()):
				t.Fatalf("it does not end: %+v", p.Status())
			}
			want := min(at, playable) // when no frame after it is there, the last one does not count
			if s := p.Status(); err != nil || s.Frame != want || want < at-1 || s.Difference != nil {
				t.Errorf("with %d of %d bytes it ends at frame %d, not %d: %v, %v", n, len(all), s.Frame, want, s.Difference, err)
			}
			return
		}
	})
}
