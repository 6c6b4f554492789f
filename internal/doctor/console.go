package doctor

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Console is an examination's view of one.
type Console interface {
	Step(in emucore.Input) (emucore.Frame, error)
	Close() error
}

const (
	maxConsoles = 4
	warmUp      = 30          // frames that are not timed: our program needs no more
	speedSpan   = time.Second // with each number of consoles
)

// speed returns the frames a second that this machine makes of each console, with one of them, with two
// and so on up to most. The first frames of each are not timed.
func speed(ctx context.Context, start func(context.Context) (Console, error), most, warmUp int, span time.Duration) (rates []float64, err error) {
	var all []Console
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	for range most {
		c, err := start(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		for range warmUp {
			if _, err := c.Step(emucore.Input{}); err != nil || ctx.Err() != nil {
				return nil, cmp.Or(err, ctx.Err())
			}
		}
	}
	for n := range most {
		r, err := rate(ctx, all[:n+1], span)
		if err != nil {
			return nil, err
		}
		rates = append(rates, r)
	}
	return rates, nil
}

// rate returns the frames a second of the slowest of some consoles that run at the same time.
func rate(ctx context.Context, all []Console, span time.Duration) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, span)
	defer cancel()
	rates, errs := make([]float64, len(all)), make([]error, len(all))
	var jobs sync.WaitGroup
	for i, c := range all {
		jobs.Go(func() {
			began, frames := time.Now(), 0
			for ; ctx.Err() == nil && errs[i] == nil; frames++ {
				_, errs[i] = c.Step(emucore.Input{})
			}
			rates[i] = float64(frames) / time.Since(began).Seconds()
		})
	}
	jobs.Wait()
	return slices.Min(rates), cmp.Or(errs...)
}

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

// jitToTry are the options that turn on the JIT of a core that does without one by itself.
func jitToTry(core emucore.Core) (options []ds.Option, ok bool) {
	profile := emucore.ProfileFor(core.Name)
	jit, ok := profile.JITOption(true)
	if !ok || profile.Compiles(nil) {
		return nil, false
	}
	return []ds.Option{jit}, true
}

// jitWorth is the factor by which a console must be faster for advice.
const jitWorth = 1.15

// judgeJIT takes frames a second, of one console at the head, without the core's JIT and with it.
func judgeJIT(interpreted, compiled []float64, err error) Finding {
	f := Finding{Subject: "jit"}
	switch {
	case err != nil:
		f.Words, f.Detail = "The core's JIT did not run; the core works without it.", err.Error()
	case compiled[0] < interpreted[0]*jitWorth:
		f.Words = fmt.Sprintf("The core's JIT gains little: %.0f frames a second with one console, %.0f without it.", compiled[0], interpreted[0])
	default:
		f.Words = fmt.Sprintf("The core's JIT makes %.0f frames a second with one console, %.0f without it.", compiled[0], interpreted[0])
		f.Advice = "If games are slow in rooms that you open, set core.jit to \"on\". It is experimental."
	}
	return f
}
