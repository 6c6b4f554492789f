package doctor

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// enoughDepth is the number of frames that hide the usual way between two players.
const enoughDepth = 3

// judgeDepth takes the frames of rollback that this machine bears with one console, with two and so on, without the core's
// JIT and with it; none for a core without, or one that compiles by itself. It is no trouble where rooms play in another way.
func judgeDepth(plain, compiled []int, err error) Finding {
	f := Finding{Subject: "rollback"}
	if err != nil || len(plain) == 0 {
		f.Words = "How far consoles can go back in time could not be measured."
		if err != nil {
			f.Detail = err.Error()
		}
		return f
	}
	with := func(list []int, consoles int) int {
		if consoles > len(list) {
			return 0
		}
		return list[consoles-1]
	}
	if plain[0] == 0 {
		f.Words = "This computer is too slow for rollback: in rooms with it, it waits for late inputs."
	} else {
		var parts []string
		for i, depth := range plain {
			if i == 0 {
				parts = append(parts, fmt.Sprintf("up to %s with 1 console", phrase.Count(depth, "frame")))
			} else {
				parts = append(parts, fmt.Sprintf("%d with %d", depth, i+1))
			}
		}
		f.Words = fmt.Sprintf("Of a late input this computer hides %s; a frame is %d ms.", phrase.List(parts), ds.FrameTime(1).Round(time.Millisecond).Milliseconds())
	}
	if two := with(compiled, 2); with(plain, 2) < enoughDepth && two > with(plain, 2) || slices.Max(plain) == 0 && with(compiled, 1) > 0 {
		f.Advice = fmt.Sprintf("With the core's JIT it would be %d with 2 consoles: for rooms with rollback that you open, set core.jit to \"on\". It is experimental.", two)
	}
	return f
}
