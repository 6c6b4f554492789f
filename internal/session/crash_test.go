package session

import (
	"sync"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// breaks has one console of a wireless machine fail: in which way, at a frame or call of its
// core, and whose it is, by the last byte of its address.
func breaks(c *Config, fault, at, which string) {
	c.TestOptions["testcore_fault"], c.TestOptions["testcore_fault_at"] = fault, at
	c.TestOptions["testcore_only_mac"] = which
}

// crash makes consoles differ in the middle of a game, and the core die of the cure.
func crash(c *Config) {
	c.TestOptions = map[string]string{"testcore_desync_at": "60", "testcore_fault": "segv", "testcore_fault_at": "unserialize"}
}

// A machine whose consoles cannot be replaced ends its own part in the game.
func TestCoreCrashes(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, c := range []struct {
		name    string
		machine int
		players int
		result  [3]notice.Result
	}{
		{"on the game host", 0, 2, [3]notice.Result{notice.ResultCore, notice.ResultLost}},
		{"on a game client", 1, 2, [3]notice.Result{notice.ResultLost, notice.ResultCore}},
		{"on one of two clients", 1, 3, [3]notice.Result{notice.ResultOK, notice.ResultCore, notice.ResultOK}},
	} {
		inBubble(t, c.name, func(t *testing.T) {
			tb := onNetwork(t, quickNet(), core, game, c.players)
			tb.settings.Frames = 300
			for i := range c.players {
				if i == c.machine {
					tb.sit(crash)
				} else {
					tb.sit(nil)
				}
			}
			for i, p := range tb.machines {
				switch c.result[i] {
				case notice.ResultCore:
					p.expect(notice.ResultCore, "SIGSEGV")
				case notice.ResultLost:
					// Its machine failed, or it left since it could not build the console anew.
					p.expect(notice.ResultLost, tb.machines[c.machine].name, "console crashed")
				default:
					p.expect(notice.ResultOK)
				}
			}
		})
	}
}

// The others of a room where one machine failed stay in it, and play again.
func TestPlayAgainAfterCrash(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := onNetwork(t, quickNet(), modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 200
		stay := func(c *Config) { c.Once = false }
		anna := tb.sit(stay)
		ben := tb.sit(func(c *Config) { stay(c); crash(c) })
		anna.untilSaid("Ben's computer failed")
		ben.untilRoom("all are back in the lobby", func(r room.Room) bool { return r.Round == 0 && r.Revision > 2 })
		for range 2 { // it starts again by itself
			anna.untilPlaying()
		}
		ben.stop()
		ben.end()
		anna.stop()
		anna.end()
	})
}

// A console that is killed while it is built is built again: that says nothing of the core.
func TestKilledWhileBuilt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames = 100
		killed := make(chan bool, 10)
		for i := range 2 {
			tb.sit(func(c *Config) {
				if i == 0 {
					return
				}
				var mu sync.Mutex
				built := 0
				c.TestTweak = func(cfg *emucore.Config) {
					mu.Lock()
					defer mu.Unlock()
					if built++; built == 1 {
						cfg.TestOptions = map[string]string{"testcore_fault": "kill", "testcore_fault_at": "load"}
						killed <- true
					}
				}
			})
		}
		sameHashes(t, 100, tb.machines...)
		if len(killed) != 1 {
			t.Errorf("%d consoles were killed", len(killed))
		}
	})
}
