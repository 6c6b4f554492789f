package saves

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/internal/phrase"
)

// maxFolders bounds how many folders are looked through.
const maxFolders = 10_000

// Kept is the saves of one game as they are found on the disk, without opening
// them: for lists. Another process may change them meanwhile.
type Kept struct {
	Dir     string
	Game    Game
	Console int    // 1: the player's own
	File    string // the file that the player named, "" for none
	Saves   []Save // the highest number first
}

// Current is the newest confirmed save; nil for none, or where that is blank.
func (k *Kept) Current() *Save {
	for i := range k.Saves {
		if k.Saves[i].Current {
			return &k.Saves[i]
		}
	}
	return nil
}

// Read returns a save, raw.
func (k *Kept) Read(number int) ([]byte, error) { return readOf(k.Dir, number) }

// InUse names the process that has the saves open, nil for none.
func (k *Kept) InUse() *InUseError {
	what := k.Game.Title
	if k.File != "" {
		what = k.File
	}
	return inUse(k.Dir, what)
}

// Options returns those with which [Open] opens these saves.
func (k *Kept) Options() Options { return Options{Console: k.Console, File: k.File} }

// All finds the saves of all games below dir, by title. Folders without any save
// are passed over; those whose saves are all damaged have only a folder.
func All(dir string) ([]*Kept, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("looking for saves: %w", err)
	}
	var all []*Kept
	blanks := blankSums{}
	for _, e := range list[:min(len(list), maxFolders)] {
		if !e.IsDir() {
			continue
		}
		k, err := peek(filepath.Join(dir, e.Name()), blanks)
		if err != nil {
			return nil, err
		}
		if k != nil {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b *Kept) int {
		return strings.Compare(strings.ToLower(a.Game.Title), strings.ToLower(b.Game.Title))
	})
	return all, nil
}

// peek reads what is in one folder, nil for nothing.
func peek(dir string, blanks blankSums) (*Kept, error) {
	list, err := listOf(dir, blanks)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	k := &Kept{Dir: dir, Console: 1, Saves: list}
	for _, s := range list {
		if s.SHA256 == [32]byte{} {
			continue // its text is not good
		}
		if k.Game.SHA256 == [32]byte{} {
			k.Game.SHA256, k.Console, k.File = s.ROM, s.Console, s.File
		}
		if !banner.Wordless(s.Title) { // a game without a name was called ####
			k.Game.Title = s.Title
			break
		}
	}
	if k.Game.Title == "" {
		k.Game.Title = filepath.Base(dir)
	}
	return k, nil
}

// Peek finds the saves of one game below dir as [Open] would, without opening
// them. It returns nil when there are none yet.
func Peek(dir string, g Game, o Options) (*Kept, error) {
	if o.File != "" {
		real, err := resolve(o.File)
		if err != nil {
			return nil, err
		}
		o.File = real
	}
	at, _ := folder(dir, g, max(o.Console, 1), o.File)
	return peek(at, blankSums{})
}

// Game is the game that a save belongs to.
type Game struct {
	SHA256 [32]byte // of the ROM: this is what tells games apart
	Other  [32]byte // by which its saves may have been kept, too, see [emucore.ROM.Other]; zero for none
	Title  string   // for people; anything goes
	Called string   // what players call it, which is shorter, in what is told of it; "" for its title
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
	if b, err := rom.Banner(); err == nil {
		g.Called, _ = b.Names()
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
		names = append(names, Game{SHA256: g.Other, Other: g.SHA256, Title: g.Title, Called: g.Called})
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
