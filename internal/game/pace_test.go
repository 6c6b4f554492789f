package game

import (
	"math"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestPacerKeepsTheConsolesRate(t *testing.T) {
	var p pacer
	start := time.Unix(0, 0)
	now := start
	for range 6000 {
		if w := p.wait(now); w > 0 {
			now = now.Add(w)
		}
		p.frameBegan(now)
	}
	want := 5999 / ds.FrameRate
	if got := now.Sub(start).Seconds(); math.Abs(got-want) > 0.001 {
		t.Errorf("6000 frames began over %.4f s, want %.4f", got, want)
	}
}

func TestPacerCatchesUpShortDelaysOnly(t *testing.T) {
	frame := ds.FrameTime(1)
	run := func(late time.Duration) time.Duration {
		var p pacer
		now := time.Unix(0, 0)
		p.frameBegan(now)
		now = now.Add(frame + late)
		p.frameBegan(now)
		return p.wait(now)
	}
	if w := run(20 * time.Millisecond); w >= frame-time.Millisecond {
		t.Errorf("after 20 ms late the next frame waits %v: the delay is not caught up", w)
	}
	if w := run(500 * time.Millisecond); w < frame-time.Millisecond {
		t.Errorf("after 500 ms late the next frame waits only %v: the game sprints", w)
	}
}

// Two machines that start 10 frames apart, over a line that takes 3 frames
// each way, end within a frame and a half of each other.
func TestPacersDriftTogether(t *testing.T) {
	const line = 3
	var a, b pacer
	fa, fb := []int64{10}, []int64{0} // local frame at each millisecond
	at := func(f []int64, ms int) int64 { return f[max(ms, 0)] }
	for ms := 1; ms < 120_000; ms++ {
		now := time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond)
		step := func(p *pacer, mine, theirs []int64) int64 {
			f := mine[ms-1]
			if p.wait(now) > 0 {
				return f
			}
			p.frameBegan(now)
			there := ms - line*17 // when what arrives now was sent
			p.measure(lead(f, at(theirs, there), at(theirs, there), at(mine, there-line*17)))
			return f + 1
		}
		na, nb := step(&a, fa, fb), step(&b, fb, fa)
		fa, fb = append(fa, na), append(fb, nb)
	}
	if d := fa[len(fa)-1] - fb[len(fb)-1]; d < -2 || d > 2 {
		t.Errorf("after two minutes the machines are %d frames apart", d)
	}
}

func TestPacerTrimIsBounded(t *testing.T) {
	frame := float64(time.Second) / ds.FrameRate
	for _, frames := range []float64{-1e9, -16, 0, 16, 1e9} {
		var p pacer
		for range 1000 {
			p.measure(frames)
		}
		if r := float64(p.period())/frame - 1; r > hurry+1e-6 || r < -hurry-1e-6 {
			t.Errorf("lead %g trims by %.4f", frames, r)
		}
	}
}
