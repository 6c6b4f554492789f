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
