package saves

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/phrase"
)

// Game is the game that a save belongs to.
type Game struct {
	SHA256 [32]byte // of the ROM: this is what tells games apart
	Other  [32]byte // by which its saves may have been kept, too, see [emucore.ROM.Other]; zero for none
	Title  string   // for people; anything goes
}

// GameOf is the game of a ROM, titled as in the console's menu, else as its file is called, else
// as in the ROM's header.
func GameOf(rom *emucore.ROM) Game {
	g := Game{SHA256: rom.SHA256, Other: rom.Other()}
	file := strings.TrimSuffix(filepath.Base(rom.Path), filepath.Ext(rom.Path))
	for _, title := range []string{rom.BannerTitle, file, rom.Title, rom.Code} {
		if g.Title = title; !banner.Wordless(clean(title, maxText)) {
			break
		}
	}
	return g
}

// Is reports whether saves of the game with a SHA-256 are this game's.
func (g Game) Is(sum [32]byte) bool {
	return sum == g.SHA256 || sum == g.Other && g.Other != [32]byte{}
}

// folderTitle makes the readable part of a folder's name: letters, digits and
// what is harmless in every file system and shell.
func folderTitle(title string) string {
	title = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '-':
			return r
		}
		return ' '
	}, title)
	title = phrase.Cut(strings.Join(strings.Fields(title), "-"), 60)
	if title = strings.Trim(title, "-"); title == "" {
		return "game"
	}
	return title
}

// tail is the end of a folder's name, which tells what it is of.
func tail(g Game, console int, file string) string {
	switch {
	case file != "":
		return fmt.Sprintf("-file-%x", pathHash(file))
	case console > 1:
		return fmt.Sprintf("-%x-console%d", g.SHA256[:8], console)
	}
	return fmt.Sprintf("-%x", g.SHA256[:8])
}

// folderName is the name of a new folder.
func folderName(g Game, console int, file string) string {
	title := g.Title
	if file != "" {
		title = filepath.Base(file)
	}
	return folderTitle(title) + tail(g, console, file)
}

// pathHash stands for a path in names of files.
func pathHash(path string) []byte {
	sum := sha256.Sum256([]byte(path))
	return sum[:8]
}

// folder is where the saves of a game are, and the game by the SHA-256 by which they are kept there. A folder that
// is there is taken by what it is of, whatever title it has.
func folder(dir string, g Game, console int, file string) (string, Game) {
	names := []Game{g}
	if g.Other != [32]byte{} {
		names = append(names, Game{SHA256: g.Other, Other: g.SHA256, Title: g.Title})
	}
	list, _ := os.ReadDir(dir) // what cannot be read is not there yet, or fails later
	for _, name := range names {
		end := tail(name, console, file)
		for _, e := range list {
			if e.IsDir() && strings.HasSuffix(e.Name(), end) {
				return filepath.Join(dir, e.Name()), name
			}
		}
	}
	return filepath.Join(dir, folderName(g, console, file)), g
}
