package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// slowNet is a network over which states travel long enough for something to happen
// meanwhile.
func slowNet() *memnet.Network {
	net := memnet.New(1, memnet.Impairment{Delay: 2 * time.Millisecond, Bandwidth: 1 << 20})
	net.SetTimeouts(2*time.Second, 5*time.Second)
	return net
}

// others are all players but these.
func (tb *table) others(without ...*machine) []*machine {
	return slices.DeleteFunc(slices.Clone(tb.machines), func(p *machine) bool { return slices.Contains(without, p) })
}

// While somebody comes in, the game host goes: the late joiner comes in all the same, with
// the next one.
func TestGameHostGoesAsSomebodyComes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, killed := range []bool{false, true} {
		inBubble(t, fmt.Sprint("killed ", killed), func(t *testing.T) {
			net := slowNet()
			tb := onNetwork(t, net, core, game, 3)
			tb.settings.Seats, tb.settings.Frames = 4, 500
			for range 3 {
				tb.sit(wireless)
			}
			anna, ben := tb.machines[0], tb.machines[1]
			ben.untilFrame(60)
			dora := tb.sit(wireless)
			dora.untilSaid("You are joining the game")
			anna.goes(net, killed)
			dora.untilPlaying()
			alikeEnds(t, tb.others(anna)...)
			if n := len(dora.report.Seats); n < 3 || dora.started < 100 {
				t.Errorf("Dora reports %d seats, and played up to frame %d", n, dora.started)
			}
		})
	}
}

// A late joiner that waits in a pause when the game host leaves is let in by the next one.
func TestGameHostLeavesWhoWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, quickNet(), modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Seats, tb.settings.Frames = 3, 700
		control := NewControl()
		anna := tb.sit(nil)
		ben := tb.sit(func(c *Config) { c.Control = control })
		ben.untilFrame(60)
		control.Pause(true)
		ben.untilStanding()
		carla := tb.sit(nil)
		carla.untilSaid("You are in seat")
		anna.stop()
		anna.expect(notice.ResultOK)
		ben.untilRoom("the room is Ben's", hosts("Ben"))
		control.Pause(false)
		carla.untilPlaying()
		alikeEnds(t, ben, carla)
		if carla.started < 100 {
			t.Errorf("Carla played up to frame %d", carla.started)
		}
	})
}

// The game host leaves while a late joiner's machine looks for the games of the room, which
// are found before there is a line to the next one: it is let in all the same.
func TestGamesAreFoundWithoutALine(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, quickNet(), modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Seats, tb.settings.Frames = 3, 2000
		other, dirs := rom(t, romstest.Save), []string{t.TempDir()}
		if _, err := romstest.WriteFiles(dirs[0], romstest.All()...); err != nil {
			t.Fatal(err)
		}
		control := NewControl()
		known := emucore.NewLibrary(dirs)
		anna := tb.sit(func(c *Config) { c.Library = known })
		ben := tb.sit(func(c *Config) { c.Control, c.ROM, c.Library = control, other, known })
		ben.untilFrame(60)
		control.Pause(true)
		ben.untilStanding()
		carla := tb.sit(func(c *Config) {
			c.Library = emucore.NewLibrary(dirs)
			slow := tb.model(2)
			c.Background = func(job func()) { slow.BackgroundIn(time.Second, job) }
			notify := c.Notify
			c.Notify = func(n notice.Notice) { // by the session's goroutine: what happens meanwhile comes after it
				if m, ok := n.(notice.Message); ok && strings.Contains(m.Text, "Ben is the game host now") {
					time.Sleep(2 * time.Second)
				}
				notify(n)
			}
		})
		carla.untilSaid("You are in seat")
		anna.stop()
		anna.expect(notice.ResultOK)
		carla.until("the connection is back", func(n notice.Notice) bool { _, ok := n.(notice.Reconnected); return ok })
		control.Pause(false)
		carla.untilPlaying()
		alikeEnds(t, ben, carla)
	})
}

