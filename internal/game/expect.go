package game

import "github.com/nettplay/nettplay/savestate"

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
