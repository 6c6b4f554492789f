package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/mirror"

	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/replay"
)

// playing is a [Player] that runs. It belongs to the goroutine of Run.
type playing struct {
	p    *Player
	cfg  ReplayConfig
	ctx  context.Context
	g    *game.Game
	pace struct {
		since time.Time // when
		frame int64     // this frame was due
	}
	on      bool // play, not pause
	speed   float64
	target  int64 // to which it seeks or steps; -1 for none
	stepped bool  // the target is a step
	limit   int64 // frames from this one on do not run yet
	cursor  *replay.Cursor
	fed     map[int]int64 // by seat: the next frame to feed
	pending []host.Decision
	agreed  map[int]int64 // by seat: the newest frame that was as recorded
	proofs  int64
	differs *Difference
	from    int64            // the frame that the consoles started from
	approx  bool             // it was a keyframe, so they may be not exactly what they were
	resyncs []replay.Restart // that are still to come
	drifted bool
	proven  bool // something was as recorded since then
	// Consoles that ran already were put into the keyframe's states; once that has
	// gone wrong it is not done again.
	inPlace, distrust bool
	redo              bool      // what is shown is not the game: begin anew, and come back here
	redoSince         time.Time // that is wanted
	keys              keying
	told              time.Time
	live              live
	standing          int64 // the frame at which to end, of a player that follows a game; 0: not known
	stood             bool
}

