package player

import (
	"context"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/replay"
)

// playing is a [Player] that runs. It belongs to the goroutine of Run.
type playing struct {
	p   *Player
	cfg Config
	ctx context.Context
	g   *game.Game

	// The viewer's wish for playback.
	on      bool // play, not pause
	speed   float64
	target  int64 // to which it seeks or steps; -1 for none
	way     int64 // where the way there began
	stepped bool  // the target is a step
	pace    struct {
		since time.Time // when
		frame int64     // this frame was due
	}

	// The log's account of the frames to come.
	cursor  *replay.Cursor
	fed     map[ds.Seat]int64 // the next frame to feed
	pending []timeline.Decision
	resyncs []replay.Restart // that are still to come

	// Where the consoles come from.
	from   int64 // the frame that they started from
	approx bool  // it was a keyframe, so they may be not exactly what they were
	// Consoles that ran already were put into the keyframe's states; once that has gone
	// wrong it is not done again.
	inPlace, distrust bool
	redo              bool      // what is shown is not the game: begin anew, and come back here
	redoSince         time.Time // that is wanted

	// The result of comparing with the recording.
	agreed  map[ds.Seat]int64 // the newest frame that was as recorded
	proofs  int64
	differs *Difference
	mended  bool
	repair  int64 // the frame of the newest resync that repaired something
	drifted bool
	proven  bool // something was as recorded since the consoles started

	limit int64 // frames from this one on do not run yet
	keys  keying
	live  live
	told  time.Time
	// The frame at which the player of a late joiner ends; 0: not known.
	standing int64
	stood    bool
}

// MaxApart is the greatest distance of a replay's consoles in frames.
const MaxApart = 600

// rebase lets the clock of the speed begin where the consoles stand.
func (r *playing) rebase(now time.Time) {
	r.pace.since, r.pace.frame = now, r.g.Slowest()
}

// tell shows how the player stands, and tells whether that has changed.
func (r *playing) tell() bool {
	r.told = time.Now()
	s := Status{
		Length: r.p.Length(), Live: r.live.on, Waiting: r.live.on && r.live.waits, Playing: r.on, Speed: r.speed, Seeking: r.target >= 0 && !r.stepped, Target: max(r.target, 0), From: r.way,
		Proofs: r.proofs, Loading: r.g == nil, Drifted: r.drifted, Difference: r.differs, Mended: r.mended,
	}
	if r.g != nil {
		s.Frame, s.AtEnd = min(r.g.Slowest(), r.p.Length()), r.g.Finished()
		s.Still = !r.on && r.target < 0 && (s.AtEnd || r.g.Met(r.limit))
	} else {
		s.Frame = r.p.Status().Frame
	}
	r.p.mu.Lock()
	changed := r.p.status != s
	r.p.status = s
	r.p.mu.Unlock()
	if changed && r.cfg.Notify != nil {
		r.cfg.Notify()
	}
	return changed
}

// sleep waits for a while, or until ctx ends.
func (r *playing) sleep(d time.Duration) {
	select {
	case <-r.ctx.Done():
	case <-time.After(d):
	}
}
