package soundstream

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// Heard tells what a card of the exact rate plays of a console's sound.
type Heard struct {
	Gaps int // times that the sound ended; Stream.Gaps
	// Waits are the times that each frame's sound waited until the card took its beginning.
	Waits []time.Duration
}

// consoleRate is the rate of a DS in samples a second.
const consoleRate = 32_768

// Hear plays frames to a card that takes CardBuffer samples at a time by a clock that is exact, with so
// much queued as latency says. done has the time at which the console had made each frame, ascending,
// from any time on. The first frames until settled have passed are played and not counted.
func Hear(done []time.Duration, latency, settled time.Duration) (h Heard) {
	if len(done) == 0 {
		return h
	}
	c := hearing{stream: NewStream(latency), start: done[0], looked: done[0]}
	audio := make([]int16, 2*1024) // of the longest frame and more
	made, before := 0.0, 0
	for i, at := range done {
		c.until(at)
		samples := int(float64(i+1)*consoleRate/ds.FrameRate - made)
		made += float64(samples)
		wait := c.queued
		if c.stream.Quiet() {
			wait = max(wait, int(c.stream.target))
		}
		c.queued += len(c.stream.Frame(int64(i), audio[:2*samples], c.queued)) / 2
		if at-done[0] < settled {
			before = c.stream.Gaps()
			continue
		}
		h.Waits = append(h.Waits, time.Duration(wait)*time.Second/CardRate)
	}
	h.Gaps = c.stream.Gaps() - before
	return h
}

// hearing is a card and the stream that fills its queue.
type hearing struct {
	stream *Stream
	queued int
	start  time.Duration // when the card began
	pieces int64         // that it has taken
	looked time.Duration // when the queue was looked at
}

// until lets the card play, and the queue be looked at, until some time.
func (c *hearing) until(at time.Duration) {
	for {
		piece := c.start + time.Duration((c.pieces+1)*CardBuffer)*time.Second/CardRate
		look := c.looked + IdleEach
		switch {
		case min(piece, look) > at:
			c.looked = at
			return
		case piece <= look:
			c.pieces++
			c.queued = max(c.queued-CardBuffer, 0)
		default:
			c.looked = look
			c.queued += len(c.stream.Idle(c.queued)) / 2
		}
	}
}
