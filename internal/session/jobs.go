package session

import (
	"context"
	"sync"
	"time"
)

// jobs are done on other goroutines, and hand over to the session's what is to be done there.
type jobs struct {
	ctx   context.Context // ends when Run returns
	all   sync.WaitGroup
	calls chan func()      // what is handed over
	start func(job func()) // nil for go
}

// Call has something done on the session's goroutine, and tells whether the session was not
// over before. It is for other goroutines.
func (j *jobs) Call(do func()) bool {
	if j.ctx.Err() != nil {
		return false
	}
	select {
	case j.calls <- do:
		return true
	case <-j.ctx.Done():
		return false
	}
}

// called does what was handed over next, and tells whether there was anything.
func (j *jobs) called() bool { return take(j.calls, func(call func()) { call() }) }

// Background runs a job on another goroutine; what it returns runs on ours, or
// drop does, on whatever goroutine, when the session is over before that.
func (j *jobs) Background(job func() (after, drop func())) {
	j.all.Add(1)
	run := func() {
		defer j.all.Done()
		after, drop := job()
		if after == nil {
			return
		}
		if !j.Call(after) && drop != nil {
			drop()
		}
	}
	if j.start != nil {
		j.start(run)
	} else {
		go run()
	}
}

// take hands what a channel has to a function, and tells whether there was any.
func take[T any](from <-chan T, do func(T)) bool {
	select {
	case v, ok := <-from:
		if ok {
			do(v)
		}
		return ok
	default:
		return false
	}
}

// later does something after a while, unless the session is over.
func (s *session) later(wait time.Duration, do func()) {
	s.Background(func() (func(), func()) {
		select {
		case <-s.ctx.Done():
		case <-time.After(wait):
		}
		return func() {
			if !s.over {
				do()
			}
		}, nil
	})
}

// commands wait for the session's goroutine. They are few and small, so that adding
// one never waits; the bound is against a caller that runs wild.
type commands struct {
	mu   sync.Mutex
	list []func()
	news chan struct{} // has room for one
}

const maxCommands = 1024

func (w *commands) add(command func()) {
	w.mu.Lock()
	if len(w.list) < maxCommands {
		w.list = append(w.list, command)
	}
	w.mu.Unlock()
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// run executes the commands that have come.
func (w *commands) run() {
	w.mu.Lock()
	list := w.list
	w.list = nil
	w.mu.Unlock()
	for _, command := range list {
		command()
	}
}
