package app

import (
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestKeysOverview: F1 says what all keys do, on every screen and over a game, whose consoles
// hear nothing meanwhile. It opens over no question, and a key that is being chosen is that
// key.
func TestKeysOverview(t *testing.T) {
	m := homeShell(t)
	h := newHand(t, m, small, 1)
	h.rest()
	h.press("F1")
	if !m.Keys || !h.says("Fast-forward, alone") || !h.says("Space") || !h.says("Blow into the microphone") {
		t.Errorf("F1 shows %q", h.texts())
	}
	h.press("Return")
	if m.Keys {
		t.Error("Enter does not close it")
	}
	m.Go(screen.Settings)
	h.press("F1", "F1")
	h.clickText("Keyboard")
	h.clickText(m.Config.Keys.A[0])
	h.frame(func(in *widgets.Input) {
		p := widgets.KeyPress{Key: widgets.KeyF1, Name: "F1"}
		in.Press, in.Keys = p, []widgets.KeyPress{p}
	})
	if m.Keys || m.Config.Keys.A[0] != "F1" {
		t.Errorf("F1, chosen for A (%q), shows the keys: %v", m.Config.Keys.A, m.Keys)
	}

	var b *hub
	m = gameScene([]string{"Ann", "Bob"}, 1, func(_ *Shell, its *hub) { b = its })(t)
	h = newHand(t, m, small, 1)
	h.rest()
	h.press("F1")
	b.mute(m)
	if !m.Keys || !b.muted {
		t.Error("F1 over a game does not show the keys, or they are for the consoles, too")
	}
	h.press("F1")
	b.mute(m)
	h.press("Escape")
	b.mute(m)
	h.press("F1", "Escape")
	if m.Keys || !m.session.Room.Run.Menu {
		t.Error("Escape does not close the keys over the menu, and only them")
	}
	m.session.AskEndGame()
	h.rest()
	if h.press("F1"); m.Keys {
		t.Error("F1 shows the keys over a question")
	}
}

// TestTipOfBack: the tip of the way back is for the mouse; where the ring is, it would lie over
// the first line of the page.
func TestTipOfBack(t *testing.T) {
	const tip = "Back (Escape)"
	m := homeShell(t)
	h := newHand(t, m, small, 1)
	m.Go(screen.About)
	h.rest()
	h.press("Tab")
	for range 20 {
		if i := number(h.ui, h.ui.Focused()); i >= 0 && h.ui.Targets()[i].Name == "back" {
			break
		}
		h.press("Tab")
	}
	rest := func() []string {
		h.rest()
		h.in.Now += time.Second
		return h.texts()
	}
	if slices.Contains(rest(), tip) {
		t.Error("the tip shows for the keys")
	}
	h.frame(func(in *widgets.Input) { in.MouseIn, in.Mouse = true, draw.Pt(40, 40) })
	if !slices.Contains(rest(), tip) {
		t.Errorf("with the mouse there it shows %q", h.texts())
	}
}

// TestRecordingIsNotSwitchedOffBySlip: a press of F4 switches it off for good only when the
// player says so.
func TestRecordingIsNotSwitchedOffBySlip(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, nil)(t)
	h := newHand(t, m, small, 1)
	h.rest()
	h.press("F4")
	if !m.Config.Recording.Enabled {
		t.Error("F4 does not switch it on")
	}
	h.press("F4", "Return")
	if m.Question != nil || !m.Config.Recording.Enabled {
		t.Error("F4 and Enter switch it off")
	}
	h.press("F4", "Tab", "Return")
	if m.Config.Recording.Enabled {
		t.Error("it cannot be switched off")
	}
}
