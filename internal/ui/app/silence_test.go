package app

import (
	"image"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// said reports whether the screen says some words, in one line or several.
func (h *hand) said(words string) bool {
	return strings.Contains(strings.Join(h.texts(), " "), words)
}

// TestNoSoundIsSaid: that no device plays sound stands in the settings, and is said once in a game; not again while it
// stays so, but again when sound was there meanwhile.
func TestNoSoundIsSaid(t *testing.T) {
	const words = "No sound device was found"
	m := settingsScene(settings.PageAudio, nil)(t)
	h := newHand(t, m, large, 1)
	h.rest()
	if h.said(words) {
		t.Error("it is said although there is a device")
	}
	m.NoSound = true
	if !h.said(words) {
		t.Errorf("the settings say %q", h.texts())
	}

	m = gameScene([]string{"Ann", "Bob"}, 1, nil)(t)
	h = newHand(t, m, large, 1)
	for _, step := range []struct{ none, said bool }{{false, false}, {true, true}, {true, false}, {false, false}, {true, true}} {
		m.NoSound = step.none
		h.rest()
		if got := h.said(words); got != step.said {
			t.Errorf("without a device: %v; it is said: %v", step.none, got)
		}
		h.in.Now += time.Minute
		h.rest()
	}
}

// TestWatchingSaysSo: a spectator reads that this is watching, how far behind, and how to leave, also when the bar has
// gone, and can change the volume.
func TestWatchingSaysSo(t *testing.T) {
	for _, size := range []image.Point{smallest, small, large} {
		m := watchingScene(player.Status{Frame: 4400, Length: 4500, Live: true, Playing: true, Speed: 1})(t)
		m.Game = func(*widgets.UI) {}
		h := newHand(t, m, size, 1)
		h.move(float32(size.X)/2, float32(size.Y)-10)
		for _, words := range []string{"Watching live, 2 seconds behind", "Stop watching", "Volume"} {
			if !h.said(words) {
				t.Errorf("%v: it does not say %q: %q", size, words, h.texts())
			}
		}
		m.Config.Audio.Enabled, m.Config.Audio.Volume = false, 40
		calls(m)
		for range 20 {
			if i := number(h.ui, h.ui.Focused()); i >= 0 && h.ui.Targets()[i].Name == "volume" {
				break
			}
			h.press("Tab")
		}
		h.key(widgets.KeyRight)
		if a := m.Config.Audio; !a.Enabled || a.Volume != 5 || kinds(calls(m)) != "SaveSettings" {
			t.Errorf("%v: the volume is %+v after a press to the right of silence", size, a)
		}
		h.in.MouseIn = false
		h.in.Now += time.Minute
		if h.rest(); h.said("Stop watching") || !h.said("Watching live, 2 seconds behind") || !h.said("Escape leaves") {
			t.Errorf("%v: without the bar it says %q", size, h.texts())
		}
		h.press("Escape")
		if m.Question == nil || m.Current != screen.Watching {
			t.Errorf("%v: Escape does not ask", size)
		}
	}
}
