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
		full := slices.ContainsFunc([]string{"play-recording", "play-emphasis", "play-chat", "play-hybrid-four"}, func(name string) bool { return strings.HasPrefix(s.name, name) })
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

// TestNewerNoteReplacesOlder: of several notes about one thing the newest shows, whether they come in one picture or in
// several; others stay.
func TestNewerNoteReplacesOlder(t *testing.T) {
	m := homeShell(t)
	h := newHand(t, m, small, 1)
	m.Say("Something else.")
	m.Louder(-5)
	h.rest()
	m.Louder(-5)
	m.Louder(-5)
	h.rest()
	m.ToggleSound()
	var notes []string
	for _, text := range h.texts() {
		if strings.HasPrefix(text, "Volume") || strings.HasPrefix(text, "Sound") || text == "Something else." {
			notes = append(notes, text)
		}
	}
	if !slices.Equal(notes, []string{"Something else.", "Sound off"}) {
		t.Errorf("it shows %q", notes)
	}
}

// TestKeysAreToldOnce: the first game says which key shows all keys, no later one does, and nothing else does.
func TestKeysAreToldOnce(t *testing.T) {
	const words = "Press F1 for keys."
	var b *hub
	m := gameScene([]string{"Ann", "Bob"}, 1, func(_ *Shell, its *hub) { b = its })(t)
	m.Memory.KeysTold = false
	calls(m)
	h := newHand(t, m, small, 1)
	h.rest()
	if !h.says(words) || !m.Memory.KeysTold || !strings.Contains(kinds(calls(m)), "SaveMemory") {
		t.Errorf("the first game shows %q", h.texts())
	}
	h.in.Now += time.Minute
	h.rest()
	b.view.Close()
	if h.says(words) {
		t.Error("it is said again")
	}
	m = homeShell(t)
	m.Memory.KeysTold = false
	if h = newHand(t, m, small, 1); h.says(words) || m.Memory.KeysTold {
		t.Error("it is said at home")
	}
}
