package game

import (
	"cmp"
	"sync"

	"github.com/nettplay/nettplay/savestate"
)

// Together does something for each of a list, side by side, and returns the first error
// in the order of the list.
func Together[T any](list []T, do func(i int, v T) error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, v := range list {
		wait.Go(func() { errs[i] = do(i, v) })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// Expect has a store expect the states and saves of consoles that stand between
// two frames, and the air. States that cannot be had are left out. It runs on any goroutine.
func Expect(list []Console, radio *Radio, store *savestate.Store) {
	_ = Together(list, func(_ int, c Console) error {
		if state, err := c.Save(); err == nil {
			_ = store.Expect(savestate.KindState, state.Data)
		}
		if sram, err := c.SRAM(); err == nil && len(sram) > 0 {
			_ = store.Expect(savestate.KindSRAM, sram)
		}
		return nil
	})
	if b, err := radio.Save(); err == nil && b != nil {
		_ = store.Expect(savestate.KindAir, b)
	}
}
