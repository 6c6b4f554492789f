// Package emustate captures and installs consoles of emucore for package savestate, which
// itself knows no emulator and builds without cgo.
//
//	manifest, err := emustate.Capture(seat, config, nil, store)  // a state instead of nil: not from a cold boot
//	...                                                          // the parts travel; see package savestate
//	console, hash, err := emustate.Install(ctx, start, manifest, core, rom, store)
package emustate

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/savestate"
)

// Capture describes the console of a seat, and puts its parts into store. With
// state nil the console starts cold at cfg.Frame, with cfg.SRAM in its cartridge; else it goes
// on from state, which must come from a console of this very cfg. The
// console's other options, besides the room's choices, are not in the manifest: profiles
// pin them. It takes some tens of milliseconds with a state.
func Capture(seat ds.Seat, cfg emucore.Config, state *emucore.State, store *savestate.Store) (savestate.Manifest, error) {
	m, err := capture(seat, cfg, state, store)
	if err != nil {
		return savestate.Manifest{}, fmt.Errorf("capture seat %v: %w", seat, err)
	}
	return m, nil
}

func capture(seat ds.Seat, cfg emucore.Config, state *emucore.State, store *savestate.Store) (savestate.Manifest, error) {
	if cfg.ROM == nil {
		return savestate.Manifest{}, errors.New("no ROM")
	}
	m := savestate.Manifest{
		Seat: seat, ROM: cfg.ROM.SHA256, Core: cfg.Core.SHA256,
		RTC: cfg.RTC, Frame: cfg.Frame, Firmware: cfg.Firmware, Options: cfg.Options,
	}
	if state != nil {
		m.Frame = state.Frame
		p, err := store.Put(savestate.KindState, state.Data)
		if err != nil {
			return savestate.Manifest{}, err
		}
		m.Parts = append(m.Parts, p)
	}
	if len(cfg.SRAM) > 0 {
		p, err := store.Put(savestate.KindSRAM, cfg.SRAM)
		if err != nil {
			return savestate.Manifest{}, err
		}
		m.Parts = append(m.Parts, p)
	}
	if err := AddCheats(&m, cfg.Cheats, store); err != nil {
		return savestate.Manifest{}, err
	}
	return m, m.Validate()
}

// AddCheats puts a console's cheats into store and, as the last part, into its manifest.
func AddCheats(m *savestate.Manifest, list []cheat.Cheat, store *savestate.Store) error {
	if len(list) == 0 {
		return nil
	}
	if err := cheat.Check(list); err != nil {
		return err
	}
	p, err := store.Put(savestate.KindCheats, cheat.Encode(list))
	if err != nil {
		return err
	}
	m.Parts = append(m.Parts, p)
	return nil
}
