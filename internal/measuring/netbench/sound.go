package netbench

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/soundstream"
)

// Sound tells what reaches a sound card of the exact rate: machines without a window have no card, so
// the program's own resampler and queue play each machine's frames, at the times at which its console
// had made them, to a card that is computed. "make soundbench" holds the same computation against a
// real queue.
type Sound struct {
	Count   int     `json:"count"`   // of gaps, over all machines
	Minutes float64 `json:"minutes"` // over all machines
	Latency Latency `json:"latency"` // from a frame that is done until the card takes its sound
}

// SoundWanted is the duration of queued sound: audio.latency as it is at first.
const SoundWanted = 64 * time.Millisecond

// PerMinute returns the gaps a minute and machine.
func (s *Sound) PerMinute() float64 { return perMinute(s.Count, s.Minutes) }

// hear measures the sound of each machine's first console; nil where no times are known.
func hear(machines []diagnostics.FrameTimes, span Span) *Sound {
	s := new(Sound)
	m := measuring{machines: machines}
	for i := range machines {
		from, to := m.span(i, span)
		if to > from {
			s.add(&machines[i], from, to)
		}
	}
	if s.Minutes == 0 {
		return nil
	}
	s.Latency.finish()
	return s
}

// add plays the sound of a machine's first console from its first frame on.
func (s *Sound) add(t *diagnostics.FrameTimes, from, to int64) {
	i := slices.IndexFunc(t.Seats, func(seat diagnostics.SeatTimes) bool { return seat.Mine })
	if i < 0 {
		return
	}
	var done []time.Duration
	within(&t.Seats[i].Shown, 0, to, func(_, at int64) { done = append(done, time.Duration(at)*time.Microsecond) })
	if len(done) == 0 {
		return
	}
	h := soundstream.Hear(done, SoundWanted, time.Duration(from)*time.Microsecond-done[0])
	s.Count, s.Minutes = s.Count+h.Gaps, s.Minutes+float64(to-from)/60e6
	for _, wait := range h.Waits {
		s.Latency.MS = append(s.Latency.MS, millis(wait.Microseconds()))
	}
}

// join adds what was measured in another game, nil for nothing.
func (s *Sound) join(other *Sound) *Sound {
	if s == nil {
		return other
	}
	if other == nil {
		return s
	}
	s.Count, s.Minutes = s.Count+other.Count, s.Minutes+other.Minutes
	s.Latency.MS = append(s.Latency.MS, other.Latency.MS...)
	s.Latency.finish()
	return s
}
