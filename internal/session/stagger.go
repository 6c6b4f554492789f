package session

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// stagger returns the time that machine me waits whenever the game begins or goes on, so that all begin
// together: the game host's word reaches each after half of its round trip, and the furthest one begins at
// once. Own is this machine's own round trip as its connection measures it, 0 on the game host; of the others
// the game host has told it.
func stagger(players []room.Player, me int, own time.Duration) time.Duration {
	longest := own
	for _, p := range players {
		if p.Present && p.Machine != me {
			longest = max(longest, p.Ping)
		}
	}
	return (longest - own) / 2
}

// keepStagger tells the game by the newest round trips.
func (s *session) keepStagger() {
	own := time.Duration(0)
	if s.host == nil {
		own = s.measured[s.peer].RTT
	}
	s.game.Stagger(stagger(s.room.Room().Players, s.me(), own))
}
