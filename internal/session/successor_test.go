package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// A game host is killed in the lobby with one, two and three others: the one that it named has the room within some
// seconds, with all of them, and starts the next game; the killed one comes back as a guest.
func TestKilledInTheLobby(t *testing.T) {
	t.Parallel()
	for guests := 1; guests <= 3; guests++ {
		inBubble(t, fmt.Sprint(guests, " guests"), func(t *testing.T) {
			e := newNight(t, 4)
			anna := e.comes("Anna")
			var others []*machine
			for _, name := range []string{"Ben", "Carla", "Dora"}[:guests] {
				others = append(others, e.comes(name))
			}
			e.roster(anna, others...)
			e.killed(anna)
			began := time.Now()
			ben := others[0]
			e.roster(ben, others[1:]...)
			if took := time.Since(began); took > 6*time.Second {
				t.Errorf("it took %v until the room was there again", took)
			}
			ben.untilSaid("the connection to the game host Anna is gone; Ben is the game host now")
			e.addr = "Ben"
			anna = e.comes("Anna")
			e.plays(ben, append(others[1:], anna)...)
		})
	}
}

// The game host and its successor die at once: the others are told that the room is over, and why.
func TestSuccessorDiesToo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna := e.comes("Anna")
		ben, carla, dora := e.comes("Ben"), e.comes("Carla"), e.comes("Dora")
		e.roster(anna, ben, carla, dora)
		e.killed(anna)
		e.killed(ben)
		for _, p := range []*machine{carla, dora} {
			p.expect(notice.ResultLost, "the connection to the game host Anna was lost", "Ben, who was to take over the room, did not answer either")
			p.wasTold("waiting for Ben, who takes over the room")
		}
	})
}

// wasTold checks that a player was told something.
func (p *machine) wasTold(words string) {
	p.t.Helper()
	if !strings.Contains(p.told(), words) {
		p.t.Errorf("%s was not told %q, but %s", p.name, words, p.told())
	}
}

// The game host of two is killed amid a game: the game is over for the other one, who has the room at once and
// starts the next game with the first, who has come back.
func TestKilledAmidAGameOfTwo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 2)
		anna, ben := e.comes("Anna"), e.comes("Ben")
		e.plays(anna, ben)
		e.killed(anna)
		began := time.Now()
		ben.until("the game is over", func(n notice.Notice) bool {
			over, ok := n.(notice.GameOver)
			if ok && (over.Err == nil || !strings.Contains(over.Err.Error(), "Anna")) {
				t.Errorf("the game ended with %v", over.Err)
			}
			return ok
		})
		e.roster(ben)
		if took := time.Since(began); took > 6*time.Second {
			t.Errorf("it took %v until the room was there again", took)
		}
		e.addr = "Ben"
		anna = e.comes("Anna")
		e.plays(ben, anna)
	})
}

// apart has two parts of a room hear nothing of each other; with heal they do again.
func (e *night) apart(here, there []string) (heal func()) {
	part(e.net, here, there)
	return func() { e.net.Set(memnet.Impairment{Delay: time.Millisecond}) }
}

// The line between the two machines of a game is cut for long: each ends the game for itself, and has a room. When
// they hear each other again, the one who took over is shown the way back to the first. No console ran on alone.
func TestCutAmidAGameOfTwo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 2)
		anna, ben := e.comes("Anna"), e.comes("Ben")
		e.plays(anna, ben)
		heal := e.apart([]string{"Anna"}, []string{"Ben"})
		for _, p := range []*machine{anna, ben} {
			p.until("the game is over", func(n notice.Notice) bool {
				over, ok := n.(notice.GameOver)
				if ok && over.Err == nil {
					t.Errorf("for %s the game ended well", p.name)
				}
				return ok
			})
		}
		e.roster(ben)
		e.roster(anna)
		heal()
		ben.end()
		if back, is := notice.WayBack(ben.err); !is || back != "Anna" {
			t.Errorf("Ben ended with %v, and the way back %q", ben.err, back)
		}
		e.addr = "Anna"
		e.roster(anna)
		ben = e.comes("Ben")
		e.plays(anna, ben)
	})
}

