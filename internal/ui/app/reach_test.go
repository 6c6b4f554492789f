package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// walk goes over a screen with the cross of a pad alone.
type walk struct {
	*hand
	scene scene
	all   []widgets.Target   // when the screen was first seen
	found map[widgets.ID]int // how many presses away
}

func newWalk(t *testing.T, s scene) *walk {
	w := &walk{scene: s, found: map[widgets.ID]int{}}
	w.anew(t)
	w.all = slices.Clone(w.ui.Targets())
	return w
}

// anew makes the screen anew.
func (w *walk) anew(t *testing.T) {
	w.hand = newHand(t, w.scene.make(t), w.scene.size, 1)
	w.rest()
	if w.m.Current == screen.Playing && len(w.ui.Targets()) == 0 {
		w.m.openMenu() // as the chord does; without it the buttons are the console's
	}
	w.rest()
	w.rest()
}

// changed reports whether other widgets are there than at first.
func (w *walk) changed() bool {
	return !slices.EqualFunc(w.all, w.ui.Targets(), func(a, b widgets.Target) bool { return a.ID == b.ID })
}

// leave moves from a widget in a direction until another has the focus, as a player does who
// holds the cross: a list moves its choice first, and a slider its knob.
func (w *walk) leave(t *testing.T, from widgets.ID, to widgets.Nav) widgets.ID {
	if w.changed() {
		w.anew(t)
	}
	w.ui.SetFocus(from)
	w.rest()
	for range map[bool]int{true: 8, false: 40}[to >= widgets.NavLeft] {
		w.pad(to)
		switch at := w.ui.Focused(); {
		case at != from && slices.ContainsFunc(w.all, func(g widgets.Target) bool { return g.ID == at }):
			return at
		case at != from:
			return from // it was not there at first
		case w.changed() && to >= widgets.NavLeft:
			return from // a tab shows another part of the screen
		}
	}
	return from
}

// reach follows the cross everywhere from where the focus is.
func (w *walk) reach(t *testing.T) {
	queue := []widgets.ID{w.ui.Focused()}
	w.found[queue[0]] = 1
	for len(queue) > 0 && !w.complete() {
		from := queue[0]
		queue = queue[1:]
		for nav := widgets.NavUp; nav <= widgets.NavRight; nav++ {
			if to := w.leave(t, from, nav); w.found[to] == 0 {
				w.found[to] = w.found[from] + 1
				queue = append(queue, to)
			}
		}
	}
}

// complete reports whether all widgets are found.
func (w *walk) complete() bool {
	return !slices.ContainsFunc(w.all, func(g widgets.Target) bool { return w.found[g.ID] == 0 })
}

// TestEveryWidgetByPad: on every screen the cross of a pad leads to every widget, and B leads
// out.
func TestEveryWidgetByPad(t *testing.T) {
	for _, s := range append(scenes(), playScenes()...) {
		t.Run(s.name, func(t *testing.T) {
			w := newWalk(t, s)
			if len(w.all) == 0 {
				return // something that cannot be stopped is under way
			}
			w.pad(widgets.NavDown)
			w.reach(t)
			for _, g := range w.all {
				if w.found[g.ID] == 0 {
					t.Errorf("the cross does not lead to %q at %v", g.Name, g.Rect)
				}
			}
			w.anew(t)
			if w.sight(); !w.leads() {
				t.Errorf("B leads nowhere")
			}
		})
	}
}

// leads reports whether B leads out of a screen, held for a second at the most.
func (w *walk) leads() bool {
	if at := w.m.Current; at == screen.Home && w.m.Question == nil && w.m.Trouble == nil && !w.m.Keys || at == screen.Welcome {
		return true // nothing is before it
	}
	before := w.sight()
	w.pad(widgets.NavBack)
	for i := range w.m.Pads {
		w.m.Pads[i].Held = []string{"b"}
	}
	w.rest()
	w.in.Now += time.Second
	w.rest()
	return w.sight() != before
}

// sight is what shows and what is to be done, to be compared.
func (w *walk) sight() string {
	return fmt.Sprint(w.m.Current, w.m.Question != nil, w.m.Wait, kinds(w.m.Commands()), strings.Join(w.texts(), "|"))
}

// TestPadHint: who uses a pad reads what its buttons do, and stays near what is gone.
func TestPadHint(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	h := newHand(t, m, small, 1)
	h.rest()
	h.pad(widgets.NavDown)
	for _, g := range h.ui.Targets() {
		if g.Name == "address" {
			h.ui.SetFocus(g.ID)
		}
	}
	if got := "A writes  ·  B goes back"; !h.says(got) {
		t.Errorf("the pad's buttons are not told: %q", h.texts())
	}
	h.press("Tab")
	if h.says("A writes  ·  B goes back") || h.says("A presses  ·  B goes back") {
		t.Error("who uses keys is told of a pad")
	}
	m = inLobby(t, wireless) // with nothing to press below the chat
	h = newHand(t, m, large, 1)
	h.rest()
	at := func() widgets.Target {
		i := slices.IndexFunc(h.ui.Targets(), func(g widgets.Target) bool { return g.ID == h.ui.Focused() })
		return h.ui.Targets()[max(i, 0)]
	}
	h.pad(widgets.NavDown)
	for _, g := range h.ui.Targets() {
		if g.Name == "kick" {
			h.ui.SetFocus(g.ID)
		}
	}
	h.rest()
	was := at()
	m.session.Room.Room.Players = m.session.Room.Room.Players[:1]
	h.rest()
	if now := at(); was.Name != "kick" || now.Name != "start" {
		t.Errorf("after %+v is gone, the ring is at %+v", was, now)
	}
}
