//go:build unix

package game

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
)

const airHead = `milliseconds            work of a frame                | all frames: processor time | the 2 % with most work
                         p50   p90   p99   max  16.7 > | workers queued  ours  held  hashed | workers queued  ours  held  hashed`

func (g *airGame) report() {
	slices.SortFunc(g.frames, func(a, b airFrame) int { return cmp.Compare(a.work, b.work) })
	n := len(g.frames)
	over, _ := slices.BinarySearchFunc(g.frames, ds.FrameTime(1), func(f airFrame, d time.Duration) int { return cmp.Compare(f.work, d) })
	fmt.Printf("%-22s", g.name)
	for _, percent := range []int{50, 90, 99, 100} {
		fmt.Printf(" %5.1f", g.frames[(n-1)*percent/100].work.Seconds()*1e3)
	}
	fmt.Printf("  %4.1f%% |", 100*float64(n-over)/float64(n))
	parts(g.frames)
	parts(g.frames[n*98/100:])
	fmt.Println()
}

// parts prints means, and the shares of frames in which something was the case.
func parts(frames []airFrame) {
	var sum counters
	held, hashed, n := 0, 0, float64(len(frames))
	for _, f := range frames {
		sum = counters{sum.workers + f.workers, sum.queued + f.queued, sum.parent + f.parent}
		if f.held {
			held++
		}
		if f.hashed {
			hashed++
		}
	}
	for _, d := range []time.Duration{sum.workers, sum.queued, sum.parent} {
		fmt.Printf("%7.2f", d.Seconds()*1e3/n)
	}
	fmt.Printf("%5.0f%% %6.0f%% |", 100*float64(held)/n, 100*float64(hashed)/n)
}
