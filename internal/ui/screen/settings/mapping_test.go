package settings

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestButtonsOfOneController: a controller gets buttons of its own, others keep theirs, and it
// can have theirs again.
func TestButtonsOfOneController(t *testing.T) {
	v := opened()
	v.Pads = []pads.Pad{{ID: 1, Name: "Odd", Slot: 1}, {ID: 2, Name: "bad\x00name", Slot: 2}}
	if got := v.mappable(); !slices.Equal(got, []string{"Odd"}) {
		t.Errorf("buttons can be given to %q", got)
	}
	v.PadAt = "Odd"
	v.Bind("pads.buttons.a", "a", true)
	v.Unbind("pads.touch")
	v.Bind("keys.a", "B", true)
	if got := v.Config.Pads; fmt.Sprint(got.Buttons.A, got.Buttons.B, got.Touch) != "[b] [a] [righttrigger rightstick]" {
		t.Errorf("all controllers have A at %q, B at %q, the stylus at %q", got.Buttons.A, got.Buttons.B, got.Touch)
	}
	m := v.Config.Pads.MappingOf("Odd")
	if fmt.Sprint(m.Buttons.A, m.Buttons.B, m.Touch, v.Config.Keys.A) != "[a] [] [] [B]" {
		t.Errorf("it has A at %q, B at %q, the stylus at %q; the keyboard %q", m.Buttons.A, m.Buttons.B, m.Touch, v.Config.Keys.A)
	}
	v.Pads = nil
	if got := v.mappable(); !slices.Equal(got, []string{"Odd"}) {
		t.Errorf("unplugged, buttons can be given to %q", got)
	}
	v.forget()
	if len(v.Config.Pads.Own) != 0 || len(v.Problems) != 0 {
		t.Errorf("left are %q, %q", v.Config.Pads.Own, v.Problems)
	}
}

// TestTrial: a controller that is tried does nothing else, and leads out again by itself.
func TestTrial(t *testing.T) {
	v := opened()
	v.At = PagePads
	v.Pads = []pads.Pad{{ID: 1, Name: "First", Slot: 1}, {ID: 2, Name: "Second", Slot: 2, Held: []string{"a", "dpup", "rightstick"}}}
	fonts, err := draw.NewFonts(v.Store, []string{})
	must.Succeed(t, err)
	ui := widgets.New(fonts, nil)
	in := widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true}
	frame := func(nav widgets.Nav, later time.Duration) (texts string) {
		in.Now += later
		with := in
		with.Nav = nav
		ui.Frame(with, v.Build)
		for _, w := range ui.Canvas().Texts() {
			texts += w.Text + "\n"
		}
		return texts
	}
	v.trial = &trial{}
	said := frame(widgets.NoNav, 0)
	for _, want := range []string{"Second", "Pressed: A, D-pad up, Right stick click", "On the console: B + UP + stylus"} {
		if !strings.Contains(said, want) {
			t.Errorf("the trial does not say %q:\n%s", want, said)
		}
	}
	v.Pads[1].Held = []string{"b"}
	for range 3 {
		frame(widgets.NavBack, 200*time.Millisecond)
		frame(widgets.NavAccept, 0)
		frame(widgets.NavNext, 0)
	}
	if v.trial == nil || v.At != PagePads {
		t.Fatal("a short press ends the trial")
	}
	v.Pads[1].Held = nil
	frame(widgets.NoNav, time.Second)
	v.Pads[1].Held = []string{"b"}
	for range 6 {
		frame(widgets.NoNav, 200*time.Millisecond)
	}
	if v.trial != nil {
		t.Error("B, held, does not end the trial")
	}
	v.trial, v.Pads = &trial{}, nil
	if frame(widgets.NoNav, 0); v.trial != nil {
		t.Error("the trial goes on without a controller")
	}
}
