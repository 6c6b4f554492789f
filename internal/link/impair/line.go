package impair

import (
	"math/rand/v2"
	"time"
)

// Dice is the source of a line's chances. The same seed gives the same chances.
// It is not safe for concurrent use.
type Dice struct{ r *rand.Rand }

// NewDice makes dice from two numbers, usually a seed and what it is for.
func NewDice(seed, purpose uint64) *Dice {
	return &Dice{rand.New(rand.NewPCG(seed, purpose))}
}

// Fate is what becomes of a datagram.
type Fate struct {
	Lost      bool // by chance
	Dropped   bool // because the queue was full
	Reordered bool
	Copies    int // that arrive: 0, 1 or 2
	At        [2]time.Time
}

// Line is one direction of a line: a queue in front of a sender of limited
// bandwidth, then a delay. The zero value is an idle line. It is pure: it has no
// clock, and what happens depends on its arguments only. Time must not run
// backwards from call to call.
type Line struct {
	free time.Time // when the last queued byte will have left
}

// Send asks what becomes of a datagram of size bytes that is sent now. Dice are
// thrown equally often for each datagram, so a change of one chance does not
// change what happens by the others.
func (l *Line) Send(now time.Time, size int, imp Impairment, dice *Dice) Fate {
	lost := dice.r.Float64() < imp.Loss
	double := dice.r.Float64() < imp.Duplicate
	reorder := dice.r.Float64() < imp.Reorder
	jitter := [2]float64{dice.r.Float64(), dice.r.Float64()}
	held := time.Duration((1 - dice.r.Float64()) * float64(imp.hold()))

	left, ok := l.pass(now, size, imp)
	if !ok {
		return Fate{Dropped: true}
	}
	if lost {
		return Fate{Lost: true}
	}
	f := Fate{Copies: 1, Reordered: reorder}
	if double {
		f.Copies = 2
	}
	for i := range f.Copies {
		spread := time.Duration((2*jitter[i] - 1) * float64(imp.Jitter))
		f.At[i] = left.Add(max(0, imp.Delay+spread))
	}
	if reorder {
		f.At[0] = f.At[0].Add(held)
	}
	return f
}

// pass puts size bytes through the bandwidth and says when they have left.
func (l *Line) pass(now time.Time, size int, imp Impairment) (left time.Time, ok bool) {
	if imp.Bandwidth == 0 {
		l.free = now
		return now, true
	}
	queue := imp.Queue
	if queue == 0 {
		queue = DefaultQueue
	}
	start := now
	if l.free.After(now) {
		start = l.free
	}
	waiting := start.Sub(now).Seconds() * float64(imp.Bandwidth)
	if start.After(now) && waiting+float64(size) > float64(queue) {
		return time.Time{}, false
	}
	l.free = start.Add(time.Duration(float64(size) / float64(imp.Bandwidth) * float64(time.Second)))
	return l.free, true
}
