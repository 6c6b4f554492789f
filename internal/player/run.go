package player

import (
	"context"
	"sync"
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
