package app

import (
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/saves"
)

// openSaves opens where the save of one of this machine's consoles is kept, for a
// session. When another program has it open, this one plays with a copy, and the
// error tells so.
func openSaves(dir string, rom *emucore.ROM, console int) (*saves.Store, []byte, error) {
	return saves.OpenOrCopy(dir, saves.GameOf(rom), saves.Options{Console: console, Doing: "nettplay's window"})
}
