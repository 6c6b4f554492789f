package virtual

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestOrder: all happens by time, and in the order of the calls where that is the same, also what events add.
func TestOrder(t *testing.T) {
	w, r := &World{}, rand.New(rand.NewPCG(1, 1))
	type stamp struct {
		at    time.Duration
		count int
	}
	var did, want []stamp
	add := func() {
		s := stamp{max(w.Now, time.Duration(r.IntN(200))), len(want)}
		want = append(want, s)
		w.At(s.at, func() { did = append(did, stamp{w.Now, s.count}) })
	}
	for range 500 {
		add()
	}
	ticks := 0
	w.Every(7, func() {
		if ticks++; len(want) < 1000 {
			add()
		}
	})
	w.Run(200, nil)
	slices.SortStableFunc(want, func(a, b stamp) int { return int(a.at - b.at) })
	if want = slices.DeleteFunc(want, func(s stamp) bool { return s.at > 200 }); !slices.Equal(did, want) || ticks != 200/7+1 {
		t.Errorf("%d things happened and %d ticks, want %d and %d, in order", len(did), ticks, len(want), 200/7+1)
	}
	w.At(0, func() { t.Error("it goes on after done") })
	w.Run(300, func() bool { return true })
}
