package lan

import (
	"github.com/nettplay/nettplay/host/room"
)

// With returns the beacon with what a room says of itself: its players, their game, and
// whether others may come.
func (n Beacon) With(r room.Room) Beacon {
	n.Room, n.Seats, n.Playing = r.Settings.Room, r.Settings.Seats, r.Phase != room.PhaseLobby
	n.Late, n.Watch = !r.Settings.NoLateJoin, len(r.Spectators) < r.Settings.Spectators
	n.Players = 0
	for _, p := range r.Players {
		if p.Present {
			n.Players++
		}
	}
	if p, is := r.Player(r.Host); is {
		n.Host, n.Game = p.Nickname, p.ROM.Title
	}
	return n
}
