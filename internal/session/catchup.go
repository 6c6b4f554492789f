package session

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/spectate"
)

// A late joiner catches up with the game until it is let in: it gets the log of the game
// from the game host, as it is written, and plays it as fast as its machine can, while the
// others play on. So it has, at the frame at which it joins, what they have, and
// nothing large is sent while they stand (capture.go, replay_follow.go). Where it cannot, it
// gets the others' states at that frame instead, and they wait. The game host's side is in
// progress.go.

// CatchingUp tells that our machine follows the game that runs, in which we have no part
// yet, and how many frames it is behind.
type CatchingUp struct{ Behind int64 }

func (CatchingUp) notice() {}

// Seconds is how long the others have played what we have not.
func (c CatchingUp) Seconds() float64 { return float64(c.Behind) / ds.FrameRate }

// catchUp is our own way along a game that runs. It belongs to the session's goroutine.
type catchUp struct {
	round  uint32
	log    *spectate.Download // nil where it failed
	player *player.Player     // nil: what came of the log is not enough yet
	stop   context.CancelFunc
	told   time.Time
	frames int64     // as told last
	failed bool      // it cannot be followed
	over   bool      // its player has come to its end, and the log is closed
	at     int64     // where we come in; 0: not known
	by     time.Time // when it is to have come nearer,
	latest time.Time // and to be there
}

const (
	// nearEvery is how often the game host is told how near we are.
	nearEvery = 100 * time.Millisecond
	// How long the others stand for us until we ask for their states: as long as we come
	// nearer, or are there and describe it, but no longer than leaves time for those.
	standBy  = 5 * time.Second
	standFor = 20 * time.Second
)

// workCatchUp follows the game that runs and in which we are not.
func (s *session) workCatchUp(now time.Time) {
	f := s.catchUp
	if f != nil && (s.client == nil || s.game != nil || s.room.Room().Phase != room.PhasePlaying || f.round != s.room.Room().Round) {
		s.endCatchUp()
		return
	}
	if f == nil {
		if s.client != nil && s.client.Waiting() && s.consolesOffered() {
			s.beginCatchUp()
		}
		return
	}
	if f.at > 0 && s.assembly != nil && s.assembly.describing && (now.After(f.by) || now.After(f.latest)) {
		s.cannotCatchUp()
		return
	}
	if !f.failed && !f.over && f.log.Wants() {
		s.askForLog()
	}
	s.tellNear(now)
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

func (s *session) beginCatchUp() {
	f := &catchUp{round: s.room.Room().Round, stop: func() {}}
	s.catchUp = f
	log, err := spectate.NewDownload(f.round)
	if f.log = log; err != nil {
		s.cannotCatchUp()
	}
}

// endCatchUp is for a game that is not to be followed any more.
func (s *session) endCatchUp() {
	f := s.catchUp
	s.catchUp = nil
	if f == nil {
		return
	}
	f.stop()
	if f.player == nil && f.log != nil {
		f.log.Close() // else its player does, at its end
	}
}

// cannotCatchUp waits for the others' states instead.
func (s *session) cannotCatchUp() {
	f := s.catchUp
	s.endCatchUp()
	s.catchUp = &catchUp{round: f.round, failed: true, stop: func() {}, frames: f.frames}
	if st := s.assembly; st != nil && st.describing {
		st.describing = false
		s.fetchLacking(st)
	}
}

func (s *session) askForLog() {
	if p, ok := s.bulkLine(s.gameHost); ok {
		_ = s.cfg.Link.Send(p, link.Bulk, s.catchUp.log.Ask()) // it has gone if that fails
	}
}

// takePiece takes what came of the log.
func (s *session) takePiece(b []byte) error {
	p, err := spectate.DecodePiece(b)
	f := s.catchUp
	switch {
	case err != nil:
		return err
	case f == nil || f.failed || f.over:
		return nil // it is not needed any more
	}
	if taken, err := f.log.Take(p); err != nil || !taken {
		return err
	}
	if p.End == spectate.Gone {
		s.cannotCatchUp()
		return nil
	}
	s.askForLog()
	if f.player == nil && f.log.Whole(p) {
		return s.playLog()
	}
	return nil
}

// playLog begins to play: all that there is of the log has come, for now.
func (s *session) playLog() error {
	f := s.catchUp
	log, err := f.log.Log()
	switch {
	case errors.Is(err, replay.ErrShort):
		return nil
	case err != nil:
		return err
	case log.Round != f.round:
		return errors.New("the log is of another game")
	}
	p, err := player.New(player.Config{
		Log: log, Core: s.cfg.Core, ROMs: s.games.ROMs, EndAtEnd: true, StopAtDifference: true,
		Start: s.cfg.Start, TestOptions: s.cfg.TestOptions, TestTweak: s.cfg.TestTweak,
		Join: &player.Joining{Store: s.store, Reached: func() { s.call(func() { s.caughtUp(f) }) }},
	})
	if err != nil {
		s.cannotCatchUp() // a game of one who has left is not here
		return nil
	}
	ctx, stop := context.WithCancel(s.ctx)
	f.player, f.stop = p, stop
	s.say("Your machine catches up with the game while the others play on.")
	if f.at > 0 {
		p.StopAt(f.at)
	}
	s.background(func() (func(), func()) {
		err := p.Run(ctx)
		stop()
		return func() {
			f.over = true
			f.log.Close()
			if s.catchUp == f && (err != nil || p.Status().Difference != nil) {
				s.cannotCatchUp()
			}
		}, func() { f.log.Close() }
	})
	return nil
}

// tellNear tells the game host how far we are, and the player.
func (s *session) tellNear(now time.Time) {
	f := s.catchUp
	if now.Sub(f.told) < nearEvery {
		return
	}
	near := spectate.Near{Round: f.round, Frames: f.frames, Cannot: f.failed}
	if f.player != nil {
		status := f.player.Status()
		near.Frames = status.Frame
		if near.Frames > f.frames || f.at > 0 && near.Frames >= f.at {
			f.by = now.Add(standBy)
		}
		if !status.Loading && near.Frames != f.frames {
			s.notify(CatchingUp{max(status.Length-status.Frame, 0)})
		}
	} else if !f.failed {
		return
	}
	if near.Frames == f.frames && !f.told.IsZero() {
		return
	}
	if p, ok := s.bulkLine(s.gameHost); ok {
		f.told, f.frames = now, near.Frames
		_ = s.cfg.Link.Send(p, link.Bulk, near.Append(nil)) // the next one says more
	}
}

// catchUpTo goes on to the frame at which we come in, before anything is asked for.
func (s *session) catchUpTo(st *assembly) {
	f := s.catchUp
	if f == nil || f.player == nil || f.over || st.resyncing() == nil || f.at > st.resyncing().Frame() {
		return
	}
	st.describing = true
	now := time.Now()
	f.at, f.by, f.latest = st.resyncing().Frame(), now.Add(standBy), now.Add(standFor)
	f.player.StopAt(f.at)
}

// caughtUp is called when the consoles of the frame at which we come in are in the store.
func (s *session) caughtUp(f *catchUp) {
	if st := s.assembly; s.catchUp == f && st != nil && st.describing {
		st.describing = false
		s.fetchLacking(st)
	}
}

// catchUpAnew begins again: the game host is another one, whose log is another.
func (s *session) catchUpAnew() {
	if s.joining == nil {
		s.endCatchUp()
	}
}
