package moment

import (
	"crypto/sha256"
	"fmt"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/savecommit"
	"github.com/nettplay/nettplay/internal/saves"
)

// A Cartridge is that of one of our own consoles, when a kept moment goes on.
type Cartridge struct {
	Seat    ds.Seat
	Console int
	ROM     *emucore.ROM
	Then    [32]byte         // SHA-256 of what it held in the moment
	Place   savecommit.Place // of its saves
	sram    []byte           // the save of now; nil for none
}

// Differs opens the cartridge's save, and tells whether it is another than then. Where nothing
// can be kept, nothing can be lost.
func (c *Cartridge) Differs(open savecommit.Opener, left *saves.Unwritten) (differs bool, err error) {
	c.Place, c.sram, _, err = c.Place.Open(c.ROM, c.Console, open, left)
	return err == nil && c.Place.Keeps() && len(c.sram) > 0 && sha256.Sum256(c.sram) != c.Then, err
}

// SetAside opens the saves of cartridges, and sets those aside that are others than then, if
// it may. It returns what the player is to be told.
func SetAside(list []*Cartridge, open savecommit.Opener, left *saves.Unwritten, may bool) (said []string, err error) {
	for _, c := range list {
		differs, err := c.Differs(open, left)
		switch {
		case err != nil:
			return said, err
		case !differs:
			continue
		case !may:
			return said, fmt.Errorf("the save of seat %v is not the one of the kept moment, and may not be set aside", c.Seat)
		}
		path, err := c.Place.SetAside(c.sram)
		if err != nil {
			return said, fmt.Errorf("your save could not be set aside: %w", err)
		}
		said = append(said, fmt.Sprintf("The game continues with the kept save. Your present one is set aside in %s", path))
	}
	return said, nil
}
