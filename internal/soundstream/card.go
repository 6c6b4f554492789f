package soundstream

import (
	"math"
	"time"
)

const (
	// CardRate is the rate of a card in samples a second.
	CardRate = 48_000
	// CardBuffer is the number of samples that a card takes at once, 5 ms: the queue keeps sound ready.
	CardBuffer = 256
	// IdleEach is the time between two looks at the queue while no frame comes.
	IdleEach = 4 * time.Millisecond
	// fade is the time that sound fades out and in, so that nothing clicks.
	fade = 5 * time.Millisecond
)

// samples returns how much of the card's time some time is.
func samples(t time.Duration) float64 { return CardRate * t.Seconds() }

// Round returns a sample as a card takes it.
func Round(v float32) int16 {
	if v < 0 {
		return int16(max(v-0.5, math.MinInt16))
	}
	return int16(min(v+0.5, math.MaxInt16))
}
