package savestate

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
)

// Capture describes the console of a seat, and puts its parts into store. With
// state nil the console starts cold at cfg.Frame, with cfg.SRAM in its cartridge; else it goes
// on from state, which must come from a console of this very cfg. What the
// console's options are but the room's choices is not in the manifest: profiles
// pin it. It takes some tens of milliseconds with a state.
func Capture(seat ds.Seat, cfg emucore.Config, state *emucore.State, store *Store) (Manifest, error) {
	m, err := capture(seat, cfg, state, store)
	if err != nil {
		return Manifest{}, fmt.Errorf("capture seat %d: %w", seat+1, err)
	}
	return m, nil
}

func capture(seat ds.Seat, cfg emucore.Config, state *emucore.State, store *Store) (Manifest, error) {
	if cfg.ROM == nil {
		return Manifest{}, errors.New("no ROM")
	}
	m := Manifest{
		Seat: seat, ROM: cfg.ROM.SHA256, Core: cfg.Core.SHA256,
		RTC: cfg.RTC, Frame: cfg.Frame, Firmware: cfg.Firmware, Options: optionList(cfg.Options),
	}
	if state != nil {
		m.Frame = state.Frame
		p, err := store.Put(KindState, state.Data)
		if err != nil {
			return Manifest{}, err
		}
		m.Parts = append(m.Parts, p)
	}
	if len(cfg.SRAM) > 0 {
		p, err := store.Put(KindSRAM, cfg.SRAM)
		if err != nil {
			return Manifest{}, err
		}
		m.Parts = append(m.Parts, p)
	}
	return m, m.Validate()
}
