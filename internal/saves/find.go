package saves

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore/banner"
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
