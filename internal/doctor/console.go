package doctor

import (
	"context"
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
	warmUp      = 30          // frames that are not timed
	speedSpan   = time.Second // with each number of consoles
)

// consoles are several that were started.
func consoles(ctx context.Context, start func(context.Context) (Console, error), n int) (list []Console, closeAll func(), err error) {
	closeAll = func() {
		for _, c := range list {
			c.Close()
		}
	}
	for range n {
		c, err := start(ctx)
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		list = append(list, c)
	}
	return list, closeAll, nil
}

// speed returns the frames a second that this machine makes of each console, with one of them, with two
// and so on.
func speed(ctx context.Context, start func(context.Context) (Console, error), span time.Duration) (rates []float64, err error) {
	all, closeAll, err := consoles(ctx, start, maxConsoles)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	for _, c := range all {
		for range warmUp {
			if _, err := c.Step(emucore.Input{}); err != nil {
				return nil, err
			}
		}
	}
	for n := 1; n <= len(all); n++ {
		r, err := rate(ctx, all[:n], span)
		if err != nil {
			return nil, err
		}
		rates = append(rates, r)
	}
	return rates, nil
}

// rate is that of the slowest of some consoles that run at the same time.
func rate(ctx context.Context, all []Console, span time.Duration) (slowest float64, err error) {
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
	slowest = rates[0]
	for i := range all {
		if errs[i] != nil {
			return 0, errs[i]
		}
		slowest = min(slowest, rates[i])
	}
	return slowest, nil
}
