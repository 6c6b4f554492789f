package emustate

import (
	"context"
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/savestate"
)

// ErrNotHere says that a part of a console is not in the store.
var ErrNotHere = errors.New("not in the store")

// Console is one that can be installed.
type Console interface {
	Load(emucore.State) error
	Hash() (ds.Hash, error)
	Close() error
}

// Install builds the console of a manifest in a fresh worker, from the same bytes
// as everybody else, and returns it with the hash to compare. The owner of the
// console does the same: consoles that load the same state stay equal, but need
// not stay equal to the one that made it.
//
// Everything is verified before it is used: core and ROM by hash,
// the parts when they came into the store ([ErrNotHere] if one did not). A state that the core does not take, or does not survive, is an error as from
// emucore.Console.Load. Errors name the seat, counted from 1, as players do. No worker is left
// after an error.
//
// Start makes the worker, as emucore.Start does. Tweaks change the configuration before that.
// They are for tests of cores: nothing else knows of them.
func Install[C Console](ctx context.Context, start func(context.Context, emucore.Config) (C, error), m savestate.Manifest, core emucore.Core, rom *emucore.ROM, store *savestate.Store,
	tweaks ...func(*emucore.Config),
) (c C, hash ds.Hash, err error) {
	var none C
	cfg, state, err := config(&m, core, rom, store)
	if err == nil {
		for _, tweak := range tweaks {
			tweak(&cfg)
		}
		c, err = start(ctx, cfg)
	}
	if err == nil {
		if hash, err = restore(ctx, &m, c, state); err != nil {
			c.Close()
		}
	}
	if err != nil {
		return none, ds.Hash{}, fmt.Errorf("install seat %v: %w", m.Seat, err)
	}
	return c, hash, nil
}

// mismatch says that a console was made from something else than what is here.
func mismatch(what string, want, here [32]byte) error {
	return fmt.Errorf("its %s has a SHA-256 that begins with %x, the one here with %x", what, want[:6], here[:6])
}

// check compares a manifest with what is here.
func check(m *savestate.Manifest, core emucore.Core, rom *emucore.ROM) error {
	if err := m.Validate(); err != nil {
		return err
	}
	switch {
	case core.SHA256 != m.Core:
		return mismatch("core", m.Core, core.SHA256)
	case rom == nil:
		return errors.New("no ROM")
	case rom.SHA256 != m.ROM:
		return mismatch("ROM", m.ROM, rom.SHA256)
	}
	return nil
}

// config checks a manifest, and returns the console's configuration at its start and the state that it
// is put into then.
func config(m *savestate.Manifest, core emucore.Core, rom *emucore.ROM, store *savestate.Store) (cfg emucore.Config, state []byte, err error) {
	if err := check(m, core, rom); err != nil {
		return cfg, nil, err
	}
	sram, err := load(m, savestate.KindSRAM, store)
	if err != nil {
		return cfg, nil, err
	}
	if state, err = load(m, savestate.KindState, store); err != nil {
		return cfg, nil, err
	}
	codes, err := load(m, savestate.KindCheats, store)
	if err != nil {
		return cfg, nil, err
	}
	var cheats []cheat.Cheat
	if codes != nil {
		if cheats, err = cheat.Decode(codes); err != nil {
			return cfg, nil, err
		}
	}
	cfg = emucore.Config{
		Core: core, ROM: rom, Options: m.Options, Firmware: m.Firmware, RTC: m.RTC, SRAM: sram, Cheats: cheats,
	}
	if state == nil {
		cfg.Frame = m.Frame
	}
	return cfg, state, nil
}

// load gets the raw bytes of a part, nil when there is no such part.
func load(m *savestate.Manifest, k savestate.Kind, store *savestate.Store) ([]byte, error) {
	p, ok := m.Part(k)
	if !ok {
		return nil, nil
	}
	raw, ok := store.Get(p.SHA256)
	if !ok || int64(len(raw)) != p.Size {
		return nil, fmt.Errorf("%s: %w", p, ErrNotHere)
	}
	return raw, nil
}

// restore puts a fresh console into its state, if it has one, and hashes it.
func restore(ctx context.Context, m *savestate.Manifest, c Console, state []byte) (ds.Hash, error) {
	if state != nil {
		if err := c.Load(emucore.State{Frame: m.Frame, Data: state}); err != nil {
			return ds.Hash{}, err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return ds.Hash{}, err
	}
	return c.Hash()
}
