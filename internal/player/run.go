package player

import (
	"context"
	"sync"
	"time"

	"github.com/nettplay/nettplay/internal/replay"
)

// Run builds the consoles and plays until ctx ends, or as the configuration says.
// It returns nil then, and when a difference has ended it, which is in the status.
// An error is a console that could not be built or has failed, or a log that
// cannot be read. No console is left. It may be called once.
func (p *Player) Run(ctx context.Context) error {
	return p.run(ctx, func(r *playing) error {
		defer r.buildKeys()()
		return r.loop()
	})
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

// builder plays a recording next to the player on the screen, as fast as
// that leaves it time, for its keyframes alone: so that soon any place is near one,
// also those where nobody has been yet.
type builder struct {
	keys   *replay.Keyframes
	player *Player
	told   chan struct{} // has room for one
}

// newBuilder makes the builder of a player.
func newBuilder(cfg Config) (*builder, error) {
	b := &builder{keys: cfg.Keyframes, told: make(chan struct{}, 1)}
	cfg.Show, cfg.Build, cfg.Background, cfg.EndAtEnd, cfg.StopAtDifference = nil, false, true, false, true
	cfg.Notify = func() {
		select {
		case b.told <- struct{}{}:
		default:
		}
	}
	var err error
	b.player, err = New(cfg)
	return b, err
}

// run makes keyframes until there are enough, or it cannot go on: without them it
// only takes longer to get somewhere.
func (b *builder) run(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	over := make(chan error, 1)
	b.player.Pause()
	b.player.Speed(NoLimit)
	go func() { over <- b.player.run(ctx, (*playing).loop) }()
	b.fill(over)
	stop()
	<-over
}

// fill goes from hole to hole.
func (b *builder) fill(over chan error) {
	for to := int64(0); ; {
		s := b.player.Status()
		if !s.Loading && !s.Seeking && s.Frame >= to {
			length := b.player.Length()
			next, ok := hole(b.keys.Frames(), s.Frame, length, max(MaxKeyInterval, b.keys.Spacing(length))*3/2)
			if !ok {
				return
			}
			to = next
			b.player.SeekTo(to)
		}
		select {
		case <-b.told:
		case err := <-over:
			over <- err
			return
		}
	}
}

// hole is the end of the first gap between keyframes, after a frame, that has more
// than so many frames; false when there is none.
func hole(keys []int64, after, length, most int64) (end int64, ok bool) {
	before := int64(0)
	for _, f := range append(keys, length) {
		if f > after && f-max(before, after) > most {
			return f, true
		}
		before = f
	}
	return 0, false
}

func (r *playing) play(on bool) {
	r.on = on
	r.rebase(time.Now())
	if !on {
		r.target, r.stepped = -1, false
	}
	r.tell()
}

func (r *playing) step(frames int64) {
	at := r.g.Slowest()
	if r.target < 0 || !r.stepped {
		r.target = max(at, r.limit) // the frame that runs ends first
	}
	r.on, r.stepped = false, true
	r.target = min(r.target+frames, r.p.Length())
	r.tell()
}

// seek goes on from where the consoles stand, or from a keyframe that is nearer.
func (r *playing) seek(frame int64) {
	at := r.g.Slowest()
	if r.target < 0 || r.stepped {
		r.way = at
	}
	r.target, r.stepped = frame, false
	key := r.keyBefore(frame)
	if passed := frame < r.limit && frame != at; passed || key > at+minKeyInterval {
		r.keys.restart = key + 1
	}
	r.tell()
}

// Play goes on; Pause stands still after the frame that runs.
func (p *Player) Play() { p.order(func(r *playing) { r.play(true) }) }

// Pause stands still after the frame that runs.
func (p *Player) Pause() { p.order(func(r *playing) { r.play(false) }) }

// Speed sets how fast it plays: [SlowestSpeed] to [FastestSpeed] times the DS'
// speed, or [NoLimit].
func (p *Player) Speed(times float64) {
	if times != NoLimit {
		times = min(max(times, SlowestSpeed), FastestSpeed)
	}
	p.order(func(r *playing) {
		r.speed = times
		r.rebase(time.Now())
		r.tell()
	})
}

// Step stands still and then plays so many frames more.
func (p *Player) Step(frames int64) { p.order(func(r *playing) { r.step(max(frames, 1)) }) }

// SeekTo goes to where so many frames are done, 0 to [Player.Length], and plays on
// there if it has played before. The last frame before it is shown. A newer call
// takes the place of one that is under way.
func (p *Player) SeekTo(frame int64) {
	frame = min(max(frame, 0), p.Length())
	p.order(func(r *playing) { r.seek(frame) })
}

// CatchUp goes on to where so many frames are done as fast as it can, if it begins before
// that.
func (p *Player) CatchUp(frame int64) {
	p.order(func(r *playing) {
		if to := min(frame, r.p.Length()); to > r.g.Slowest() {
			r.seek(to)
		}
	})
}
