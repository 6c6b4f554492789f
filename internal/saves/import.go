package saves

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/emucore/savefile"
)

// An Import is what a file has for a game.
type Import struct {
	SRAM  []byte // as it is to be kept
	Form  savefile.Form
	Cut   string // a sentence for the player, where something blank was left out; else ""
	Loses string // a sentence that says what would be lost; "" for nothing
}

// ReadImport reads a save from a file of any form for a game whose chip is as far known as here. A save
// that does not fit is kept whole: it waits for a core for which it does. The error is for the
// user, who chose the file.
func ReadImport(path string, chip savefile.Chip) (Import, error) {
	s, err := ReadFile(path)
	if err != nil {
		return Import{}, err
	}
	in := Import{SRAM: s.SRAM, Form: s.Form}
	if s.Lost > 0 {
		in.Loses = fmt.Sprintf("The Action Replay wrote %d bytes of its own over the beginning of this save. The game can use it only if it keeps a second copy.", s.Lost)
	}
	if !chip.Known || chip.None() {
		return in, nil
	}
	image, err := savefile.Fit(s.SRAM, chip)
	if long, does := errors.AsType[*savefile.TooLongError](err); does {
		in.Loses = fmt.Sprintf("The file has %s, with data behind the %s that this game's cartridge holds: it looks like another game's. The game would begin without it.",
			savefile.SizeWords(long.Have), savefile.SizeWords(long.Chip))
		return in, nil
	}
	if len(image) < len(s.SRAM) {
		in.Cut = fmt.Sprintf("It had %s, and the cartridge holds %s: the rest was blank.", savefile.SizeWords(len(s.SRAM)), savefile.SizeWords(len(image)))
	}
	in.SRAM = image
	return in, nil
}
