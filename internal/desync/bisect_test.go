package desync

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// run is a trace whose main RAM is another one from some frame on.
func run(every, frames, other int64) Trace {
	var t Trace
	for f := every; f <= frames; f += every {
		h := Hashes{RAM: uint64(f), Video: uint64(f) * 7}
		if other > 0 && f >= other {
			h[RAM]++
		}
		t = append(t, Point{f, h})
	}
	return t
}

func TestFirstNamesFrameAndRegion(t *testing.T) {
	tests := []struct {
		name   string
		a, b   Trace
		want   Difference
		common int
		differ bool
	}{
		{"equal", run(1, 90, 0), run(1, 90, 0), Difference{Frame: -1, Agreed: 90}, 90, false},
		{"each frame", run(1, 90, 0), run(1, 90, 47), Difference{47, 46, RAM}, 47, true},
		{"some frames against each", run(30, 90, 47), run(1, 90, 0), Difference{60, 30, RAM}, 2, true},
		{"the first one", run(1, 9, 1), run(1, 9, 0), Difference{1, -1, RAM}, 1, true},
		{"nothing in common", run(1, 9, 0), nil, Difference{Frame: -1, Agreed: -1}, 0, false},
		{"only after what is common", run(1, 40, 0), run(1, 90, 47), Difference{Frame: -1, Agreed: 40}, 40, false},
	}
	for _, tt := range tests {
		for _, turned := range []bool{false, true} {
			a, b := tt.a, tt.b
			if turned {
				a, b = b, a
			}
			d, common, differ := First(a, b, RAM, SRAM, Video)
			if d != tt.want || common != tt.common || differ != tt.differ {
				t.Errorf("%s: got %+v, %d, %v", tt.name, d, common, differ)
			}
		}
	}
	a, b := run(1, 9, 0), run(1, 9, 0)
	b[3].Hashes[Video]++
	if d, _, differ := First(a, b, RAM, SRAM); differ {
		t.Errorf("a region that nobody asked for: %+v", d)
	}
	if d, _, _ := First(a, b, RAM, SRAM, Video); d != (Difference{4, 3, Video}) {
		t.Errorf("the picture: %+v", d)
	}
}

func TestHistoryIsBoundedAndOrdered(t *testing.T) {
	var h History
	for frame := int64(30); frame <= 10*Keep; frame += 30 {
		for machine := range 3 {
			for seat := range ds.Seat(2) {
				h.Add(Report{machine, seat, frame, Hashes{uint64(frame)}})
			}
		}
		h.Add(Report{0, 0, frame, Hashes{1}}) // said twice
		h.Add(Report{0, 0, frame - 30, Hashes{1}})
	}
	list := h.Reports()
	if want := 6 * (Keep/30 + 1); len(list) != want {
		t.Fatalf("%d reports, want %d", len(list), want)
	}
	for i, r := range list {
		if r.Hashes[RAM] != uint64(r.Frame) || r.Frame < 9*Keep || i > 0 && r.Frame < list[i-1].Frame {
			t.Fatalf("report %d is %+v", i, r)
		}
	}
}
