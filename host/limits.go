package host

import (
	"slices"
	"time"
)

// bucket is a token bucket: it fills at rate tokens a second up to size. It has
// no clock; whoever takes says when.
type bucket struct {
	rate, size float64
	level      float64
	last       time.Time
}

// newBucket is full.
func newBucket(rate, size float64) bucket { return bucket{rate: rate, size: size, level: size} }

// take takes n tokens if they are there.
func (b *bucket) take(now time.Time, n float64) bool {
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

// flood counts what one peer sends. A connection that was cut off for some seconds
// delivers all at once, so the buckets are large.
type flood struct{ messages, bytes bucket }

// clientFlood is for a client, which has little to say. Hash reports are not
// counted: a game's length bounds them.
func clientFlood() flood {
	return flood{messages: newBucket(30, 300), bytes: newBucket(16<<10, 256<<10)}
}

// hostFlood is for the game host, which speaks for everyone.
func hostFlood() flood {
	return flood{messages: newBucket(200, 4000), bytes: newBucket(1<<20, 16<<20)}
}

func (f *flood) admit(now time.Time, size int) bool {
	return f.messages.take(now, 1) && f.bytes.take(now, float64(size))
}

// chatBucket is for the lines of one player. A client has the smaller one, so
// that it is told at once and not by the game host.
func chatBucket(size float64) bucket { return newBucket(1, size) }

const (
	clientChat = 5  // lines at once
	hostChat   = 20 // lines at once, after a line was cut off for a while
)

// clock makes the room's time from the caller's: it never goes back, and a
// pause of the caller of more than maxGap counts as maxGap only.
type clock struct {
	last time.Time
	lost time.Duration
}

const maxGap = 2 * time.Second

func (c *clock) at(now time.Time) time.Time {
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

// guard keeps strangers from trying passwords and the banned from coming back.
// It knows them by address, without the port, and remembers the last so many.
type guard struct {
	tries  []tries
	banned []string
}

type tries struct {
	addr   string
	bucket bucket
}

const maxRemembered = 256 // addresses

// mayTry tells whether an address may try a password, and counts the try.
func (g *guard) mayTry(now time.Time, addr string) bool {
	i := slices.IndexFunc(g.tries, func(t tries) bool { return t.addr == addr })
	if i < 0 {
		if len(g.tries) >= maxRemembered {
			g.tries = slices.Delete(g.tries, 0, 1)
		}
		g.tries = append(g.tries, tries{addr, newBucket(0.2, 5)})
		i = len(g.tries) - 1
	}
	return g.tries[i].bucket.take(now, 1)
}

// forgive is for who knew the password.
func (g *guard) forgive(addr string) {
	g.tries = slices.DeleteFunc(g.tries, func(t tries) bool { return t.addr == addr })
}

func (g *guard) ban(addr string) {
	if addr == "" || g.isBanned(addr) {
		return
	}
	if len(g.banned) >= maxRemembered {
		g.banned = slices.Delete(g.banned, 0, 1)
	}
	g.banned = append(g.banned, addr)
}

func (g *guard) isBanned(addr string) bool { return slices.Contains(g.banned, addr) }
