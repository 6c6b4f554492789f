package saves

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/disk"
)

// An Import is what a file has for a game.
type Import struct {
	SRAM  []byte // as it is to be kept
	Cut   string // a sentence for the player, where something blank was left out; else ""
	Loses string // a sentence that says what would be lost; "" for nothing
}

// ImportFor reads a save from a file of any form for a game, with its saves in dir, the folder of all saves. What a
// core said of the game's chip counts; where none was asked yet, what games have left does.
func ImportFor(dir, path string, game [32]byte) (Import, error) {
	chip := OpenChips(dir).Of(game)
	if chip.Known {
		return ReadImport(path, chip)
	}
	in, err := ReadImport(path, savefile.Chip{})
	if err != nil || in.Loses != "" {
		return in, err
	}
	// The save is as long as the chip, or as a core takes it to be: enough for a question, not to cut or to pad.
	if size := playedSize(dir, game); size > 0 {
		in.Loses = tooLong(in.SRAM, savefile.Of(size))
	}
	return in, nil
}

// playedSize returns the length of the newest save of a game that was left by playing it; 0 for none.
func playedSize(dir string, game [32]byte) (size int) {
	list, err := All(dir)
	if err != nil {
		return 0 // a question less
	}
	var at time.Time
	for _, k := range list {
		for _, s := range k.Saves {
			if k.Game.SHA256 == game && s.Origin == Played && savefile.IsSize(s.Size) && (size == 0 || s.At.After(at)) {
				size, at = s.Size, s.At
			}
		}
	}
	return size
}

// tooLong says that a save has data behind the end of a chip; "" where it has none.
func tooLong(sram []byte, chip savefile.Chip) string {
	_, err := savefile.Fit(sram, chip)
	long, does := errors.AsType[*savefile.TooLongError](err)
	if !does {
		return ""
	}
	return fmt.Sprintf("The file has %s, with data beyond the %s that this game's cartridge holds: it looks like another game's. The game would begin without it.",
		savefile.SizeWords(long.Have), savefile.SizeWords(long.Chip))
}

// noSave says that a file does not look like anybody's save; "" where it may be one.
func noSave(s savefile.Save) string {
	switch {
	case s.Form != savefile.Raw:
		return ""
	case len(s.SRAM) < savefile.Smallest:
		return fmt.Sprintf("The file has %s, and no cartridge holds less than %d: it does not look like a save.", savefile.SizeWords(len(s.SRAM)), savefile.Smallest)
	}
	return ""
}

// ReadImport reads a save from a file of any form for a game whose chip is as far known as here. A save
// that does not fit is kept whole: it waits for a core for which it does. The error is for the
// user, who chose the file.
func ReadImport(path string, chip savefile.Chip) (Import, error) {
	s, err := ReadFile(path)
	if err != nil {
		return Import{}, err
	}
	in := Import{SRAM: s.SRAM, Loses: noSave(s)}
	if s.Lost > 0 {
		in.Loses = fmt.Sprintf("The Action Replay wrote %d bytes of its own over the beginning of this save. The game can use it only if it keeps a second copy.", s.Lost)
	}
	if !chip.Known || chip.None() {
		return in, nil
	}
	image, err := savefile.Fit(s.SRAM, chip)
	if err != nil {
		in.Loses = tooLong(s.SRAM, chip)
		return in, nil
	}
	if len(image) < len(s.SRAM) {
		in.Cut = fmt.Sprintf("It had %s, and the cartridge holds %s: the rest was blank.", savefile.SizeWords(len(s.SRAM)), savefile.SizeWords(len(image)))
	}
	in.SRAM = image
	return in, nil
}

// ReadFile returns the save in a file of any form that package savefile knows. The error is for
// the user, who chose the file.
func ReadFile(path string) (savefile.Save, error) {
	f, size, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return savefile.Save{}, fmt.Errorf("there is no file %s", path)
	}
	if err != nil {
		return savefile.Save{}, err
	}
	defer f.Close()
	if size > savefile.MaxFile {
		return savefile.Save{}, fmt.Errorf("%s has %d MB, more than any cartridge's save", path, size>>20)
	}
	b, err := io.ReadAll(io.LimitReader(f, savefile.MaxFile))
	if err != nil {
		return savefile.Save{}, err
	}
	s, err := savefile.Decode(b)
	if err != nil {
		return savefile.Save{}, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}
