// Package model has what a test needs to run whole sessions in a testing/synctest bubble,
// in milliseconds and exactly the same each time: a console in plain Go, and turns, which
// keep two things from happening at the same instant.
//
// Goroutines that can run at the same instant run in any order. So each hand-over between
// goroutines has an instant of its own (a turn), and before it all that the instant itself
// has woken comes to rest.
package model

import (
	"sync"
	"testing/synctest"
	"time"
)

// slots is how many classes of turns there are: a turn of class n is n nanoseconds after a
// multiple of slots.
const slots = 1024

// Turns gives out instants, each of them once. All methods may be called from any
// goroutine of the bubble in which it was made.
type Turns struct {
	resting chan struct{} // held by who waits for the others to rest

	mu    sync.Mutex
	taken map[int64]bool // instants to come, in nanoseconds
}

// NewTurns is for one bubble.
func NewTurns() *Turns {
	return &Turns{resting: make(chan struct{}, 1), taken: make(map[int64]bool)}
}

// At is the first instant of a class, not before at, that nobody has yet. Give it back with
// Over.
func (t *Turns) At(class int, at time.Time) time.Time {
	ns := at.UnixNano()
	ns += (int64(class)%slots - ns%slots + slots) % slots
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.taken[ns] {
		ns += slots
	}
	t.taken[ns] = true
	return time.Unix(0, ns)
}

// Over says that an instant has come, or does not matter any more.
func (t *Turns) Over(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.taken, at.UnixNano())
}

// Rest waits until all other goroutines of the bubble wait for something.
func (t *Turns) Rest() {
	t.resting <- struct{}{}
	synctest.Wait()
	<-t.resting
}

// Sleep waits for a turn of a class after d or a little more, or for stop; false: it was
// stopped.
func (t *Turns) Sleep(class int, d time.Duration, stop <-chan struct{}) bool {
	at := t.At(class, time.Now().Add(d))
	defer t.Over(at)
	timer := time.NewTimer(time.Until(at))
	defer timer.Stop()
	select {
	case <-timer.C:
		t.Rest()
		return true
	case <-stop:
		return false
	}
}
