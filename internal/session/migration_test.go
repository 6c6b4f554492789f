package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// alike checks that these players came to the end of the game with the same consoles, of
// which so many were there to the end.
func alike(t *testing.T, frames int64, consoles int, players ...*machine) {
	t.Helper()
	for _, p := range players {
		r := p.expect(notice.ResultOK)
		whole := 0
		for i, s := range r.Seats {
			if s != players[0].report.Seats[i] || s.Hash == 0 {
				t.Errorf("%s: seat %d ends as %+v, %s's as %+v", p.name, i, s, players[0].name, players[0].report.Seats[i])
			}
			if s.Frames == frames {
				whole++
			}
		}
		if whole != consoles || r.Desyncs != 0 {
			t.Errorf("%s: %d consoles came to the end, want %d; %d desyncs", p.name, whole, consoles, r.Desyncs)
		}
	}
}

// hosts reports whether a notice is of a room with that game host.
func hosts(nickname string) func(room.Room) bool {
	return func(r room.Room) bool {
		return slices.ContainsFunc(r.Players, func(p room.Player) bool { return p.Nickname == nickname && p.Machine == r.Host })
	}
}

// successor is the player of the lowest machine but the game host's: all know it.
func (tb *table) successor() *machine {
	tb.t.Helper()
	var name string
	tb.machines[1].untilRoom("the game runs", func(r room.Room) bool {
		for _, p := range r.Players {
			if p.Machine == 1 {
				name = p.Nickname
			}
		}
		return r.Phase == room.PhasePlaying
	})
	return tb.machines[slices.IndexFunc(tb.machines, func(p *machine) bool { return p.name == name })]
}

// The game host leaves, or is killed, in the middle of a game, soon after its beginning or
// much later, and the others play it to its end.
func TestGameHostGoes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		killed  bool
		players int
		seed    uint64
		from    int64
	}{{false, 3, 0, 30}, {false, 3, 1, 430}, {true, 4, 0, 30}, {true, 3, 1, 430}} {
		inBubble(t, fmt.Sprintf("killed %v, %d players, from frame %d", tt.killed, tt.players, tt.from), func(t *testing.T) {
			net := memnet.New(tt.seed, memnet.Impairment{Delay: 10 * time.Millisecond, Jitter: 5 * time.Millisecond, Loss: 0.02})
			tb := onNetwork(t, net, core, game, tt.players)
			end := tt.from + 500
			tb.settings.Frames, tb.seed = end, tt.seed
			for range tt.players {
				tb.sit(nil)
			}
			anna, others := tb.machines[0], tb.machines[1:]
			others[0].untilFrame(tt.from + rand.New(rand.NewPCG(tt.seed, 1)).Int64N(300))
			if tt.killed {
				net.Cut("Anna") // noticed a second later: see hushed
			} else {
				anna.stop()
				anna.expect(notice.ResultOK)
			}
			alike(t, end, tt.players-1, others...)
			for _, p := range others {
				p.untilSaid("is the game host now")
			}
		})
	}
}

// The last player, after the game host has left, ends the game well, and has the room.
func TestGameHostLeavesOne(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = forever
		stay := func(c *Config) { c.Once = false }
		anna, ben := tb.sit(stay), tb.sit(stay)
		ben.untilFrame(50)
		anna.stop()
		anna.expect(notice.ResultOK)
		ben.until("the game is over", func(n notice.Notice) bool {
			over, ok := n.(notice.GameOver)
			if ok && (over.Err != nil || over.Why != "the game host Anna left the room; Ben is the game host now") {
				t.Errorf("the game ended with %v, since %q", over.Err, over.Why)
			}
			return ok
		})
		ben.untilRoom("the room is his", func(r room.Room) bool { return hosts("Ben")(r) && full(1)(r) && r.Phase == room.PhaseLobby })
		ben.stop()
		ben.expect(notice.ResultOK)
	})
}

// A machine that vanished before the room was handed on is missed as any other is: it has
// not left, so the game of the last one was lost.
func TestWhoIsLeftMissesTheVanished(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = forever
		for range 3 {
			tb.sit(nil)
		}
		next := tb.successor()
		gone := tb.machines[1:][slices.IndexFunc(tb.machines[1:], func(p *machine) bool { return p != next })]
		next.untilFrame(50)
		net.Cut(gone.name)
		tb.machines[0].stop()
		tb.machines[0].expect(notice.ResultOK)
		next.expect(notice.ResultLost, gone.name+" did not come back")
	})
}

// On a connection that loses much, a game host that leaves waits until the handover has come:
// without it the last player's game, and the room, would be lost.
func TestHandoverOnABadConnection(t *testing.T) {
	for seed := range uint64(24) {
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) {
			net := memnet.New(seed, memnet.Impairment{Delay: 60 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.2})
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 2)
			tb.settings.Frames = forever
			stay := func(c *Config) { c.Once = false }
			anna, ben := tb.sit(stay), tb.sit(stay)
			ben.untilFrame(50)
			anna.stop()
			anna.expect(notice.ResultOK)
			ben.untilRoom("the room is his", hosts("Ben"))
			ben.stop()
			ben.expect(notice.ResultOK)
		})
	}
}

// A room that is handed on in the lobby plays, with those who were there and who come.
func TestRoomIsHandedOn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames, tb.settings.Seats = 120, 4
		anna, ben := tb.sit(waitForMore), tb.sit(nil)
		anna.untilRoom("Ben is there", full(2))
		carla := tb.sit(nil)
		anna.untilRoom("all are there", full(3))
		anna.stop()
		anna.expect(notice.ResultOK)
		carla.untilRoom("Carla followed", func(r room.Room) bool { return hosts("Ben")(r) && full(2)(r) })
		tb.addr = "Ben"
		dora := tb.sit(nil)
		alike(t, 120, 3, ben, carla, dora)
	})
}

