package settings

import (
	"image"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestStrangeControllerIsOffered: a controller whose buttons nobody knows is listed, with the way to teach them; the
// lesson says what to press, and can be led by keys alone.
func TestStrangeControllerIsOffered(t *testing.T) {
	v := opened()
	engine := v.engine.(*fakeEngine)
	v.At = PagePads
	fonts, err := draw.NewFonts(v.Store, []string{})
	must.Succeed(t, err)
	ui := widgets.New(fonts, nil)
	press := func(key widgets.Key) (texts, did string) {
		in := widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true, Press: widgets.KeyPress{Key: key}}
		engine.did = ""
		ui.Frame(in, v.Build)
		for _, w := range ui.Canvas().Texts() {
			texts += w.Text + "\n"
		}
		return texts, engine.did
	}
	v.Strange = []pads.Strange{{ID: 7, Name: "Odd\x07 stick"}}
	v.PadFiles = "A line is wrong."
	texts, _ := press(0)
	for _, want := range []string{"“Odd stick” is plugged in", "Press each button in turn", "A line is wrong."} {
		if !strings.Contains(strings.ReplaceAll(texts, "\n", " "), want) {
			t.Errorf("the page does not say %q:\n%s", want, texts)
		}
	}
	for n := 0; ; n++ {
		if n == 60 {
			t.Fatal("keys do not lead to the lesson")
		}
		if _, did := press(widgets.KeyEnter); did == "teach 7" {
			break
		}
		press(widgets.KeyEscape) // a list that opened
		press(widgets.KeyTab)
	}
	v.Lesson = &pads.Lesson{ID: 7, Name: "Odd stick", Button: "a", Words: "Press the lowest of the four buttons.", At: 2, All: 21}
	texts, _ = press(0)
	for _, want := range []string{"Press the lowest of the four buttons.", "2 of 21", "It has none"} {
		if !strings.Contains(texts, want) {
			t.Errorf("the lesson does not say %q:\n%s", want, texts)
		}
	}
	press(0)
	if _, did := press(widgets.KeyEnter); did != "skip" {
		t.Errorf("Enter does %v", did)
	}
	if _, did := press(widgets.KeyEscape); did != "end" {
		t.Errorf("Escape does %v", did)
	}
}

// TestPrintedNames: keys and buttons are called by what is printed on them, in all that is said of them.
func TestPrintedNames(t *testing.T) {
	v := opened()
	v.KeyLabels = map[string]string{"Z": "W", "W": "Z"}
	v.Pads = []pads.Pad{{ID: 1, Name: "Four", Slot: 1, Kind: pads.PlayStation4}, {ID: 2, Name: "Pro", Slot: 2, Kind: pads.Nintendo}}
	v.PadKind = pads.Nintendo
	for _, c := range []struct {
		name, at string
		pad      bool
		want     string
	}{{"Z", "", false, "W"}, {"X", "", false, "X"}, {"a", "", true, "B"}, {"a", "Four", true, "Cross"}, {"a", "Gone", true, "B"}} {
		if v.PadAt = c.at; v.printed(c.name, c.pad) != c.want {
			t.Errorf("%q of %q is called %q, want %q", c.name, c.at, v.printed(c.name, c.pad), c.want)
		}
	}
	if words := v.KeysWords("keyboard"); !strings.Contains(words, "A, B, X, Y: X W S A.") || !strings.Contains(words, "L, R: Q Z.") {
		t.Errorf("the keyboard is described as %q", words)
	}
}
