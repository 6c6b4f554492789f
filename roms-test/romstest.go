// Package romstest holds the project's own Nintendo DS programs and reads what
// they show. They stand in for games wherever games cannot be: in tests, in the
// demonstration, on a machine without any ROM.
//
// Each program shows a running hash of everything that its console has been told
// (keys, stylus, lid, microphone, clock, owner) and of what must not differ
// either (a timer of the CPU's clock, a random number stirred by it): as text, and
// as a barcode in the last rows of the picture. Two consoles that are to be equal
// show the same hash in every frame; consoles that were unequal once stay unequal.
//
//   - [Pad] shows all of it, with the keys lighting up and a trail behind the
//     stylus.
//
//   - [Save] counts key presses in the cartridge's EEPROM and keeps a log of them:
//     [ReadSave] reads that.
//
//   - [Draw3D] draws 768 triangles a frame, as a load.
//
//   - [Broadcast] says over the radio what its console holds pressed, and its hash,
//     and shows what it hears of others and how much it missed.
//
//   - [Multiplay] is a game for 2 to 16 consoles over the DS's own multiplay: one
//     opens it (A), others join (B), and without a key they find each other. Each
//     console counts lost rounds, and players whose game is not its own.
//
//   - [Power] is the same game, and Select and Start together switch its console off.
//
// On a core without wireless the last three say NO RADIO.
//
// A program also checks itself: its two processors hash the same words, and it says
// when they disagree. [Broken] gives the variant that fails on purpose, for tests
// of tests.
//
// [ReadBarcode] and [ReadText] read a picture: that of both screens, one over the
// other, 256x384 pixels, as cores give it.
//
// README.md says what they show and how they are played. The sources are in src/: C
// and assembly without any library, built by the Makefile here with
// gcc-arm-none-eabi, and put together by the command in pack/.
// The built files are committed, so nobody needs that compiler to use them.
//
// Nothing here keeps state; everything may be used by any goroutine. Read package
// emucore next: its consoles run these programs.
package romstest

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
)

// The programs, as the bytes of cartridges. They are not to be written to.
var (
	//go:embed pad.nds
	Pad []byte
	//go:embed save.nds
	Save []byte
	//go:embed draw3d.nds
	Draw3D []byte
	//go:embed broadcast.nds
	Broadcast []byte
	//go:embed multiplay.nds
	Multiplay []byte
	//go:embed power.nds
	Power []byte
)

// ROM is a program and its file's name.
type ROM struct {
	Name string // "pad.nds"
	Data []byte
}

// All returns the programs of this package.
func All() []ROM {
	return []ROM{
		{"pad.nds", Pad},
		{"save.nds", Save},
		{"draw3d.nds", Draw3D},
		{"broadcast.nds", Broadcast},
		{"multiplay.nds", Multiplay},
		{"power.nds", Power},
	}
}

// WriteFiles writes ROMs into a folder under their names, for programs that want a
// path. It returns the paths in the same order.
func WriteFiles(dir string, roms ...ROM) ([]string, error) {
	paths := make([]string, 0, len(roms))
	for _, r := range roms {
		path := filepath.Join(dir, r.Name)
		if err := os.WriteFile(path, r.Data, 0o666); err != nil {
			return nil, fmt.Errorf("write test ROM: %w", err)
		}
		paths = append(paths, path)
	}
	return paths, nil
}
