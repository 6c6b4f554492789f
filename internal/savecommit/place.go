package savecommit

import (
	"context"
	"errors"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
)

// Opener opens where the saves of a console's game are kept; see session.Config.OpenSaves. It
// may be nil, and then nothing is kept.
type Opener func(rom *emucore.ROM, console int) (store *saves.Store, sram []byte, err error)

// Place is where the saves of one of our consoles are kept, for one ROM. The zero Place is
// nowhere.
type Place struct {
	rom   [32]byte
	store *saves.Store
	blank bool // the cartridge began without a save
}

// Began notes what the cartridge began with, if anything: one that is blank still has nothing to save.
func (p Place) Began(sram []byte) Place {
	p.blank = savefile.Blank(sram)
	return p
}

// nothing reports whether backup memory is not worth keeping.
func (p Place) nothing(sram []byte) bool { return p.blank && savefile.Blank(sram) }

// Open opens the saves of a console's game, where it is not open already, closes those of
// another game, and returns what the cartridge starts with: what could not be written before,
// or else the current save. It runs on any goroutine. Trouble is told; with err there is no game.
func (p Place) Open(rom *emucore.ROM, console int, open Opener, left *saves.Unwritten) (opened Place, sram []byte, trouble, err error) {
	if open == nil {
		return Place{}, nil, nil, nil
	}
	if p.store != nil && p.rom != rom.SHA256 {
		p.store.Close()
		p = Place{}
	}
	if p.store == nil {
		p.rom = rom.SHA256
		if p.store, sram, trouble = open(rom, console); p.store == nil {
			return p, sram, trouble, nil
		}
	}
	if sram = left.Start(p.store); sram == nil {
		sram, _, err = p.store.Current()
	}
	return p, sram, trouble, err
}

// Peek is Open for a look at the save: what was not open before is closed again, lest the player's other
// programs find it in use. Played says that a game left the save.
func (p Place) Peek(rom *emucore.ROM, console int, open Opener, left *saves.Unwritten) (after Place, sram []byte, played bool, err error) {
	before := p.Keeps() && p.rom == rom.SHA256
	after, sram, _, err = p.Open(rom, console, open, left)
	played = after.Played()
	if !before && after.store != nil {
		err = errors.Join(err, after.store.Close())
		after = Place{}
	}
	return after, sram, played, err
}

// Played reports whether a game left the current save.
func (p Place) Played() bool {
	if p.store == nil {
		return false
	}
	_, m, err := p.store.Current()
	return err == nil && m != nil && m.Origin == saves.Played
}

// Keeps reports whether anything is kept here.
func (p Place) Keeps() bool { return p.store != nil }

// Since returns the time at which the current save was written; zero when that is not known.
func (p Place) Since() time.Time {
	if p.store == nil {
		return time.Time{}
	}
	if _, m, err := p.store.Current(); err == nil && m != nil {
		return m.At
	}
	return time.Time{}
}

// SetAside keeps a save beside the others; see [saves.Store.SetAside].
func (p Place) SetAside(sram []byte) (path string, err error) { return p.store.SetAside(sram) }

// FindChip asks a core for the chip of a game's cartridge, as [emucore.FindChip] does.
type FindChip func(context.Context, emucore.Config) (savefile.Chip, error)

// A Fitter makes saves as long as the chips of their cartridges. It may be used from any goroutine.
type Fitter struct {
	Find  FindChip     // nil: saves stay as they are
	Chips *saves.Chips // what is known already
}

// Fitted is a save for a cartridge.
type Fitted struct {
	Image  []byte        // what the cartridge holds; nil for nothing
	Chip   savefile.Chip // as far as it is known
	Waits  bool          // there is a save, and the cartridge has no memory for any
	Cut    int           // bytes at the save's end that are blank, and left out
	Misfit *savefile.TooLongError
}

// Fit makes a save as long as the chip of the cartridge. Cfg is the console, without a save. Played
// says that a game on some core has left the save: then it is as long as that game's chip, and a
// core without a list of chips need not be asked, which takes it seconds.
func (f Fitter) Fit(ctx context.Context, cfg emucore.Config, sram []byte, played bool) Fitted {
	if f.Find == nil {
		return Fitted{Image: sram}
	}
	if savefile.Blank(sram) {
		return Fitted{}
	}
	v := Fitted{Chip: f.chip(ctx, cfg, played)}
	var err error
	v.Image, err = savefile.Fit(sram, v.Chip)
	switch {
	case errors.As(err, &v.Misfit):
	case v.Chip.None():
		v.Waits = true
	default:
		v.Cut = max(0, len(sram)-len(v.Image))
	}
	return v
}

// chip returns what is known of the chip, asking the core if need be. A core that fails there fails at the
// start, too, and says why.
func (f Fitter) chip(ctx context.Context, cfg emucore.Config, played bool) savefile.Chip {
	game, core := cfg.ROM.SHA256, cfg.Core.SHA256
	if f.Chips.Asked(game, core) {
		return f.Chips.Get(game, core)
	}
	if played && emucore.ProfileFor(cfg.Core.Name).SRAM == emucore.SRAMFile {
		return savefile.Chip{}
	}
	chip, err := f.Find(ctx, cfg)
	if err != nil {
		return savefile.Chip{}
	}
	f.Chips.Put(game, core, chip)
	return chip
}
