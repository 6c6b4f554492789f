package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// Console is what an examination needs of one.
type Console interface {
	Step(in emucore.Input) (emucore.Frame, error)
	Hash() (ds.Hash, error)
	Save() (emucore.State, error)
	Load(s emucore.State) error
	Close() error
}

const (
	maxConsoles = 4
	warmUp      = 30          // frames that are not timed
	speedSpan   = time.Second // with each number of consoles
	syncFrames  = 120         // before a state is loaded, and after
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

// speed is how many frames a second this machine makes of each console, with one of them,
// with two and so on.
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

// differError says that two consoles came apart that should be the same.
type differError struct {
	frame  int
	region string
	loaded bool
}

func (e *differError) Error() string {
	after := "the start"
	if e.loaded {
		after = "a state was loaded"
	}
	return fmt.Sprintf("two consoles that should be the same differ %d frames after %s (%s)", e.frame+1, after, e.region)
}

// twice plays the same on two consoles and compares them frame by frame, from the start
// and on two new ones from a state of the first, so many frames each time. It returns how
// many were the same.
func twice(ctx context.Context, start func(context.Context) (Console, error), each int) (frames int, err error) {
	script := inputdelay.RandomScript(1, int64(2*each))
	var state emucore.State
	for _, loaded := range []bool{false, true} {
		all, closeAll, err := consoles(ctx, start, 2)
		if err != nil {
			return frames, err
		}
		err = func() error {
			defer closeAll()
			for _, c := range all {
				if loaded {
					if err := c.Load(state); err != nil {
						return err
					}
				}
			}
			if err := inStep(ctx, all, script, frames, each, loaded); err != nil {
				return err
			}
			frames += each
			state, err = all[0].Save()
			return err
		}()
		if err != nil {
			return frames, err
		}
	}
	return frames, nil
}

func inStep(ctx context.Context, all []Console, script *inputdelay.Script, from, each int, loaded bool) error {
	for f := range each {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("there was no time for %d frames: %w", each, err)
		}
		var hashes [2]ds.Hash
		for i, c := range all {
			_, err := c.Step(script.At(int64(from + f)))
			if err == nil {
				hashes[i], err = c.Hash()
			}
			if err != nil {
				return err
			}
		}
		if region := hashes[0].Differs(hashes[1]); region != "" {
			return &differError{frame: f, region: region, loaded: loaded}
		}
	}
	return nil
}
