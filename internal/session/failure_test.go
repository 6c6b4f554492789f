package session

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// forever is longer than any test plays.
const forever = 100_000

// quickNet is a network that gives up silent machines soon.
func quickNet() *memnet.Network {
	net := memnet.New(1, memnet.Impairment{Delay: time.Millisecond})
	net.SetTimeouts(2*time.Second, 5*time.Second)
	return net
}

// goes ends a machine, in good order or by cutting it off.
func (p *machine) goes(net *memnet.Network, killed bool) {
	if killed {
		net.Cut(p.name)
		return
	}
	p.stop()
}

// untilSaid waits for a line to the player that contains words.
func (p *machine) untilSaid(words string) {
	p.t.Helper()
	p.until("being told "+words, func(n notice.Notice) bool {
		switch n := n.(type) {
		case notice.Message:
			return strings.Contains(n.Text, words)
		case notice.StartFailed:
			return strings.Contains(n.String(), words)
		case notice.JoinFailed:
			return strings.Contains(n.Words, words)
		}
		return false
	})
}

// untilStanding waits until the game is paused.
func (p *machine) untilStanding() {
	p.t.Helper()
	p.until("all stand", func(n notice.Notice) bool { paused, ok := n.(notice.Paused); return ok && paused.Paused })
}

// untilRoom waits until the room is as wanted.
func (p *machine) untilRoom(what string, match func(room.Room) bool) {
	p.t.Helper()
	p.until(what, func(n notice.Notice) bool {
		r, ok := n.(notice.RoomNotice)
		return ok && match(r.Room)
	})
}

func preparing(r room.Room) bool { return r.Phase == room.PhasePreparing }

func full(players int) func(room.Room) bool {
	return func(r room.Room) bool { return len(r.Players) == players }
}

func waitForMore(c *Config) { c.Host.AutoStart = 99 }

// A player who must not come in is told why, and so is the game host. Nobody else notices.
func TestNotLetIn(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, c := range []struct {
		name   string
		secret string
		change func(*Config)
		result notice.Result
		words  string // to the one who wants in
		told   string // to the game host
	}{
		{"wrong password", "secret", func(c *Config) { c.Join.Password = "wrong" }, notice.ResultLost, "password", "password"},
		{"no password", "secret", nil, notice.ResultLost, "password", "password"},
		{"other core build", "", func(c *Config) { c.Core.SHA256[0]++ }, notice.ResultCore, "the room plays on", "core"},
		{"full room", "", nil, notice.ResultLost, "the room is full", "all 2 seats"},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			tb := newTable(t, core, game, 2)
			anna := tb.sit(func(cfg *Config) { cfg.Host.Password = c.secret; waitForMore(cfg) })
			if c.name == "full room" {
				tb.sit(nil)
				anna.untilRoom("Ben is there", full(2))
			}
			tb.sit(c.change).expect(c.result, c.words)
			anna.untilSaid(c.told)
			anna.stop()
			anna.expect(notice.ResultOK)
		})
	}
}

// A game that one machine does not have holds up the start, with words on both
// sides.
func TestMissingGame(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		anna := tb.sit(nil)
		ben := tb.sit(func(c *Config) { c.ROM = nil })
		for whose, p := range map[string]*machine{"Ben's": anna, "your": ben} {
			p.untilRoom("Ben's machine lacks the game", func(r room.Room) bool {
				return len(r.Players) == 2 && strings.Contains(r.Players[1].Problem, whose+" computer does not have")
			})
		}
		anna.stop()
		anna.expect(notice.ResultOK)
		ben.expect(notice.ResultLost, "the room is closed")
	})
}

// Each may play a game of their own when the others have it in their folders.
func TestTwoGames(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 60
		other := rom(t, romstest.Save)
		dir, err := romstest.WriteFiles(t.TempDir(), romstest.All()...)
		must.Succeed(t, err)
		library := emucore.NewLibrary([]string{strings.TrimSuffix(dir[0], "pad.nds")})
		anna := tb.sit(func(c *Config) { c.Library = library })
		ben := tb.sit(func(c *Config) { c.ROM, c.Library = other, library })
		sameHashes(t, 60, anna, ben)
		if seats := anna.report.Seats; seats[0].ROM == seats[1].ROM {
			t.Errorf("both play %s", seats[0].ROM)
		}
	})
}

// A player without the game is told so; once a copy is in a folder, the game begins by itself.
func TestMissingGameArrives(t *testing.T) {
	bubble(t, func(t *testing.T) {
		game, folder := rom(t, romstest.Pad), t.TempDir()
		tb := newTable(t, modelCore(), game, 2)
		tb.settings.Frames = 60
		anna := tb.sit(nil)
		ben := tb.sit(func(c *Config) { c.ROM, c.Library = nil, emucore.NewLibrary([]string{folder}) })
		anna.until("Ben lacks the game", func(n notice.Notice) bool {
			b, ok := n.(notice.Blockers)
			return ok && strings.Contains(strings.Join(b.Words(), " "), "Ben's computer does not have")
		})
		if _, err := romstest.WriteFiles(folder, romstest.ROM{Name: "game.nds", Data: romstest.Pad}); err != nil {
			t.Fatal(err)
		}
		sameHashes(t, 60, anna, ben)
	})
}