// A short cut costs nothing: the game goes on where it was.
func TestShortCutAmidAGameOfTwo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 2)
		anna, ben := e.comes("Anna"), e.comes("Ben")
		e.plays(anna, ben)
		heal := e.apart([]string{"Anna"}, []string{"Ben"})
		ben.until("the connection is gone", broken)
		time.Sleep(2 * time.Second)
		heal()
		ben.until("the connection is back", restored)
		ben.untilFrame(400)
		e.controls[anna].EndGame("enough")
		anna.untilNow("the room is in the lobby", func(r room.Room) bool { return r.Phase == room.PhaseLobby })
		e.plays(anna, ben)
	})
}

// refusing is the line of one whose game host sits behind a router that says of each stranger's question that nobody
// listens there.
type refusing struct{ link.Link }

func (refusing) Absent(context.Context, string) bool { return true }

// What such a router says is no news of the game host: a short cut costs nothing there, either.
func TestRouterThatRefusesIsNoEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 2)
		listen := e.listen
		e.listen = func(name string) link.Link { return refusing{listen(name)} }
		anna, ben := e.comes("Anna"), e.comes("Ben")
		e.plays(anna, ben)
		heal := e.apart([]string{"Anna"}, []string{"Ben"})
		time.Sleep(4 * time.Second)
		heal()
		ben.untilFrame(400)
		if told := ben.told(); strings.Contains(told, "has ended") {
			t.Errorf("Ben was told %s", told)
		}
		e.controls[anna].EndGame("enough")
		anna.untilNow("the room is in the lobby", func(r room.Room) bool { return r.Phase == room.PhaseLobby })
	})
}

// The player of the machine that takes over need not wait for a minute. The game host still waits for it, and when
// they hear each other again it comes back into the game that the game host has.
func TestGoingOnWithoutTheGameHost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 2)
		anna, ben := e.comes("Anna"), e.comes("Ben")
		e.plays(anna, ben)
		heal := e.apart([]string{"Anna"}, []string{"Ben"})
		ben.until("the connection is gone", func(n notice.Notice) bool { d, ok := n.(notice.Disconnected); return ok && d.MayGoOn })
		e.controls[ben].GoOnWithout(0)
		e.roster(ben)
		heal()
		ben.end()
		if _, is := notice.WayBack(ben.err); !is {
			t.Errorf("Ben ended with %v", ben.err)
		}
		e.addr = "Anna"
		ben = e.comes("Ben")
		e.controls[ben].Ready(true)
		ben.untilFrame(60)
		e.controls[anna].EndGame("enough")
		e.plays(anna, ben)
	})
}

// Who loses the connection in the lobby for some seconds comes back by itself, wherever the break was.
func TestShortCutInTheLobby(t *testing.T) {
	t.Parallel()
	for _, gone := range []string{"Anna", "Ben", "Carla"} {
		inBubble(t, gone, func(t *testing.T) {
			e := newNight(t, 4)
			anna := e.comes("Anna")
			ben, carla := e.comes("Ben"), e.comes("Carla")
			e.roster(anna, ben, carla)
			e.net.SetTimeouts(10*time.Second, 5*time.Second)
			e.net.Blackout(11*time.Second, gone)
			time.Sleep(25 * time.Second)
			e.roster(anna, ben, carla)
			e.plays(anna, ben, carla)
		})
	}
}

// A game host that loses its connection in the lobby for longer finds the others with another one, and is shown the
// way there.
func TestGameHostLosesTheLobby(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna := e.comes("Anna")
		ben, carla := e.comes("Ben"), e.comes("Carla")
		e.roster(anna, ben, carla)
		heal := e.apart([]string{"Anna"}, []string{"Ben", "Carla"})
		e.roster(ben, carla)
		heal()
		anna.end()
		if back, is := notice.WayBack(anna.err); !is || back != "Ben" {
			t.Errorf("Anna ended with %v, and the way back %q", anna.err, back)
		}
		e.addr = "Ben"
		anna = e.comes("Anna")
		e.plays(ben, carla, anna)
	})
}

