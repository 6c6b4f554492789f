package netbench

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
)

// standing are the times of a machine with one console of its own, which stands still for a while at
// the second seconds given.
func standing(seconds float64, long time.Duration, at ...float64) diagnostics.FrameTimes {
	var due []int64
	now := 0.0
	for range int(seconds * ds.FrameRate) {
		if len(at) > 0 && now >= at[0] {
			at, now = at[1:], now+long.Seconds()
		}
		due = append(due, int64(now*1e6))
		now += 1 / ds.FrameRate
	}
	s := diagnostics.Series{US: due}
	return diagnostics.FrameTimes{Version: diagnostics.FrameTimesVersion, Due: s, Begun: s, Seats: []diagnostics.SeatTimes{{Arrived: s, Shown: s}, {Seat: 1, Mine: true, Shown: s}}}
}

// Stops are gaps in the sound, but for one before the span that counts.
func TestSound(t *testing.T) {
	span := Span{Settle: 5 * time.Second, Tail: time.Second}
	even, stops := standing(21, 0), standing(21, 300*time.Millisecond, 3, 8, 12)
	s := hear([]diagnostics.FrameTimes{even, stops}, span)
	if s == nil || s.Count != 2 || s.Minutes < 0.48 || s.Minutes > 0.53 {
		t.Fatalf("%+v", s)
	}
	if l := s.Latency; l.P50 < 60 || l.P50 > 68 || l.P99 > 85 {
		t.Errorf("it waits %v ms, %v at most", l.P50, l.P99)
	}
	if hear(nil, span) != nil || hear([]diagnostics.FrameTimes{{}}, span) != nil {
		t.Error("it hears machines of which nothing is known")
	}
	both := (*Sound)(nil).join(hear([]diagnostics.FrameTimes{even}, span)).join(nil).join(hear([]diagnostics.FrameTimes{stops}, span))
	if both.Count != s.Count || both.PerMinute() != s.PerMinute() || both.Latency.P99 != s.Latency.P99 {
		t.Errorf("joined %d gaps, %v ms", both.Count, both.Latency.P99)
	}
}
