// Package agenda calls functions at times, one after the other, in an order that data
// decides: by time, then by class, then by age. Of the goroutines that may run side by side
// each needs a class of its own: then the order is the same in each run, however they race.
package agenda

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Agenda is a list of functions to call. All methods may be called from any goroutine, also
// by the functions.
type Agenda struct {
	rest func()

	mu     sync.Mutex // guards what follows
	list   []*Entry   // by rising time, class and age
	serial uint64
	timer  *time.Timer
	busy   bool // functions are being called
	stir   bool // the next one is not called before rest
}

// New makes an agenda. Before each call it calls rest, if that is not nil: in a
// testing/synctest bubble synctest.Wait, so that all that the instant and the call before
// have set going is over. It does not where nothing can have been set going, see Quiet.
func New(rest func()) *Agenda {
	if rest == nil {
		rest = func() {}
	}
	return &Agenda{rest: rest}
}

// Entry is a function on an agenda.
type Entry struct {
	at     time.Time
	nano   int64 // of at, which is quicker to compare
	class  int
	serial uint64
	do     func(at time.Time)
	quiet  bool
}

// At has do called at a time, on a goroutine of the agenda's, which it must not block.
func (a *Agenda) At(at time.Time, class int, do func(at time.Time)) *Entry {
	return a.add(&Entry{at: at, class: class, do: do})
}

// Quiet is At for a function that wakes no goroutine, or else calls Stir: there is nothing to
// wait for after it, and waiting costs more than most functions.
func (a *Agenda) Quiet(at time.Time, class int, do func(at time.Time)) *Entry {
	return a.add(&Entry{at: at, class: class, do: do, quiet: true})
}

// Stir says that a quiet function has woken a goroutine.
func (a *Agenda) Stir() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stir = true
}

func (a *Agenda) add(e *Entry) *Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	e.nano, e.serial = e.at.UnixNano(), a.serial
	a.serial++
	i, _ := a.find(e)
	if a.list = slices.Insert(a.list, i, e); i == 0 {
		a.schedule()
	}
	return e
}

// Cancel takes e, which may be nil, off the agenda. A call may be under way.
func (a *Agenda) Cancel(e *Entry) {
	if e == nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if i, on := a.find(e); on {
		a.list = slices.Delete(a.list, i, i+1)
	}
}

// find returns the place of an entry in the list, and whether it is on it.
func (a *Agenda) find(e *Entry) (i int, on bool) {
	return slices.BinarySearchFunc(a.list, e, func(a, b *Entry) int {
		return cmp.Or(cmp.Compare(a.nano, b.nano), cmp.Compare(a.class, b.class), cmp.Compare(a.serial, b.serial))
	})
}

// schedule sets the timer for the first entry. There is no goroutine between two
// entries, so an agenda that nobody uses any more leaves nothing behind.
func (a *Agenda) schedule() {
	if a.busy || len(a.list) == 0 {
		return
	}
	wait := max(0, time.Until(a.list[0].at))
	if a.timer == nil {
		a.timer = time.AfterFunc(wait, a.run)
		return
	}
	a.timer.Reset(wait)
}

// run does what is due.
func (a *Agenda) run() {
	a.mu.Lock()
	busy := a.busy // one goroutine alone does it
	a.busy = true
	a.mu.Unlock()
	if busy {
		return
	}
	a.rest()
	for e := a.next(); e != nil; e = a.next() {
		e.do(e.at)
		if a.stirred(e) {
			a.rest()
		}
	}
}

// stirred reports whether an entry's function may have set something going.
func (a *Agenda) stirred(e *Entry) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	stirred := a.stir || !e.quiet
	a.stir = false
	return stirred
}

// next takes the first entry, if it is due, and sets the timer otherwise.
func (a *Agenda) next() *Entry {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.list) > 0 && !a.list[0].at.After(time.Now()) {
		e := a.list[0]
		a.list = slices.Delete(a.list, 0, 1) // short, and its memory is used again
		return e
	}
	a.busy = false
	a.schedule()
	return nil
}
