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
	paceFirst    = 10                    // segments
	paceLeast    = 3
	paceMost     = lanes * carrierFlight
	paceGroup    = 8                // acknowledgements of which the quickest counts, at first
	paceCalm     = 6                // calm rounds before the window grows fast again
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

	calm   int           // rounds in a row that saw next to no queue
	round  time.Time     // began: a look at a whole round trip
	least  time.Duration // round trip in it
	seen   int           // round trips in it
	group  time.Duration // least round trip of a few segments
	acks   int           // of them
	last   time.Duration // round trip
	jitter time.Duration // mean difference from one to the next: not our queue, which changes slowly

	samples time.Duration // in jitter, a number
}

func newPace() pace {
	return pace{
		window: paceFirst, probing: true, least: never, group: never,
		base: [3]time.Duration{never, never, never},
	}
}

// begin takes the jitter that pings have measured, until segments do.
func (p *pace) begin(jitter time.Duration) {
	if p.samples == 0 {
		p.jitter = jitter
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
	if now.Sub(p.round) >= p.least && p.seen >= p.enough() {
		p.decide(p.least-base, base)
		p.round, p.least, p.seen, p.used = now, never, 0, false
	}
}

// enough is how many round trips must be seen for the least of them to tell of our
// queue rather than of the line's jitter.
func (p *pace) enough() int {
	if p.jitter > queueLeast/4 {
		return 16
	}
	return 2
}

// step is how fast the window grows while there is no queue: slowly, lest one
// builds up before it shows; less so where jitter hides small queues anyway.
func (p *pace) step() float64 {
	return 0.5 + p.window/16 + p.window*p.jitter.Seconds()*2.5
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
	p.seen++
	p.vary(rtt)
}

// vary follows the jitter: the mean of the first few differences, then a slowly
// moving mean in which a repetition counts as little more than its neighbours.
func (p *pace) vary(rtt time.Duration) {
	const slow = 16
	diff := (rtt - p.last).Abs()
	switch {
	case p.samples == 0:
		diff = p.jitter
	case p.samples == slow:
		diff = min(diff, 4*p.jitter+2*time.Millisecond)
	}
	p.samples = min(p.samples+1, slow)
	p.jitter += (diff - p.jitter) / p.samples
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
		p.window += p.step() * (1 - float64(queue)/float64(target))
		p.again(queue < target/4)
	}
	p.clamp()
}

// again goes back to fast growth when several rounds in a row saw next to no queue:
// the line has become better, or the first look was unlucky.
func (p *pace) again(calm bool) {
	if p.calm++; !calm {
		p.calm = 0
	}
	if p.calm >= paceCalm {
		p.calm, p.probing = 0, true
	}
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
