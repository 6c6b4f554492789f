package settings

import (
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Overview is a dialog that says what all keys do, until the player closes it: in a game those of the game, elsewhere
// first those of the window, where the player is.
func (v *Screen) Overview(u *widgets.UI) {
	closes := func() { v.Keys = false }
	title, where := "Keys", "Change the keys of games in the settings, under Keyboard."
	parts := []keyPart{{columns: []float32{widgets.Fill, 84, 8, 150, 92}, left: v.rows("hotkeys."), right: v.rows("keys.")}}
	switch {
	case u.Pad():
		left, right := v.rows("pads."), v.rows("pads.buttons.")
		parts[0] = keyPart{columns: []float32{widgets.Fill, 116, 8, 148, 148}, left: left[len(right):], right: right} // what is for no button of the console
		title, where = "Controller buttons", "Change them in the settings, under Controller."
	case v.Current != screen.Playing && v.Current != screen.Watching:
		here := v.windowKeys()
		half := (len(here) + 1) / 2
		parts[0].title = "In a game"
		parts = slices.Insert(parts, 0, keyPart{title: "Here", columns: []float32{widgets.Fill, 112, 8, widgets.Fill, 64}, left: here[:half], right: here[half:]})
	}
	if u.Modal(widgets.Modal{Name: "keys", Title: title, Width: 820, Foot: func() {
		screen.Foot(u, where, widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary, Do: closes})
	}}, func() {
		u.Space(4)
		u.SetGap(2)
		for _, p := range parts {
			p.build(u)
		}
		u.SetGap(widgets.Gap)
	}) {
		closes()
	}
}

// keyPart is two columns of what keys do, each with a label and the keys, below a title where there are several parts.
type keyPart struct {
	title       string
	columns     []float32
	left, right []screen.KeyRow
}

func (p keyPart) build(u *widgets.UI) {
	if p.title != "" {
		u.Label(p.title)
	}
	if u.Area().W < 500 { // one below the other
		for _, r := range slices.Concat(p.right, p.left) {
			u.Row(widgets.Cells(widgets.Fill, 150), func() { keyRow(u, &r) })
		}
	} else {
		columns := slices.Clone(p.columns)
		if more := (u.Area().W - 600) / 3; more > 0 { // a third each for the keys, whose names are long in some languages
			columns[1], columns[4] = columns[1]+more, columns[4]+more
		}
		for i := range max(len(p.left), len(p.right)) {
			u.Row(widgets.Cells(columns...), func() {
				keyRow(u, screen.At(p.left, i))
				u.Space(0)
				keyRow(u, screen.At(p.right, i))
			})
		}
	}
	u.Space(6)
}

// keyRow draws a row; nil leaves its place empty.
func keyRow(u *widgets.UI, r *screen.KeyRow) {
	if r == nil {
		u.Space(0)
		u.Space(0)
		return
	}
	u.Small(r.Does)
	u.Keys(r.Keys)
}

// rows are what the keys of a section do, without what has none.
func (v *Screen) rows(section string) (list []screen.KeyRow) {
	for _, b := range bindings(&v.Config) {
		if strings.HasPrefix(b.key, section) && len(*b.at) > 0 {
			list = append(list, screen.KeyRow{Does: b.label, Keys: v.printedAll(*b.at, b.pad())})
		}
	}
	return list
}

// windowKeys are what keys do on the screen that shows: what only it has comes first.
func (v *Screen) windowKeys() (list []screen.KeyRow) {
	if own, has := v.Screens[v.Current].(screen.Keyed); has {
		list = own.OwnKeys()
	}
	return append(list,
		screen.KeyRow{Does: "From button to button", Keys: []string{"Tab", "Arrows"}},
		screen.KeyRow{Does: "Press what has the ring", Keys: []string{"Space", "Enter"}},
		screen.KeyRow{Does: "Press the filled button", Keys: []string{"Enter"}},
		screen.KeyRow{Does: "Back", Keys: []string{"Escape"}},
		screen.KeyRow{Does: "Settings", Keys: []string{"Ctrl+,"}},
	)
}
