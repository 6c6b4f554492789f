package library

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/emucore"
)

// Look opens a file as a game, which may be anywhere. The error is one to be put
// into words with [Why].
func Look(path string) (Game, error) {
	rom, err := emucore.OpenROM(path)
	if err != nil {
		return Game{}, err
	}
	return newGame(rom), nil
}

// Add opens a file from anywhere as a game and puts it on the shelf for good, if
// it is not there already. The file stays where it is. When only the putting
// failed, the game comes with the error.
func (s *Shelf) Add(path string) (Game, error) {
	g, err := Look(path)
	if err != nil {
		return g, err
	}
	for _, known := range s.List().Games {
		if known.ROM.SHA256 == g.ROM.SHA256 {
			return known, nil
		}
	}
	if err := s.link(g.ROM.Path); err != nil {
		return g, fmt.Errorf("keeping %s on the shelf: %w", path, err)
	}
	s.mu.Lock()
	s.list.Games = append(append([]Game{}, s.list.Games...), g)
	Sort(s.list.Games, ByTitle, nil)
	s.mu.Unlock()
	s.Scan()
	return g, nil
}

// maxLinks is how many files can be added; beyond that, a folder is the way.
const maxLinks = 256

// link makes a link to a file in the folder of links.
func (s *Shelf) link(path string) error {
	if err := os.MkdirAll(s.links, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(s.links)
	if err != nil {
		return err
	}
	if len(entries) >= maxLinks {
		return fmt.Errorf("%d files were added one by one; put them into a folder, and add that in the settings", len(entries))
	}
	ext := filepath.Ext(path)
	name := filepath.Base(path[:len(path)-len(ext)])
	for n := 1; n <= len(entries)+1; n++ {
		to := filepath.Join(s.links, name+ext)
		if n > 1 {
			to = filepath.Join(s.links, fmt.Sprintf("%s (%d)%s", name, n, ext))
		}
		err := os.Symlink(path, to)
		if target, readErr := os.Readlink(to); err == nil || readErr == nil && target == path {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return fmt.Errorf("no name is free for %s in %s", filepath.Base(path), s.links)
}
