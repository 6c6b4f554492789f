package app

import "github.com/nettplay/nettplay/internal/ui/widgets"

// press presses keys by their names, one after the other, as widgets and consoles hear them.
func (h *hand) press(keys ...string) {
	codes := map[string]widgets.Key{
		"Tab": widgets.KeyTab, "Return": widgets.KeyEnter, "Escape": widgets.KeyEscape, "Down": widgets.KeyDown, "Up": widgets.KeyUp,
		"F1": widgets.KeyF1,
	}
	for _, name := range keys {
		p := widgets.KeyPress{Key: codes[name], Name: name}
		h.frame(func(in *widgets.Input) { in.Press, in.Keys = p, []widgets.KeyPress{p} })
		p.Up = true
		h.frame(func(in *widgets.Input) { in.Keys = []widgets.KeyPress{p} })
	}
}

// write types a text.
func (h *hand) write(text string) { h.frame(func(in *widgets.Input) { in.Text = text }) }

// clickText clicks the first place that says text.
func (h *hand) clickText(text string) {
	h.rest()
	for _, w := range h.ui.Canvas().Texts() {
		if w.Text == text {
			h.click(w.Place.X+3, w.Place.Y+5)
			return
		}
	}
}
