package rollback

import (
	"math"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// FirstDepth is that of a machine of which nothing is known yet.
const FirstDepth = 3

// spare is the share of a frame's time that is left for all else: pictures, sound, the network.
const spare = 0.1

// oneInAHundred is the number of standard deviations above the mean that one duration in a hundred exceeds.
const oneInAHundred = 2.33

const (
	measured      = 240 // durations that a cost is made from, at most
	leastMeasured = 60  // and at least, for frames
	perLook       = 60  // frames between two looks
	warmingUp     = 60  // first frames, which take longer: a console gets its memory, a JIT compiles
	perTrial      = 600 // frames after which a machine that bears none tries one
	oneHitchIn    = 20  // durations: as many of the longest are left out
)

// cost is how long something takes: the mean, in seconds, and its variance. Costs of what is done one after the other
// add up, where sums of their rare worst ones would make every hitch happen in each frame.
type cost struct{ mean, variance float64 }

// times is the cost of what is done n times.
func (c cost) times(n int64) cost { return cost{float64(n) * c.mean, float64(n) * c.variance} }

func (c cost) and(d cost) cost { return cost{c.mean + d.mean, c.variance + d.variance} }

// high is what one in a hundred exceeds, in seconds.
func (c cost) high() float64 { return c.mean + oneInAHundred*math.Sqrt(c.variance) }

// durations are the newest of a kind.
type durations struct {
	list [measured]float64 // seconds
	n    int
}

func (d *durations) add(t time.Duration) {
	d.list[d.n%measured] = t.Seconds()
	d.n++
}

// cost leaves the rare longest ones out: when the computer does something else for a moment, a frame is late that
// runs once, too. A machine that guessed less for it would hold a frame up instead, which is late as well.
func (d *durations) cost() (c cost) {
	list := slices.Sorted(slices.Values(d.list[:min(d.n, measured)]))
	list = list[:len(list)-len(list)/oneHitchIn]
	if len(list) == 0 {
		return c
	}
	for _, x := range list {
		c.mean += x / float64(len(list))
	}
	for _, x := range list {
		c.variance += (x - c.mean) * (x - c.mean) / float64(len(list))
	}
	return c
}

// A Budget says how many frames a machine can go back, and run again, in the time of one, by what that took of
// late. It holds for this machine alone, and decides only when a console runs. The zero value knows nothing yet.
type Budget struct {
	frames, backs durations
	all           int // frames
	passed        int // frames since the last look
	looked        bool
	depth         int
	frame, back   cost
}

// Frame takes the duration of a frame of all consoles, each with a note of how it stands before, where it was noted: the
// duration of another one says nothing.
func (b *Budget) Frame(d time.Duration, noted bool) {
	if b.all++; noted && b.all > warmingUp {
		b.frames.add(d)
	}
	b.passed++
	if b.looked && b.depth == 0 {
		if b.passed >= perTrial {
			*b = Budget{all: b.all, looked: true, depth: 1} // with depth 0 nothing is noted, and nothing would be known again
		}
		return
	}
	if b.passed >= perLook && b.frames.n >= leastMeasured {
		b.look()
	}
}

// Back takes the duration of a way back, without the frames that run again.
func (b *Budget) Back(d time.Duration) { b.backs.add(d) }

// look decides anew. The depth falls at once as far as it must, and rises by a frame.
func (b *Budget) look() {
	if !b.looked {
		b.depth = FirstDepth
	}
	b.looked, b.passed = true, 0
	b.frame, b.back = b.frames.cost(), b.backs.cost()
	if b.backs.n == 0 { // nobody has gone back yet
		b.back = cost{b.frame.mean / 2, b.frame.variance / 4}
	}
	b.depth = min(fits(b.frame, b.back), b.depth+1)
}

// fits is the number of frames that fit: all of them run again, and the next one.
func fits(frame, back cost) int {
	left := (1 - spare) * ds.FrameTime(1).Seconds()
	n := 0
	for n < MaxDepth && back.and(frame.times(int64(n)+2)).high() <= left {
		n++
	}
	return n
}

// Bears is the depth of a machine, by durations of frames and of ways back that were measured elsewhere.
func Bears(frames, backs []time.Duration) int {
	var b Budget
	for _, d := range frames {
		b.frames.add(d)
	}
	for _, d := range backs {
		b.backs.add(d)
	}
	return fits(b.frames.cost(), b.backs.cost())
}

// Depth is the number of frames that the machine may be ahead of the confirmed ones.
func (b *Budget) Depth() int {
	if !b.looked {
		return FirstDepth
	}
	return b.depth
}

// Takes is what it usually takes to go back and run so many frames again.
func (b *Budget) Takes(frames int64) time.Duration {
	return time.Duration(b.back.and(b.frame.times(frames)).mean * float64(time.Second))
}
