package spectate

import "time"

// Budget bounds the bytes that all spectators together are sent. It begins at a rate that a slow line
// at home carries beside a game, grows while the players' lines show no queue, and shrinks at once when
// they do: a log is a few bytes a frame, but after a resync it holds states, and who comes late wants
// them soon. The zero value gives nothing; make one with NewBudget. It is pure.
type Budget struct {
	rate, most, level float64
	last, adapted     time.Time
}

// The rates of a budget, bytes a second.
const (
	startRate = 64 << 10
	leastRate = 16 << 10
	mostRate  = 2 << 20
	// adaptEvery is the time in which a change shows.
	adaptEvery = 250 * time.Millisecond
	// leastPiece keeps pieces from becoming crumbs: 32 ms of a line of 1 Mbit/s.
	leastPiece = 4 << 10
)

// NewBudget is never more than limit bytes a second, 0 for no limit of its own.
func NewBudget(limit int64) Budget {
	most := float64(mostRate)
	if limit > 0 {
		most = min(most, float64(limit))
	}
	return Budget{rate: min(startRate, most), most: most, level: leastPiece}
}

// Due reports whether it is time to look at the players' lines, and to [Budget.Adapt].
func (b *Budget) Due(now time.Time) bool { return now.Sub(b.adapted) >= adaptEvery }

// Adapt takes whether something queues on a player's line.
func (b *Budget) Adapt(now time.Time, queued bool) {
	switch {
	case !b.Due(now):
		return
	case queued:
		b.rate = max(b.rate/2, min(leastRate, b.most))
	default:
		b.rate = min(b.rate*1.25, b.most)
	}
	b.adapted = now
}

// Least reports whether it cannot be less.
func (b *Budget) Least() bool { return b.rate <= min(leastRate, b.most) }

// Left returns the bytes that may be sent now, at most MaxPiece.
func (b *Budget) Left(now time.Time) int {
	if !b.last.IsZero() {
		burst := max(leastPiece, min(MaxPiece, b.rate/20)) // 50 ms
		b.level = min(burst, b.level+max(0, now.Sub(b.last).Seconds())*b.rate)
	}
	b.last = now
	return int(max(b.level, 0))
}

// Spend notes that so many were sent.
func (b *Budget) Spend(n int) { b.level -= float64(n) }

// Calm measures the round trips of a line when nothing queues on it: the shortest of late, as a line
// measures it, which is a mean of some. The scatter of a line is in that, unlike in the shortest trip
// of all. And a queue that is there although hardly anything is sent is not ours: a line that has
// become worse, or somebody's download. The zero value knows nothing yet.
type Calm struct {
	rtt         time.Duration
	others      time.Duration // that is queued by others
	least       int           // looks for which hardly anything was sent
	low, before time.Duration // the shortest in this span of them, and in the one before
}

// calmRise is by how much more a line may take by itself from one look to the next: one way
// can take the place of another. It is 1 ms a second.
const calmRise = adaptEvery / 1000

const (
	// tooLong is the queue on a line that is too much.
	tooLong = 10 * time.Millisecond
	// span is the number of looks taken together, and drained the number of them until what we had
	// queued has gone from a line that is not too slow for anything.
	span, drained = 8, 16
	// mostOthers bounds a mistake: what is more than that on a line is too much, whose ever.
	mostOthers = 150 * time.Millisecond
)

// Queued takes what a line measures, and tells whether something of ours queues on it: its
// round trips take longer than they did, by more than they scatter. With least, hardly
// anything has been sent since the last look.
func (c *Calm) Queued(rtt, jitter time.Duration, least bool) bool {
	if c.rtt += calmRise; c.rtt == calmRise || rtt < c.rtt {
		c.rtt = rtt
	}
	c.others = max(c.others-calmRise, 0)
	free := c.rtt + tooLong + 2*jitter
	if least {
		c.learn(rtt, free)
	} else {
		c.least = 0
	}
	return rtt > free+c.others
}

// learn takes a round trip while hardly anything is sent. A queue that stays then is
// others'; a queue that becomes shorter was ours. A trip of free has nothing queued.
func (c *Calm) learn(rtt, free time.Duration) {
	if c.least%span == 0 {
		c.before, c.low = c.low, rtt
	}
	c.least++
	c.low = min(c.low, rtt)
	if c.least >= drained && c.least%span == 0 && c.low > free+c.others && c.low > c.before-tooLong {
		c.others = min(c.low-c.rtt, mostOthers)
	}
}
