package netbench

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/testing/child"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// A stretched line has the same losses in as many frames, and as many datagrams waiting in its queue.
func TestAStretchedLine(t *testing.T) {
	line := impair.Impairment{Delay: 50 * ms, Jitter: 10 * ms, Loss: 0.02, BurstShare: 0.1, Bandwidth: 300, Queue: 10, Traffic: 30, TrafficEvery: time.Second}
	want := impair.Impairment{Delay: 150 * ms, Jitter: 30 * ms, Loss: 0.02, BurstShare: 0.1, BurstMean: 180 * ms, Bandwidth: 100, Queue: 10, Traffic: 10, TrafficEvery: 3 * time.Second}
	if got := Stretch(3).line(line); got != want {
		t.Errorf("%+v", got)
	}
	if got := Stretch(0).line(line); got.Delay != line.Delay || got.BurstMean != impair.DefaultBurst {
		t.Errorf("without a stretch %+v", got)
	}
}

func TestTimesAreToldWithoutTheStretch(t *testing.T) {
	times := diagnostics.FrameTimes{Epoch: 3000, Due: diagnostics.Series{US: []int64{0, 50_000, -1}}, Seats: []diagnostics.SeatTimes{{Shown: diagnostics.Series{US: []int64{-1, 60_000}}}}}
	Stretch(3).shrink(&times)
	want := diagnostics.FrameTimes{Epoch: 1000, Due: diagnostics.Series{US: []int64{0, 16_666, -1}}, Seats: []diagnostics.SeatTimes{{Shown: diagnostics.Series{US: []int64{-1, 20_000}}}}}
	if !reflect.DeepEqual(times, want) {
		t.Errorf("%+v", times)
	}
}

// The program is built with another source of one file, in which frames take longer.
func TestAStretchedProgramIsBuiltWithLongerFrames(t *testing.T) {
	top, err := child.Top()
	must.Succeed(t, err)
	dir := t.TempDir()
	flags, err := Stretch(3).Flags(dir)
	must.Succeed(t, err)
	list, err := os.ReadFile(flags[1])
	must.Succeed(t, err)
	if flags[0] != "-overlay" || !strings.Contains(string(list), filepath.Join(top, clock)) {
		t.Errorf("%q with %s", flags, list)
	}
	source, err := os.ReadFile(filepath.Join(dir, "ds.go"))
	must.Succeed(t, err)
	if !strings.Contains(string(source), "= 33513982 / 3\n") {
		t.Error("frames take as long as before")
	}
	if flags, err := Stretch(1).Flags(dir); flags != nil || err != nil {
		t.Errorf("without a stretch %q, %v", flags, err)
	}
}
