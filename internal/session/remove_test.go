package session

import (
	"testing"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Somebody who was removed may come again; who is banned may not, also when another player is game
// host, until that one says so. Names may be typed as one likes.
func TestRemoveAndBan(t *testing.T) {
	bubble(t, func(t *testing.T) {
		e := newNight(t, 4)
		anna, ben, carla := e.comes("Anna"), e.comes("Ben"), e.comes("Carla")
		e.controls[ben].Remove("Carla", true)
		ben.untilMessage("", "only the game host")
		e.controls[anna].Remove("dora", false)
		anna.untilMessage("", `nobody else in the room is called "dora"`)
		e.controls[anna].Remove("carla", false)
		carla.expect(notice.ResultLost, "the game host removed you from the room")
		carla = e.comes("Carla")
		p, _ := carla.me()
		e.controls[anna].Kick(p.Seat, "no manners", true)
		carla.expect(notice.ResultLost, "the game host banned you from this room (no manners)")
		anna.until("Carla is kept out", func(n notice.Notice) bool {
			b, ok := n.(notice.Banned)
			return ok && len(b.List) == 1 && b.List[0].Nickname == "Carla"
		})
		e.turnedAway("Carla")
		e.leaves(anna)
		e.roster(ben)
		e.addr = "Ben"
		e.turnedAway("Carla")
		e.controls[ben].PardonName("Dora")
		ben.untilMessage("", "these are: Carla")
		e.controls[ben].PardonName("carla")
		ben.until("nobody is kept out", func(n notice.Notice) bool { b, ok := n.(notice.Banned); return ok && len(b.List) == 0 })
		carla = e.comes("Carla")
		e.plays(ben, carla)
		e.leaves(carla)
		e.leaves(ben)
	})
}

// me is the player's own entry in the roster.
func (p *machine) me() (room.Player, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := len(p.heard) - 1; i >= 0; i-- {
		if n, ok := p.heard[i].(notice.RoomNotice); ok {
			return n.Room.Player(n.Me)
		}
	}
	return room.Player{}, false
}

// turnedAway has somebody try to come in who is kept out.
func (e *night) turnedAway(name string) {
	e.t.Helper()
	p := e.sitAs(name, func(c *Config) { c.Once = false })
	p.expect(notice.ResultLost, "you are banned from this room")
}
