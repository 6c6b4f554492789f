package session

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/savestate"
)

// On the game host: a late joiner gets the log of the game without delay, as it
// will have all of its consoles anyway, and is let in once it is where the game is. When
// there is no place in the log from which that is soon, one is made: a resync in which
// nobody is wrong, for which the others stand as long as consoles take to be built, since
// nothing is sent (capture.go). A late joiner that cannot follow the game is let in all the same, and the
// others wait until it has the states.

const (
	// nearFrames is how near one is let in: closer than what is written, sent and told
	// in the meantime is not to be had on a long line.
	nearFrames = 60
	// oldCheckpoint is how many frames one may have to catch up with; from further back it
	// takes less time to make a place.
	oldCheckpoint = 600
	// checkpointEvery is how long no other place is made: each time the others stand.
	checkpointEvery = 30 * time.Second
	// followFor is how long somebody may follow the game; quietFor is for one of whom
	// nothing is heard, slowFor how soon one must have come nearer.
	followFor = 2 * time.Minute
	quietFor  = 15 * time.Second
	slowFor   = 8 * time.Second
)

// progress is what the game host knows of how somebody follows the game.
type progress struct {
	since      time.Time // it could be let in
	heard      time.Time
	frames     int64 // that it has played
	cannot     bool
	said       bool      // that it cannot
	checkpoint bool      // a place was made for it
	checked    time.Time // when it was so far behind:
	behind     int64
}

// checkpoint is the newest place from which the game can be followed.
type checkpoint struct {
	frame int64
	at    time.Time // when one was last made for somebody
	comes bool      // one is being made: what is before it nobody needs
}

// fromMember takes what a member says about the log; false: it is about something else.
func (s *session) fromMember(now time.Time, peer link.PeerID, machine int, b []byte) (bool, error) {
	switch {
	case s.host == nil && spectate.IsPiece(b):
		return true, s.takePiece(b)
	case s.host == nil:
		return false, nil
	case spectate.IsAsk(b):
		ask, err := spectate.DecodeAsk(b)
		if n := s.lateJoiner(machine); err == nil && n != nil {
			s.spectators.Ask(peer, ask)
			n.heard = now
		}
		return true, err
	case spectate.IsNear(b):
		near, err := spectate.DecodeNear(b)
		if n := s.lateJoiner(machine); err == nil && n != nil && near.Round == s.host.Room().Round {
			n.cannot = near.Cannot
			if near.Frames > n.frames {
				n.frames, n.heard = near.Frames, now
			}
		}
		return true, err
	}
	return false, nil
}

// lateJoiner is what there is of a machine that waits to be let in, or is just coming in;
// nil for any other.
func (s *session) lateJoiner(machine int) *lateJoiner {
	n := s.lateJoiners[machine]
	if n == nil && len(s.host.Plans(machine)) > 0 {
		n = &lateJoiner{manifests: make(map[ds.Seat]savestate.Manifest), waiting: make(map[savestate.Part]bool)}
		s.lateJoiners[machine] = n
	}
	return n
}

// prepared tells whether a machine that waits is to be let in now; all else it takes is
// here. It may make a place for it.
func (s *session) prepared(now time.Time, machine int, n *lateJoiner) (bool, error) {
	g := s.game
	if n.since.IsZero() {
		n.since, n.heard = now, now
	}
	behind := g.Slowest() - n.frames
	switch {
	case !s.spectators.Serves() || s.recorder().Problem() != nil, s.cfg.MaxSpeed: // nothing to follow, or too fast for it
		return true, nil
	case n.frames > s.checkpoint.frame && behind <= nearFrames: // before the newest place it may still lack that one's states
		return true, nil
	case n.cannot, now.Sub(n.since) > followFor, now.Sub(n.heard) > quietFor, n.frames > s.checkpoint.frame && n.slow(now, behind):
		if !n.said {
			s.host.Say(s.nickname(machine) + "'s machine cannot catch up with the game by itself, so the others wait for it")
		}
		n.cannot, n.said = true, true
		return true, nil
	case !n.checkpoint && n.frames == 0 && g.Slowest()-s.checkpoint.frame > oldCheckpoint && now.Sub(s.checkpoint.at) > checkpointEvery:
		err := s.host.Checkpoint(now, s.me(), s.nickname(machine)+" catches up with the game")
		if errors.Is(err, host.ErrPhase) {
			return false, nil // a little later
		}
		n.checkpoint, s.checkpoint.at, s.watch = true, now, nil
		s.checkpoint.comes = err == nil
		return false, err
	}
	return false, nil
}

// slow tells whether somebody does not come nearer.
func (n *lateJoiner) slow(now time.Time, behind int64) bool {
	switch {
	case n.frames == 0:
		return false
	case n.checked.IsZero():
	case now.Sub(n.checked) < slowFor:
		return false
	case behind > n.behind*9/10:
		return true
	}
	n.checked, n.behind = now, behind
	return false
}