// A desync on one machine that shows only at the end is told on all of them with the
// same verdict. It spoils the game of that one alone.
func TestDesyncAtTheEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 3)
		tb.settings.Frames, tb.settings.HashEvery = 200, 3600
		tb.sit(nil)
		tb.sit(nil)
		tb.sit(func(c *Config) {
			c.TestOptions = map[string]string{"testcore_desync_at": "110", "testcore_desync_what": "ram"}
		})
		for _, p := range tb.machines {
			if p.name == "Carla" {
				p.expect(notice.ResultDesync, "Carla's copy of", "console (seat", "main RAM", "after frame 200")
			} else if p.expect(notice.ResultOK); !strings.Contains(strings.Join(p.said(), "\n"), "Carla's copy of") {
				t.Errorf("%s is told %q", p.name, p.said())
			}
			if p.report.Desyncs != 1 {
				t.Errorf("%s reports %d desyncs", p.name, p.report.Desyncs)
			}
		}
	})
}

// A start that cannot be is told on all machines.
func TestStartFails(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, quickNet(), modelCore(), rom(t, romstest.Pad), 2)
		anna := tb.sit(nil)
		ben := tb.sit(func(c *Config) {
			c.TestOptions = map[string]string{"testcore_fault": "abort", "testcore_fault_at": "load"}
		})
		ben.expect(notice.ResultCore, "SIGABRT")
		anna.expect(notice.ResultLost, "did not start", "Ben's computer failed")
	})
}

// In a room that goes on, a start that fails is told on all machines with its cause and whose machine it was,
// and on that one with what its player can do.
func TestStartFailsInARoom(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, quickNet(), modelCore(), rom(t, romstest.Pad), 2)
		stays := func(c *Config) { c.Once = false }
		anna := tb.sit(stays)
		ben := tb.sit(func(c *Config) {
			stays(c)
			c.TestOptions = map[string]string{"testcore_fault": "abort", "testcore_fault_at": "load"}
		})
		for _, p := range []*machine{anna, ben} {
			var told notice.StartFailed
			p.until("word of the failed start", func(n notice.Notice) (is bool) {
				if n, ok := n.(notice.StartFailed); ok {
					told, is = n, true
				}
				return is
			})
			if told.Cause != room.CauseCore || !slices.Equal(told.Machines, []int{1}) || !strings.Contains(told.String(), "did not start: Ben's computer failed") {
				t.Errorf("%s is told %+v", p.name, told)
			}
			if ours := p == ben; strings.Contains(told.Hint, "another core") != ours {
				t.Errorf("%s is advised: %q", p.name, told.Hint)
			}
		}
		ben.stop()
		anna.stop()
	})
}

// A friend who leaves while a game is prepared ends nobody's session, in a terminal either: the game starts without
// them where enough are left, or with the next one who comes.
func TestLeavingDuringTheStart(t *testing.T) {
	t.Parallel()
	for _, left := range []int{1, 2} {
		inBubble(t, fmt.Sprint(left, " are left"), func(t *testing.T) {
			tb := newTable(t, modelCore(), rom(t, romstest.Pad), left+1)
			tb.settings.Frames, tb.settings.Seats, tb.settings.MinPlayers = 100, 3, 2
			tb.players = 2
			stay := []*machine{tb.sit(func(c *Config) {
				if left == 2 {
					c.Host.AutoStart = 3
				}
			})}
			if left == 2 {
				stay = append(stay, tb.sit(nil))
			}
			carla := tb.sit(func(c *Config) {
				c.OpenSaves = func(*emucore.ROM, int) (*saves.Store, []byte, error) {
					tb.machines[left].stop()
					time.Sleep(2 * time.Second)
					return nil, nil, nil
				}
			})
			carla.end()
			for _, p := range stay {
				p.untilSaid("did not start: " + carla.name + " left the room")
			}
			stay = append(stay, tb.sit(nil))
			sameHashes(t, 100, stay...)
		})
	}
}

// holdUp keeps a machine from being prepared for longer than its peers are patient.
func holdUp(c *Config) {
	c.OpenSaves = func(*emucore.ROM, int) (*saves.Store, []byte, error) {
		time.Sleep(5 * time.Second)
		return nil, nil, nil
	}
}

