package savestate

import (
	"math"
	"time"
)

// A pacer decides when the next chunk of a part may be sent. It gives a transfer
// nearly all of a line, and yet keeps the line's queue so short that an input
// sent meanwhile comes later by a few milliseconds at most, less than a frame of
// 16.7. It is pure: times are durations since any fixed moment.
//
// What a line carries shows in three ways.
//
// The queue. A pulse is a tiny message outside of the reliable channel. How much
// longer than the quickest one it takes is how long the line's queue is. Chunks
// tell the same where there are no pulses, but badly: a lost datagram holds up
// all that were sent after it.
//
// Trains (trains.go) tell the line's rate before it is full.
//
// What goes in and how the queue changes (ledger.go) tells it when it is full.
//
// Lost pulses tell how much the line loses, and so how long the channel beneath
// may need for its repairs.
//
// There are three phases. Probing sends trains and goes to the rate they allow
// at once, a few times. Ramping grows the rate smoothly, the slower the later
// the growth is felt, until a queue begins to stand. From then on, steady
// follows what the line carries, and corrects it so that targetDelay remains as
// queue: with none, what the line could carry would not be known.
//
// All steps are sized by the loop: the time from a decision to its effect being
// seen. What a growth by g a second overshoots within a loop of L seconds is a
// queue of about g*L*L/2 seconds, so g is a constant over L*L.
//
// All this is in pace_test.go against models of lines.
type pacer struct {
	limit float64 // bytes a second, never exceeded

	// decided
	phase    pacePhase
	estimate float64       // what the line carries, bytes a second
	rate     float64       // what is sent, when there is enough
	decided  time.Duration // when last
	jumped   time.Duration // when probing last changed the rate
	full     float64       // how much of the time a queue stood of late, 0 to 1
	drain    drain
	calm     float64 // the estimate when the queue was last short
	proven   float64 // what the line has carried without a queue; an old figure counts less

	// sent
	due     time.Duration // when the next chunk may go
	train   int           // bytes left of the train
	late    time.Duration // how late the owner comes, on average
	last    time.Duration // when the last chunk went
	total   int64
	unacked int64
	resting bool          // there was nothing to send
	blocked time.Duration // when a chunk last waited because too much was unacknowledged; 0 never

	// measured
	trips   minimum
	trip    time.Duration // round trip of the empty line
	delays  minimum       // by clocks that do not agree: only differences count
	base    time.Duration // delay of the empty line
	known   bool          // base is
	window  time.Duration // in which the smallest delay is looked for
	queue   time.Duration // what that is beyond base
	stoodAt time.Duration // when it did
	pulses  int           // echoed
	pulsed  time.Duration // when, the last
	delay   time.Duration // of it
	noise   float64       // mean difference between the delays of pulses in a row, seconds
	loss    float64       // share of pulses that did not come, of the last few hundred
	arrived meter
	trains  trains
	ledger  ledger
}

type pacePhase uint8

const (
	probing pacePhase = iota
	ramping
	steady
)

const (
	targetDelay = 4 * time.Millisecond

	startRate = 200e3 // a line that cannot carry this cannot carry a game's start in reasonable time
	minRate   = 50e3
	maxRate   = 1e9

	// catchUp is how late the owner may come without the rate suffering: a frame.
	// If it mostly comes later, it is on a machine that has too much to do, where
	// inputs are as late, and what it missed may go up to maxCatchUp at once.
	catchUp    = 17 * time.Millisecond
	maxCatchUp = 80 * time.Millisecond

	// A chunk of one unit fits into one datagram of package link, with its header
	// and some bytes that its owner may put before it. Larger ones cost less work
	// at high rates; they take at most chunkTime.
	chunkUnit = 1200
	maxUnits  = 6
	chunkTime = 2 * time.Millisecond

	// maxUnacked is what a transfer may have on its way, bytes: 20 MB/s at a
	// round trip of 150 ms. Package link takes 4 MiB, and
	// counts 64 bytes more for each datagram.
	maxUnacked = 3 << 20
	// minUnacked is enough to start with on any line.
	minUnacked = 16 << 10
	// maxQueue is the longest queue to make where pulses do not tell of it.
	maxQueue = 30 * time.Millisecond
	// repair is the time the channel beneath may take beyond two round trips to
	// repeat what was lost, while sending goes on; more if the line jitters, and
	// much more if it loses so much that some is lost twice.
	repair      = 150 * time.Millisecond
	repairTwice = 20 // seconds for each share of losses,
	mostLoss    = 0.05

	// tripWindow is how long a short round trip is remembered.
	tripWindow = 10 * time.Second

	// pause is how long a rest may be before what is known of the line is old.
	pause = time.Second
)

// newPacer returns a pacer that never sends more than limit bytes a second; 0 is
// no limit.
func newPacer(limit int64) *pacer {
	p := &pacer{limit: maxRate, resting: true}
	if limit > 0 {
		p.limit = float64(limit)
	}
	p.set(startRate, startRate)
	return p
}

// chunkSize is the size in bytes the next chunk should have, if the part has so
// many left.
func (p *pacer) chunkSize() int {
	if p.phase == probing {
		return chunkUnit
	}
	units := int(p.rate * chunkTime.Seconds() / chunkUnit)
	return chunkUnit * max(1, min(units, maxUnits))
}

