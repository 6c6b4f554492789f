package gameview

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestCovered: a menu over the consoles keeps keys from them and from the chat. Keys held
// as it opens are let go of; the window's own keys still work.
func TestCovered(t *testing.T) {
	th := newTestView(t, 512, 768, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	menu := false
	step := func(name string, key widgets.Key, up bool) {
		in := th.in
		if key != 0 {
			p := widgets.KeyPress{Key: key, Name: name, Up: up}
			in.Keys = []widgets.KeyPress{p}
			if !up {
				in.Press = p
			}
		}
		th.events = nil
		th.ui.Frame(in, func(u *widgets.UI) {
			th.events = append(th.events, th.Build(u)...)
			if menu {
				u.Modal(widgets.Modal{Title: "Menu"}, func() { u.Button(widgets.Button{Text: "Play on"}) })
			}
		})
	}
	step("X", widgets.KeyX, false)
	menu = true
	step("", 0, false)
	th.hand.told = nil
	for _, k := range []struct {
		name string
		key  widgets.Key
	}{{"Tab", widgets.KeyTab}, {"Z", widgets.KeyZ}, {"Pause", 72}, {"Space", widgets.KeySpace}, {"F2", 59}} {
		if step(k.name, k.key, false); len(th.events) != 0 {
			t.Errorf("%s behind the menu: %v", k.name, th.events)
		}
	}
	step("X", widgets.KeyX, true)
	if th.chat.next || !slices.Equal(th.hand.told, []string{"key X false"}) || th.Preferences().Layout != Vertical {
		t.Errorf("behind the menu: chat %t, %q, %+v", th.chat.next, th.hand.told, th.Preferences())
	}
	if step("F12", widgets.KeyF12, false); !slices.Equal(th.events, []Event{{Do: Screenshot}}) {
		t.Errorf("a picture of the menu: %v", th.events)
	}
}
