package conn

import (
	"math"
	"time"
)

// A pacer decides when the next piece of Bulk may go. It keeps a short queue on the
// connection: Bulk then takes nearly all that the connection carries, and an input
// sent meanwhile comes less than a frame later. Times are durations since any
// fixed moment.
//
// Packet trains tell the capacity at the start. Then the rate grows until probes show a
// queue, and from there on it follows the queue: it is higher while the queue is shorter
// than the target, and lower while the queue is longer. Each step is sized by the loop,
// the time until a change of the rate shows. A bound on bytes on their way stops it when nothing comes back.
//
// Its floats are of this machine's real time. None is told to another machine or decides what a
// console gets, so that they may round otherwise on arm64 (docs/decisions/0056-arm64.md).
type pacer struct {
	capacity float64 // of the connection as far as we know, bytes a second
	rate     float64 // what we send, bytes a second
	phase    phase
	gauge    gauge
	trains   trains
	flow

	decided time.Duration // when the rate was last decided
	jumped  time.Duration // when the start last changed the rate
	free    float64       // the capacity assumed when there last was no queue
	full    int           // decisions in a row with a queue above the target
	tall    int           // and with one far above it
	short   time.Duration // how long there has been hardly a queue
	period  time.Duration // when the gauge last began a period
	pause   pause
}

// flow is a pacer's account of what it lets go and what is on its way.
type flow struct {
	due     time.Duration // when the next chunk may go
	last    time.Duration // when the last one went
	train   int           // bytes left of the train
	burst   int           // bytes left of what goes at once
	unacked int64
	resting bool // there was nothing to send
	held    bool // too much is unacknowledged
}

// A pause lets a queue run empty.
type pause struct {
	row      int           // pauses in a row
	length   time.Duration // of the last one
	capacity float64       // assumed before the first of the row
}

type phase uint8

const (
	starting phase = iota // trains tell the capacity
	growing               // until a queue shows
	steady
)

const (
	targetQueue = 5 * time.Millisecond  // queue to keep
	tallQueue   = 15 * time.Millisecond // above the target: pause until it is gone
	maxPause    = 300 * time.Millisecond
	overshoot   = 2500 * time.Microsecond // queue that growth may add before it shows
	basePeriod  = 5 * time.Second

	startRate = 200e3 // bytes a second; a slower connection cannot carry a game's start in reasonable time
	minRate   = 50e3
	maxRate   = 1e9

	// catchUp is the time by which the owner may be late without the rate suffering: about a frame.
	catchUp = 20 * time.Millisecond

	// chunkTime is the most time that a chunk of several units takes.
	chunkTime = 1500 * time.Microsecond

	// maxUnacked bounds what is on its way, in bytes: 20 MB/s at a round trip of 150 ms.
	maxUnacked = 3 << 20
	// minUnacked is enough to start with on any connection.
	minUnacked = 16 << 10
	// repair is the time that the channel beneath may take to repeat what was lost, while
	// sending goes on.
	repair = 150 * time.Millisecond

	// chunkUnit is about what goes in a datagram.
	chunkUnit = 1200
	maxUnits  = 6

	// longRest is the rest after which what is known of the connection is old.
	longRest = time.Second
)

func newPacer() *pacer {
	p := &pacer{flow: flow{resting: true}}
	p.restart(0, startRate)
	return p
}

// restart starts with a rate and without knowledge of the connection.
func (p *pacer) restart(now time.Duration, rate float64) {
	p.phase, p.jumped, p.period = starting, now, now
	p.gauge, p.trains, p.train = newGauge(), trains{}, 0
	p.full, p.tall, p.short, p.pause = 0, 0, 0, pause{}
	p.set(rate, 0)
}

// set takes a new figure for the capacity, and sends at that and a share more.
func (p *pacer) set(capacity, more float64) {
	p.capacity = within(capacity, minRate, 1.1*maxRate)
	p.rate = min(maxRate, max(minRate, p.capacity*(1+more)))
}

// chunkSize is the size in bytes the next chunk should have, if the part has so
// many left.
func (p *pacer) chunkSize() int {
	if p.phase == starting {
		return chunkUnit
	}
	units := int(p.rate * chunkTime.Seconds() / chunkUnit)
	return chunkUnit * max(1, min(units, maxUnits))
}

// window is the number of bytes that may be unacknowledged: as many as go while the channel beneath
// repeats what was lost.
func (p *pacer) window() int64 {
	span := repair
	if p.gauge.samples > 0 {
		span += 3*p.gauge.trip + 20*p.gauge.jitter
	}
	return min(maxUnacked, minUnacked+int64(p.rate*span.Seconds()))
}

// ready reports whether a chunk may be sent now. Call it when there is one.
func (p *pacer) ready(now time.Duration) bool {
	if p.held = p.unacked >= p.window(); p.held {
		return false
	}
	if now >= p.due && p.burst <= 0 {
		p.burst = p.chunkSize()
	}
	return now >= p.due || p.train > 0 || p.burst > 0
}

// wake returns the time at which ready will next be true, unless something is heard before; false when
// something has to be heard.
func (p *pacer) wake(now time.Duration) (time.Duration, bool) {
	if p.train > 0 || p.burst > 0 {
		return now, p.unacked < p.window()
	}
	return max(now, p.due), p.unacked < p.window()
}

// sent tells that a chunk of n bytes goes out.
func (p *pacer) sent(now time.Duration, n int) {
	if p.resting {
		p.resting, p.jumped = false, now
		if p.last > 0 && now-p.last > longRest {
			p.restart(now, max(startRate, p.capacity/2))
		}
	}
	switch {
	case p.phase != starting:
		p.due, p.train = max(p.due, now-catchUp), 0
	case p.train <= 0:
		p.due, p.train = now, max(trainLength, int(p.rate*trainTime.Seconds()))
	}
	p.train, p.burst = max(0, p.train-n), max(0, p.burst-n)
	p.due += seconds(float64(n) / p.rate)
	p.last = now
	p.unacked += int64(n)
}

// rest tells that a chunk could go out, but there is none.
func (p *pacer) rest() { p.resting, p.train, p.burst = true, 0, 0 }

// yield tells that n bytes went before Bulk.
func (p *pacer) yield(now time.Duration, n int) {
	if !p.resting {
		p.due = max(p.due, now-catchUp) + seconds(float64(n)/p.rate)
	}
}

// acked tells that n bytes have arrived.
func (p *pacer) acked(n int64) { p.unacked -= n }

// trained tells that n bytes of a train that went at sent have come at at, by the other side's clock.
func (p *pacer) trained(n int, sent, at time.Duration) {
	if p.phase == starting {
		p.trains.add(sent, at, n)
	}
}

// dropped tells that n bytes are lost.
func (p *pacer) dropped(n int64) { p.unacked -= n }

// probeEvery returns the time between probes: often enough to know the queue, and little besides what
// is sent.
func (p *pacer) probeEvery() time.Duration {
	const size = 64 // bytes with all headers
	every, share := 10*time.Millisecond, 0.03
	jittery := p.gauge.jitter > 3*time.Millisecond
	switch {
	case jittery && p.phase != steady:
		every, share = 3*time.Millisecond, 0.1
	case jittery || p.phase != steady:
		every = 5 * time.Millisecond
	}
	return max(every, seconds(size/(share*p.rate)))
}

func within(v, low, high float64) float64 { return math.Max(low, math.Min(high, v)) }

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
