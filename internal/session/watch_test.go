package session

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/memnet"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/watch"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// watcherSlot is the number of the first spectator's machine, viewerSlot that of one on
// which recordings are played.
const (
	watcherSlot = 8
	viewerSlot  = 16
)

// watcher is a spectator.
type watcher struct {
	t      testing.TB
	stop   context.CancelFunc
	done   chan struct{}
	report notice.Report
	err    error

	mu     sync.Mutex
	player *player.Player
	shown  map[int]int64 // frames by seat
	first  int64         // the first one that was shown
}

// watch has somebody watch the table's room. Change may be nil.
func (tb *table) watch(name string, change func(*watch.Config)) *watcher {
	tb.t.Helper()
	s := &watcher{t: tb.t, done: make(chan struct{}), shown: make(map[int]int64), first: -1}
	cfg := watch.Config{
		Link: tb.listen(name), Addr: tb.addr, Nickname: name, Version: "test", Core: tb.core, ROMs: []*emucore.ROM{tb.rom}, Once: true,
		Watched: func(p *player.Player) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.player = p
		},
		Show: func(seat ds.Seat, f emucore.Frame) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.shown[int(seat)] = f.Number + 1; s.first < 0 {
				s.first = f.Number
			}
		},
	}
	if tb.turns != nil {
		cfg.Start = starter(tb.model(watcherSlot + tb.watchers))
		tb.watchers++
	}
	if change != nil {
		change(&cfg)
	}
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	go func() {
		defer close(s.done)
		s.report, s.err = watch.Run(ctx, cfg)
	}()
	tb.t.Cleanup(func() { stop(); <-s.done })
	return s
}

// end waits for the end of the watching.
func (s *watcher) end() notice.Report {
	s.t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience()):
		s.t.Fatal("the watching does not end")
	}
	return s.report
}

// sees waits until some frame is shown.
func (s *watcher) sees(frame int64) {
	s.t.Helper()
	for range patience() / (5 * time.Millisecond) {
		s.mu.Lock()
		now := s.shown[0]
		s.mu.Unlock()
		if now > frame {
			return
		}
		select {
		case <-s.done:
			s.t.Fatalf("the watching ended before frame %d: %v", frame, s.err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	s.t.Fatalf("frame %d is not seen", frame)
}

// sawAll checks that a spectator has computed what the players have.
func (s *watcher) sawAll(players ...*machine) {
	s.t.Helper()
	r := s.end()
	if s.err != nil || r.Result != notice.ResultOK || !r.Spectated || r.Desyncs != 0 {
		s.t.Errorf("%q (%v), spectated %v, %d desyncs", r.Result, s.err, r.Spectated, r.Desyncs)
	}
	if want := players[0].report.Seats; !slices.Equal(r.Seats, want) {
		s.t.Errorf("the spectator's consoles end as %+v, the players' as %+v", r.Seats, want)
	}
	if s.player == nil || s.player.Status().Proofs == 0 {
		s.t.Fatal("nothing was compared")
	}
	consoles := s.player.Consoles()
	if !slices.EqualFunc(consoles, r.Seats, func(p room.SeatPlan, o game.SeatReport) bool { return p.Seat == o.Seat && p.Nickname == o.Owner }) {
		s.t.Errorf("the spectator knows of the consoles %+v, of %+v", consoles, r.Seats)
	}
}

// A spectator who comes in the middle of a game over a bad line sees all of it and ends
// with the players' hashes, whether the game is recorded or not; and the players end
// with what they end with when nobody watches.
func TestSpectatorSeesTheGame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		alone := seesTheGame(t, modelCore(), "nobody watches")
		for _, how := range []string{"unrecorded", "recorded"} {
			if watched := seesTheGame(t, modelCore(), how); !slices.Equal(watched, alone) {
				t.Errorf("%s: the game ends with %v, and with %v when nobody watches", how, watched, alone)
			}
		}
	})
}

func seesTheGame(t *testing.T, core emucore.Core, how string) []game.Hash {
	net := memnet.New(3, memnet.Impairment{Delay: time.Millisecond})
	tb := onNetwork(t, net, core, rom(t, romstest.Pad), 2)
	tb.settings.Frames, tb.settings.Spectators = 240, 2
	for i := range 2 {
		tb.sit(func(c *Config) {
			wireless(c)
			c.MaxSpeed = false
			if how == "recorded" && i == 0 {
				rec := replay.NewRecorder(replay.Config{Folder: t.TempDir()})
				t.Cleanup(func() { rec.Close() })
				c.Recorder = rec
			}
		})
	}
	tb.machines[1].untilFrame(60)
	if how != "nobody watches" {
		bad := memnet.Impairment{Delay: 20 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05}
		net.SetLine("Uma", "Anna", bad)
		net.SetLine("Anna", "Uma", bad)
		uma := tb.watch("Uma", likeWireless)
		defer uma.sawAll(tb.machines...)
	}
	return sameHashes(t, 240, tb.machines...)
}

