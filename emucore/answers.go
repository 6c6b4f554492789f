package emucore

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
)

// answerLimit is how long a disk may take to answer: one that has spun down needs some seconds.
const answerLimit = 5 * time.Second

// errNoAnswer says that a folder or a file is on a disk that does not answer.
var errNoAnswer = errors.New("it does not answer")

// answers makes calls to file systems that may never return, such as one whose server is gone. A call that hangs is
// abandoned, and no other call is made at its path until it returns. The zero value is ready to use.
type answers struct {
	limit  time.Duration     // 0: answerLimit
	before func(path string) // for tests: hangs in place of the disk; may be nil

	mu    sync.Mutex     // guards the fields below
	stuck map[string]int // number of hanging calls, by path
}

// ask calls f, which accesses path, on its own goroutine, and waits for it as long as it calls beat often
// enough. A result that comes later is lost, so f must not return anything that has to be closed.
func ask[T any](ctx context.Context, a *answers, path string, f func(beat func()) (T, error)) (T, error) {
	type result struct {
		v   T
		err error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if a.hangs(path) {
		return none, errNoAnswer
	}
	limit := a.limit
	if limit == 0 {
		limit = answerLimit
	}
	var beats atomic.Int64
	left := false // guarded by a.mu: who asked has gone on, or need not any more
	done := make(chan result, 1)
	go func() {
		if a.before != nil {
			a.before(path)
		}
		v, err := f(func() { beats.Add(1) })
		done <- result{v, err}
		a.mu.Lock()
		defer a.mu.Unlock()
		if left {
			if a.stuck[path]--; a.stuck[path] == 0 {
				delete(a.stuck, path)
			}
		} else {
			left = true // it came in time
		}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for before := int64(0); ; {
		select {
		case r := <-done:
			return r.v, r.err
		case <-ctx.Done():
			return none, ctx.Err()
		case <-timer.C:
		}
		if now := beats.Load(); now != before {
			before = now
			timer.Reset(limit)
			continue
		}
		a.mu.Lock()
		came := left
		if !came {
			left = true
			if a.stuck == nil {
				a.stuck = map[string]int{}
			}
			a.stuck[path]++
		}
		a.mu.Unlock()
		if !came {
			return none, errNoAnswer
		}
		r := <-done
		return r.v, r.err
	}
}

// hangs reports whether a call hangs at path or above it.
func (a *answers) hangs(path string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.stuck) > 0 {
		if a.stuck[path] > 0 {
			return true
		}
		up := filepath.Dir(path)
		if up == path {
			break
		}
		path = up
	}
	return false
}
