package lan

import "github.com/nettplay/nettplay/host"

// With returns the beacon with what a room says of itself: its players, their game, and
// whether others may come.
func (b Beacon) With(r host.Room) Beacon {
	b.Room, b.Seats, b.Playing = r.Settings.Room, r.Settings.Seats, r.Phase != host.PhaseLobby
	b.Late, b.Watch = !r.Settings.NoLateJoin, len(r.Spectators) < r.Settings.Spectators
	b.Players = 0
	for _, p := range r.Players {
		if p.Present {
			b.Players++
		}
		if p.Machine == r.Host && p.Local == 0 {
			b.Host, b.Game = p.Nickname, p.ROM.Title
		}
	}
	return b
}