// While all consoles stand in a pause.
func TestGameHostGoesAmidPause(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		inBubble(t, fmt.Sprint("killed ", killed), func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Frames = 500
			controls := []*Control{NewControl(), NewControl(), NewControl()}
			for _, c := range controls {
				tb.sit(func(cfg *Config) { cfg.Control = c })
			}
			anna, others := tb.machines[0], tb.machines[1:]
			others[1].untilFrame(100)
			controls[1].Pause(true)
			for _, p := range others {
				p.untilStanding()
			}
			anna.goes(net, killed)
			successor := tb.successor()
			for _, p := range others {
				p.untilRoom("another game host", hosts(successor.name))
			}
			controls[2].Pause(false)
			alike(t, 500, 2, others...)
		})
	}
}

// While consoles are made anew, from the game host's, which are gone then.
func TestGameHostGoesAmidResync(t *testing.T) {
	t.Parallel()
	for _, killed := range []bool{false, true} {
		inBubble(t, fmt.Sprint("killed ", killed), func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Frames = 500
			tb.sit(nil)
			tb.sit(nil)
			tb.sit(func(c *Config) {
				c.TestOptions = map[string]string{"testcore_desync_at": "110", "testcore_desync_what": "ram"}
			})
			anna, others := tb.machines[0], tb.machines[1:]
			others[1].untilSaid("take their consoles from Anna")
			anna.goes(net, killed)
			alike(t, 500, 2, others...)
		})
	}
}

// Saves of all who play on are of the same frames, wherever in writing them the game host
// goes.
func TestSavesWhenTheGameHostGoes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for seed := range uint64(3) {
		inBubble(t, fmt.Sprint("seed ", seed), func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 3)
			tb.settings.Frames = 900
			dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
			for _, dir := range dirs {
				tb.sit(func(c *Config) {
					asked := c.Input
					keepIn(dir)(c)
					c.Input = func(frame int64) inputdelay.Input { asked(frame); return inputdelay.Input{} }
				})
			}
			others := tb.machines[1:]
			switch seed {
			case 0: // all have the first save
				others[1].until("a save is kept", func(n notice.Notice) bool { s, ok := n.(notice.Saved); return ok && s.Frame > 0 })
			case 1: // about then
				others[1].untilFrame(265)
			case 2:
				others[1].untilFrame(300)
			}
			net.Cut("Anna")
			alike(t, 900, 2, others...)
			ben, carla := kept(t, dirs[1], game), kept(t, dirs[2], game)
			// The last may be from before the end or from the end: nothing was written between.
			if b, c := confirmed(ben), confirmed(carla); len(b) < 2 || len(c) < 2 || !slices.Equal(b[1:], c[1:]) {
				t.Errorf("saves are of frames %v and %v", b, c)
			}
			for _, k := range []*saves.Kept{ben, carla} {
				// The cartridge counts: 0, 200, 400, 600 and 800.
				if sram, err := k.Read(k.Current().Number); err != nil || sram[0] != 5 {
					t.Errorf("the save is % x, %v", sram[:8], err)
				}
			}
		})
	}
}

// part cuts the lines between two parts of a room.
func part(net *memnet.Network, here, there []string) {
	lost := memnet.Impairment{Loss: 1}
	for _, a := range here {
		for _, b := range there {
			net.SetLine(a, b, lost)
			net.SetLine(b, a, lost)
		}
	}
}

// A room that falls apart goes on in one part at most.
func TestRoomFallsApart(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		here, there []string
		on          []string // who plays on
	}{
		{[]string{"Anna", "Ben"}, []string{"Carla", "Dora"}, []string{"Anna", "Ben"}},
		{[]string{"Anna"}, []string{"Ben", "Carla", "Dora"}, []string{"Ben", "Carla", "Dora"}},
		{[]string{"Dora"}, []string{"Anna", "Ben", "Carla"}, []string{"Anna", "Ben", "Carla"}},
	} {
		inBubble(t, strings.Join(tt.here, " and "), func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 4)
			tb.settings.Frames = 600
			for range 4 {
				tb.sit(nil)
			}
			tb.machines[3].untilFrame(100)
			part(net, tt.here, tt.there)
			var on []*machine
			for _, p := range tb.machines {
				if slices.Contains(tt.on, p.name) {
					on = append(on, p)
				} else {
					p.expect(notice.ResultLost)
				}
			}
			alike(t, 600, len(on), on...)
		})
	}
}

// A game host that was not heard for a while learns that the others went on.
func TestGameHostComesBackTooLate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames = forever
		for range 3 {
			tb.sit(func(c *Config) {
				if c.Host != nil {
					c.Host.Wait = time.Hour
				}
			})
		}
		anna, others := tb.machines[0], tb.machines[1:]
		others[1].untilFrame(100)
		part(net, []string{"Anna"}, []string{"Ben", "Carla"})
		successor := tb.successor()
		for _, p := range others {
			p.untilRoom("another game host", hosts(successor.name))
		}
		net.Set(memnet.Impairment{Delay: time.Millisecond})
		anna.expect(notice.ResultLost, "lost contact with this computer", successor.name)
		for _, p := range others {
			p.stop()
			p.end()
		}
	})
}
