package player

import (
	"context"
	"errors"
	"sync"
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
	transport
	script
	origin
	verifying
	limit int64 // frames from this one on do not run yet
	keys  keying
	live  live
	told  time.Time
	// The frame at which the player of a late joiner ends; 0: not known.
	standing int64
	stood    bool
}

// transport is the viewer's wish for playback.
type transport struct {
	on      bool // play, not pause
	speed   float64
	target  int64 // to which it seeks or steps; -1 for none
	way     int64 // where the way there began
	stepped bool  // the target is a step
	pace    struct {
		since time.Time // when
		frame int64     // this frame was due
	}
}

// script is the log's account of the frames to come.
type script struct {
	cursor  *replay.Cursor
	fed     map[ds.Seat]int64 // the next frame to feed
	pending []timeline.Decision
	resyncs []replay.Restart // that are still to come
}

// origin is where the consoles come from.
type origin struct {
	from   int64 // the frame that they started from
	approx bool  // it was a keyframe, so they may be not exactly what they were
	// Consoles that ran already were put into the keyframe's states; once that has gone
	// wrong it is not done again.
	inPlace, distrust bool
	redo              bool      // what is shown is not the game: begin anew, and come back here
	redoSince         time.Time // that is wanted
}

// verifying is the result of comparing with the recording.
type verifying struct {
	agreed  map[ds.Seat]int64 // the newest frame that was as recorded
	proofs  int64
	differs *Difference
	mended  bool
	repair  int64 // the frame of the newest resync that repaired something
	drifted bool
	proven  bool // something was as recorded since the consoles started
}

// MaxApart is the greatest distance of a replay's consoles in frames.
const MaxApart = 600

// How far the log is read ahead, in frames.
const (
	feedAhead = 128
	// decideAhead is the number of frames by which a decision is applied early: within the window of a
	// line of inputs, and before a console has come there.
	decideAhead = 200
	tellEvery   = 5 * time.Millisecond
)

// Run builds the consoles and plays until ctx ends, or as the configuration says.
// It returns nil then, and when a difference has ended it, which is in the status.
// An error is a console that could not be built or has failed, or a log that
// cannot be read. No console is left. It may be called once.
func (p *Player) Run(ctx context.Context) error {
	p.mu.Lock()
	twice := p.ran
	p.ran = true
	p.mu.Unlock()
	if twice {
		return errors.New("a player runs only once")
	}
	r := &playing{p: p, cfg: p.cfg, ctx: ctx, transport: transport{on: true, speed: 1, target: -1}}
	defer r.close()
	if err := r.run(); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

func (r *playing) close() {
	r.keys.wait()
	r.tell()
	if r.g != nil {
		r.keepSeats()
		r.g.Close()
	}
}

func (r *playing) run() error {
	if here, err := r.await(); err != nil || !here {
		return err
	}
	defer r.buildKeys()()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		for _, do := range r.p.takeOrders() {
			do(r)
		}
		wait, err := r.work(time.Now())
		if err != nil {
			return err
		}
		if r.over() {
			return nil
		}
		timer.Reset(wait)
		select {
		case ran := <-r.g.Done():
			if err := r.finish(ran); err != nil {
				return err
			}
		case <-r.p.wake:
			r.sleep(time.Microsecond) // orders come together: the goroutine that gives them goes on first
		case <-timer.C:
		case <-r.ctx.Done():
			return nil
		}
	}
}

// buildKeys begins to make keyframes in the background and returns what ends that.
func (r *playing) buildKeys() (end func()) {
	if !r.cfg.Build || r.cfg.Keyframes == nil {
		return func() {}
	}
	b, err := newBuilder(r.cfg)
	if err != nil {
		return func() {} // as it said of this player, too
	}
	ctx, stop := context.WithCancel(r.ctx)
	var wait sync.WaitGroup
	wait.Go(func() { b.run(ctx) })
	return func() { stop(); wait.Wait() }
}

// finish takes the outcomes of consoles.
func (r *playing) finish(first game.Outcome) error {
	for {
		if err := r.g.Finish(first); err != nil {
			return err
		}
		select {
		case first = <-r.g.Done():
			continue
		default:
		}
		return r.compare()
	}
}

// over reports whether Run has come to its end.
func (r *playing) over() bool {
	differs := r.cfg.StopAtDifference && r.differs != nil && r.g.Slowest() >= r.differs.Frames
	return r.stood || differs || r.cfg.EndAtEnd && r.g.Finished()
}

