package app

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// forward is the button of a scene that leads on, to which Start of a pad leads, "" for none; and the
// names of all that can be pressed there.
func forward(t *testing.T, name string) (button string, all []string) {
	t.Helper()
	list := scenes()
	i := slices.IndexFunc(list, func(s scene) bool { return s.name == name })
	if i < 0 {
		t.Fatalf("no scene is called %q", name)
	}
	p := inspect(t, list[i], list[i].size, 1)
	for _, target := range p.ui.Targets() {
		if all = append(all, target.Name); target.ID == p.ui.Forward() {
			button = target.Name
		}
	}
	return button, all
}

// TestWayForward: the button that is lit is the one that helps, and what cannot be done now cannot be
// pressed.
func TestWayForward(t *testing.T) {
	for scene, want := range map[string]struct{ forward, dead string }{
		"menu":             {"resume", ""},
		"join-rooms":       {"", "join"},
		"join-running":     {"watch", "join"},
		"online":           {"join", ""},
		"online-none":      {"host", "join"},
		"online-small":     {"", "join"},
		"ended-other-core": {"cores", ""},
		"ended-port":       {"port", ""},
		"welcome-ready":    {"begin", "get wireless"},
		"welcome-no-core":  {"get wireless", ""},
		"cores-none":       {"find", "use"},
		"lobby-missing":    {"open file", "ready"},
	} {
		got, all := forward(t, scene)
		if got != want.forward {
			t.Errorf("%s leads on by %q, want %q", scene, got, want.forward)
		}
		if slices.Contains(all, want.dead) {
			t.Errorf("in %s one can press %q, among %q", scene, want.dead, all)
		}
	}
}

// TestHomeInARow: in a small window, too, the last line of the first screen is one line, all of it in
// sight.
func TestHomeInARow(t *testing.T) {
	for _, name := range []string{"home", "home-unsaved"} {
		list := scenes()
		p := inspect(t, list[slices.IndexFunc(list, func(s scene) bool { return s.name == name })], small, 1)
		places := map[string]draw.Rect{}
		for _, target := range p.ui.Targets() {
			places[target.Name] = target.Seen
		}
		if first, last := places["Settings"], places["Quit"]; first.Y != last.Y || last.H < widgets.Control {
			t.Errorf("%s: Settings is at %v, Quit at %v", name, first, last)
		}
	}
}
