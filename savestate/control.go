package savestate

import (
	"math"
	"time"
)

// provenFor is how long, in seconds, it counts what the line once carried.
const provenFor = 20

// decide changes the rate by what is known, at most a hundred times a second.
func (p *pacer) decide(now time.Duration) {
	dt := now - p.decided
	if p.resting || dt < 10*time.Millisecond {
		return
	}
	p.decided = now
	p.window = p.delayWindow()
	least, ok := p.delays.since(now - p.window)
	if !ok {
		return
	}
	queue := least.value - p.base
	if p.queue-queue > least.of-p.stoodAt+seconds(p.noise)+10*time.Millisecond {
		p.falseAlarm()
	}
	p.queue, p.stoodAt = queue, least.of
	p.ledger.add(entry{now, p.queue, p.total})
	step := min(dt, 100*time.Millisecond).Seconds()
	switch p.phase {
	case probing:
		p.probe(now)
	case ramping:
		p.ramp(now, step)
	case steady:
		p.hold(now, step)
	}
	p.proven *= math.Exp(-step / provenFor)
	if p.queue <= p.target() {
		p.calm = p.estimate
		p.proven = math.Max(p.proven, math.Min(p.estimate, p.arrived.highest()))
	}
}

// falseAlarm takes back what was decided since the queue was last short: it has
// gone faster than time, as no queue does. Somebody stood still meanwhile, most
// likely the other program, or this one.
func (p *pacer) falseAlarm() {
	if p.calm > p.estimate {
		p.set(p.calm, p.calm)
	}
	p.ledger.restart()
}

// maxDelayWindow bounds delayWindow.
const maxDelayWindow = time.Second

// delayWindow is how long delays are looked at for the smallest, which comes
// closest to what the queue alone does. The more they scatter, the more of them
// it takes: with delays spread evenly over J, the smallest of J/1.5 ms of them
// is 1.5 ms too large on average, and J is three times their mean difference. With
// heavy jitter that would take too long, and 20 of them must do.
func (p *pacer) delayWindow() time.Duration {
	w := max(40*time.Millisecond, p.trip/2)
	if p.phase != steady {
		w = 15 * time.Millisecond
	}
	samples := math.Min(20, p.noise/0.0005)
	return min(maxDelayWindow, max(w, seconds(math.Max(2, samples)*p.pulseEvery().Seconds())))
}

// heavy is by how much delays scatter more, in seconds, than can be averaged out
// in the time there is.
func (p *pacer) heavy() float64 { return math.Max(0, p.noise-0.01) }

// arrivalWindow is how long arrivals are looked at. It is longer once the rate is
// steady, so that the bursts after a repetition average out.
func (p *pacer) arrivalWindow() time.Duration {
	if p.phase != steady {
		return max(40*time.Millisecond, p.trip)
	}
	return max(200*time.Millisecond, 2*p.trip)
}

// loop is the time from a decision to its effect being seen, in seconds.
func (p *pacer) loop() float64 {
	return (p.window + p.trip + 15*time.Millisecond).Seconds()
}

// trusted tells whether enough is known of how delays scatter to call a longer one a
// queue. The first few say little, and less where they scatter much.
func (p *pacer) trusted(now time.Duration) bool {
	switch {
	case p.pulses == 0:
		return now-p.jumped > 300*time.Millisecond // none are carried
	case p.heavy() > 0:
		return p.pulses >= 20
	}
	return p.pulses >= 8
}

// target is the queue to keep, as it is measured: delays that scatter make it
// look somewhat longer than it is.
func (p *pacer) target() time.Duration {
	return targetDelay + seconds(math.Min(p.noise, 0.003)+p.heavy()/3)
}

// probe goes to the rate that trains allow, until they allow little more.
func (p *pacer) probe(now time.Duration) {
	if p.queue > 3*p.target() && p.trusted(now) {
		p.settle(now)
		return
	}
	safe, ok := p.trains.safe()
	waited := now - p.jumped
	switch {
	case !ok && (waited > 6*p.trip+300*time.Millisecond || p.heavy() > 0 && p.trusted(now)):
		p.phase = ramping // trains tell nothing here
	case !ok || waited < p.trip+20*time.Millisecond:
	case safe < 1.5*p.rate:
		p.phase = ramping
		safe = math.Max(safe, p.rate)
		p.set(safe, safe)
	default:
		safe = math.Min(safe, 8*p.rate)
		p.set(safe, safe)
		p.jumped = now
		p.trains.forget()
	}
}

// ramp grows the rate until a queue stands that is more than delays that scatter,
// or until the channel beneath holds us back.
func (p *pacer) ramp(now time.Duration, dt float64) {
	switch {
	case p.queue > seconds(0.003+math.Min(2*p.noise, 0.005)+2*p.heavy()) && p.trusted(now):
		p.settle(now)
		return
	case p.held(now):
		p.steady(now)
		return
	}
	overshoot, loop := 0.003+p.noise/2+2*p.heavy(), p.loop() // seconds of queue
	g := math.Min(math.Ln2/p.trip.Seconds(), 2*overshoot/(loop*loop))
	if p.estimate < 0.7*p.proven {
		g = math.Max(g, 0.5/loop)
	}
	e := p.estimate * math.Exp(g*dt)
	p.set(e, e)
}

// settle ends the growth, and lets the queue that it made run empty.
func (p *pacer) settle(now time.Duration) {
	p.steady(now)
	e := p.estimate
	if r, ok := p.carried(now); ok {
		e = within(r, e/2, e)
	}
	p.arrived.restart()
	p.set(e, 0.7*e)
}

func (p *pacer) steady(now time.Duration) {
	p.phase, p.full = steady, 1
	p.drain = drain{at: now}
}

func within(v, low, high float64) float64 { return math.Max(low, math.Min(high, v)) }
