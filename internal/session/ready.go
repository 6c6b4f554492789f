package session

import (
	"cmp"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
)

// noticeGame takes note of the games that are played. When the game host has chosen another
// one, or our player has one that nobody here asked for, the player has to say anew that they
// want to start.
func (s *session) noticeGame(now time.Time, r room.Room) {
	chooser, hostGame, ownGame := s.chooser, s.hostGame, s.ownGame
	s.chooser = r.Host
	if p, is := r.Player(r.Host); is {
		s.hostGame = p.ROM.SHA256
	}
	if p, is := r.Player(s.me()); is {
		s.ownGame = p.ROM.SHA256
	}
	other := chooser == r.Host && hostGame != s.hostGame || ownGame != s.ownGame
	if ownGame != ([32]byte{}) && other && s.ready {
		s.ready = false
		s.reportStatus(now)
	}
}

// wants tells whether the player is ready, as far as that is theirs to say. A game host says so by starting
// the game, whether it opened the room or came to it later.
func (s *session) wants() bool { return s.ready || !s.cfg.AskReady || s.host != nil }

// reportStatus tells the room how this machine stands.
func (s *session) reportStatus(now time.Time) {
	ready := s.games.ready && s.buildsTried() && s.asideKnown() && s.fitKnown() && len(s.fitting.misfits) == 0 && s.wants()
	status := room.Status{Revision: s.games.revision, Ready: ready, Problem: s.games.Problem, Cause: s.games.cause, Missing: s.games.Missing, Near: s.games.Near}
	if status.Problem == "" {
		status.Cause, status.Problem = room.CauseSave, cmp.Or(s.asideProblem(), s.fitProblem())
	}
	if status.Problem == "" {
		status.Cause, status.Problem = s.buildsProblem()
	}
	status.Paths, status.Depth, status.OwnDelay = s.paths(), s.depth(), s.cfg.OwnDelay
	if a := s.assembler.Current(); a != nil {
		status.Up, status.Down = a.Progress()
	}
	s.room.Report(now, status)
}

// depth is how far this machine guesses in rollback: as the room's last game has shown, or not at all.
func (s *session) depth() room.Depth {
	last := s.last.Rollbacks
	switch {
	case s.cfg.Depth == 0:
		return room.DepthOf(0)
	case last == nil || last.Guessed == 0:
		return 0
	}
	return room.DepthOf(last.Depth)
}

// asideKnown tells whether nothing is to be asked any more about our saves, or the question is put; see aside.
func (s *session) asideKnown() bool {
	r := s.room.Room()
	own := s.cartridgesOf(r.Settings, r.Players)
	return len(own) == 0 || slices.Equal(seatsOf(own), s.aside.looked)
}

// asideProblem returns the reason why a game cannot go on from a kept moment yet, "" when it can.
func (s *session) asideProblem() string {
	if len(s.aside.differ) == 0 || s.cfg.SetAside || !s.room.Room().Settings.Continues.Any() {
		return ""
	}
	return "has a save that is not the one of the kept moment, and is asked whether it may be set aside"
}
