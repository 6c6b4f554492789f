package session

import (
	"testing"

	"github.com/nettplay/nettplay/internal/testing/faults"

	romstest "github.com/nettplay/nettplay/roms-test"
)

// After a desync all players are told, while they play on, on whose machine the core
// computes otherwise and after which frame that showed first; or that the fault passed.
func TestDesyncIsTraced(t *testing.T) {
	t.Parallel()
	core, game := modelCore(), rom(t, romstest.Pad)
	for _, tt := range []struct {
		name    string
		players int
		wrong   func(*Config)
		words   string
	}{
		{"a core that computes otherwise", 3, func(c *Config) {
			c.TestOptions["testcore_desync_at"], c.TestOptions["testcore_desync_what"] = "159", "ram"
		}, "differs first after frame 160, in main RAM, on Carla's machine"},
		{"a passing fault", 2, func(c *Config) { c.TestConsole = faults.Fault{Frame: 155}.Console }, "what differed on Ben's machine was a passing fault"},
	} {
		inBubble(t, tt.name, func(t *testing.T) {
			tb := newTable(t, core, game, tt.players)
			tb.settings.Frames = forever
			control := NewControl()
			for i := range tt.players {
				p := tb.sit(func(c *Config) {
					witness(t, c)
					wireless(c)
					c.MaxSpeed, c.Control = false, map[bool]*Control{true: control}[i == 0]
					// Nobody hears the radio: what goes wrong stays in one console.
					c.TestOptions["testcore_radio"], c.TestOptions["testcore_radio_stagger"] = "broadcast", "100000"
					if i == tt.players-1 {
						tt.wrong(c)
						c.TestOptions["testcore_only_mac"] = "0"
					}
				})
				if i > 0 {
					p.untilSaid("You are in seat") // seats go to who comes first
				}
			}
			for _, p := range tb.machines {
				p.untilSaid(tt.words)
			}
			control.EndGame("enough")
			sameEnds(t, 1, tb.machines...)
		})
	}
}
