package link

import (
	"math"
	"time"
)

const (
	queueLeast   = 5 * time.Millisecond // that Bulk may add to the delay of any line,
	queueShare   = 8                    // or this part of its round trip,
	queueMost    = 12 * time.Millisecond
	queueJitter  = 25 * time.Millisecond // and this much more on a line that jitters
	paceFirst    = 32                    // segments
	paceLeast    = 8
	paceMost     = lanes * carrierFlight
	paceGroup    = 8                // acknowledgements of which the quickest counts, at first
	baseEpoch    = 10 * time.Second // the line's own delay is the least of three of them
	paceLoss     = 0.15             // losses beyond which the line seems to be full
	paceLossSpan = 4                // pings that losses are looked for in
)

const never = time.Duration(math.MaxInt64)

// pace decides how many segments of Bulk may be in flight. ENet would fill its
// windows whatever the line: 512 KiB wait at the bottleneck then, and an input
// sent meanwhile comes half a second late on a line of 1 MB/s. So the window grows
// while segments are acknowledged about as soon as on the empty line, and shrinks
// when they wait longer than a few milliseconds. It is pure: times come in.
type pace struct {
	window   float64
	probing  bool // the window grows fast: no queue was seen yet
	settling bool // the window was made smaller, and that does not show yet
	used     bool // the window was used up: nothing is known of a line that is not used

	base  [3]time.Duration // least round trips, of this epoch and those before
	epoch time.Time        // began

	round  time.Time     // began: a look at a whole round trip
	least  time.Duration // round trip in it
	group  time.Duration // least round trip of a few segments
	acks   int           // of them
	last   time.Duration // round trip
	jitter time.Duration // mean difference from one to the next: not our queue, which changes slowly
}

func newPace() pace {
	return pace{
		window: paceFirst, probing: true, least: never, group: never,
		base: [3]time.Duration{never, never, never},
	}
}

// room is how many more may be sent when some are in flight.
func (p *pace) room(flight int) int {
	n := int(p.window) - flight
	if n <= 0 {
		p.used = true
		return 0
	}
	return n
}

// acked takes the round trip of a segment. One that ENet repeated seems to have
// taken long; the least of several does not mind.
func (p *pace) acked(now time.Time, rtt time.Duration) {
	rtt = max(rtt, time.Microsecond)
	p.note(now, rtt)
	base := min(p.base[0], p.base[1], p.base[2])
	if p.acks == paceGroup {
		if p.probing && p.used {
			p.probe(p.group - base)
		}
		p.acks, p.group = 0, never
	}
	if now.Sub(p.round) >= p.least && p.least < never {
		p.decide(p.least-base, base)
		p.round, p.least, p.used = now, never, false
	}
}

func (p *pace) note(now time.Time, rtt time.Duration) {
	if now.Sub(p.epoch) > baseEpoch {
		p.base = [3]time.Duration{never, p.base[0], p.base[1]}
		p.epoch = now
	}
	p.base[0] = min(p.base[0], rtt)
	p.least = min(p.least, rtt)
	p.group = min(p.group, rtt)
	p.acks++
	if p.last > 0 { // a repetition counts as little more than its neighbours
		p.jitter += (min((rtt-p.last).Abs(), 4*p.jitter+2*time.Millisecond) - p.jitter) / 16
	}
	p.last = rtt
}

// probe grows the window by half in a round trip until a queue shows.
func (p *pace) probe(queue time.Duration) {
	if queue > queueLeast/2+p.jitter {
		p.probing = false
		return
	}
	p.window += paceGroup * 0.5
	p.clamp()
}

// decide changes the window once in a round trip in which even the quickest
// segment waited for queue.
func (p *pace) decide(queue, base time.Duration) {
	target := min(max(base/queueShare, queueLeast), queueMost) + min(2*p.jitter, queueJitter)
	switch {
	case p.settling:
		p.settling = false // these segments were sent before the last change
	case queue > target:
		over := float64(queue-target) / float64(queue)
		p.window *= 1 - over/2
		p.probing, p.settling = false, true
	case p.used && !p.probing:
		p.window += 0.5 + p.window/16*(1-float64(queue)/float64(target))
	}
	p.clamp()
}

// lost takes the share of datagrams lost of late. A line whose queue is too short
// to be noticed loses what it cannot carry.
func (p *pace) lost(share float64) {
	if share > paceLoss {
		p.window *= 1 - share/2
		p.probing = false
		p.clamp()
	}
}

func (p *pace) clamp() { p.window = min(max(p.window, paceLeast), paceMost) }
