package savecommit

import (
	"context"
	"errors"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
)

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
