package savestate

import (
	"math"
	"time"
)

// hold follows what the line carries as far as a queue stands, for only then it
// shows, and tries a little more as far as none does. The rate is that, corrected
// so that the queue comes to its target within two loops.
func (p *pacer) hold(now time.Duration, dt float64) {
	e := p.estimate
	if p.draining(now) {
		p.set(e, e)
		if now < p.drain.at+drainTime {
			p.set(e, drainRate*e)
		}
		return
	}
	target, loop, haste := p.target(), p.loop(), 1.0
	if p.queue > 3*target {
		haste = 2
	}
	if p.queue > 3*target && !p.listening(now) {
		p.guess()
		return
	}
	full := within(1+float64(p.queue-target)/float64(targetDelay/2), 0, 1)
	p.full += (full - p.full) * math.Min(1, dt/(2*loop))
	held := p.held(now)
	if p.full < 0.2 && !held {
		p.phase = ramping // the line carries more than it did
		return
	}
	if r, ok := p.carried(now); ok && !held {
		e += full * (r - e) * math.Min(1, haste*dt/loop)
	}
	g := math.Min(0.5, targetDelay.Seconds()/(loop*loop))
	e = p.capped(now, e*math.Exp((1-p.full)*g*dt))
	x := haste * (target - p.queue).Seconds() / (2 * loop)
	p.set(e, e*(1+within(x, -0.5, 0.1)))
}

// guess is for a line that is only known by its chunks, when they are late by more
// than the queue we mean to keep. As like as not that is no queue at all, but the
// channel beneath repeating something. So it goes on with what arrives, and
// slightly less, for the case that there is a queue.
func (p *pacer) guess() {
	if h := p.arrived.highest(); h > 0 {
		p.set(h, 0.97*h)
	}
}

// carried is what the line carries now, in bytes a second, if a queue stands.
func (p *pacer) carried(now time.Duration) (float64, bool) {
	if !p.listening(now) {
		return p.arrived.rate(p.arrivalWindow() / 2)
	}
	return p.ledger.carried(max(60*time.Millisecond, seconds(p.loop())), p.trip+p.window/2)
}

// capped keeps an estimate near to what arrives while the channel beneath holds
// us back: the line then shows no queue, however high the estimate is.
func (p *pacer) capped(now time.Duration, estimate float64) float64 {
	if h := p.arrived.highest(); h > 0 && p.held(now) {
		return math.Min(estimate, math.Max(startRate, 1.25*h))
	}
	return estimate
}

// held says whether chunks had to wait of late because the channel beneath keeps
// too many.
func (p *pacer) held(now time.Duration) bool {
	return p.blocked > 0 && now-p.blocked < max(p.trip, time.Second/2)
}

// A drain is a short dip of the rate that makes a queue of ours run empty. One
// that stays as it was is none of ours: the route has become longer, the clocks
// have drifted, others fill the queue, or the smallest delay ever was luck. It
// is part of the line from then on. Else it would slow us down for ever.
type drain struct {
	at     time.Duration // when the last one began or was judged
	open   bool          // not judged yet
	stood  time.Duration // the queue before
	lowest time.Duration // and since
}

const (
	drainRate  = 0.5 // of the estimate
	drainTime  = 15 * time.Millisecond
	drainEvery = 2 * time.Second
)

// draining says whether a drain is under way: begun and not yet judged.
func (p *pacer) draining(now time.Duration) bool {
	d := &p.drain
	if !d.open {
		due := now > d.at+max(drainEvery, seconds(8*p.loop()))
		if due && p.queue >= p.target()-targetDelay/2 {
			*d = drain{at: now, open: true, stood: p.queue, lowest: p.queue}
		}
		return d.open
	}
	d.lowest = min(d.lowest, p.queue)
	if now >= d.at+p.trip+p.window+3*drainTime {
		p.judge(now)
	}
	return d.open
}

// judge compares what a drain did with what it should have done.
func (p *pacer) judge(now time.Duration) {
	d := &p.drain
	expected := min(d.stood, seconds((1-drainRate)*drainTime.Seconds()))
	if d.stood-d.lowest < expected/3 {
		p.base += d.lowest
	}
	*d = drain{at: now}
	p.full = 1
}
