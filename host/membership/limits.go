package membership

import (
	"errors"
	"time"
)

// Bucket is a token bucket: it fills at rate tokens a second up to size. It has
// no clock; whoever takes says when.
type Bucket struct {
	rate, size float64
	level      float64
	last       time.Time
}

// NewBucket is full.
func NewBucket(rate, size float64) Bucket { return Bucket{rate: rate, size: size, level: size} }

// Take takes n tokens if they are there.
func (b *Bucket) Take(now time.Time, n float64) bool {
	if b.last.IsZero() {
		b.last = now
	}
	if passed := now.Sub(b.last).Seconds(); passed > 0 {
		b.level = min(b.size, b.level+passed*b.rate)
		b.last = now
	}
	if b.level < n {
		return false
	}
	b.level -= n
	return true
}

// Flood counts what one peer sends. A connection that was cut off for some seconds
// delivers all at once, so the buckets are large.
type Flood struct{ messages, bytes Bucket }

// ClientFlood is for a client, which has little to say. Hash reports are not
// counted: a game's length bounds them.
func ClientFlood() Flood {
	return Flood{messages: NewBucket(30, 300), bytes: NewBucket(16<<10, 256<<10)}
}

// HostFlood is for the game host, which speaks for everyone.
func HostFlood() Flood {
	return Flood{messages: NewBucket(200, 4000), bytes: NewBucket(1<<20, 16<<20)}
}

func (f *Flood) Admit(now time.Time, size int) bool {
	return f.messages.Take(now, 1) && f.bytes.Take(now, float64(size))
}

// ChatBucket is for the lines of one player. A client has the smaller one, so
// that it is told at once and not by the game host.
func ChatBucket(size float64) Bucket { return NewBucket(1, size) }

// ErrTooFast is for chat beyond a line a second.
var ErrTooFast = errors.New("chat: too many lines at once, wait a second")

// PauseBucket is for the pauses of one player.
func PauseBucket() Bucket { return NewBucket(0.1, 10) }

const (
	ClientChat = 5  // lines at once
	HostChat   = 20 // lines at once, after a line was cut off for a while
)

// Clock makes the room's time from the caller's: it never goes back, and a
// pause of the caller of more than maxGap counts as maxGap only.
type Clock struct {
	last time.Time
	lost time.Duration
}

const maxGap = 2 * time.Second

// Now is the time of the last call of At.
func (c *Clock) Now() time.Time { return c.last.Add(-c.lost) }

func (c *Clock) At(now time.Time) time.Time {
	switch gap := now.Sub(c.last); {
	case c.last.IsZero():
	case gap < 0:
		now = c.last
	case gap > maxGap:
		c.lost += gap - maxGap
	}
	c.last = now
	return now.Add(-c.lost)
}
