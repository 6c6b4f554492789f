package app

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestTurningToAPageGoesOnInIt: the keyboard does not stay in the search field, which stands beside all pages.
func TestTurningToAPageGoesOnInIt(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Settings)
	h := newHand(t, m, large, 1)
	h.rest()
	had := map[widgets.ID]bool{}
	for range 3 {
		h.frame(func(in *widgets.Input) { in.Press = widgets.KeyPress{Key: widgets.KeyTab, Mods: widgets.Ctrl} })
		h.rest()
		at := h.ui.Focused()
		for _, target := range h.ui.Targets() {
			if target.ID == at && (target.Name == "search" || target.Name == "pages" || target.Name == "back") {
				t.Fatalf("the keyboard is at %q", target.Name)
			}
		}
		if at == 0 || had[at] {
			t.Fatalf("the keyboard is at %v, after %v", at, had)
		}
		had[at] = true
	}
}
