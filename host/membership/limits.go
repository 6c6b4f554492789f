package membership

import (
	"errors"
	"time"

	"golang.org/x/time/rate"
)

// Flood counts what one peer sends. A connection that was cut off for some seconds
// delivers all at once, so the buckets are large.
type Flood struct{ messages, bytes *rate.Limiter }

// ClientFlood is for a client, which has little to say. Hash reports are not
// counted: a game's length bounds them.
func ClientFlood() Flood {
	return Flood{messages: rate.NewLimiter(30, 300), bytes: rate.NewLimiter(16<<10, 256<<10)}
}

// HostFlood is for the game host, which speaks for everyone.
func HostFlood() Flood {
	return Flood{messages: rate.NewLimiter(200, 4000), bytes: rate.NewLimiter(1<<20, 16<<20)}
}

func (f *Flood) Admit(now time.Time, size int) bool {
	return f.messages.AllowN(now, 1) && f.bytes.AllowN(now, size)
}

// ChatLimit is for the lines of one player. A client has the smaller one, so
// that it is told at once and not by the game host.
func ChatLimit(lines int) *rate.Limiter { return rate.NewLimiter(1, lines) }

// ErrTooFast is for chat beyond a line a second.
var ErrTooFast = errors.New("chat: too many lines at once, wait a second")

// PauseLimit is for the pauses of one player.
func PauseLimit() *rate.Limiter { return rate.NewLimiter(0.1, 10) }

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
