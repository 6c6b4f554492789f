package rollback

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// FirstDepth is that of a machine of which nothing is known yet.
const FirstDepth = 3

// spare is the share of a frame's time that is left for all else: pictures, sound, the network.
const spare = 0.1

// measured is how many durations a budget looks at, and the least that tell anything.
const (
	measured      = 240
	leastMeasured = 60
	perLook       = 60 // frames between two looks
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

// high is the duration that one in a hundred exceeds.
func (d *durations) high() time.Duration {
	n := min(d.n, measured)
	if n == 0 {
		return 0
	}
	list := d.list
	slices.Sort(list[:n])
	return list[n-1-n/100]
}

// A Budget says how many frames a machine can go back, and run again, in the time of one, by what that took of
// late. It holds for this machine alone, and decides only when a console runs. The zero value knows nothing yet.
type Budget struct {
	frames, backs durations
	looked        int
	depth         int
	frame, back   time.Duration // that one in a hundred exceeds
}

// Frame takes the duration of a frame of all consoles, each with a note of how it stands.
func (b *Budget) Frame(d time.Duration) {
	b.frames.add(d)
	if b.frames.n >= leastMeasured && b.frames.n-b.looked >= perLook {
		b.look()
	}
}

// Back takes the duration of a way back, without the frames that run again.
func (b *Budget) Back(d time.Duration) { b.backs.add(d) }

// look decides anew. The depth falls at once as far as it must, and rises by a frame.
func (b *Budget) look() {
	if b.looked == 0 {
		b.depth = FirstDepth
	}
	b.looked = b.frames.n
	b.frame, b.back = b.frames.high(), b.backs.high()
	if b.back == 0 {
		b.back = b.frame / 2 // nobody has gone back yet
	}
	fits := Fits(b.frame, b.back)
	b.depth = min(fits, b.depth+1)
}

// Fits is the number of frames that fit: all of them run again, and the next one.
func Fits(frame, back time.Duration) int {
	whole := ds.FrameTime(1)
	left := whole - time.Duration(spare*float64(whole)) - back
	return min(max(int(left/max(frame, time.Microsecond))-1, 0), MaxDepth)
}

// Depth is the number of frames that the machine may be ahead of the confirmed ones.
func (b *Budget) Depth() int {
	if b.looked == 0 {
		return FirstDepth
	}
	return b.depth
}

// Takes is what it takes to go back and run so many frames again, all but once in a hundred times.
func (b *Budget) Takes(frames int64) time.Duration {
	return b.back + time.Duration(frames)*b.frame
}
