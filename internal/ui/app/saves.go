package app

import (
	"errors"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/saves"
)

// openSaves opens where the save of one of this machine's consoles is kept, for a
// session. When another program has it open, this one plays with a copy, and the
// error tells so.
func openSaves(dir string, rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
	game, how := saves.GameOf(rom), saves.Options{Console: console, Doing: "nettplay's window"}
	store, err := saves.Open(dir, game, how)
	var inUse *saves.InUseError
	if !errors.As(err, &inUse) {
		return store, nil, err
	}
	kept, lookErr := saves.Look(dir, game, how)
	if lookErr != nil || kept == nil || kept.Current() == nil {
		return nil, nil, err
	}
	sram, readErr := kept.Read(kept.Current().Number)
	if readErr != nil {
		return nil, nil, errors.Join(err, readErr)
	}
	return nil, sram, err
}
