package app

import (
	"slices"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/library"
)

// gameNames are the names of the game that shows, looked up once.
type gameNames struct {
	of    [32]byte
	games int // that were in the list
	names [][32]byte
}

// shown returns the SHA-256s that name the game that is watched, or that the player plays: those of its image and of its
// file, where the game is here, so that it is one game whatever a room or a recording calls it.
func (s *Shell) shown() [][32]byte {
	sum, game := s.shownGame()
	if game != nil && !game.ROM.Unread() {
		return namesOf(game.ROM)
	}
	if sum == [32]byte{} {
		return nil
	}
	if s.names.names == nil || s.names.of != sum || s.names.games != len(s.Games.Games) {
		s.names = gameNames{sum, len(s.Games.Games), [][32]byte{sum}}
		if i := slices.IndexFunc(s.Games.Games, func(g library.Game) bool { return g.Is(sum) }); i >= 0 {
			s.names.names = namesOf(s.Games.Games[i].ROM)
		}
	}
	return s.names.names
}

// namesOf are the SHA-256s that name a game.
func namesOf(rom *emucore.ROM) [][32]byte {
	names := [][32]byte{rom.SHA256}
	if other := rom.Other(); other != [32]byte{} && other != rom.SHA256 {
		names = append(names, other)
	}
	return names
}

// shownGame returns the game that shows: by its SHA-256, or itself.
func (s *Shell) shownGame() (sum [32]byte, game *library.Game) {
	if w := s.viewer.Watching; w != nil {
		if w.Room != nil {
			host, _ := w.Room.Room.Player(w.Room.Room.Host)
			return host.ROM.SHA256, nil
		}
		return w.ROM, nil
	}
	r := s.session.Room
	if r == nil || !r.Run.Playing {
		return sum, nil
	}
	if mine, there := r.Mine(); there && (r.Game == nil || !r.Game.Is(mine.ROM.SHA256)) && mine.ROM.SHA256 != sum {
		return mine.ROM.SHA256, nil
	}
	return sum, r.Game
}
