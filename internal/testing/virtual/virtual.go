// Package virtual runs functions in virtual time, on the goroutine of the test: a simulation of lines and machines that
// starts no goroutine, and is the same in each run. What has goroutines of its own is tested with internal/agenda.
package virtual

import "time"

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

// Run goes on until a time, or until done says so.
func (w *World) Run(until time.Duration, done func() bool) {
	for len(w.queue) > 0 && w.queue[0].at <= until && !done() {
		e := w.next()
		w.Now = e.at
		e.do()
	}
}

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
