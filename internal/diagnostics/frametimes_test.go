package diagnostics

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A game with one seat of our own and one of another machine, as it is written and read.
func TestFrameRecorder(t *testing.T) {
	start := time.Now()
	at := func(us int64) time.Time { return start.Add(time.Duration(us) * time.Microsecond) }
	var r FrameRecorder
	r.Begun(5, at(0), at(100), 4) // of a game that began elsewhere
	r.Arrived(1, 7, at(200))
	r.Arrived(1, 9, at(300))
	r.Arrived(1, 8, at(400))
	r.Arrived(1, 8, at(900)) // known
	r.Arrived(1, 6, at(900)) // before the first
	r.Arrived(99, 1, at(1))
	r.Shown(0, 5, at(500))
	r.Shown(1, 5, at(600))
	r.Begun(6, at(16700), at(16800), 4)
	r.Begun(7, at(33400), at(33500), 6)
	var file bytes.Buffer
	must.Succeed(t, r.Write(&file))
	var got FrameTimes
	must.Succeed(t, json.Unmarshal(file.Bytes(), &got))
	want := FrameTimes{
		Version: FrameTimesVersion, Epoch: start.UnixMicro(), Due: Series{5, []int64{0, 16700, 33400}}, Begun: Series{5, []int64{100, 16800, 33500}},
		Delays: []Delay{{5, 4}, {7, 6}},
		Seats: []SeatTimes{
			{Seat: 0, Mine: true, Shown: Series{5, []int64{500}}},
			{Seat: 1, Arrived: Series{7, []int64{200, 400, 300}}, Shown: Series{5, []int64{600}}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if us, ok := got.Seats[1].Arrived.At(9); !ok || us != 300 {
		t.Errorf("frame 9 arrived at %d, %v", us, ok)
	}
	for _, frame := range []int64{-1, 6, 10, 1 << 62} {
		if _, ok := got.Seats[1].Arrived.At(frame); ok {
			t.Errorf("frame %d arrived", frame)
		}
	}
}

// Frames that nobody plays to take no memory.
func TestFrameTimesBounded(t *testing.T) {
	var s Series
	s.put(3, 1)
	s.put(1<<62, 2)
	s.put(-1<<62, 2)
	if len(s.US) != 1 || s.End() != 4 {
		t.Errorf("%d frames up to %d", len(s.US), s.End())
	}
}
