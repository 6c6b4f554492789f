package app

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// hands press keys in a window that is only a picture.
type hands struct {
	m  *Shell
	ui *widgets.UI
	in widgets.Input
}

func handsOn(t testing.TB, m *Shell) *hands {
	t.Helper()
	fonts, err := draw.NewFonts(m.Store, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	h := &hands{m: m, ui: widgets.New(fonts, nil), in: widgets.Input{Now: time.Second, Size: small, Scale: 1, Focused: true}}
	h.frame(nil)
	return h
}

// frame builds a picture with what happens.
func (h *hands) frame(change func(in *widgets.Input)) widgets.Output {
	in := h.in
	if change != nil {
		change(&in)
	}
	h.in.Now += 16 * time.Millisecond
	return h.ui.Frame(in, h.m.Build)
}

// press presses keys, one after the other.
func (h *hands) press(keys ...string) {
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
func (h *hands) write(text string) { h.frame(func(in *widgets.Input) { in.Text = text }) }
