package library

import (
	"path/filepath"
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/roms"
)

// Look opens a file as a game, which may be anywhere, also an archive with one game in it. The error is one to be put
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
	if known := s.List().Find(g.ROM.SHA256); known != nil {
		return *known, nil
	}
	if err := roms.Links(s.links).Keep(g.ROM.File()); err != nil {
		return g, err
	}
	s.mu.Lock()
	// The search that an earlier file began may have it already, by its header alone.
	s.walked = append(slices.DeleteFunc(slices.Clone(s.walked), func(w Game) bool {
		return roms.Links(s.links).Leads(w.ROM.Path, g.ROM.Path)
	}), g)
	s.list.Games = once(s.walked)
	s.rescan()
	s.mu.Unlock()
	return g, nil
}

// target is the path by which a game that was added is known at first; when a scan finds it, it is by its link's.
func (s *Shelf) target(path string) string { return roms.Links(s.links).Target(path) }

// AddAll puts the games of an archive with several of them on the shelf, and returns how many there are; 0 for anything
// else.
func (s *Shelf) AddAll(path string) (int, error) {
	n, err := emucore.CountGames(path)
	if err != nil || n < 2 {
		return 0, nil // whose error Add tells
	}
	if path, err = filepath.Abs(path); err != nil {
		return 0, err
	}
	if err := roms.Links(s.links).Keep(path); err != nil {
		return 0, err
	}
	s.mu.Lock()
	s.rescan()
	s.mu.Unlock()
	return n, nil
}