// How far consoles may be apart, and inputs are read ahead, in frames.
const (
	maxApart  = 600
	feedAhead = 128
	// decideAhead is how early a decision is applied: within the window of a line
	// of inputs, and before a console has come there.
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
	r := &playing{p: p, cfg: p.cfg, ctx: ctx, on: true, speed: 1, target: -1}
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
			pause(r.ctx, time.Microsecond) // orders come together, and who gives them goes on first
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

// over tells whether Run has come to its end.
func (r *playing) over() bool {
	if r.stood {
		return true
	}
	if r.cfg.StopAtDifference && r.differs != nil && r.g.Slowest() >= r.differs.Frames {
		return true
	}
	return r.cfg.EndAtEnd && r.atEnd()
}

func (r *playing) atEnd() bool { return r.g.Finished() }

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
	r.g.SetHorizon(mirror.Horizon{Frame: r.limit})
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
	if len(r.resyncs) > 0 && r.g.Met(r.resyncs[0].Frame) && r.isWhole(r.resyncs[0]) {
		return r.resync(r.resyncs[0])
	}
	at := r.g.Slowest()
	if r.target >= 0 && (at >= r.target || r.atEnd()) {
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
	limit := at + maxApart
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
	for _, d := range r.pending {
		if gathers(d) {
			limit = min(limit, d.Frame)
		}
	}
	if len(r.resyncs) > 0 {
		limit = min(limit, r.resyncs[0].Frame)
	}
	return r.keys.bound(min(limit, r.length()))
}

// idle is how long nothing changes by itself.
func (r *playing) idle(now time.Time) time.Duration {
	if r.redo {
		return comeTogether
	}
	if r.live.on {
		return liveTick
	}
	if !r.on || r.target >= 0 || r.speed == NoLimit || r.atEnd() {
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

// feed hands the recorded inputs to the consoles' lines.
func (r *playing) feed() error {
	for _, s := range r.g.Seats() {
		for end := min(s.Frame+feedAhead, s.End, r.length()); r.fed[s.Seat] < end; r.fed[s.Seat]++ {
			frame := r.fed[s.Seat]
			in, ok, err := r.cursor.Input(s.Seat, frame)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			if err := r.g.Put(s.Seat, frame, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// ends tells whether a decision ends a console.
func ends(d host.Decision) bool { return d.Kind == host.End || d.Kind == host.Leave }

// gathers tells whether a decision has all consoles come together in a replay. A resync
// does, whether anything came of it or the game host left meanwhile: what comes over the
// radio depends on where consoles have met.
func gathers(d host.Decision) bool {
	return d.Kind == host.Leave || d.Kind == host.Pause || d.Kind == host.Resync
}

// gather has all consoles come together for a decision. In a replay nobody is waited for,
// so all but who leaves is like a pause.
func (r *playing) gather(d host.Decision) {
	if d.Kind == host.Resync {
		d = host.Decision{Kind: host.Pause, Frame: d.Frame}
	}
	r.pending = append(r.pending, d)
}

// decide applies the decisions that are near, in their order.
func (r *playing) decide() error {
	for len(r.pending) > 0 && r.pending[0].Frame-decideAhead <= r.g.Slowest() {
		d := r.pending[0]
		r.pending = r.pending[1:]
		if d.Kind == host.Leave && !r.g.Plays(d.Seat) {
			continue // it comes in before that: see begin
		}
		// The inputs of the log are those that were applied, neutral ones included.
		d.InputEnd = d.Frame
		if err := r.g.Decide(d); err != nil {
			return err
		}
	}
	r.goOn()
	return nil
}

// compare compares what the consoles have become with what was recorded.
func (r *playing) compare() error {
	for _, h := range r.g.Hashed() {
		if r.cfg.Hashed != nil && h.Frame > r.cfg.HashFrom && h.Frame <= r.cfg.HashTo {
			r.cfg.Hashed(h.Seat, h.Frame, h.Hash, h.Air)
		}
		want, ok, err := r.cursor.Hash(h.Seat, h.Frame)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		have := replay.HashOf(h.Hash)
		region := want.Differs(have)
		switch {
		case region == "":
			r.proofs++
			r.proven, r.drifted = true, false
			r.agreed[h.Seat] = h.Frame
		case r.approx && h.Frame <= r.from+settle:
			// Nobody sees it, and a console may be in the middle of writing something.
		case r.approx:
			r.stray(want.Video != have.Video)
		case r.differs == nil || h.Frame < r.differs.Frames || h.Frame == r.differs.Frames && h.Seat < r.differs.Seat:
			agreed, known := r.agreed[h.Seat]
			if !known {
				agreed = -1
			}
			r.differs = &Difference{Frames: h.Frame, Agreed: agreed, Seat: h.Seat, Nickname: r.g.Nickname(h.Seat), Region: region}
		}
	}
	return nil
}

// stray decides what becomes of consoles that came from a keyframe and are not what
// they were. New ones may do better than those that had run already. A picture
// that is not the game's is never put up with: the keyframe is of no use, and an
// earlier one, or the start, is. What differs without being seen is, up to the next
// keyframe.
func (r *playing) stray(seen bool) {
	switch {
	case r.inPlace:
		r.distrust = true
	case seen:
		r.cfg.Keyframes.Forget(r.from)
	default:
		r.drifted = true
		return
	}
	if !r.redo {
		r.redo, r.redoSince = true, time.Now()
	}
}

// comeTogether is how long consoles get to come together before they are replaced.
const comeTogether = 100 * time.Millisecond

// again begins anew before the place where the consoles stand, and goes there. They
// come together first, so that nobody who waits for all of them in
// [ReplayConfig.Show] waits for ever.
func (r *playing) again() error {
	if !r.g.Met(r.limit) && time.Since(r.redoSince) < comeTogether {
		return nil
	}
	r.redo = false
	at := r.g.Slowest()
	key, _ := r.keyBefore(at)
	if err := r.restart(key); err != nil {
		return err
	}
	if r.target < 0 && at > key {
		r.target, r.stepped = at, false
	}
	return nil
}

func (r *playing) play(on bool) {
	r.on = on
	r.rebase(time.Now())
	if !on {
		r.target, r.stepped = -1, false
	}
	r.tell()
}

func (r *playing) setSpeed(times float64) {
	r.speed = times
	r.rebase(time.Now())
	r.tell()
}

func (r *playing) step(frames int64) {
	at := r.g.Slowest()
	if r.target < 0 || !r.stepped {
		r.target = max(at, r.limit) // the frame that runs ends first
	}
	r.on, r.stepped = false, true
	r.target = min(r.target+frames, r.length())
	r.tell()
}

// seek goes on from where the consoles stand, or from a keyframe that is nearer.
func (r *playing) seek(frame int64) {
	at := r.g.Slowest()
	r.target, r.stepped = frame, false
	key, ok := r.keyBefore(frame)
	switch {
	case frame < r.limit && frame != at: // it has been there
		if !ok {
			key = 0
		}
		r.keys.restart = key + 1
	case ok && key > at+r.keys.worth():
		r.keys.restart = key + 1
	}
	r.tell()
}

// tell shows how the player stands, and tells whether that has changed.
func (r *playing) tell() bool {
	r.told = time.Now()
	s := PlayerStatus{
		Length: r.length(), Live: r.live.on, Waiting: r.live.on && r.live.waits, Playing: r.on, Speed: r.speed, Seeking: r.target >= 0 && !r.stepped, Target: max(r.target, 0),
		Proofs: r.proofs, Loading: r.g == nil, Drifted: r.drifted, Difference: r.differs,
	}
	if r.g != nil {
		s.Frame, s.AtEnd = min(r.g.Slowest(), r.length()), r.atEnd()
		s.Still = !r.on && r.target < 0 && (s.AtEnd || r.g.Met(r.limit))
	} else {
		s.Frame = r.p.Status().Frame
	}
	if r.cfg.Keyframes != nil {
		s.Keyframes = len(r.cfg.Keyframes.Frames())
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

// together does something for each seat, side by side, and returns the first
// error by seat.
func together[T any](list []T, do func(i int, v T) error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, v := range list {
		wait.Go(func() { errs[i] = do(i, v) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
