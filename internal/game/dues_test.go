package game

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// dues is a meter of a game of two: when frames were due, and when the other's inputs came.
type dues struct{ due, arrived map[int64]time.Time }

func newDues() *dues {
	return &dues{due: make(map[int64]time.Time), arrived: make(map[int64]time.Time)}
}

func (d *dues) Begun(frame int64, due, _ time.Time, _ int) { d.due[frame] = due }
func (d *dues) Shown(ds.Seat, int64, time.Time)            {}
func (d *dues) Arrived(_ ds.Seat, frame int64, at time.Time) {
	if old, here := d.arrived[frame]; !here || at.Before(old) {
		d.arrived[frame] = at
	}
}

// late counts the inputs of some frames that would have been late with a delay that is shorter by two frames.
func (d *dues) late(from, until int64) (n int) {
	for f := from; f < until; f++ {
		if at, here := d.arrived[f]; !here || at.After(d.due[f].Add(-ds.FrameTime(2))) {
			n++
		}
	}
	return n
}

// oneClock is what the same line does to machines that send each frame's inputs once, with all that were
// before, and never stop or lose their common beat.
func oneClock(line impair.Impairment, seed, purpose uint64, delay, frames int64) *dues {
	w, d := &virtual.World{}, newDues()
	l := w.NewLine(line, seed, purpose)
	for f := range frames {
		w.At(ds.FrameTime(f), func() {
			d.due[f] = w.Time()
			l.Send(90, func() {
				for in := f + delay; in >= max(delay, f-400); in-- {
					d.Arrived(0, in, w.Time())
				}
			})
		})
	}
	w.Pass(ds.FrameTime(frames) + time.Second)
	return d
}

// Over a line that loses everything for a while now and then, machines stand, and are soon in step again: few
// more inputs come late than over the same line to machines that have one clock.
func TestLateInBursts(t *testing.T) {
	imp := impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, BurstShare: 0.1, BurstMean: 100 * time.Millisecond}
	const delay, from, until = 9, 300, 2300
	late, least := 0, 0
	for seed := range uint64(3) {
		w := newWorld(t, seed, 2, delay)
		w.steady = true
		w.set(imp)
		var meters []*dues
		for i, m := range w.machines {
			meters = append(meters, newDues())
			m.g.meter = meters[i]
			m.g.MeasureLoss(1-i, 0.1)
		}
		w.run(60*time.Second, func(ms int) {
			if ms == 40_000 {
				w.decide(timeline.Decision{Kind: timeline.End})
			}
		})
		w.check()
		for i, m := range meters {
			late += m.late(from, until)
			least += oneClock(imp, seed, uint64(2-i), delay, until).late(from, until)
		}
	}
	t.Logf("%d of %d inputs are late, %d with one clock", late, 6*(until-from), least)
	if late > least*5/4 {
		t.Errorf("%d inputs are late, %d with one clock", late, least)
	}
}
