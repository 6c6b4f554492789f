package savestate

import (
	"container/heap"
	"time"
)

// world runs functions in virtual time.
type world struct {
	now   time.Duration
	queue happenings
	count int
}

type happening struct {
	at    time.Duration
	count int // keeps those of the same moment in order
	do    func()
}

type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].count < h[j].count
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(v any)   { *h = append(*h, v.(happening)) }
func (h *happenings) Pop() any {
	last := len(*h) - 1
	v := (*h)[last]
	*h = (*h)[:last]
	return v
}

func (w *world) at(t time.Duration, do func()) {
	w.count++
	heap.Push(&w.queue, happening{max(t, w.now), w.count, do})
}

func (w *world) every(d time.Duration, do func()) {
	w.at(w.now, func() {
		do()
		w.at(w.now+d, func() { w.every(d, do) })
	})
}

// run goes on until a moment, or until done says so.
func (w *world) run(until time.Duration, done func() bool) {
	for len(w.queue) > 0 && w.queue[0].at <= until && !done() {
		h := heap.Pop(&w.queue).(happening)
		w.now = h.at
		h.do()
	}
}

// lineModel is one direction of the reliable channel of a link.
type lineModel struct {
	rate  float64       // bytes a second
	delay time.Duration // one way
}

const (
	ms        = time.Millisecond
	frameTime = 16700 * time.Microsecond
)

// line carries messages, in order.
type line struct {
	*world
	model   lineModel
	busy    time.Duration
	sent    int   // messages
	backlog int64 // bytes that the other side has not confirmed
}

func newLine(w *world, m lineModel) *line { return &line{world: w, model: m} }

// unsent is how many bytes have not gone yet.
func (l *line) unsent() int64 { return int64(max(0, l.busy-l.now).Seconds() * l.model.rate) }

func (l *line) send(b []byte, arrive func()) {
	l.sent++
	l.backlog += int64(len(b))
	l.busy = max(l.busy, l.now) + time.Duration(float64(len(b))/l.model.rate*float64(time.Second))
	l.at(l.busy+l.model.delay, func() {
		arrive()
		l.at(l.now+l.model.delay, func() { l.backlog -= int64(len(b)) })
	})
}
