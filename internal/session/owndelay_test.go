package session

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// ownDelay waits for a delay of the own seat, as a player's figures tell it.
func (p *machine) ownDelay(what string, delay int) {
	p.t.Helper()
	p.untilFigures(what, func(f notice.Figures) bool { return f.Delay == delay })
}

// Each player chooses the delay of the own presses, before a game and while it runs; the others' stay. It holds also where the
// room's delay is a number, and all machines stay alike.
func TestOwnDelay(t *testing.T) {
	t.Parallel()
	for _, preset := range []autodelay.Preset{autodelay.Party, autodelay.Off} {
		inBubble(t, preset.String(), func(t *testing.T) {
			net := memnet.New(3, memnet.Impairment{Delay: 10 * time.Millisecond})
			tb := onNetwork(t, net, modelCore(), rom(t, romstest.Pad), 3)
			tb.settings.Sync, tb.settings.Delay, tb.settings.AutoDelay, tb.settings.KeepConsoles = room.Rollback, 1, preset, true
			var players []*machine
			var controls []*Control
			for i, own := range []autodelay.Choice{autodelay.Choose(2), autodelay.Choose(3), 0} {
				controls = append(controls, NewControl())
				players = append(players, tb.sit(func(c *Config) {
					wireless(c)
					c.OwnDelay, c.Depth, c.KeepDepth, c.Control, c.MaxSpeed = own, []int{rollback.MaxDepth, 0, 5}[i], true, controls[i], false
				}))
			}
			players[0].ownDelay("the game host has its choice", 2)
			players[1].ownDelay("a client has its choice", 3)
			controls[0].OwnDelay(autodelay.Choose(3))
			players[0].ownDelay("the game host has its second choice", 3)
			if preset == autodelay.Off {
				controls[1].OwnDelay(autodelay.Choose(2))
				players[1].ownDelay("the client has its second choice", 2)
				players[2].ownDelay("the third has the room's number", 1)
				controls[2].OwnDelay(autodelay.Choose(0))
				players[2].ownDelay("the third has none", 0)
				controls[2].OwnDelay(0)
				players[2].ownDelay("the third has the room's number again", 1)
				controls[0].Delay(7)
				players[2].ownDelay("the third has the new number", 7)
				players[1].ownDelay("the client keeps its choice", 2)
			}
			controls[0].EndGame("enough")
			alikeEnds(t, players...)
		})
	}
}

// In lockstep nobody has a delay of their own.
func TestNoOwnDelayInLockstep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tb := newTable(t, modelCore(), rom(t, romstest.Pad), 2)
		tb.settings.Frames, tb.settings.Delay = 400, 4
		for range 2 {
			tb.sit(func(c *Config) { c.OwnDelay, c.MaxSpeed = autodelay.Choose(1), false })
		}
		for _, p := range tb.machines {
			if r := p.expect(notice.ResultOK); r.Delay != 4 {
				t.Errorf("%s has a delay of %d frames", p.name, r.Delay)
			}
		}
	})
}
