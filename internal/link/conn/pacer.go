package conn

import (
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
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

// A gauge measures the queue of a connection by probes. A probe takes longer than the
// quickest one by the time that it stood in the queue. Probes go outside of the reliable
// channel, where one lost datagram holds up all that follow it. The two clocks need not
// agree: only differences of delays count.
type gauge struct {
	samples int
	trip    time.Duration    // shortest round trip
	base    [2]time.Duration // shortest delay of this period and of the one before
	lowest  time.Duration    // shortest delay since a pause
	jitter  time.Duration    // by how much a delay differs from the mean of its neighbours, on average
	before  [2]time.Duration // the last two delays
	recent  []delay
}

// delay is the time that a probe took, and the moment at which it came back.
type delay struct{ at, took time.Duration }

const unknown time.Duration = math.MaxInt64

func newGauge() gauge {
	return gauge{trip: unknown, base: [2]time.Duration{unknown, unknown}, lowest: unknown}
}

// add takes a probe, and forgets the delays older than keep.
func (g *gauge) add(now, sent, at, keep time.Duration) {
	took := at - sent
	if g.samples++; g.samples > 2 { // a queue that grows evenly adds nothing
		bend := (g.before[0] - (took+g.before[1])/2).Abs()
		g.jitter += (min(bend, 50*time.Millisecond) - g.jitter) / time.Duration(min(g.samples, 16))
	}
	g.before = [2]time.Duration{took, g.before[0]}
	g.trip = min(g.trip, now-sent)
	g.base[0], g.lowest = min(g.base[0], took), min(g.lowest, took)
	g.recent = append(g.recent, delay{now, took})
	for g.recent[0].at < now-keep {
		g.recent = g.recent[1:]
	}
}

// empty is the delay of the empty connection.
func (g *gauge) empty() time.Duration { return min(g.base[0], g.base[1]) }

// queue returns the length of the queue in time, by the shortest of the last delays.
func (g *gauge) queue() time.Duration {
	least := g.recent[0].took
	for _, d := range g.recent {
		least = min(least, d.took)
	}
	return least - g.empty()
}

// renew begins a period: what the shortest delay was before the last one is forgotten,
// because routes change and clocks drift.
func (g *gauge) renew() { g.base = [2]time.Duration{unknown, g.base[0]} }

// probing is what is known of datagrams that the other side tells the arrival of. Bulk's queue is measured by small ones, at
// the input's size and place: what they suffer, inputs suffer. Those of a train are Bulk's own.
type probing struct {
	sent   time.Time // when the last small one went
	flying []flown   // numbers rise
}

// flown is a datagram of which the arrival is to be told.
type flown struct {
	number uint64
	at     time.Duration
	bytes  int // of Bulk, where it is of a train; 0: a small one
}

const maxFlown = 1024 // more than go in the longest round trip

func (p *probing) fly(f flown) {
	if len(p.flying) == maxFlown {
		p.flying = slices.Delete(p.flying, 0, maxFlown/2)
	}
	p.flying = append(p.flying, f)
}

// probeDue is when the next small datagram tells of the queue; false: nothing goes that makes one.
func (c *Conn) probeDue(time.Time) (time.Time, bool) {
	if c.pacer.unacked == 0 && !c.out[link.Bulk].ready() {
		return time.Time{}, false
	}
	return c.probing.sent.Add(c.pacer.probeEvery()), true
}

// timed takes the arrival of a datagram.
func (c *Conn) timed(s stamp, now time.Time) {
	p := &c.probing
	i := slices.IndexFunc(p.flying, func(f flown) bool { return f.number == s.number })
	if i < 0 {
		return // doubled, or invented
	}
	f := p.flying[i]
	p.flying = slices.Delete(p.flying, i, i+1)
	at := c.remote.read(s.clock)
	if f.bytes > 0 {
		c.pacer.trained(f.bytes, f.at, at)
		return
	}
	c.pacer.echoed(c.since(now), f.at, at)
}

// Trains are chunks sent back to back. Between the arrivals of a train's first and last chunk passes
// the time that the slowest part of the line took to carry it, so trains tell the line's rate long
// before the line is full. The zero value is ready.
type trains struct {
	open     bool
	sent     time.Duration // when the train under way was sent
	first    time.Duration // arrival of its first chunk, by the other end's clock
	last     time.Duration // and of its newest
	bytes    int           // that arrived after the first
	measured []float64     // bytes a second, the newest last
}

const (
	trainLength = 4 * chunkUnit          // bytes at least
	trainTime   = 8 * time.Millisecond   // how long a train may occupy a line of the rate known to be safe
	trainFloor  = 200 * time.Microsecond // arrivals closer together say nothing
	trainsKept  = 6
	trainsMin   = 3
)

// add takes a chunk of n bytes, by when it was sent and when it arrived. The
// chunks of a train were sent at the same time.
func (t *trains) add(sent, at time.Duration, n int) {
	if t.open && sent == t.sent {
		t.last = at
		t.bytes += n
		return
	}
	t.close()
	*t = trains{open: true, sent: sent, first: at, last: at, measured: t.measured}
}

func (t *trains) close() {
	took := t.last - t.first
	if !t.open || took < trainFloor {
		return
	}
	if len(t.measured) == trainsKept {
		t.measured = t.measured[1:]
	}
	t.measured = append(t.measured, float64(t.bytes)/took.Seconds())
}

// safe is a rate in bytes a second that the line should carry, by what the last
// trains say: most of the lowest when they agree, a part of the middle one when
// they do not. False as long as there are too few of them.
func (t *trains) safe() (float64, bool) {
	n := len(t.measured)
	if n < trainsMin {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(t.measured))
	if sorted[n-1] < 1.3*sorted[0] {
		return 0.8 * sorted[0], true
	}
	return 0.5 * sorted[(n-1)/2], true
}

func (t *trains) forget() { t.measured = nil }
