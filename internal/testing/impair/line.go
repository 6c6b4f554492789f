package impair

import (
	"cmp"
	"math/rand/v2"
	"time"
)

// Dice is the source of a line's chances. The same seed gives the same chances.
// It is not safe for concurrent use.
type Dice struct {
	r     *rand.Rand // of datagrams
	times *rand.Rand // of what the line does by itself as time passes
}

// NewDice makes dice from two numbers, usually a seed and what it is for.
func NewDice(seed, purpose uint64) *Dice {
	const other = 0x9e3779b97f4a7c15
	return &Dice{rand.New(rand.NewPCG(seed, purpose)), rand.New(rand.NewPCG(seed^other, purpose))}
}

// Fate is the fate of a datagram.
type Fate struct {
	Lost      bool // by chance, also in a burst
	Burst     bool // the line was in a burst
	Dropped   bool // because the queue was full
	TooLarge  bool
	Reordered bool
	Copies    int // that arrive: 0, 1 or 2
	At        [2]time.Time
}

// Line is one direction of a line: a queue in front of a sender of limited
// bandwidth, then a delay. The zero value is an idle line. It is pure: it has no
// clock, and what happens depends on its arguments only. Time must not run
// backwards from call to call.
type Line struct {
	began time.Time // when the first datagram was sent
	free  time.Time // when the last queued byte will have left
	grown time.Time // up to when others' traffic is in the queue
	burst burst
}

// Send asks what becomes of a datagram of size bytes that is sent now. Dice are
// thrown equally often for each datagram, so a change of one chance does not
// change what happens by the others.
func (l *Line) Send(now time.Time, size int, imp Impairment, dice *Dice) Fate {
	if l.began.IsZero() {
		l.began, l.grown = now, now
	}
	chance := dice.r.Float64()
	double := dice.r.Float64() < imp.Duplicate
	reorder := dice.r.Float64() < imp.Reorder
	jitter := [2]float64{dice.r.Float64(), dice.r.Float64()}
	held := time.Duration((1 - dice.r.Float64()) * float64(imp.hold()))

	f := Fate{Burst: l.burst.on(now, imp, dice.times)}
	if f.TooLarge = imp.Largest > 0 && size > imp.Largest; f.TooLarge {
		return f
	}
	left, ok := l.pass(now, size, imp, dice.times)
	if f.Dropped = !ok; f.Dropped {
		return f
	}
	if f.Lost = chance < imp.loss(f.Burst); f.Lost {
		return f
	}
	f.Copies, f.Reordered = 1, reorder
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

// Waiting is how long what is sent now waits before it goes.
func (l *Line) Waiting(now time.Time) time.Duration { return max(0, l.free.Sub(now)) }

// pass puts size bytes through the bandwidth and says when they have left. In a queue that
// others keep full they find room by chance.
func (l *Line) pass(now time.Time, size int, imp Impairment, dice *rand.Rand) (left time.Time, ok bool) {
	if imp.Bandwidth == 0 {
		l.free, l.grown = now, now
		return now, true
	}
	full := l.traffic(now, imp)
	if full && dice.Float64() >= float64(imp.Bandwidth)/float64(imp.Traffic) {
		return time.Time{}, false
	}
	start := now
	if l.free.After(now) {
		start = l.free
	}
	waiting := start.Sub(now).Seconds() * float64(imp.Bandwidth)
	if !full && start.After(now) && waiting+float64(size) > float64(imp.queue()) {
		return time.Time{}, false
	}
	l.free = start.Add(imp.takes(float64(size)))
	return l.free, true
}

// traffic puts what others have sent up to now into the queue, and tells whether they keep it
// full.
func (l *Line) traffic(now time.Time, imp Impairment) (full bool) {
	sending := imp.sending(l.began, l.grown, now)
	l.grown = now
	if imp.Traffic == 0 {
		return false
	}
	if l.free.Before(now.Add(-sending)) {
		l.free = now.Add(-sending) // the line was idle before they began
	}
	l.free = l.free.Add(imp.takes(sending.Seconds() * float64(imp.Traffic)))
	most := now.Add(imp.takes(float64(imp.queue())))
	if full = imp.Traffic > imp.Bandwidth && !l.free.Before(most); full {
		l.free = most
	}
	return full && imp.sending(l.began, now, now.Add(1)) > 0
}

// sending returns the part of a span of time in which others send.
func (i Impairment) sending(began, from, to time.Time) time.Duration {
	if i.TrafficEvery == 0 {
		return to.Sub(from)
	}
	upTo := func(at time.Time) time.Duration {
		spans := at.Sub(began) / i.TrafficEvery
		return spans*(i.TrafficEvery/2) + min(at.Sub(began)%i.TrafficEvery, i.TrafficEvery/2)
	}
	return upTo(to) - upTo(from)
}

// takes returns the line's time for some bytes.
func (i Impairment) takes(bytes float64) time.Duration {
	return time.Duration(bytes / float64(i.Bandwidth) * float64(time.Second))
}

func (i Impairment) queue() int { return cmp.Or(i.Queue, DefaultQueue) }

// loss is the share of datagrams that are lost.
func (i Impairment) loss(inBurst bool) float64 {
	switch {
	case !inBurst:
		return i.Loss
	case i.BurstLoss == 0:
		return 1
	}
	return i.BurstLoss
}

// burst tells whether a line is good or in a burst. The zero value is a good line.
type burst struct {
	bad   bool
	until time.Time // zero before the first datagram
}

// on reports whether the line is in a burst now.
func (b *burst) on(now time.Time, imp Impairment, dice *rand.Rand) bool {
	if imp.BurstShare <= 0 || imp.BurstShare >= 1 {
		*b = burst{}
		return imp.BurstShare >= 1
	}
	mean := float64(cmp.Or(imp.BurstMean, DefaultBurst))
	good := mean * (1 - imp.BurstShare) / imp.BurstShare
	if b.until.IsZero() {
		b.until = now.Add(time.Duration(dice.ExpFloat64() * good))
	}
	for !b.until.After(now) {
		if b.bad = !b.bad; b.bad {
			b.until = b.until.Add(time.Duration(dice.ExpFloat64() * mean))
		} else {
			b.until = b.until.Add(time.Duration(dice.ExpFloat64() * good))
		}
	}
	return b.bad
}
