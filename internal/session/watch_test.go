package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

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
			uma := tb.watch("Uma", func(c *spectate.WatchConfig) {
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
				if strings.Contains(text.(string), "is the game host now, and you watch on") || strings.Contains(text.(string), "looking for the room") {
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

// relayed is the link of a spectator whom nobody but the game host lets in, until it hears from a relay where
// the room is.
type relayed struct {
	link.Link
	host string
}

func (l relayed) Dial(ctx context.Context, target string) (link.PeerID, error) {
	if name, found := strings.CutPrefix(target, "relayed:"); found {
		return l.Link.Dial(ctx, name)
	}
	if target != l.host {
		return 0, &link.DialError{Why: link.NoAnswer}
	}
	return l.Link.Dial(ctx, target)
}

// A spectator finds the next game host in the lobby, too: at its address, or at a relay where the other players'
// routers let nobody in but by that.
func TestSpectatorInTheLobby(t *testing.T) {
	t.Parallel()
	for _, byRelay := range []bool{false, true} {
		inBubble(t, fmt.Sprintf("by relay %v", byRelay), func(t *testing.T) {
			e := newNight(t, 3)
			e.settings.Spectators = 2
			var followed atomic.Bool
			anna := e.comes("Anna")
			ben, carla := e.comes("Ben"), e.comes("Carla")
			e.roster(anna, ben, carla)
			uma := e.watch("Uma", func(c *spectate.WatchConfig) {
				c.Link = relayed{Link: c.Link, host: c.Addr}
				c.Notify = func(n notice.Notice) {
					if m, ok := n.(notice.Message); ok && strings.Contains(m.Text, "Ben is the game host now, and you watch on") {
						followed.Store(true)
					}
				}
				c.Moved = func(context.Context) (string, bool) { return "relayed:Ben", hosts("Ben")(ben.room()) }
			})
			ben.untilNow("somebody watches", func(r room.Room) bool { return len(r.Spectators) == 1 })
			e.leaves(anna)
			e.roster(ben, carla)
			for range patience() / (5 * time.Millisecond) {
				if followed.Load() {
					break
				}
				time.Sleep(5 * time.Millisecond)
			}
			if uma.stop(); uma.end().Result != notice.ResultOK || !followed.Load() {
				t.Error("the next game host was not found")
			}
			e.leaves(carla)
			e.leaves(ben)
		})
	}
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
		uma := tb.watch("Uma", func(c *spectate.WatchConfig) { c.Patience = 2 * time.Second })
		uma.sees(30)
		net.Cut("Anna")
		net.Cut("Ben")
		if r := uma.end(); r.Result != notice.ResultLost || !strings.Contains(r.Error, "was lost") || !strings.Contains(r.Error, "the room could not be found again") {
			t.Errorf("%q: %s", r.Result, r.Error)
		}
	})
}

// A spectator whose connection breaks for a while comes back to the same game host.
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
			t.Error("its connection was never gone")
		}
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

// Spectators whose connections are gone, or who are killed, are no matter for the players, and
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
		s := tb.watch("Uma", func(c *spectate.WatchConfig) { c.ROMs = nil })
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
		uma := tb.watch("Uma", func(c *spectate.WatchConfig) {
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
