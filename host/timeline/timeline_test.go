package timeline

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// With any commands in any order, no machine that keeps to a horizon
// ever meets a decision for a frame that it has run.
func TestNoDecisionBehindAHorizon(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		tl := NewTimeline(rng.IntN(ds.MaxDelay+1), 0)
		var promises []ds.Horizon
		frame := int64(0)
		for range 200 {
			switch rng.IntN(4) {
			case 0:
				d, err := tl.Decide(Decision{Kind: Kind(2 + rng.IntN(3)), Frame: frame + rng.Int64N(300) - 150, Delay: rng.IntN(ds.MaxDelay + 1), InputEnd: frame})
				must.Succeed(t, err)
				number := uint32(len(tl.decisions) - 1)
				for _, p := range promises {
					if number >= p.Decisions && d.Frame < p.Frame {
						t.Fatalf("seed %d: decision %d is for frame %d in spite of the promise %+v", seed, number, d.Frame, p)
					}
				}
				if d.InputEnd > d.Frame {
					t.Fatalf("seed %d: %+v", seed, d)
				}
			default:
				frame = max(0, frame+rng.Int64N(20)-5) // a caller may even go back
				h := tl.Horizon(frame)
				if n := len(promises); n > 0 && (h.Frame < promises[n-1].Frame || h.Decisions < promises[n-1].Decisions) {
					t.Fatalf("seed %d: horizon %+v after %+v", seed, h, promises[n-1])
				}
				promises = append(promises, h)
			}
		}
	}
}

// The horizon is never what makes a machine wait: with the delay in force,
// whoever runs 16 frames ahead of the slowest, and the delay beyond that, is
// still before it, also after the delay has grown.
func TestHorizonIsAhead(t *testing.T) {
	for delay := 0; delay <= ds.MaxDelay; delay++ {
		tl := NewTimeline(0, 0)
		if _, err := tl.Decide(Decision{Kind: SetDelay, Delay: delay}); err != nil {
			t.Fatal(err)
		}
		for _, frame := range []int64{0, 1, 1000} {
			if h := tl.Horizon(frame); h.Frame <= frame+ds.MaxBehind+int64(delay) {
				t.Errorf("delay %d: at frame %d the horizon is %d", delay, frame, h.Frame)
			}
		}
	}
	tl := NewTimeline(20, 0)
	tl.Decide(Decision{Kind: SetDelay, Frame: 1000, Delay: 0}) // the long one is in force up to there
	if h := tl.Horizon(500); h.Frame <= 500+ds.MaxBehind+20 {
		t.Errorf("before a delay shrinks the horizon is %d", h.Frame)
	}
	tl = NewTimeline(4, 0)
	if h := tl.Horizon(math.MaxInt64); h.Frame <= 0 || h.Frame > ds.MaxFrame {
		t.Errorf("at the end of time the horizon is %d", h.Frame)
	}
}

// However often the delay is changed, seats can still leave and the game end.
func TestDecisionsAreBounded(t *testing.T) {
	tl := NewTimeline(4, 0)
	n := 0
	for ; n < 10_000; n++ {
		if _, err := tl.Decide(Decision{Kind: SetDelay}); err != nil {
			break
		}
	}
	if n == 10_000 {
		t.Fatal("a game takes decisions without end")
	}
	for seat := range ds.Seats {
		if _, err := tl.Decide(Decision{Kind: Leave, Seat: seat}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := tl.Decide(Decision{Kind: End}); err != nil {
		t.Error(err)
	}
	for range 100 {
		tl.Decide(Decision{Kind: End})
	}
	if len(tl.decisions) != MaxDecisions {
		t.Errorf("%d decisions", len(tl.decisions))
	}
}

// A pause or resync that has begun can be ended, however much has been decided before.
func TestLastDecisionsEndSomething(t *testing.T) {
	for i, k := range []struct{ begin, end Kind }{{Pause, Resume}, {Resync, Resynced}, {Pause, Resume}, {Resync, Resynced}, {Resync, Resynced}} {
		tl := NewTimeline(4, 0)
		for range i {
			_, _ = tl.Decide(Decision{Kind: SetDelay})
		}
		for n := 0; ; n++ {
			if _, err := tl.Decide(Decision{Kind: k.begin}); err != nil {
				if n < MaxDecisions/3-reserveDecisions {
					t.Errorf("after %d pairs: %v", n, err)
				}
				break
			}
			tl.orphaned = k.begin == Resync
			if tl.orphaned {
				if _, err := tl.Decide(Decision{Kind: Resync}); err != nil {
					t.Fatalf("when the machine of resync %d is gone: %v", n, err)
				}
			}
			if _, err := tl.Decide(Decision{Kind: k.end}); err != nil {
				t.Fatalf("%v number %d has no end: %v", k.begin, n, err)
			}
		}
		for seat := range ds.Seats {
			if _, err := tl.Decide(Decision{Kind: Leave, Seat: seat}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := tl.Decide(Decision{Kind: End}); err != nil {
			t.Error(err)
		}
	}
}

func TestEndFrame(t *testing.T) {
	if _, ok := (Log{{Kind: Start}}).EndFrame(); ok {
		t.Error("an end that nobody decided")
	}
	if f, ok := (Log{{Kind: End, Frame: 600}, {Kind: End, Frame: 90}, {Kind: End, Frame: 100}}).EndFrame(); !ok || f != 90 {
		t.Errorf("end at %d", f)
	}
}
