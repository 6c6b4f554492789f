package session

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// readiness tells whether the player wants to start, and with which games.
type readiness struct {
	ready    bool
	chooser  int      // the machine of the game host
	hostGame [32]byte // that it plays
	ownGame  [32]byte // that our player plays
}

// noticeGame takes note of the games that are played. When the game host has chosen another
// one, or our player has one that nobody here asked for, the player has to say anew that they
// want to start.
func (s *session) noticeGame(now time.Time, r room.Room) {
	before := s.readiness
	s.chooser = r.Host
	if p, is := r.Player(r.Host); is {
		s.hostGame = p.ROM.SHA256
	}
	if p, is := r.Player(s.me()); is {
		s.ownGame = p.ROM.SHA256
	}
	other := before.chooser == r.Host && before.hostGame != s.hostGame || before.ownGame != s.ownGame
	if before.ownGame != ([32]byte{}) && other && s.ready {
		s.ready = false
		s.reportStatus(now)
	}
}
