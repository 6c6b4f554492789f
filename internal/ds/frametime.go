package ds

import (
	"math"
	"math/bits"
	"time"
)

// A frame of the DS: 263 lines of 355 dots of 6 cycles of a clock of 33.513982
// MHz (GBATEK, "DS Video").
const (
	cyclesPerSecond = 33513982
	cyclesPerFrame  = 355 * 6 * 263
)

// FrameRate is the number of frames a console makes in a second of its own
// time, about 59.8261.
const FrameRate = float64(cyclesPerSecond) / cyclesPerFrame

// FrameTime returns the duration of n frames, from the start of the first, rounded down to nanoseconds.
// It is exact for any n: equal on all machines and without drift. For n < 0 it is the negative of
// FrameTime(-n).
func FrameTime(n int64) time.Duration {
	if n < 0 {
		if n == math.MinInt64 {
			return math.MinInt64
		}
		return -FrameTime(-n)
	}
	hi, lo := bits.Mul64(uint64(n), cyclesPerFrame*1_000_000_000)
	if hi >= cyclesPerSecond {
		return math.MaxInt64
	}
	ns, _ := bits.Div64(hi, lo, cyclesPerSecond)
	if ns > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}
