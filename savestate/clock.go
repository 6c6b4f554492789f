package savestate

import "time"

// A clock turns times into durations since it was first read, which never go
// back, and those into what messages carry.
type clock struct {
	start time.Time
	now   time.Duration
}

// read takes the time now.
func (c *clock) read(now time.Time) time.Duration {
	if c.start.IsZero() {
		c.start = now
	}
	c.now = max(c.now, now.Sub(c.start))
	return c.now
}

// micros is a moment as messages carry it: it wraps around after 71 minutes.
func micros(d time.Duration) uint32 { return uint32(d.Microseconds()) }

// longAgo is further back than any echo of ours can be.
const longAgo = 10 * time.Minute

// past is the moment, not after now, that micros made m of; false when it lies
// too far back, or in the future.
func (c *clock) past(m uint32) (time.Duration, bool) {
	ago := time.Duration(micros(c.now)-m) * time.Microsecond
	then := c.now.Truncate(time.Microsecond) - ago
	return then, ago <= longAgo && then >= 0
}

// A remote clock turns the other end's micros into durations on one line,
// whatever it started from.
type remote struct {
	known bool
	last  uint32
	now   time.Duration
}

// read takes a moment that is less than half an hour from the one read before.
func (r *remote) read(m uint32) time.Duration {
	if r.known {
		r.now += time.Duration(int32(m-r.last)) * time.Microsecond
	}
	r.known, r.last = true, m
	return r.now
}