// The game host leaves when nobody is left who began the game: who came later goes on.
func TestGameHostLeavesThoseWhoCameLater(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Seats, tb.settings.Frames = 4, 700
		anna, ben := tb.sit(plainly), tb.sit(plainly)
		ben.untilFrame(60)
		carla := tb.sit(plainly)
		carla.untilPlaying()
		dora := tb.sit(plainly)
		dora.untilPlaying()
		ben.stop()
		ben.expect(notice.ResultOK)
		carla.untilSaid("Ben left")
		anna.stop()
		anna.expect(notice.ResultOK)
		for _, p := range []*machine{carla, dora} {
			p.untilRoom("Carla is game host", hosts("Carla"))
		}
		alikeEnds(t, carla, dora)
		for _, p := range []*machine{carla, dora} {
			for _, s := range p.report.Seats {
				if (s.Owner == "Carla" || s.Owner == "Dora") && s.Frames != 700 {
					t.Errorf("for %s, %s played %d frames", p.name, s.Owner, s.Frames)
				}
			}
		}
	})
}

// The next game host wants to leave, too, before anybody has followed it: the others have the room from it all the same.
func TestNextGameHostLeavesAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 4)
		tb.settings.Frames = 500
		anna := tb.sit(plainly)
		ben := tb.sit(plainly)
		ben.untilSaid("You are in seat 2")
		carla := tb.sit(plainly)
		carla.untilSaid("You are in seat 3")
		dora := tb.sit(plainly)
		dora.untilFrame(60)
		anna.stop()
		ben.untilSaid("Ben is the game host now")
		ben.stop()
		anna.expect(notice.ResultOK)
		ben.expect(notice.ResultOK)
		for _, p := range []*machine{carla, dora} {
			p.untilRoom("Carla is game host", hosts("Carla"))
		}
		alikeEnds(t, carla, dora)
	})
}

// Two game hosts in a row leave the same resync, over the radio.
func TestGameHostsGoAmidResync(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, slowNet(), modelCore(), rom(t, romstest.Pad), 4)
		tb.settings.Frames = 500
		for i := range 4 {
			tb.sit(func(c *Config) {
				wireless(c)
				if i == 3 {
					c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "110", "ram"
				}
			})
		}
		anna, dora := tb.machines[0], tb.machines[3]
		dora.untilSaid("take their consoles from Anna")
		anna.stop()
		successor := tb.successor()
		last := tb.others(anna, successor)
		if successor == dora {
			last[0].untilSaid("all take the consoles of") // of another one: Dora's are wrong
		} else {
			last[0].untilSaid("take their consoles from " + successor.name)
			successor.stop()
		}
		alikeEnds(t, last...)
		whole := 0
		for _, s := range last[0].report.Seats {
			if s.Frames == 500 && s.Hash != 0 {
				whole++
			}
			if s.Owner == "Anna" && s.Hash != 0 {
				t.Errorf("of Anna's console, which left when the machines were not alike, %v is told", s.Hash)
			}
		}
		if whole != 2 {
			t.Errorf("%d consoles came to the end; %s was told %s", whole, last[0].name, last[0].told())
		}
	})
}

// The game host goes while all take the consoles of somebody else, since its own were
// wrong: that goes on.
func TestWrongGameHostGoesAmidResync(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, killed := range []bool{false, true} {
		inBubble(t, fmt.Sprint("killed ", killed), func(t *testing.T) {
			net := slowNet()
			tb := onNetwork(t, net, core, game, 3)
			tb.settings.Frames = 500
			for i := range 3 {
				tb.sit(func(c *Config) {
					wireless(c)
					if i == 0 {
						c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "110", "ram"
					}
				})
			}
			anna, others := tb.machines[0], tb.machines[1:]
			others[1].untilSaid("take their consoles from")
			anna.goes(net, killed)
			alike(t, 500, 2, others...) // nobody is given up who had its consoles before
		})
	}
}

// A machine that becomes game host while it lacks a console takes one from another.
func TestBrokenSuccessor(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for broken := 1; broken < 3; broken++ {
		inBubble(t, []string{"", "Ben", "Carla"}[broken], func(t *testing.T) {
			tb := onNetwork(t, slowNet(), core, game, 3)
			tb.settings.Frames = 500
			for i := range 3 {
				tb.sit(func(c *Config) {
					wireless(c)
					if i == broken {
						breaks(c, "segv", "110", "0")
					}
				})
			}
			anna, others := tb.machines[0], tb.machines[1:]
			others[0].untilSaid("take their consoles from Anna")
			anna.stop()
			alike(t, 500, 2, others...)
		})
	}
}
