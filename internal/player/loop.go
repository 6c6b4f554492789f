package player

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// tellEvery is the least time between two looks at whether the player's state has changed.
const tellEvery = 5 * time.Millisecond

// run plays: it waits for what the consoles start from, and then goes on by a loop. See Run.
func (p *Player) run(ctx context.Context, loop func(*playing) error) error {
	p.mu.Lock()
	twice := p.ran
	p.ran = true
	p.mu.Unlock()
	if twice {
		return errors.New("a player runs only once")
	}
	r := &playing{p: p, cfg: p.cfg, ctx: ctx, on: true, speed: 1, target: -1}
	defer r.close()
	here, err := r.await()
	if here && err == nil {
		err = loop(r)
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func (r *playing) close() {
	if busy := r.keys.busy; busy != nil {
		<-busy
	}
	r.tell()
	if r.g == nil {
		return
	}
	var ended []game.SeatReport
	for _, s := range r.g.Seats() {
		ended = append(ended, s.Report())
	}
	r.p.mu.Lock()
	r.p.ended = ended
	r.p.mu.Unlock()
	r.g.Close()
}

func (r *playing) loop() error {
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
	return r.keys.bound(min(limit, r.p.Length()))
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
