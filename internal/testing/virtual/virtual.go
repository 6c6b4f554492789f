// Package virtual runs functions in virtual time, on the goroutine of the test: a simulation of lines and machines that
// starts no goroutine, and is the same in each run. Its lines are those of package impair, as are memnet's, in whose network
// machines with goroutines of their own are tested.
package virtual

import (
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
)

// World is a virtual time and what is to happen in it. The zero value is at time 0, and nothing happens. Now is read only.
type World struct {
	Now   time.Duration
	queue []event // a binary heap: what happens first is at its top
	count int
}

type event struct {
	at    time.Duration
	count int // keeps those of the same moment in order
	do    func()
}

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.count < f.count }

// Epoch is when the time of a world is 0.
var Epoch = time.Unix(1000, 0)

// Time is Now for who wants a moment.
func (w *World) Time() time.Time { return Epoch.Add(w.Now) }

// At has do called at a time, or as the next thing if that is past.
func (w *World) At(t time.Duration, do func()) {
	w.count++
	w.queue = append(w.queue, event{max(t, w.Now), w.count, do})
	e, i := w.queue[len(w.queue)-1], len(w.queue)-1
	for ; i > 0 && e.before(&w.queue[(i-1)/2]); i = (i - 1) / 2 {
		w.queue[i] = w.queue[(i-1)/2]
	}
	w.queue[i] = e
}

// Every has do called now, and again each d.
func (w *World) Every(d time.Duration, do func()) {
	var again func()
	again = func() {
		do()
		w.At(w.Now+d, again)
	}
	w.At(w.Now, again)
}

// Run goes on until a time, or until done says so, which may be nil.
func (w *World) Run(until time.Duration, done func() bool) {
	for len(w.queue) > 0 && w.queue[0].at <= until {
		if done != nil && done() {
			return
		}
		e := w.next()
		w.Now = e.at
		e.do()
	}
	w.Now = max(w.Now, until)
}

// Pass lets some time pass.
func (w *World) Pass(d time.Duration) { w.Run(w.Now+d, nil) }

// next takes the first event off the heap.
func (w *World) next() event {
	first, last := w.queue[0], len(w.queue)-1
	e := w.queue[last]
	w.queue[last] = event{}
	w.queue = w.queue[:last]
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && w.queue[child+1].before(&w.queue[child]) {
			child++
		}
		if !w.queue[child].before(&e) {
			break
		}
		w.queue[i] = w.queue[child]
		i = child
	}
	if last > 0 {
		w.queue[i] = e
	}
	return first
}

// Line is one direction of a line between two machines. It may become better or worse while it is used.
type Line struct {
	impair.Impairment
	Dark bool // nothing arrives of what is sent now

	world *World
	line  impair.Line
	dice  *impair.Dice
}

// NewLine makes a line. The seed, and what it is for, give its chances.
func (w *World) NewLine(imp impair.Impairment, seed, purpose uint64) *Line {
	return &Line{Impairment: imp, world: w, dice: impair.NewDice(seed, purpose)}
}

// Send has arrive called for each copy that arrives of a datagram of size bytes that is sent now.
func (l *Line) Send(size int, arrive func()) {
	now := l.world.Time()
	fate := l.line.Send(now, size, l.Impairment, l.dice)
	for _, at := range fate.At[:fate.Copies] {
		if !l.Dark {
			l.world.At(at.Sub(Epoch), arrive)
		}
	}
}

// Waiting is how long what is sent now waits before it goes.
func (l *Line) Waiting() time.Duration { return l.line.Waiting(l.world.Time()) }
