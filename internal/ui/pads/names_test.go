package pads

import (
	"testing"

	"github.com/veandco/go-sdl2/sdl"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Every button has a name on every controller, and no two the same.
func TestPrintedNames(t *testing.T) {
	for k := Plain; k <= JoyCon; k++ {
		seen := map[string]string{}
		for _, name := range config.PadNames() {
			printed := k.Printed(name)
			if printed == name || seen[printed] != "" {
				t.Errorf("kind %d: %q is %q, as %q", k, name, printed, seen[printed])
			}
			seen[printed] = name
		}
	}
}

// Buttons have the names that are printed on them, by maker and model, and A is where it is printed.
func TestKindsOfControllers(t *testing.T) {
	run(func() {
		m := usual(nil)
		c, err := OpenControllers(m, "")
		must.Succeed(t, err)
		defer c.Close()
		if sdl.GetHint(hintLabels) != "0" {
			t.Error("SDL calls Nintendo's buttons by letters")
		}
		for _, k := range []struct {
			model   uitest.PadModel
			kind    Kind
			b       string      // what is printed on the right one
			accepts widgets.Nav // what it does in menus
		}{
			{uitest.PadModel{Name: "Nobody's"}, Plain, "B", widgets.NavBack},
			{uitest.PadModel{Name: "X360", Vendor: 0x045e, Product: 0x028e}, Plain, "B", widgets.NavBack},
			{uitest.PadModel{Name: "One", Vendor: 0x045e, Product: 0x02ea}, Xbox, "B", widgets.NavBack},
			{uitest.PadModel{Name: "Four", Vendor: 0x054c, Product: 0x09cc}, PlayStation4, "Circle", widgets.NavBack},
			{uitest.PadModel{Name: "Five", Vendor: 0x054c, Product: 0x0ce6}, PlayStation5, "Circle", widgets.NavBack},
			{uitest.PadModel{Name: "Pro", Vendor: 0x057e, Product: 0x2009}, Nintendo, "A", widgets.NavAccept},
			{uitest.PadModel{Name: "8BitDo SN30 Pro", Vendor: 0x2dc8, Product: 0x6101}, Nintendo, "A", widgets.NavAccept},
			{uitest.PadModel{Name: "8BitDo Ultimate", Vendor: 0x2dc8, Product: 0x3106}, Plain, "B", widgets.NavBack},
		} {
			pad, err := uitest.AttachAs(k.model)
			must.Succeed(t, err)
			pump(c)
			must.Succeed(t, pad.Press("b", true))
			pump(c)
			list := m.Pads()
			if len(list) != 1 || list[0].Kind != k.kind || m.Kind() != k.kind || list[0].Kind.Printed("b") != k.b {
				t.Errorf("%s: %+v, %q", k.model.Name, list, m.Kind().Printed("b"))
			}
			if move := m.Menu(0); move.Nav != k.accepts || move.Control != "b" {
				t.Errorf("%s: in menus it does %+v", k.model.Name, move)
			}
			want(t, m, 0, "A") // of the console, at the same place
			must.Succeed(t, pad.Detach())
			pump(c)
		}
	})
}

// pump has controllers hear of SDL's events, as the window does.
func pump(c *Controllers) {
	for e := sdl.PollEvent(); e != nil; e = sdl.PollEvent() {
		c.Event(e)
	}
}
