package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/savestate"
)

// The session's part of a late joiner's way to where the game is: package spectate has the rest.

// workCatchUp follows the game that runs and in which we are not.
func (s *session) workCatchUp(now time.Time) {
	f := s.catchUp
	switch {
	case f == nil:
		if s.client != nil && s.client.Waiting() && s.consolesOffered() {
			s.catchUp = spectate.Follow(s.ctx, catchingUp{s}, s.room.Room().Round, s.assembler.Store())
		}
	case s.client == nil || s.game != nil || s.room.Room().Phase != room.PhasePlaying || f.Round() != s.room.Room().Round:
		s.endCatchUp()
	case s.assembler.Current().Describing() && f.Late(now):
		f.GiveUp()
	default:
		f.Work(now)
	}
}

// consolesOffered tells whether the game host was offered all our own consoles.
func (s *session) consolesOffered() bool {
	mine := 0
	for _, p := range s.room.Room().Players {
		if p.Machine == s.me() {
			mine++
		}
	}
	return mine > 0 && len(s.offered) == mine
}

// endCatchUp is for a game that is not to be followed any more, or whose game host is another
// one, with another log.
func (s *session) endCatchUp() {
	if s.catchUp != nil {
		s.catchUp.Close()
		s.catchUp = nil
	}
}

// catchingUp is our follower's view of the session.
type catchingUp struct{ *session }

// Player returns the settings with which a log is played here.
func (v catchingUp) Player() player.Config {
	cfg := v.cfg
	return player.Config{Core: cfg.Core, ROMs: v.games.ROMs, Start: cfg.Start, TestOptions: cfg.TestOptions, TestTweak: cfg.TestTweak}
}

// Send sends a message to the game host.
func (v catchingUp) Send(msg []byte) bool {
	p, ok := v.bulkPeer(v.gameHost)
	if ok {
		_ = v.cfg.Link.Send(p, link.Bulk, msg) // the next one makes up for it
	}
	return ok
}

// Begun tells the player that the game is followed.
func (v catchingUp) Begun() {
	v.Say("Your computer is catching up with the game while the others keep playing.")
}

// Behind tells the player by how much.
func (v catchingUp) Behind(frames int64) { v.notify(notice.CatchingUp{Behind: frames}) }

// Caught fetches what is not here.
func (v catchingUp) Caught() {
	if a := v.assembler.Current(); a.Describing() {
		a.Described()
	}
}

// fromMember takes what a member says about the log; false: it is about something else.
func (s *session) fromMember(now time.Time, peer link.PeerID, machine int, b []byte) (bool, error) {
	switch {
	case s.host == nil && spectate.IsPiece(b):
		p, err := spectate.DecodePiece(b)
		if err == nil && s.catchUp != nil {
			err = s.catchUp.Add(p)
		}
		return true, err
	case s.host == nil:
		return false, nil
	case spectate.IsAsk(b):
		ask, err := spectate.DecodeAsk(b)
		if n := s.lateJoiner(machine); err == nil && n != nil {
			s.spectators.Ask(peer, ask)
			n.Heard(now)
		}
		return true, err
	case spectate.IsNear(b):
		near, err := spectate.DecodeNear(b)
		if n := s.lateJoiner(machine); err == nil && n != nil && near.Round == s.host.Room().Round {
			n.Update(now, near)
		}
		return true, err
	}
	return false, nil
}

// lateJoiner returns the state of a machine that waits to be let in, or is just coming in; nil for any
// other.
func (s *session) lateJoiner(machine int) *lateJoiner {
	n := s.lateJoiners[machine]
	if n == nil && len(s.host.Plans(machine)) > 0 {
		n = &lateJoiner{manifests: make(map[ds.Seat]savestate.Manifest), waiting: make(map[savestate.Part]bool)}
		s.lateJoiners[machine] = n
	}
	return n
}

// prepared tells whether a machine that waits is to be let in now; all else it takes is
// here. It may make a checkpoint for it.
func (s *session) prepared(now time.Time, machine int, n *lateJoiner) (bool, error) {
	if !s.spectators.Serves() || s.recorder().Problem() != nil || s.cfg.MaxSpeed {
		return true, nil // there is nothing to follow, or it is too fast
	}
	switch n.Next(now, s.game.Slowest(), s.checkpoint) {
	case spectate.Admit:
		return true, nil
	case spectate.AdmitAnyway:
		if !n.said {
			s.host.Say(s.nickname(machine) + "'s computer cannot catch up with the game by itself, so the others wait for it")
		}
		n.said = true
		return true, nil
	case spectate.MakeCheckpoint:
		err := s.host.Checkpoint(now, s.me(), s.nickname(machine)+" is catching up with the game")
		if errors.Is(err, room.ErrPhase) {
			return false, nil // a little later
		}
		n.Made()
		s.checkpoint.At, s.checkpoint.Comes, s.comparer = now, err == nil, nil
		return false, err
	}
	return false, nil
}
