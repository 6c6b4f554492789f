package player

import (
	"context"
	"sync"

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
