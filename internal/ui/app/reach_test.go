package app

import (
	"fmt"
	"math"
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
	all   []widgets.Target // when the screen was first seen
	found map[widgets.ID]bool
}

func newWalk(t *testing.T, s scene) *walk {
	w := &walk{scene: s, found: map[widgets.ID]bool{}}
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

// reach follows the cross everywhere from where the focus is, first to where a widget is near that was not found yet.
func (w *walk) reach(t *testing.T) {
	type way struct {
		from widgets.ID
		to   widgets.Nav
	}
	var ways []way
	find := func(id widgets.ID) {
		w.found[id] = true
		for nav := widgets.NavUp; nav <= widgets.NavRight; nav++ {
			ways = append(ways, way{id, nav})
		}
	}
	find(w.ui.Focused())
	for len(ways) > 0 && !w.complete() {
		best, least := 0, w.far(ways[0].from, ways[0].to)
		for i, v := range ways[1:] {
			if far := w.far(v.from, v.to); far < least {
				best, least = i+1, far
			}
		}
		next := ways[best]
		ways = slices.Delete(ways, best, best+1)
		if to := w.leave(t, next.from, next.to); !w.found[to] {
			find(to)
		}
	}
}

// far is how far the nearest widget seems that is in a direction and was not found yet.
func (w *walk) far(from widgets.ID, to widgets.Nav) float32 {
	least := float32(math.MaxFloat32)
	at := slices.IndexFunc(w.all, func(g widgets.Target) bool { return g.ID == from })
	if at < 0 {
		return least
	}
	a := w.all[at].Rect.Center()
	for _, g := range w.all {
		b := g.Rect.Center()
		x, y := b.X-a.X, b.Y-a.Y
		switch to {
		case widgets.NavUp:
			x, y = -y, x
		case widgets.NavDown:
			x, y = y, x
		case widgets.NavLeft:
			x = -x
		}
		if !w.found[g.ID] && x > 0 {
			least = min(least, x+max(y, -y))
		}
	}
	return least
}

// complete reports whether all widgets are found.
func (w *walk) complete() bool {
	return !slices.ContainsFunc(w.all, func(g widgets.Target) bool { return !w.found[g.ID] })
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
				if !w.found[g.ID] {
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
	return fmt.Sprint(w.m.Current, w.m.Question != nil, w.m.Wait, kinds(calls(w.m)), strings.Join(w.texts(), "|"))
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