// work lets run what may run, and returns how long nothing changes by itself.
func (r *playing) work(now time.Time) (time.Duration, error) {
	if err := r.grow(now); err != nil {
		return 0, err
	}
	if err := r.arrive(); err != nil {
		return 0, err
	}
	if err := r.decide(); err != nil {
		return 0, err
	}
	r.limit = max(r.limit, r.due(now))
	r.g.SetHorizon(ds.Horizon{Frame: r.limit})
	if err := r.feed(); err != nil {
		return 0, err
	}
	if err := r.g.Advance(now); err != nil {
		return 0, err
	}
	wait := r.idle(now)
	if now.Sub(r.told) < tellEvery {
		return min(wait, tellEvery), nil
	}
	if r.tell() {
		wait = min(wait, tellEvery)
	}
	return wait, nil
}

// arrive does what there is to do where the consoles stand: a target is reached,
// a keyframe is due.
func (r *playing) arrive() error {
	if err := r.passOver(); err != nil {
		return err
	}
	r.stand()
	if r.keys.restart > 0 {
		r.redo = false
		return r.restart(r.keys.restart - 1)
	}
	if r.redo {
		return r.again()
	}
	if len(r.resyncs) > 0 && r.g.Met(r.resyncs[0].Frame) && r.isReady(r.resyncs[0]) {
		return r.resync(r.resyncs[0])
	}
	at := r.g.Slowest()
	if r.target >= 0 && (at >= r.target || r.g.Finished()) {
		r.target = -1
		if r.stepped {
			r.on, r.stepped = false, false
		}
		r.rebase(time.Now())
		r.tell()
	}
	return r.atKeyframe(at)
}

// due is the first frame that must not run yet.
func (r *playing) due(now time.Time) int64 {
	at := r.g.Slowest()
	limit := at + MaxApart
	switch {
	case r.redo:
		return r.limit
	case r.target >= 0:
		limit = min(limit, r.target)
	case r.live.on && r.live.waits:
		limit = at
	case !r.on:
		limit = at
	case r.speed != NoLimit:
		frame := r.pace.frame + int64(now.Sub(r.pace.since).Seconds()*ds.FrameRate*r.speed) + 1
		// A machine that cannot keep up does not sprint when it can again.
		if late := int64(8 * max(1, r.speed)); frame > at+late {
			frame = at + late
			r.pace.since, r.pace.frame = now, frame-1
		}
		limit = min(limit, frame)
	}
	if r.differs != nil && r.cfg.StopAtDifference {
		limit = min(limit, r.differs.Frames)
	}
	if r.arriving() && r.g.WaitOnAir(r.limit) {
		limit = r.limit + 1 // or a console would wait for ever for one that stands there
	}
	if len(r.pending) > 0 {
		limit = min(limit, r.pending[0].Frame)
	}
	if len(r.resyncs) > 0 {
		limit = min(limit, r.resyncs[0].Frame)
	}
	return r.keys.bound(min(limit, r.length()))
}

// arriving reports whether consoles on the air are in the last frames before the place to which
// all are to come.
func (r *playing) arriving() bool {
	to := r.target
	if r.differs != nil && r.cfg.StopAtDifference {
		to = max(to, r.differs.Frames)
	}
	return r.g.Radio() != nil && r.g.Slowest() < to && to <= r.limit
}

// idle returns the time for which nothing changes by itself.
func (r *playing) idle(now time.Time) time.Duration {
	if r.redo {
		return comeTogether
	}
	if r.arriving() {
		return keyPatience / 2 // nothing tells that a console waits
	}
	if r.live.on {
		return liveTick
	}
	if !r.on || r.target >= 0 || r.speed == NoLimit || r.g.Finished() {
		return r.keys.patience()
	}
	next := r.limit - r.pace.frame
	wait := time.Duration(float64(next) / ds.FrameRate / r.speed * float64(time.Second))
	return min(max(r.pace.since.Add(wait).Sub(now), time.Millisecond), r.keys.patience())
}

// rebase lets the clock of the speed begin where the consoles stand.
func (r *playing) rebase(now time.Time) {
	r.pace.since, r.pace.frame = now, r.g.Slowest()
}

// tell shows how the player stands, and tells whether that has changed.
func (r *playing) tell() bool {
	r.told = time.Now()
	s := Status{
		Length: r.length(), Live: r.live.on, Waiting: r.live.on && r.live.waits, Playing: r.on, Speed: r.speed, Seeking: r.target >= 0 && !r.stepped, Target: max(r.target, 0), From: r.way,
		Proofs: r.proofs, Loading: r.g == nil, Drifted: r.drifted, Difference: r.differs, Mended: r.mended, Keyframes: len(r.p.Keyframes()),
	}
	if r.g != nil {
		s.Frame, s.AtEnd = min(r.g.Slowest(), r.length()), r.g.Finished()
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
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-r.ctx.Done():
	case <-timer.C:
	}
}