// allowance is how many bytes may be unacknowledged. As long as pulses show that
// what is on its way does not stand in the line's queue, it is much.
func (p *pacer) allowance(now time.Duration) int64 {
	r, span := p.rate, 2*p.trip+repair+seconds(20*p.noise+repairTwice*min(p.loss, mostLoss))
	if h := p.arrived.highest(); h > 0 {
		r = math.Min(r, 2*h)
		if !p.listening(now) {
			r, span = h, p.trip+maxQueue
		}
	}
	return min(maxUnacked, minUnacked+int64(r*span.Seconds()))
}

// ready says whether a chunk may be sent now. Call it when there is one.
func (p *pacer) ready(now time.Duration) bool {
	if now < p.due && p.train <= 0 {
		return false
	}
	if p.unacked >= p.allowance(now) {
		p.blocked, p.due = now, max(now, p.due)
		return false
	}
	return true
}

// wake is when ready will next be true, unless something is heard before; false
// when something has to be heard.
func (p *pacer) wake(now time.Duration) (time.Duration, bool) {
	if p.unacked >= p.allowance(now) {
		return 0, false
	}
	if p.train > 0 {
		return now, true
	}
	return max(now, p.due), true
}

// sent tells that a chunk of n bytes goes out.
func (p *pacer) sent(now time.Duration, n int) {
	if p.resting {
		p.begin(now)
	}
	switch {
	case p.phase != probing:
		p.train = 0
		p.catchUp(now)
	case p.train <= 0:
		p.train = max(trainLength, int(p.rate*trainTime.Seconds()))
		p.due = now
	}
	p.train = max(0, p.train-n)
	p.due += seconds(float64(n) / p.rate)
	p.last = now
	p.total += int64(n)
	p.unacked += int64(n)
}

// catchUp lets go of what was missed too long ago.
func (p *pacer) catchUp(now time.Duration) {
	if now != p.last {
		p.late += (max(0, now-p.due) - p.late) / 8
	}
	p.due = max(p.due, now-min(maxCatchUp, max(catchUp, 2*p.late)))
}

// begin starts sending again after a rest.
func (p *pacer) begin(now time.Duration) {
	p.resting = false
	p.due = max(p.due, now)
	p.arrived.restart()
	p.ledger.restart()
	if p.total > 0 && now-p.last < pause {
		return
	}
	p.phase, p.jumped = probing, now
	p.known = false
	p.arrived, p.trains = meter{}, trains{}
	p.queue, p.calm, p.proven = 0, 0, 0
	e := math.Max(startRate, p.estimate/2)
	p.set(e, e)
}

// rest tells that a chunk could go out, but there is none.
func (p *pacer) rest() { p.resting, p.train = true, 0 }

// acked tells that the peer has n more bytes since at, by its clock, thanks to a
// chunk sent at sent.
func (p *pacer) acked(now time.Duration, n int64, sent, at time.Duration) {
	p.unacked -= n
	if p.phase == probing {
		p.trains.add(sent, at, int(n))
	}
	p.arrived.add(at, int(n), p.arrivalWindow())
	if p.listening(now) {
		p.decide(now)
		return
	}
	p.observe(now, sent, at)
}

// listening says whether pulses are being echoed: then what chunks tell of the
// queue is not needed.
func (p *pacer) listening(now time.Duration) bool {
	return p.pulses > 0 && now-p.pulsed < time.Second
}

// dropped tells that n bytes will not be acknowledged any more.
func (p *pacer) dropped(n int64) { p.unacked -= n }

// echoed tells that a pulse sent at sent came at the peer at at, by its clock, and
// that so many of those sent before did not.
func (p *pacer) echoed(now, sent, at time.Duration, lost int) {
	of := float64(lost + 1)
	p.loss += (float64(lost)/of - p.loss) * min(1, of/float64(min(p.pulses+lost+1, 256)))
	if p.pulses > 0 {
		p.noise += (math.Abs((at - sent - p.delay).Seconds()) - p.noise) / float64(min(p.pulses, 16))
	}
	p.pulses++
	p.pulsed, p.delay = now, at-sent
	p.observe(now, sent, at)
}

// observe takes what a message tells about the line. The other end's clock
// cancels out, since only differences of delays count.
func (p *pacer) observe(now, sent, at time.Duration) {
	p.trips.add(observation{now, sent, now - sent})
	shortest, _ := p.trips.since(now - tripWindow)
	p.trip = shortest.value
	delay := at - sent
	p.delays.add(observation{now, sent, delay})
	p.delays.since(now - maxDelayWindow)
	if !p.known || delay < p.base {
		p.base, p.known = delay, true
	}
	p.decide(now)
}

// pulseEvery is how often to send pulses: often enough to know the line, and
// little beside what is sent.
func (p *pacer) pulseEvery() time.Duration {
	const size = 64 // bytes with all headers
	every, share := 10*time.Millisecond, 0.015
	switch {
	case p.phase != steady && p.heavy() > 0: // it takes many to see anything, and now is the time
		every, share = 2500*time.Microsecond, 0.1
	case p.phase != steady || p.noise > 0.003:
		every, share = 5*time.Millisecond, 0.04
	}
	return max(every, seconds(size/(share*p.rate)))
}

func (p *pacer) set(estimate, rate float64) {
	p.estimate = math.Max(minRate, math.Min(1.1*p.limit, estimate))
	p.rate = math.Min(p.limit, math.Max(minRate, rate))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
