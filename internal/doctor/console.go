package doctor

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
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
