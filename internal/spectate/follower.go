package spectate

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/savestate"
)

// A late joiner gets the log of the game from the game host, as it is written, and plays it as
// fast as its machine can, while the others play on: that is its [Follower]. So it has, at the
// frame at which it joins, what they have, and nothing large is sent while they stand. Where it
// cannot follow, it gets the others' states at that frame instead, and they wait. The game host
// keeps a [Progress] of each follower, which says when to let it in.

const (
	// nearEvery is the time between two reports to the game host of how near we are.
	nearEvery = 100 * time.Millisecond
	// How long the others stand for us until we ask for their states: as long as we come
	// nearer, or are there and describe it, but no longer than leaves time for those.
	standBy  = 3 * time.Second
	standFor = 6 * time.Second
)

// Following is a follower's view of the session around it. It is called on the session's goroutine,
// except for Call.
type Following interface {
	// Player returns the settings with which a log is played on this machine, but for the log.
	Player() player.Config
	// Send sends a message to the game host; false: there is no connection.
	Send(msg []byte) bool
	// Background runs a job on another goroutine, and what it returns on the session's; or
	// drop, on whatever goroutine, when the session is over before that.
	Background(job func() (after, drop func()))
	// Call has do run on the session's goroutine, unless the session is over.
	Call(do func()) bool
	// Begun tells that the log is played.
	Begun()
	// Behind tells by how many frames we are behind.
	Behind(frames int64)
	// Caught tells that the consoles of the frame of GoTo are in the store, or that the game
	// cannot be followed to there.
	Caught()
}

// Follower is our own way along a game that runs. It belongs to the session's goroutine.
type Follower struct {
	session Following
	ctx     context.Context
	store   *savestate.Store // gets the consoles
	round   uint32
	log     *Download
	player  *player.Player // nil: what came of the log is not enough yet
	stop    context.CancelFunc
	told    time.Time
	frames  int64 // as told last
	failed  bool  // the game cannot be followed
	over    bool  // its player has come to its end, or is not wanted any more
	at      int64 // where we come in; 0: not known
	by      time.Time
	latest  time.Time
}

// Follow begins to follow a round. The follower ends with ctx; it is to be closed all the same.
func Follow(ctx context.Context, s Following, round uint32, store *savestate.Store) *Follower {
	f := &Follower{session: s, ctx: ctx, round: round, store: store, stop: func() {}}
	var err error
	if f.log, err = NewDownload(round); err != nil {
		f.GiveUp()
	}
	return f
}

// Round is the one that is followed.
func (f *Follower) Round() uint32 { return f.round }

// Close ends it.
func (f *Follower) Close() {
	f.stop()
	if f.player == nil && f.log != nil && !f.over {
		f.log.Close() // else its player does, at its end
	}
	f.over = true
}

// GiveUp ends it, and asks for the others' states instead.
func (f *Follower) GiveUp() {
	f.Close()
	f.failed, f.player, f.told = true, nil, time.Time{}
	f.session.Caught()
}

// Late reports whether the others have stood for too long, until we come to the frame of GoTo.
func (f *Follower) Late(now time.Time) bool {
	return f.at > 0 && !f.failed && (now.After(f.by) || now.After(f.latest))
}

// Interrupted tells that the connection to the game host is another one.
func (f *Follower) Interrupted() {
	if !f.failed {
		f.log.Interrupted()
	}
}

// Work asks for what lacks of the log, and tells how near we are.
func (f *Follower) Work(now time.Time) {
	if !f.over && f.log.Wants() {
		f.ask()
	}
	f.tellNear(now)
}

func (f *Follower) ask() { _ = f.session.Send(f.log.Ask()) } // it has gone if that fails

// Add takes a piece of the log. An error is the game host's fault.
func (f *Follower) Add(p Piece) error {
	if f.over {
		return nil // it is not needed any more
	}
	if taken, err := f.log.Add(p); err != nil || !taken {
		return err
	}
	if p.End == Gone {
		f.GiveUp()
		return nil
	}
	f.ask()
	if f.player == nil && f.log.Whole(p) {
		return f.play()
	}
	return nil
}

// play begins to play: all that there is of the log has come, for now.
func (f *Follower) play() error {
	log, err := f.log.Log()
	switch {
	case errors.Is(err, replay.ErrShort):
		return nil
	case err != nil:
		return err
	case log.Round != f.round:
		return errors.New("the log is of another game")
	}
	cfg := f.session.Player()
	cfg.Log, cfg.EndAtEnd, cfg.StopAtDifference = log, true, true
	cfg.Join = &player.Joining{Store: f.store, Reached: func() { f.session.Call(f.reached) }}
	p, err := player.New(cfg)
	if err != nil {
		f.GiveUp() // a game of one who has left is not here
		return nil
	}
	ctx, stop := context.WithCancel(f.ctx)
	f.player, f.stop = p, stop
	f.session.Begun()
	if f.at > 0 {
		p.StopAt(f.at)
	}
	f.session.Background(func() (func(), func()) {
		err := p.Run(ctx)
		stop()
		return func() {
			f.log.Close()
			if ended := f.over; !ended && (err != nil || p.Status().Difference != nil) {
				f.GiveUp()
			}
			f.over = true
		}, func() { f.log.Close() }
	})
	return nil
}

// reached is called when the consoles of the frame of GoTo are in the store.
func (f *Follower) reached() {
	if !f.failed && !f.over {
		f.session.Caught()
	}
}

// tellNear tells the game host how far we are, and the player.
func (f *Follower) tellNear(now time.Time) {
	if now.Sub(f.told) < nearEvery {
		return
	}
	near := Near{Round: f.round, Frames: f.frames, Cannot: f.failed}
	if f.player != nil {
		status := f.player.Status()
		near.Frames = status.Frame
		if near.Frames > f.frames || f.at > 0 && near.Frames >= f.at {
			f.by = now.Add(standBy)
		}
		if !status.Loading && near.Frames != f.frames {
			f.session.Behind(max(status.Length-status.Frame, 0))
		}
	} else if !f.failed {
		return
	}
	if near.Frames == f.frames && !f.told.IsZero() {
		return
	}
	if f.session.Send(near.Append(nil)) { // the next one says more
		f.told, f.frames = now, near.Frames
	}
}

// GoTo goes on to the frame at which we come in, before anything is asked for; false: it
// cannot. Caught tells how it went.
func (f *Follower) GoTo(now time.Time, frame int64) bool {
	if f.player == nil || f.over || f.at > frame {
		return false
	}
	f.at, f.by, f.latest = frame, now.Add(standBy), now.Add(standFor)
	f.player.StopAt(f.at)
	return true
}
