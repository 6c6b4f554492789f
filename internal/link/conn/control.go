package conn

import (
	"math"
	"time"
)

// trusted is the number of probes it takes to know how much delays scatter.
const trusted = 12

// echoed tells that a probe sent at sent came at the peer at at, by its clock.
func (p *pacer) echoed(now, sent, at time.Duration) {
	p.gauge.add(now, sent, at, p.filter())
	p.decide(now)
}

// filter returns the time over which delays are searched for the shortest one, which comes closest to
// what the queue alone does. The more delays scatter, the more of them it takes.
func (p *pacer) filter() time.Duration {
	f := max(40*time.Millisecond, p.gauge.trip/4)
	if p.phase != steady {
		f = 15 * time.Millisecond
	}
	return f + 6*p.gauge.jitter
}

// decide changes the rate by what is known, at most two hundred times a second.
func (p *pacer) decide(now time.Duration) {
	dt := min(now-p.decided, 100*time.Millisecond)
	if p.resting || dt < 5*time.Millisecond {
		return
	}
	p.decided = now
	queue, target := p.gauge.queue(), targetQueue+p.gauge.jitter/2
	loop := p.gauge.trip + p.filter() + 15*time.Millisecond
	share := dt.Seconds() / loop.Seconds()
	growth := min(math.Ln2, 2*(overshoot+p.gauge.jitter*2/5).Seconds()/loop.Seconds()) // in a loop
	p.watch(queue, target, dt)
	switch {
	case p.phase == starting && (p.tall < 3 || p.gauge.samples < trusted):
		p.start(now)
	case p.gauge.samples < trusted:
	case p.tall >= 3:
		p.drain(now, queue, loop)
		return
	case p.held && queue < target:
	case p.phase == growing && p.full < 2:
		p.set(p.capacity*math.Exp(growth*share), 0)
	case p.short > 8*loop:
		p.phase, p.short = growing, 0 // the connection carries more than it did
	default:
		if p.phase == growing {
			p.phase = steady
			p.set(min(p.capacity, p.free)*math.Exp(-growth), 0)
		}
		more := within((target-queue).Seconds()/(2*loop.Seconds()), -0.5, 0.07)
		p.set(p.capacity*(1+more*share/4), more)
	}
	p.pause.row = 0
	if now-p.period > basePeriod { // the queue runs empty, so that the base shows again
		p.period = now
		p.gauge.renew()
		p.due = max(p.due, now) + queue + 10*time.Millisecond
	}
}

// watch counts how the queue stands.
func (p *pacer) watch(queue, target, dt time.Duration) {
	if p.full++; queue <= target {
		p.full = 0
	}
	if p.tall++; queue <= target+tallQueue {
		p.tall = 0
	}
	if p.short += dt; queue > target/2 {
		p.short = max(0, p.short-4*dt)
	}
	if queue < time.Millisecond+p.gauge.jitter/2 {
		p.free = p.capacity
	}
}

// start goes to the rate that trains allow, until they allow little more.
func (p *pacer) start(now time.Duration) {
	safe, ok := p.trains.safe()
	waited := now - p.jumped
	switch {
	case !ok && waited > 6*p.gauge.trip+300*time.Millisecond:
		p.phase = growing // trains tell nothing here
	case !ok || waited < p.gauge.trip+20*time.Millisecond:
	case safe < 1.5*p.capacity:
		p.phase = growing
		p.set(max(safe, p.capacity), 0)
	default:
		p.set(min(safe, 8*p.capacity), 0)
		p.jumped = now
		p.trains.forget()
	}
}

// drain sends nothing until a queue is gone, and goes on slower. A queue that three
// pauses do not shorten is none of ours: the route is longer, clocks have drifted, or
// others fill the queue. From then on it counts as part of the connection.
func (p *pacer) drain(now, queue, loop time.Duration) {
	p.phase = steady
	if p.pause.row >= 3 && p.gauge.lowest-p.gauge.empty() > p.pause.length*2/3 {
		p.gauge.base = [2]time.Duration{p.gauge.lowest, p.gauge.lowest}
		p.set(p.pause.capacity, 0)
		p.pause.row = 0
		return
	}
	if p.pause.row++; p.pause.row == 1 {
		p.pause.capacity = p.capacity
	}
	p.pause.length = min(queue, maxPause)
	p.gauge.lowest = unknown
	p.set(0.85*p.capacity, 0)
	p.due = max(p.due, now) + p.pause.length
	p.decided = p.due + loop
}