// A spectator goes on watching when the game host leaves or is killed: the rest comes from
// the next one, whether that records the game or not.
func TestSpectatorFollowsTheRoom(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		inBubble(t, fmt.Sprintf("killed %v", killed), func(t *testing.T) {
			net := memnet.New(4, memnet.Impairment{Delay: 5 * time.Millisecond})
			net.SetTimeouts(2*time.Second, 2*time.Second)
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Frames, tb.settings.Spectators = 600, 2
			for i := range 3 {
				tb.sit(func(c *Config) {
					c.MaxSpeed = false
					if i == 1 {
						rec := replay.NewRecorder(replay.Config{Folder: t.TempDir()})
						t.Cleanup(func() { rec.Close() })
						c.Recorder = rec
					}
				})
			}
			var said sync.Map
			uma := tb.watch("Uma", func(c *watch.Config) {
				c.Notify = func(n notice.Notice) {
					if m, ok := n.(notice.Message); ok {
						said.Store(m.Text, true)
					}
				}
			})
			uma.sees(100)
			first := uma.player
			anna, others := tb.machines[0], tb.machines[1:]
			if killed {
				net.Cut("Anna")
			} else {
				anna.stop()
				anna.expect(notice.ResultOK)
			}
			alike(t, 600, 2, others...)
			uma.sawAll(others...)
			if uma.player == first || uma.player.Length() != 600 {
				t.Errorf("it saw %d frames, of which none came from another game host: %v", uma.player.Length(), uma.player == first)
			}
			told := 0
			said.Range(func(text, _ any) bool {
				if strings.Contains(text.(string), "is the game host now, and you watch on") || strings.Contains(text.(string), "looking for where the room goes on") {
					told++
				}
				return true
			})
			if told != 2 {
				t.Error("it was not told what happens")
			}
		})
	}
}

// A spectator finds the next game host, also the second one, and sees a game that is over
// by then to its end.
func TestSpectatorFollowsTwice(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(6, memnet.Impairment{Delay: 5 * time.Millisecond})
		net.SetTimeouts(2*time.Second, 2*time.Second)
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 4)
		tb.settings.Frames, tb.settings.Spectators, tb.settings.SpectateDelay, tb.settings.KeepConsoles = 700, 2, 1, true
		for range 4 {
			tb.sit(func(c *Config) { c.MaxSpeed, c.Once = false, false })
		}
		uma := tb.watch("Uma", nil)
		uma.sees(60)
		anna, next := tb.machines[0], tb.successor()
		anna.stop()
		anna.expect(notice.ResultOK)
		uma.sees(300) // from the second game host
		var others []*machine
		for _, p := range tb.machines[1:] {
			if p != next {
				others = append(others, p)
			}
		}
		others[0].untilFrame(690)
		next.stop()
		next.expect(notice.ResultOK)
		for _, p := range others {
			p.until("the game is over", func(n notice.Notice) bool { _, ok := n.(notice.GameOver); return ok })
		}
		r := uma.end()
		if uma.err != nil || r.Result != notice.ResultOK || r.Frames != 700 || r.Desyncs != 0 {
			t.Errorf("%q (%v), %d frames, %d desyncs", r.Result, uma.err, r.Frames, r.Desyncs)
		}
		for _, p := range others {
			p.stop()
			p.end()
		}
	})
}

// A spectator of a room that is gone is told so, after looking for it.
func TestSpectatorOfARoomThatIsGone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(8, memnet.Impairment{Delay: 5 * time.Millisecond})
		net.SetTimeouts(time.Second, time.Second)
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = forever, 2
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		uma := tb.watch("Uma", func(c *watch.Config) { c.Patience = 2 * time.Second })
		uma.sees(30)
		net.Cut("Anna")
		net.Cut("Ben")
		if r := uma.end(); r.Result != notice.ResultLost || !strings.Contains(r.Error, "was lost") || !strings.Contains(r.Error, "it was not found again") {
			t.Errorf("%q: %s", r.Result, r.Error)
		}
	})
}

