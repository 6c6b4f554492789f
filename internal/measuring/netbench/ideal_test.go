package netbench

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// On a line without jitter and loss an input is there after the delay, over the game host after
// twice that.
func TestIdealOfAPlainLine(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		c := Case{Name: "x", Machines: machines, Line: impair.Impairment{Delay: 40 * ms}}
		for m, times := range Ideal(c, 3, 1, 100) {
			for _, s := range times.Seats {
				if s.Mine {
					continue
				}
				way := int64(40_000)
				if m != 0 && s.Seat != 0 {
					way *= 2
				}
				sampled, _ := times.Begun.At(50)
				if at, ok := s.Arrived.At(53); !ok || at-sampled != way {
					t.Errorf("%d machines: seat %v's input is at machine %d after %d us, want %d", machines, s.Seat, m, at-sampled, way)
				}
			}
		}
	}
}

// With single losses of 10 % and a delay that leaves room for one more frame, one in a hundred
// is late; and it is the same each time.
func TestIdealOfALossyLine(t *testing.T) {
	c := Case{Name: "x", Machines: 2, Line: impair.Impairment{Delay: 10 * ms, Loss: 0.1}}
	first := Ideal(c, 2, 7, 60_000) // 33.4 ms: the second copy comes 10 ms after 16.7 ms, the third after 33.4 ms
	lates := Measure(first, DefaultSpan).Lates
	share := lates.Share()
	if math.Abs(share-0.01) > 0.002 {
		t.Errorf("%.4f are late", share)
	}
	if !reflect.DeepEqual(first, Ideal(c, 2, 7, 60_000)) {
		t.Error("another time it is another")
	}
	if reflect.DeepEqual(first, Ideal(c, 2, 8, 60_000)) {
		t.Error("another seed changes nothing")
	}
}

// All cases' ideals can be computed, and with each case's delay little is late but where lines
// are worse than single losses.
func TestIdealOfAllCases(t *testing.T) {
	for _, c := range Cases() {
		f := Measure(Ideal(c, c.Delay, c.Seed(1), 1500), DefaultSpan)
		if f.Lates.Inputs == 0 {
			t.Errorf("%s: nothing was measured", c.Name)
		}
		if c.Line.BurstShare == 0 && c.Line.Traffic == 0 && c.Bad == nil && f.Lates.Share() > 0.01 {
			t.Errorf("%s: %.4f are late with a delay of %d", c.Name, f.Lates.Share(), c.Delay)
		}
	}
}

func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.Name] || c.Machines < 2 || c.Machines > 4 || c.Delay < 1 || c.Words == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
		if err := c.Line.Validate(); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	list, err := Match(Cases(), []string{"50j10*", "burst?"})
	if err != nil || len(list) != 7 {
		t.Errorf("%d cases, %v", len(list), err)
	}
	for _, bad := range []string{"nosuch", "["} {
		if _, err := Match(Cases(), []string{bad}); err == nil {
			t.Errorf("%q matches", bad)
		}
	}
}

// Bare ENet over a line gets what it is sent: a short game, over which nothing is said of times.
func TestFloor(t *testing.T) {
	c := Case{Name: "x", Machines: 3, Line: impair.Impairment{Delay: ms, Loss: 0.1}}
	traffic, times, err := Floor(t.Context(), c, 2, 1, 30)
	must.Succeed(t, err)
	for m, times := range times {
		for _, s := range times.Seats {
			if !s.Mine && s.Arrived.End() < 20 {
				t.Errorf("machine %d has the inputs of seat %[3]v up to frame %[2]d, of 32", m, s.Arrived.End(), s.Seat)
			}
		}
	}
	if traffic.UpDatagrams == 0 || traffic.DownBytes == 0 {
		t.Errorf("%+v", traffic)
	}
	if d := time.Duration(times[0].Due.US[29]-times[0].Due.US[0]) * time.Microsecond; d.Round(ms) != (29 * Frame).Round(ms) {
		t.Errorf("29 frames are due within %v", d)
	}
}