// Machines vanish without a word, at each stage.
func TestMachineVanishes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, who := range []string{"Anna", "Ben"} {
		inBubble(t, who+" in the lobby", func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 2)
			anna := tb.sit(waitForMore)
			ben := tb.sit(nil)
			anna.untilRoom("Ben is there", full(2))
			ben.untilRoom("Ben is there", full(2))
			net.Cut(who)
			if who == "Anna" {
				anna.expect(notice.ResultLost, "link was closed")
				ben.untilRoom("the room is his", hosts("Ben"))
				ben.stop()
				ben.expect(notice.ResultOK)
				return
			}
			ben.expect(notice.ResultLost, "link was closed")
			anna.untilRoom("Ben is gone", full(1))
			anna.stop()
			anna.expect(notice.ResultOK)
		})
		inBubble(t, who+" while preparing", func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 2)
			anna := tb.sit(nil)
			ben := tb.sit(holdUp)
			ben.untilRoom("the game is prepared", preparing)
			net.Cut(who)
			if who == "Anna" {
				anna.expect(notice.ResultLost, "link was closed")
				ben.untilRoom("the room is his", hosts("Ben"))
				ben.stop()
				ben.expect(notice.ResultOK)
			} else {
				ben.expect(notice.ResultLost, "link was closed")
				anna.untilSaid("did not start: ")
				anna.untilRoom("Ben is gone", full(1))
				anna.stop()
				anna.expect(notice.ResultOK)
			}
		})
		inBubble(t, who+" while playing", func(t *testing.T) {
			net := quickNet()
			tb := onNetwork(t, net, core, game, 2)
			tb.settings.Frames = forever
			anna := tb.sit(nil)
			ben := tb.sit(nil)
			ben.untilFrame(50)
			net.Cut(who)
			if who == "Anna" {
				anna.expect(notice.ResultLost, "link was closed")
				ben.expect(notice.ResultLost, "Anna")
			} else {
				ben.expect(notice.ResultLost, "link was closed")
				anna.expect(notice.ResultLost, "Ben")
			}
		})
	}
	inBubble(t, "two of four at once while playing", func(t *testing.T) {
		net := quickNet()
		tb := onNetwork(t, net, core, game, 4)
		tb.settings.Frames = forever
		for range 4 {
			tb.sit(func(c *Config) {
				if c.Host != nil {
					c.Frames = 400 // the game host ends the game
				}
			})
		}
		anna, dora := tb.machines[0], tb.machines[3]
		dora.untilFrame(30)
		net.Cut("Ben")
		net.Cut("Carla")
		a, d := anna.expect(notice.ResultOK), dora.expect(notice.ResultOK)
		for i := range a.Seats {
			if a.Seats[i] != d.Seats[i] || a.Seats[i].Hash == 0 {
				t.Errorf("seat %d ends as %+v and as %+v", i, a.Seats[i], d.Seats[i])
			}
		}
	})
}

// Leaving on purpose at each stage is no failure, and the others are told.
func TestLeaving(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, who := range []int{0, 1} {
		for _, stage := range []string{"lobby", "preparing", "playing"} {
			inBubble(t, []string{"game host", "game client"}[who]+" "+stage, func(t *testing.T) {
				tb := newTable(t, core, game, 2)
				tb.settings.Frames = forever
				anna := tb.sit(func(c *Config) {
					if stage == "lobby" {
						waitForMore(c)
					}
				})
				ben := tb.sit(func(c *Config) {
					if stage == "preparing" {
						holdUp(c)
					}
				})
				switch stage {
				case "lobby":
					ben.untilRoom("both are there", full(2))
				case "preparing":
					ben.untilRoom("the game is prepared", preparing)
				default:
					ben.untilFrame(30)
				}
				tb.machines[who].stop()
				tb.machines[who].expect(notice.ResultOK)
				other := tb.machines[1-who]
				if stage == "preparing" {
					other.untilSaid("did not start: " + tb.machines[who].name + " left the room")
				}
				switch {
				case who == 0 && stage != "playing":
					other.untilRoom("the room is Ben's", func(r room.Room) bool { return full(1)(r) && r.Host == r.Players[0].Machine })
					other.stop()
					other.expect(notice.ResultOK)
				case stage != "playing":
					anna.untilRoom("Ben has left", full(1))
				default:
					other.expect(notice.ResultOK) // the game ended, since nobody else plays
				}
			})
		}
	}
}

// A machine that comes for fewer frames than the game has leaves after them; when the game
// host does, the game ends for all.
func TestOwnFrames(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		anna := tb.sit(func(c *Config) { c.Frames = 80 })
		ben := tb.sit(func(c *Config) { c.Frames = 10_000 })
		a, b := anna.expect(notice.ResultOK), ben.expect(notice.ResultOK)
		if a.Frames < 80 || a.Frames != b.Frames || a.Seats[1].Hash != b.Seats[1].Hash || a.Seats[1].Hash == 0 {
			t.Errorf("the game ended as %+v and as %+v", a.Seats, b.Seats)
		}
	})
}
