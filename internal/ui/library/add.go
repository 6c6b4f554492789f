package library

import (
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/roms"
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
	if known := s.List().Find(g.ROM.SHA256); known != nil {
		return *known, nil
	}
	if err := roms.Links(s.links).Keep(g.ROM.Path); err != nil {
		return g, err
	}
	s.mu.Lock()
	s.list.Games = append(append([]Game{}, s.list.Games...), g)
	Sort(s.list.Games, nil)
	s.rescan()
	s.mu.Unlock()
	return g, nil
}
