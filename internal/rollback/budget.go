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

// hitches is the share of durations, the longest ones, that say nothing of what a thing costs: the machine did something else
// meanwhile. Whether they spoil the picture is judged by what was shown.
const hitches = 0.1

const (
	measured      = 240 // durations that a cost is made from, at most
	leastMeasured = 60  // and at least, for frames
	perLook       = 60  // frames between two looks
	warmingUp     = 60  // first frames, which take longer: a console gets its memory, a JIT compiles
	perTrial      = 600 // frames after which a machine that bears none tries one
)

// durations are the newest of a kind.
type durations struct {
	list [measured]time.Duration
	n    int
}

func (d *durations) add(t time.Duration) {
	d.list[d.n%measured] = t
	d.n++
}

// cost is what one usually takes: the mean of all but the hitches. A game that draws each second frame has cheap ones and
// dear ones, so it is not the median.
func (d *durations) cost() (mean time.Duration) {
	list := slices.Clone(d.list[:min(d.n, measured)])
	slices.Sort(list)
	list = list[:int(math.Ceil((1-hitches)*float64(len(list))))]
	for _, x := range list {
		mean += x / time.Duration(len(list))
	}
	return mean
}

// Costs are what the parts of a correction take, all consoles together; 0 while that is not known.
type Costs struct {
	Back  time.Duration `json:"back"`  // going back
	Again time.Duration `json:"again"` // a frame that runs again, without a picture
	Frame time.Duration `json:"frame"` // a new one, with a note before it
}

// correct is what going back takes, and running so many frames again.
func (c Costs) correct(frames int64) time.Duration { return c.Back + time.Duration(frames)*c.Again }

// fits is the number of frames that fit: all of them run again, and the next one.
func (c Costs) fits() int {
	left := time.Duration((1 - spare) * float64(ds.FrameTime(1)))
	n := 0
	for n < MaxDepth && c.correct(int64(n)+1)+c.Frame <= left {
		n++
	}
	return n
}

// A Budget says how many frames a machine can go back, and run again, in the time of one: by what that took of late, and by
// whether frames for which it went back were shown late more often than others. It holds for this machine alone, and
// decides only when a console runs. The zero value knows nothing yet.
type Budget struct {
	frames, again, backs durations
	all                  int // frames
	passed               int // frames since the last look
	looked               bool
	depth                int
	is                   Costs
	judge                judge
}

// NewBudget is one that begins with a depth that the machine has borne before, of at least a frame: else nothing would be
// measured.
func NewBudget(depth int) Budget {
	return Budget{looked: true, depth: min(max(depth, 1), MaxDepth)}
}

// Frame takes the duration of a frame of all consoles. Noted tells that each was noted before it: the duration of another
// one says nothing.
func (b *Budget) Frame(d time.Duration, noted, again bool) {
	if b.all++; noted && b.all > warmingUp {
		if again {
			b.again.add(d)
		} else {
			b.frames.add(d)
		}
	}
	b.passed++
	b.judge.pass()
	if b.looked && b.depth == 0 {
		if b.passed >= perTrial && b.judge.limit() > 0 {
			*b = Budget{all: b.all, looked: true, depth: 1, judge: b.judge, is: b.is} // with depth 0 nothing is noted, and nothing would be known again
		}
		return
	}
	if b.passed >= perLook && b.frames.n+b.again.n >= leastMeasured {
		b.look()
	}
}

// Back takes the duration of a way back, without the frames that run again.
func (b *Budget) Back(d time.Duration) { b.backs.add(d) }

// Shown takes whether a new frame of our own was shown late, and how many frames had run again for it: 0 for none.
func (b *Budget) Shown(late bool, again int) {
	if b.all > warmingUp && b.judge.shown(late, again) {
		b.depth = min(b.Depth(), b.judge.limit())
		b.looked, b.passed = true, 0
	}
}

// look decides anew. The depth falls at once as far as it must, and rises by a frame.
func (b *Budget) look() {
	if !b.looked {
		b.depth = FirstDepth
	}
	b.looked, b.passed = true, 0
	b.is = b.costs()
	b.depth = min(b.is.fits(), b.judge.limit(), b.depth+1)
}

// costs are those of late. What was not measured yet is taken to be like what was.
func (b *Budget) costs() Costs {
	c := Costs{Back: b.backs.cost(), Again: b.again.cost(), Frame: b.frames.cost()}
	if b.frames.n < leastMeasured {
		c.Frame = c.Again
	}
	if b.again.n < leastMeasured {
		c.Again = c.Frame
	}
	if b.backs.n == 0 { // nobody has gone back yet
		c.Back = c.Frame / 2
	}
	return c
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
	return b.costs().fits()
}

// Depth is the number of frames that the machine may be ahead of the confirmed ones.
func (b *Budget) Depth() int {
	if !b.looked {
		return FirstDepth
	}
	return b.depth
}

// Takes is what it usually takes to go back and run so many frames again.
func (b *Budget) Takes(frames int64) time.Duration { return b.is.correct(frames) }

// Costs are those by which the depth was decided last.
func (b *Budget) Costs() Costs { return b.is }
