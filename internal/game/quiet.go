package game

import (
	"sync/atomic"
	"time"
)

// A console's frame is mostly done long before anything follows from it: our own console's next frame is not due yet, and
// another machine's input has not come. So the outcome of an ordinary frame is quiet: it waits until its game is looked at
// for another reason, which is when something can follow from it. That spares the game's goroutine half of its wakes. An
// outcome for which something waits already is not quiet, and makes itself heard.

// quiet is what a runner and its game agree on about the outcome of a job.
type quiet struct {
	state atomic.Int32
	out   Outcome // guarded by state: the game's once it is kept
}

// States of an outcome.
const (
	loud  int32 = iota // it goes to done
	still              // it is to be kept; nobody waits for it
	kept               // it is there
)

// keep keeps an outcome, unless it is waited for.
func (q *quiet) keep(o Outcome) bool {
	if q.state.Load() != still || o.err != nil {
		return false
	}
	q.out = o
	return q.state.CompareAndSwap(still, kept)
}

// collect sends an outcome that was kept to where the others go, and tells whether there was one.
func (r *runner) collect() bool {
	if r.quiet.state.Load() != kept {
		return false
	}
	r.quiet.state.Store(loud)
	r.done <- r.quiet.out
	r.quiet.out = Outcome{}
	return true
}

// hurry has the outcome of what the console does make itself heard.
func (r *runner) hurry() {
	if !r.quiet.state.CompareAndSwap(still, loud) {
		r.collect()
	}
}

// Collect has all outcomes that are there come from [Game.Done]. It is for when the game is looked at anyway.
func (g *Game) Collect() {
	for _, s := range g.seats {
		if s.busy {
			s.run.collect()
		}
	}
}

// Hurry has all outcomes of what consoles do come from [Game.Done] by themselves.
func (g *Game) Hurry() {
	for _, s := range g.seats {
		if s.busy {
			s.run.hurry()
		}
	}
}

// hurries has the outcome of a seat's frame make itself heard where something follows from it at once, and
// wakes the game when our own console's next frame is due.
func (g *Game) hurries(s *seat, now time.Time) {
	wait := g.rests(s, now)
	if wait > 0 {
		g.wait = min(g.wait, wait)
		return
	}
	s.run.hurry()
}

// rests returns how long nothing follows from the end of a seat's frame.
func (g *Game) rests(s *seat, now time.Time) time.Duration {
	next := s.frame + 1
	_, here := s.queue.At(next)
	switch {
	case !g.calm(s):
		return 0
	case !here || !g.allowed(next):
		return time.Duration(Never)
	case s.mine && !g.feed.clock.on && next >= g.begun:
		return g.pace.wait(now)
	}
	return 0
}

// calm reports whether nothing but inputs and time has a seat's console go on.
func (g *Game) calm(s *seat) bool {
	return !g.rolls.on && !g.pace.unlimited && len(g.barriers) == 0 && g.resyncs.now == nil && s.frame+1 < s.end
}

// mayKeep reports whether the outcome of a job that begins now may be quiet.
func (g *Game) mayKeep(s *seat, j job) bool {
	return g.quiet && g.calm(s) && j.step && !j.hash && !j.on
}
