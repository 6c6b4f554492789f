package widgets

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Heard is what somebody has to hear who does not see the picture: all as it is written there.
type Heard struct {
	Place string // where they are: the title of the page, or all that a dialog says
	Words string // what has the keyboard, with its label; "" for nothing
}

// maxHeard bounds the letters of a place, and of words.
const maxHeard = 300

// description is what the widget that has the keyboard says of itself, beside what is written on it.
type description struct {
	labelled bool   // its label stands at its left
	state    string // in English, said after what is written on it
	instead  bool   // state is said in the place of that
}

// describe notes what a widget says of itself, if it has the keyboard.
func (u *UI) describe(t touch, d description) {
	if t.focused {
		u.focus.described = d
	}
}

// Heard returns that of the last Frame. Without keys or a pad, which lead from widget to widget, there is none.
func (u *UI) Heard() (h Heard) {
	at := u.shownAs(u.focus.id)
	if at == nil && u.layers.top > 0 && !u.focus.part.Empty() { // an option that drops down
		at = &Shown{Place: u.focus.part, Layer: layerOf(u.layers.top)}
	}
	if !u.focus.shown || at == nil {
		return Heard{}
	}
	h.Place = u.list.Veiled(u.Say(u.page))
	if u.layers.top > 0 {
		var all []string
		for _, w := range u.list.Texts() {
			if w.Layer == at.Layer && !u.onWidget(w) {
				all = append(all, w.Text)
			}
		}
		h.Place = strings.Join(all, " ")
	}
	d := u.focus.described
	var words []string
	if d.labelled {
		words = append(words, u.labelOf(at))
	}
	if !d.instead {
		words = append(words, u.writtenIn(at)...)
	}
	if state := u.list.Veiled(u.Say(d.state)); !slices.Contains(words, state) {
		words = append(words, state)
	}
	words = slices.DeleteFunc(words, func(s string) bool { return s == "" })
	if len(words) == 0 && u.tip.next == u.focus.id.number(8) {
		words = append(words, u.tip.text)
	}
	h.Place, h.Words = phrase.Shorten(h.Place, maxHeard), phrase.Shorten(strings.Join(words, ", "), maxHeard)
	return h
}

// shownAs is a widget as it came out, nil if it is not there.
func (u *UI) shownAs(id ID) *Shown {
	for i := range u.inspection.Widgets {
		if w := &u.inspection.Widgets[i]; w.ID == id && id != 0 {
			return w
		}
	}
	return nil
}

// onWidget reports whether a text is written on a widget.
func (u *UI) onWidget(text draw.Written) bool {
	return slices.ContainsFunc(u.inspection.Widgets, func(w Shown) bool {
		return w.Layer == text.Layer && text.Place.Center().In(w.Place)
	})
}

// writtenIn are the texts on a widget: of a list, on the item that has the ring, from the top to the bottom.
func (u *UI) writtenIn(at *Shown) (texts []string) {
	place := at.Place
	if u.focus.part != (draw.Rect{}) {
		place = u.focus.part
	}
	var on []draw.Written
	for _, w := range u.list.Texts() {
		if w.Layer == at.Layer && w.Place.Center().In(place) {
			on = append(on, w)
		}
	}
	const line = 8 // by how much texts of one line differ in height, in points, at most
	slices.SortStableFunc(on, func(a, b draw.Written) int {
		if d := a.Place.Center().Y - b.Place.Center().Y; d < -line || d > line {
			return cmp.Compare(a.Place.Y, b.Place.Y)
		}
		return cmp.Compare(a.Place.X, b.Place.X)
	})
	for _, w := range on {
		if strings.Trim(w.Text, "•") != "" { // of what is secret only dots show
			texts = append(texts, w.Text)
		}
	}
	return texts
}

// labelOf is the text at the left of a widget, the nearest; "" for none.
func (u *UI) labelOf(at *Shown) string {
	label, right := "", float32(0)
	for _, w := range u.list.Texts() {
		middle := w.Place.Center().Y
		beside := middle >= at.Place.Y && middle <= at.Place.Bottom() && w.Place.Right() <= at.Place.X+1
		if w.Layer == at.Layer && beside && w.Place.Right() > right && !u.onWidget(w) {
			label, right = w.Text, w.Place.Right()
		}
	}
	return label
}