// The game host is killed amid a start.
func TestKilledAmidAStart(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna := e.comes("Anna")
		ben, carla := e.comes("Ben"), e.comes("Carla")
		e.roster(anna, ben, carla)
		e.controls[ben].Ready(true)
		e.controls[carla].Ready(true)
		anna.untilNow("all are ready", func(r room.Room) bool {
			return !slices.ContainsFunc(r.Players, func(p room.Player) bool { return !p.Ready })
		})
		e.controls[anna].Start()
		e.games++
		ben.untilRoom("the start", preparing)
		e.killed(anna)
		e.roster(ben, carla)
		e.plays(ben, carla)
	})
}

// A room with a password keeps it: who was lost comes back without typing it, others need it.
func TestKilledBehindAPassword(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		locked := func(c *Config) {
			c.Once, c.AskReady, c.MaxSpeed = false, c.Join != nil, false
			if c.Host != nil {
				c.Host.AutoStart, c.Host.Password = 0, "sesame"
			} else {
				c.Join.Password = "sesame"
			}
		}
		anna := e.sitAs("Anna", locked)
		anna.untilNow("Anna is there", full(1))
		ben := e.sitAs("Ben", locked)
		ben.untilNow("Ben is there", full(2))
		carla := e.sitAs("Carla", locked)
		carla.untilNow("Carla is there", full(3))
		e.net.Blackout(11*time.Second, "Carla")
		time.Sleep(25 * time.Second)
		e.roster(anna, ben, carla)
		e.killed(anna)
		e.roster(ben, carla)
		e.addr = "Ben"
		dora := e.sitAs("Dora", func(c *Config) { c.Join.Password = "open" })
		dora.end()
		if !notice.AsksPassword(dora.err) {
			t.Errorf("Dora came to %v", dora.err)
		}
	})
}

// Wherever amid the two steps of a save the game host of two is killed, the save that it has made current is on the
// other machine, too, be it not confirmed, and so is what the game left there after it.
func TestSavesOfTwoWhenTheGameHostIsKilled(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, frame := range []int64{230, 262, 265, 280, 300, 420} {
		inBubble(t, fmt.Sprint("at frame ", frame), func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 2)
			tb.settings.Frames = forever
			dirs := []string{t.TempDir(), t.TempDir()}
			for i := range 2 {
				tb.sit(func(c *Config) {
					asked := c.Input
					keepIn(dirs[i])(c)
					c.Once = false
					c.Input = func(frame int64) inputdelay.Input { asked(frame); return inputdelay.Input{} }
				})
			}
			anna, ben := tb.machines[0], tb.machines[1]
			ben.untilFrame(frame)
			net.Cut("Anna")
			anna.end()
			ben.until("the game is over", func(n notice.Notice) bool { _, ok := n.(notice.GameOver); return ok })
			ben.untilRoom("the room is his", hosts("Ben"))
			ben.stop()
			ben.end()
			hers, his := kept(t, dirs[0], game), kept(t, dirs[1], game)
			for _, s := range hers.Saves {
				if s.Confirmed && !slices.ContainsFunc(his.Saves, func(o saves.Save) bool { return o.Frame == s.Frame }) {
					t.Errorf("Anna's save of frame %d is nowhere at Ben's: %+v", s.Frame, his.Saves)
				}
			}
			written := frame / 200 * 200 // the frame after which the game wrote last
			if last := his.Saves[0]; last.Confirmed && last.Frame <= written || !last.Confirmed && last.Frame < frame {
				t.Errorf("what the game left is not kept: %+v", his.Saves)
			}
			seen := map[int64]bool{}
			for _, s := range his.Saves {
				if s.Confirmed && seen[s.Frame] {
					t.Errorf("the save of frame %d is there twice: %+v", s.Frame, his.Saves)
				}
				seen[s.Frame] = seen[s.Frame] || s.Confirmed
			}
		})
	}
}
