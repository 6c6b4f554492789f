package library

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
)

// Sort sorts games in place: the last one played first, then by title. played has the time at which each
// was last played, by SHA-256; nil sorts all by title.
func Sort(games []Game, played map[[32]byte]time.Time) {
	slices.SortStableFunc(games, func(a, b Game) int {
		return cmp.Or(b.Played(played).Compare(a.Played(played)),
			byTitle(strings.ToLower(a.Title), strings.ToLower(b.Title)),
			strings.Compare(a.ROM.Path, b.ROM.Path))
	})
}

// byTitle compares titles as people do: numbers in them by what they are, so that 2 comes before 10.
func byTitle(a, b string) int {
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m == 0 || n == 0 {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		x, y := strings.TrimLeft(a[:m], "0"), strings.TrimLeft(b[:n], "0")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 {
			return c
		}
		a, b = a[m:], b[n:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits counts those at the beginning of a text.
func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }

// Find returns the games of which title, other lines or file name have all words
// of a query somewhere, as [phrase.Fold] has them, in any order. An empty query finds all.
func Find(games []Game, query string) (found []Game) {
	words := strings.Fields(phrase.Fold(query))
	if len(words) == 0 {
		return slices.Clone(games)
	}
	for _, g := range games {
		if phrase.Has(phrase.Fold(g.Title+"\n"+g.About()+"\n"+g.ROM.Code+"\n"+filepath.Base(g.ROM.Path)), words) {
			found = append(found, g)
		}
	}
	return found
}
