package netbench

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
)

const frameUS = 16_000 // a round number

// machine makes the times of a machine whose frame f is due at f frames, of 400 frames. Seat own
// is its own; the input of the other seat's frame f comes by early before it is due.
func machine(own, other ds.Seat, epoch int64, delay int, early func(f int64) int64) diagnostics.FrameTimes {
	var due, arrived, mine, theirs []int64
	for f := range int64(400) {
		due = append(due, f*frameUS)
		arrived = append(arrived, f*frameUS-early(f))
		mine = append(mine, f*frameUS+2000)
		theirs = append(theirs, max(f*frameUS, f*frameUS-early(f))+2000)
	}
	return diagnostics.FrameTimes{
		Version: diagnostics.FrameTimesVersion, Epoch: epoch, Due: diagnostics.Series{US: due}, Begun: diagnostics.Series{US: due},
		Delays: []diagnostics.Delay{{Delay: delay}},
		Seats: []diagnostics.SeatTimes{
			{Seat: own, Mine: true, Shown: diagnostics.Series{US: mine}},
			{Seat: other, Arrived: diagnostics.Series{US: arrived}, Shown: diagnostics.Series{US: theirs}},
		},
	}
}

var whole = Span{Tail: frameUS * time.Microsecond}

// Every tenth input is late by 5 ms on one machine, and none on the other.
func TestMeasure(t *testing.T) {
	tenth := func(f int64) int64 {
		if f%10 == 5 {
			return -5000
		}
		return 1000
	}
	f := Measure([]diagnostics.FrameTimes{machine(0, 1, 1_000_000, 3, tenth), machine(1, 0, 1_000_700, 3, func(int64) int64 { return 0 })}, whole)
	if f.Lates.Late != 40 || f.Lates.Inputs != 2*398 || Percentile(f.Lates.MS, 0.5) != 5 {
		t.Errorf("%d late of %d, by %v", f.Lates.Late, f.Lates.Inputs, Percentile(f.Lates.MS, 0.5))
	}
	// A frame that comes 5 ms late is 21 ms after the one before, and 11 ms before the next.
	if f.Own.P50 != 16 || f.Own.P99 != 16 || f.Others.P50 != 16 || f.Others.P99 != 21 || f.Others.Over25 != 0 {
		t.Errorf("own %+v, others %+v", f.Own.P50, f.Others.P99)
	}
	// The second machine's clock is read 700 us later: what it samples is shown here 3 frames, 2 ms
	// and 0.7 ms less or more later.
	if f.Press.P50 != 50 || math.Abs(f.Reach.P50-49.3) > 1e-9 && math.Abs(f.Reach.P50-50.7) > 1e-9 {
		t.Errorf("here after %v, there after %v", f.Press.P50, f.Reach.P50)
	}
	if want := 1 / 0.016 / ds.FrameRate; math.Abs(f.Speed-want) > 0.01 {
		t.Errorf("speed %v, want %v", f.Speed, want)
	}
}

// Inputs that never came are late, and a console that stands shows in the gaps.
func TestMeasureLack(t *testing.T) {
	m := machine(0, 1, 0, 0, func(int64) int64 { return 0 })
	for f := 100; f < 104; f++ {
		m.Seats[1].Arrived.US[f] = -1
	}
	m.Seats[0].Shown.US = append(m.Seats[0].Shown.US[:200], make([]int64, 200)...)
	for f := 200; f < 400; f++ {
		m.Seats[0].Shown.US[f] = int64(f)*frameUS + 30_000
	}
	f := Measure([]diagnostics.FrameTimes{m}, whole)
	if f.Lates.Late != 4 {
		t.Errorf("%d late", f.Lates.Late)
	}
	if f.Own.MS[len(f.Own.MS)-1] != 44 || math.Abs(f.Own.Over33*f.Own.Minutes-1) > 1e-9 || f.Own.Over50 != 0 {
		t.Errorf("gaps up to %v, %v over 33", f.Own.MS[len(f.Own.MS)-1], f.Own.Over33)
	}
}

// A frame that waits and those that it holds up are one time.
func TestHeldIsCounted(t *testing.T) {
	m := machine(0, 1, 0, 3, func(int64) int64 { return 0 })
	m.Begun.US = append([]int64(nil), m.Begun.US...)
	for f, wait := range map[int]int64{100: 30_000, 101: 15_000, 102: 7000, 200: 9000, 300: 7000} {
		m.Begun.US[f] += wait
	}
	f := Measure([]diagnostics.FrameTimes{m}, whole)
	if f.Held.Count != 2 || f.Held.MS != 39 || f.Wake.MS[len(f.Wake.MS)-1] != 30 {
		t.Errorf("%+v", f.Held)
	}
}

// The share that another delay would have had comes from the same arrivals.
func TestNeeds(t *testing.T) {
	l := Lates{}
	for i := range 100 {
		l.Needs = append(l.Needs, float64(i)) // a frame is 16.7 ms
	}
	for delay, want := range map[int]float64{0: 0.99, 1: 0.83, 5: 0.16, 6: 0, 9: 0} {
		if got := l.ShareAt(delay); math.Abs(got-want) > 1e-9 {
			t.Errorf("delay %d: %v are late, want %v", delay, got, want)
		}
	}
	if l.Best(0.2) != 5 || l.Best(0) != 6 {
		t.Errorf("best %d, %d", l.Best(0.2), l.Best(0))
	}
	f := Measure([]diagnostics.FrameTimes{machine(0, 1, 0, 3, func(int64) int64 { return 20_000 })}, whole)
	if want := 3*FrameMS - 20; math.Abs(f.Lates.Needs[0]-want) > 1e-9 {
		t.Errorf("needs %v, want %v", f.Lates.Needs[0], want)
	}
}

func TestDelaysAreCounted(t *testing.T) {
	m := machine(0, 1, 0, 3, func(int64) int64 { return 0 })
	m.Delays = append(m.Delays, diagnostics.Delay{Frame: 100, Delay: 4}, diagnostics.Delay{Frame: 110, Delay: 5})
	f := Measure([]diagnostics.FrameTimes{m}, whole)
	if f.Delays.Changes != 2 || f.Delays.Most10s != 2 || !slices.Equal(f.Delays.Last, []int{5}) {
		t.Errorf("%+v", f.Delays)
	}
}

// Nothing was told, or too little to measure.
func TestMeasureNothing(t *testing.T) {
	for _, list := range [][]diagnostics.FrameTimes{nil, {{}, {}}, {machine(0, 1, 0, 3, func(int64) int64 { return 0 })}} {
		if f := Measure(list, Span{Settle: time.Hour}); f.Lates.Inputs != 0 || f.Own.P99 != 0 {
			t.Errorf("%+v", f)
		}
	}
}
