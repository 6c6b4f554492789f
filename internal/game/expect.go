package game

import (
	"sync"

	"github.com/nettplay/nettplay/savestate"
)

// Expect has a store expect the states and saves of consoles that stand between
// two frames, and the air. States that cannot be had are left out. It runs on any goroutine.
func Expect(list []Console, radio *Radio, store *savestate.Store) {
	var all sync.WaitGroup
	for _, c := range list {
		all.Go(func() {
			if state, err := c.Save(); err == nil {
				_ = store.Expect(savestate.KindState, state.Data)
			}
			if sram, err := c.SRAM(); err == nil && len(sram) > 0 {
				_ = store.Expect(savestate.KindSRAM, sram)
			}
		})
	}
	if b, err := radio.Save(); err == nil && b != nil {
		_ = store.Expect(savestate.KindAir, b)
	}
	all.Wait()
}
