package mirror

import (
	"math"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestBehind(t *testing.T) {
	p := new(Pressure)
	for _, m := range []int{2, 0, 1, 1} {
		p.Add(int(m))
	}
	p.Report(0, 100)
	p.Report(1, 84)
	p.Report(2, 83)
	tests := []struct {
		frame int64
		want  []int
	}{
		{0, nil},
		{99, nil}, // machine 2 is 16 behind
		{100, []int{2}},
		{101, []int{1, 2}},
		{116, []int{1, 2}},
		{117, []int{0, 1, 2}},
		{math.MaxInt64, []int{0, 1, 2}},
		{-1, nil},
		{math.MinInt64, nil},
		{math.MinInt64 + ds.MaxBehind, nil},
	}
	for _, tt := range tests {
		if got := p.Behind(tt.frame); !slices.Equal(got, tt.want) {
			t.Errorf("Behind(%d) = %v, want %v", tt.frame, got, tt.want)
		}
	}
}

// In unsigned arithmetic frame-16 is huge in the first frames, and everybody
// would wait for everybody.
func TestNobodyIsBehindAtTheStart(t *testing.T) {
	p := new(Pressure)
	p.Add(0)
	p.Add(1)
	for f := range int64(ds.MaxBehind + 1) {
		if got := p.Behind(f); got != nil {
			t.Errorf("Behind(%d) = %v before anything was reported", f, got)
		}
	}
	if got := p.Behind(ds.MaxBehind + 1); len(got) != 2 {
		t.Errorf("Behind(%d) = %v, want both", ds.MaxBehind+1, got)
	}
}

func TestReportOnlyRises(t *testing.T) {
	p := new(Pressure)
	p.Report(3, 50) // not watched yet
	p.Add(3)
	if m, f, ok := p.Slowest(); m != 3 || f != 0 || !ok {
		t.Errorf("Slowest() = %d, %d, %v, want 3 at frame 0", m, f, ok)
	}
	for _, f := range []int64{math.MinInt64, -1, 7, 5, math.MinInt64} {
		p.Report(3, f)
	}
	p.Add(3)
	if got := p.Frames(); !slices.Equal(got, []MachineFrame{{3, 7}}) {
		t.Errorf("Frames() = %v, want machine 3 at 7", got)
	}
	p.Report(3, math.MaxInt64) // it lies, and is not waited for: its own loss
	if got := p.Behind(math.MaxInt64); got != nil {
		t.Errorf("Behind = %v", got)
	}
}

func TestSlowest(t *testing.T) {
	var p Pressure // the zero value is ready
	if _, _, ok := p.Slowest(); ok {
		t.Error("there is a slowest of no machines")
	}
	for m, f := range map[int]int64{4: 30, 1: 20, 2: 20} {
		p.Add(m)
		p.Report(m, f)
	}
	if m, f, ok := p.Slowest(); m != 1 || f != 20 || !ok {
		t.Errorf("Slowest() = %d, %d, %v, want 1 at 20", m, f, ok)
	}
	if got := p.Frames(); !slices.Equal(got, []MachineFrame{{1, 20}, {2, 20}, {4, 30}}) {
		t.Errorf("Frames() = %v", got)
	}
	p.Remove(1)
	p.Remove(1)
	p.Remove(2)
	if m, f, ok := p.Slowest(); m != 4 || f != 30 || !ok {
		t.Errorf("Slowest() = %d, %d, %v, want 4 at 30", m, f, ok)
	}
}
