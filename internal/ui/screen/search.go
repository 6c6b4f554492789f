package screen

import (
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Search is what the player looks for on a screen. Its field stands beside the screen's title, where there is much to look
// through; Ctrl+F opens it everywhere.
type Search struct {
	Words string // "" for all

	open    bool // the field is there, however little there is to look through
	asked   bool // it is to get the keyboard
	entered bool // Enter was pressed in it: the first list gets the keyboard
}

// searchFrom is among how many things one looks for one of them, rather than at them all.
const searchFrom = 8

// Reset ends the search, for a screen that opens.
func (s *Search) Reset() { *s = Search{} }

// Searches reports whether the player looks for something.
func (s *Search) Searches() bool { return strings.TrimSpace(s.Words) != "" }

// SearchKeys are those of a screen on which one can search.
func SearchKeys() []KeyRow { return []KeyRow{{"Search", []string{"Ctrl+F"}}} }

// NothingFound is said in the place of what nothing matches.
const NothingFound = "Nothing matches. Try another word."

// SearchField is a field for what the player looks for: Ctrl+F leads to it, Escape empties it.
func SearchField(u *widgets.UI, f widgets.Field, words *string) widgets.Edited {
	f.Hint, f.Icon, f.Max = "Search", draw.IconSearch, 80
	f.Take = f.Take || asksSearch(u)
	e := u.Field(f, words)
	if e.Focused && !u.Settling() && u.Input().Press.Key == widgets.KeyEscape && *words != "" {
		*words, e.Changed = "", true
	}
	return e
}

// asksSearch reports whether Ctrl+F is pressed.
func asksSearch(u *widgets.UI) bool { return !u.Settling() && u.Command('f', widgets.KeyF) }

// line draws the field in the rest of the line with the title, at its right end, where it has room; else a button that
// puts it in the place of the title. It tells whether the title has its place.
func (s *Search) line(u *widgets.UI, title string, among int) {
	const wide, least = 240, 150
	asked := asksSearch(u) || s.asked && !u.Settling()
	s.open, s.asked = s.open || asked, s.asked && u.Settling()
	shown := s.open || s.Words != "" || among >= searchFrom
	left := u.Area().W - widgets.Control - 2*widgets.Gap - u.Canvas().Width(widgets.StyleTitle, u.Say(title))
	field := func(take bool) {
		e := SearchField(u, widgets.Field{Name: "search", Take: take}, &s.Words)
		s.entered = e.Entered
		if e.Left && s.Words == "" {
			s.open = false
		}
	}
	s.entered = false
	switch {
	case !shown:
		u.Title(title)
	case left >= least:
		u.Row(widgets.Cells(widgets.Fill, min(wide, left-1)), func() {
			u.Title(title)
			field(asked)
		})
	case s.open || s.Words != "":
		field(asked)
	default:
		u.Bar(func() { u.Title(title) },
			widgets.Button{Icon: draw.IconSearch, Name: "find", Kind: widgets.Quiet, Aside: true, Tip: "Search (Ctrl+F)", Do: func() { s.asked = true }})
	}
}

// Has reports whether the player looks for something with these texts: all words are in them, in English or as they are
// shown.
func (s *Search) Has(u *widgets.UI, texts ...string) bool {
	words := strings.Fields(phrase.Fold(s.Words))
	if len(words) == 0 {
		return true
	}
	all := ""
	for _, text := range texts {
		all += text + "\n"
		if said := u.Say(text); said != text {
			all += said + "\n"
		}
	}
	return phrase.Has(phrase.Fold(all), words)
}

// Narrowed is the entries of a list that a search finds.
type Narrowed struct {
	list widgets.List
	of   []int // their places among all; nil: all are found
}

// Narrow has a list show what the search finds: words in the texts of its entries. *chosen, among all, is moved to one of
// them, and is -1 where there is none.
func (s *Search) Narrow(u *widgets.UI, l widgets.List, chosen *int) Narrowed {
	n := s.Look(u, l)
	if n.of != nil && n.place(*chosen) < 0 {
		*chosen = -1
		if len(n.of) > 0 {
			*chosen = n.of[0]
		}
	}
	return n
}

// Look is Narrow for a list of which the chosen one may be out of sight.
func (s *Search) Look(u *widgets.UI, l widgets.List) Narrowed {
	n := Narrowed{list: l}
	if !s.Searches() {
		return n
	}
	n.of = []int{}
	for i := range l.Count {
		if item := l.Item(i); s.Has(u, item.Title, item.Sub, item.Right, item.Badge) {
			n.of = append(n.of, i)
		}
	}
	n.list.Count, n.list.Item = len(n.of), func(i int) widgets.Item { return l.Item(n.of[i]) }
	if l.Count > 0 {
		n.list.Empty, n.list.Blank = NothingFound, draw.IconSearch
	}
	return n
}

// place is where one of all is among those that are found, -1 for nowhere.
func (n Narrowed) place(i int) int {
	if n.of == nil {
		return i
	}
	for at, of := range n.of {
		if of == i {
			return at
		}
	}
	return -1
}

// Shows reports whether one of all is among those that are found.
func (n Narrowed) Shows(i int) bool { return i >= 0 && n.place(i) >= 0 }

// Draw draws the entries; *chosen is one of all. Enter in the field leads into the first list that is drawn.
func (s *Search) Draw(u *widgets.UI, n Narrowed, chosen *int) widgets.Picked {
	at := n.place(*chosen)
	take := s.entered && n.list.Count > 0
	if take {
		s.entered = false
		n.list.Take, at = true, max(at, 0)
	}
	p := u.List(n.list, &at)
	if p.Changed || p.Activated || take {
		p.Changed = true
		if *chosen = at; n.of != nil {
			*chosen = n.of[at]
		}
	}
	return p
}
