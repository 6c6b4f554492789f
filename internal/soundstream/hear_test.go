package soundstream

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

// frames are when so many seconds of frames are done, each later than at its time as late says.
func frames(seconds int, late func(f int) time.Duration) (done []time.Duration) {
	for f := range int(float64(seconds) * ds.FrameRate) {
		at := time.Duration(float64(f)*float64(time.Second)/ds.FrameRate) + late(f)
		if f > 0 {
			at = max(at, done[f-1]+time.Millisecond)
		}
		done = append(done, at)
	}
	return done
}

func middle(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// As much is queued as was asked for, and there is no gap, on a machine whose frames come at most a
// few milliseconds late.
func TestWhatWasAskedForIsQueued(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	for _, wanted := range []time.Duration{32 * time.Millisecond, 64 * time.Millisecond, 100 * time.Millisecond} {
		h := Hear(frames(15, func(int) time.Duration { return time.Duration(random.Int64N(int64(4 * time.Millisecond))) }), wanted, time.Second)
		if got := middle(h.Waits); h.Gaps > 0 || got < wanted*95/100 || got > wanted*105/100 {
			t.Errorf("%v wanted: %d gaps, %v", wanted, h.Gaps, got)
		}
	}
}

// After a stop, which is a gap, the frames that come late come all at once. The excess that they bring
// is gone within three seconds.
func TestExcessGoes(t *testing.T) {
	const wanted, stop = 64 * time.Millisecond, 600 // frame
	for _, long := range []time.Duration{50 * time.Millisecond, 95 * time.Millisecond, 150 * time.Millisecond} {
		done := frames(14, func(f int) time.Duration {
			if f < stop {
				return 0
			}
			return max(long-time.Duration(f-stop)*14*time.Millisecond, 0)
		})
		h := Hear(done, wanted, 0)
		if gaps := min(int(long/(70*time.Millisecond)), 1); h.Gaps != gaps {
			t.Errorf("%v: %d gaps, want %d", long, h.Gaps, gaps)
		}
		for f, wait := range h.Waits[stop+180:] {
			if wait > wanted+14*time.Millisecond || wait < wanted-16*time.Millisecond {
				t.Errorf("%v: %v are queued %d frames after the stop", long, wait, f+180)
				break
			}
		}
		if most := slices.Max(h.Waits); most < wanted+20*time.Millisecond && long > wanted {
			t.Errorf("%v: never more than %v: this tests nothing", long, most)
		}
	}
}

// Sound out of which pieces are cut has no larger steps than the sound itself.
func TestCutsDoNotClick(t *testing.T) {
	source := tone{rate: 48_000, volume: 20_000}
	pcm, before := source.frame(16*802), []float32(nil)
	for i := 0; i < len(pcm); i += 2 * 802 {
		var frame []float32
		for _, v := range pcm[i : i+2*802] {
			frame = append(frame, float32(v))
		}
		cut := cutOut(frame)
		if n := len(cut) / 2; n > 802-192 || n < 802-480 {
			t.Errorf("%d of 802 are left", n)
		}
		before = append(before, cut...)
	}
	// Each piece ends where the next one goes on: their neighbours are those of the tone.
	for i := 2; i < len(before); i += 2 {
		if d := before[i] - before[i-2]; d > 1300 || d < -1300 {
			t.Fatalf("a step of %v at %d", d, i/2)
		}
	}
	if short := make([]float32, 100); len(cutOut(short)) != 100 {
		t.Error("it cuts what is too short")
	}
}
