// Package agenda calls functions at times, one after the other, in an order that data
// decides: by time, then by class, then by age. Of the goroutines that may run side by side
// each needs a class of its own: then the order is the same in each run, however they race.
package agenda

import (
	"container/heap"
	"sync"
	"time"
)

// Agenda is a list of functions to call. All methods may be called from any goroutine, also
// by the functions.
type Agenda struct {
	rest func()

	mu     sync.Mutex // guards what follows
	list   list
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
	index  int // in the list, -1 when not on it
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
	heap.Push(&a.list, e)
	if e.index == 0 {
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
	if e.index >= 0 {
		heap.Remove(&a.list, e.index)
	}
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
	if !a.begin() {
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

// begin makes sure that one goroutine alone does what is due.
func (a *Agenda) begin() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return false
	}
	a.busy = true
	return true
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
		return heap.Pop(&a.list).(*Entry)
	}
	a.busy = false
	a.schedule()
	return nil
}

// list is a heap of entries.
type list []*Entry

func (l list) Len() int { return len(l) }
func (l list) Less(i, k int) bool {
	a, b := l[i], l[k]
	switch {
	case a.nano != b.nano:
		return a.nano < b.nano
	case a.class != b.class:
		return a.class < b.class
	}
	return a.serial < b.serial
}

func (l list) Swap(i, k int) {
	l[i], l[k] = l[k], l[i]
	l[i].index, l[k].index = i, k
}

// Push implements heap.Interface.
func (l *list) Push(x any) {
	e := x.(*Entry)
	e.index = len(*l)
	*l = append(*l, e)
}

// Pop implements heap.Interface.
func (l *list) Pop() any {
	last := len(*l) - 1
	e := (*l)[last]
	(*l)[last] = nil
	*l = (*l)[:last]
	e.index = -1
	return e
}
