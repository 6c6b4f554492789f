package conn

import (
	"slices"
	"time"
)

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
