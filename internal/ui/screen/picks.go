package screen

import "github.com/nettplay/nettplay/internal/ui/widgets"

// At returns the item at a place of a list, nil where there is none.
func At[T any](list []T, i int) *T {
	if i < 0 || i >= len(list) {
		return nil
	}
	return &list[i]
}

// Picks is a list from which the player picks one, for a screen to embed.
type Picks[T any] struct {
	Search
	List []T // the newest first
	At   int // which of them is lit
}

// Lit returns the one that is lit, nil for none. The list may have changed since the last picture.
func (p *Picks[T]) Lit() *T { return At(p.List, p.At) }

// Bound lights one of the list that a search finds, if there is any.
func (p *Picks[T]) Bound(u *widgets.UI, l widgets.List) (lit *T, found Narrowed) {
	p.At = min(max(p.At, 0), len(p.List)-1)
	found = p.Narrow(u, l, &p.At)
	return p.Lit(), found
}
