package start

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
)

// shelf is the player's games in an order, and those of them that are looked for. Both are made anew only when something of
// it is another: a screen asks for them with each picture.
type shelf struct {
	first    *library.Game // of the list that it was made of
	count    int
	played   int64 // of the times at which games were played: their sum
	byPlayed bool
	games    []library.Game
	at       map[[32]byte]time.Time // when each was played

	query string
	found []library.Game // by query; nil: not looked for yet
}

// order returns the games of a list, by title or the last one played first. They are not to be changed.
func (s *shelf) order(list []library.Game, m memory.Memory, byPlayed bool) []library.Game {
	if len(list) == 0 {
		*s = shelf{}
		return nil
	}
	played := int64(len(m.Played))
	for _, at := range m.Played {
		played += at
	}
	if s.first != &list[0] || s.count != len(list) || s.played != played || s.byPlayed != byPlayed {
		*s = shelf{first: &list[0], count: len(list), played: played, byPlayed: byPlayed, games: list, at: m.PlayedAt()}
		if byPlayed {
			s.games = slices.Clone(list)
			library.Sort(s.games, s.at)
		}
	}
	return s.games
}

// find returns those of the order that a query finds.
func (s *shelf) find(query string) []library.Game {
	if s.found == nil || s.query != query {
		s.query, s.found = query, append([]library.Game{}, library.Find(s.games, query)...)
	}
	return s.found
}
