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