// A spectator whose line breaks for a while comes back to the same game host.
func TestSpectatorComesBack(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(5, memnet.Impairment{Delay: 5 * time.Millisecond})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = 900, 2
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		uma := tb.watch("Uma", nil)
		uma.sees(100)
		first := uma.player
		net.SetTimeouts(time.Second, time.Second)
		net.Blackout(3*time.Second, "Uma")
		alike(t, 900, 2, tb.machines...)
		uma.sawAll(tb.machines...)
		if uma.player == first {
			t.Error("its line was never gone")
		}
	})
}

// likeWireless makes a spectator's consoles what wireless makes the players'.
func likeWireless(c *watch.Config) {
	like := Config{}
	wireless(&like)
	c.TestOptions, c.TestTweak = like.TestOptions, like.TestTweak
}

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

// bulkCount is a link that counts what is sent on its bulk channel.
type bulkCount struct {
	link.Link
	mu   sync.Mutex
	sent int // bytes
}

func (l *bulkCount) Send(p link.PeerID, ch link.Channel, b []byte) error {
	if ch == link.Bulk {
		l.mu.Lock()
		l.sent += len(b)
		l.mu.Unlock()
	}
	return l.Link.Send(p, ch, b)
}

func (l *bulkCount) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// Spectators whose lines are gone, or who are killed, are no matter for the players, and
// the game host has no more on its way for each of them than one piece of the log.
func TestSpectatorWhoCannotFollow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := memnet.New(3, memnet.Impairment{Delay: time.Millisecond})
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = 600, 3
		counted := new(bulkCount)
		for i := range 2 {
			tb.sit(func(c *Config) {
				c.MaxSpeed = false
				if i == 0 {
					counted.Link = c.Link
					c.Link = counted
				}
			})
		}
		tb.machines[1].untilFrame(30)
		var watchers []*watcher
		for _, name := range []string{"Slow", "Dark", "Dead"} {
			watchers = append(watchers, tb.watch(name, nil))
		}
		for _, s := range watchers {
			s.sees(60)
		}
		net.Blackout(time.Minute, "Slow", "Dark")
		net.Cut("Dead")
		before := counted.count()
		sameHashes(t, 600, tb.machines...)
		if sent := counted.count() - before; sent > 3*(spectate.Window+spectate.MaxPiece+1000) {
			t.Errorf("%d bytes were sent to those who take nothing", sent)
		}
		for _, p := range tb.machines {
			p.log()
		}
	})
}

// A spectator without the games, or with another core, is told so.
func TestSpectatorWithoutTheGame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators = 300, 1
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		s := tb.watch("Uma", func(c *watch.Config) { c.ROMs = nil })
		if r := s.end(); r.Result != notice.ResultCore || !strings.Contains(r.Error, "cannot be watched without the game") {
			t.Errorf("%q %q", r.Result, r.Error)
		}
		sameHashes(t, 300, tb.machines...)
	})
}

// A spectator sees the game as late as the room says, and the game host enforces it.
func TestSpectateDelay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Spectators, tb.settings.SpectateDelay = 480, 1, 3
		for range 2 {
			tb.sit(func(c *Config) { c.MaxSpeed = false })
		}
		anna := tb.machines[0]
		anna.untilPlaying()
		var mu sync.Mutex
		least := int64(game.Never)
		uma := tb.watch("Uma", func(c *watch.Config) {
			c.Show = func(_ ds.Seat, f emucore.Frame) {
				anna.mu.Lock()
				begun := anna.started
				anna.mu.Unlock()
				if begun >= 479 {
					return // the game is over, and may be seen
				}
				mu.Lock()
				defer mu.Unlock()
				least = min(least, begun-f.Number)
			}
		})
		sameHashes(t, 480, tb.machines...)
		uma.sawAll(tb.machines...)
		if want := int64(178); least < want || least == game.Never {
			t.Errorf("it was behind by %d frames at least, and must be by %d", least, want)
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
			if err != nil {
				t.Fatal(err)
			}
			defer live.Close()
			l, err := live.Log()
			if err != nil {
				t.Fatal(err)
			}
			if len(l.Restarts) == 0 || l.Whole(1) {
				continue
			}
			p, err := player.New(onModel(t, player.Config{Log: l, Core: core, ROMs: romsOf(game), EndAtEnd: true}))
			if err != nil {
				t.Fatal(err)
			}
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
