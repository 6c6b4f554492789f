package rollback

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// The depth is what fits.
func TestFits(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		Costs
		want int
	}{
		{Costs{Back: ms / 2, Again: 1 * ms, Frame: 1 * ms}, MaxDepth},
		{Costs{Back: 1 * ms, Again: 3 * ms, Frame: 3 * ms}, 3},
		{Costs{Back: 1 * ms, Again: 2 * ms, Frame: 4 * ms}, 5},
		{Costs{Back: 1 * ms, Again: 5 * ms, Frame: 5 * ms}, 1},
		{Costs{Back: 1 * ms, Again: 9 * ms, Frame: 9 * ms}, 0},
		{Costs{Frame: 50 * ms}, 0},
	} {
		if got := tt.fits(); got != tt.want {
			t.Errorf("%+v: %d frames fit, want %d", tt.Costs, got, tt.want)
		}
	}
}

// The depth falls at once and rises slowly.
func TestBudget(t *testing.T) {
	var b Budget
	seen := []string{}
	at := func(frame time.Duration, n int) {
		for range n {
			b.Frame(frame, b.Depth() > 0, false)
			b.Back(frame / 3)
		}
		seen = append(seen, fmt.Sprint(b.Depth()))
	}
	at(time.Millisecond, 30)
	at(time.Millisecond, 60)
	at(time.Millisecond, 660)
	at(4*time.Millisecond, 300)
	at(20*time.Millisecond, 240)
	at(time.Millisecond, 300) // nothing is noted
	at(time.Millisecond, 1500)
	if got := fmt.Sprint(seen); got != "[3 3 12 2 0 0 12]" {
		t.Errorf("depths: %v", got)
	}
}

// A machine begins with what it bore in the game before, and falls at once where it does not bear that now.
func TestBudgetGoesOn(t *testing.T) {
	for _, tt := range []struct {
		before      int
		frame       time.Duration
		first, then int
	}{{8, time.Millisecond, 8, 12}, {8, 4 * time.Millisecond, 8, 2}, {0, time.Millisecond, 1, 9}, {99, time.Millisecond, MaxDepth, MaxDepth}} {
		b := NewBudget(tt.before)
		first := b.Depth()
		for range 540 {
			b.Frame(tt.frame, b.Depth() > 0, false)
			b.Back(tt.frame / 3)
		}
		if then := b.Depth(); first != tt.first || then != tt.then {
			t.Errorf("after a depth of %d it begins with %d and has %d later, with frames of %v", tt.before, first, then, tt.frame)
		}
	}
}

// A plays is a machine on which frames of both kinds are late by chance, and more often where it went back too far.
type plays struct {
	b       Budget
	rng     *rand.Rand
	frame   time.Duration
	hitches float64              // share of frames, whether it goes back or not
	late    func(depth int) bool // because it went back so far
}

// frames plays so many, for every second of which it goes back as far as it may.
func (p *plays) frames(n int) (deepest, late int) {
	for i := range n {
		depth := p.b.Depth()
		deepest = max(deepest, depth)
		took := p.frame
		hitch := p.rng.Float64() < p.hitches
		if hitch {
			took += 12 * time.Millisecond
		}
		again := 0
		if i%2 == 0 && depth > 0 {
			again = depth
			p.b.Back(p.frame / 2)
		}
		for range again {
			p.b.Frame(p.frame, true, true)
		}
		p.b.Frame(took, depth > 0, false)
		is := hitch || again > 0 && p.late != nil && p.late(again)
		if is {
			late++
		}
		p.b.Shown(is, again)
	}
	return deepest, late
}

// Hitches that a machine has whether it goes back or not cost no depth: up to one frame in ten.
func TestHitchesCostNoDepth(t *testing.T) {
	for seed := range uint64(20) {
		for _, share := range []float64{0, 0.01, 0.05, 0.09} {
			p := plays{rng: rand.New(rand.NewPCG(seed, 1)), frame: time.Millisecond, hitches: share}
			p.frames(2000)
			falls := 0
			for range 10_000 {
				before := p.b.Depth()
				p.frames(1)
				if p.b.Depth() < before {
					falls++
				}
			}
			if got := p.b.Depth(); got < MaxDepth-2 || falls > 3 {
				t.Errorf("seed %d: with hitches in %g of the frames the depth is %d, and fell %d times", seed, share, got, falls)
			}
		}
	}
}

// Where frames are late because the machine went back so far, it goes back less, whatever the costs say; and it tries again
// more and more rarely.
func TestLateFramesCostDepth(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		p := plays{rng: rng, frame: time.Millisecond, hitches: 0.02, late: func(depth int) bool { return depth > 4 && rng.Float64() < 0.3 }}
		p.frames(3000)
		over := 0
		for range 60_000 {
			p.frames(1)
			if p.b.Depth() > 4 {
				over++
			}
			if p.b.Depth() < 3 {
				t.Fatalf("seed %d: the depth is %d, where 4 are never late", seed, p.b.Depth())
			}
		}
		if over > 6000 {
			t.Errorf("seed %d: for %d of 60,000 frames the depth was more than the machine bears", seed, over)
		}
	}
	// One that cannot go back at all comes to wait for all inputs.
	rng := rand.New(rand.NewPCG(1, 3))
	p := plays{rng: rng, frame: time.Millisecond, late: func(int) bool { return rng.Float64() < 0.3 }}
	p.frames(3000)
	zero := 0
	for range 60_000 {
		if p.frames(1); p.b.Depth() == 0 {
			zero++
		}
	}
	if zero < 50_000 {
		t.Errorf("it goes back in %d of 60,000 frames", 60_000-zero)
	}
}

// A game that draws every second frame has cheap frames and dear ones, which both count.
func TestCostsOfTwoKinds(t *testing.T) {
	var b Budget
	for i := range 600 {
		b.Frame(time.Duration(1+i%2*5)*time.Millisecond, true, false)
		b.Back(time.Millisecond)
	}
	if got := b.Depth(); got < 2 || got > 4 {
		t.Errorf("frames of 1 and 6 ms: depth %d", got)
	}
}
