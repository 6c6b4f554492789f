package app

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestToastsOfAnotherScreenGo: what was said on the screen before is soon gone, but not before it
// can be read; what the new screen says has its time.
func TestToastsOfAnotherScreenGo(t *testing.T) {
	m := homeShell(t)
	h := newHand(t, m, small, 1)
	says := func(after time.Duration, text string, want bool) {
		t.Helper()
		h.in.Now += after
		if slices.Contains(h.texts(), text) != want {
			t.Errorf("%q shows: %t", text, !want)
		}
	}
	m.Say("Copied.")
	says(0, "Copied.", true)
	m.Go(screen.About)
	m.Say("Look here.")
	says(time.Second, "Copied.", true)
	says(2*time.Second, "Copied.", false)
	says(0, "Look here.", true)
}

// TestToastsLieOverNothing: on every screen a message of usual length lies over nothing that
// can be pressed, and over no console.
func TestToastsLieOverNothing(t *testing.T) {
	for _, s := range append(scenes(), playScenes()...) {
		toastOver(t, s, s.size, 1)
	}
	for _, s := range playScenes() {
		full := slices.ContainsFunc([]string{"play-recording", "play-emphasis", "play-chat"}, func(name string) bool { return strings.HasPrefix(s.name, name) })
		if !full { // of consoles and what else there is
			toastOver(t, s, smallest, 2)
		}
	}
}

func toastOver(t *testing.T, s scene, size image.Point, scale float32) {
	t.Helper()
	const message = "The connection to Bob is lost. The game waits for it to come back."
	p := inspect(t, s, size, scale)
	p.ui.Toast(widgets.Normal, message)
	p.frame(0)
	for _, w := range p.ui.Canvas().Texts() {
		for _, r := range p.look.Clear {
			if w.Layer == draw.Layers-2 && len(w.Text) > 2 && strings.Contains(message, w.Text) && overlap(w.Place, r) {
				t.Errorf("%s at %gx: %q at %v lies over what is at %v", s.name, scale, w.Text, w.Place, r)
			}
		}
	}
	if *gallery != "" {
		writePNG(t, filepath.Join(*gallery, fmt.Sprintf("toast-%s@%gx.png", s.name, scale)), p.picture())
	}
}
