package widgets

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// pressed is a screen with buttons in a grid, and which were pressed.
type grid struct {
	*bench
	pressed []string
	at      map[string]draw.Rect
	open    bool
	back    int
}

func newGrid(t *testing.T) *grid {
	g := &grid{bench: newBench(t, 640, 480, 1), at: map[string]draw.Rect{}}
	g.frame(g.build)
	return g
}

func (g *grid) build(u *UI) {
	for row := range 3 {
		u.Row(Cells(Fill, Fill, Fill), func() {
			for col := range 3 {
				name := fmt.Sprint(row, col)
				if u.Button(Button{Text: name, Disabled: name == "1 1"}) {
					g.pressed = append(g.pressed, name)
				}
				g.at[name] = u.LastRect()
			}
		})
	}
	if g.open && u.Modal(Modal{Title: "Sure?"}, func() {
		if u.Button(Button{Text: "Yes"}) {
			g.pressed = append(g.pressed, "Yes")
		}
		if u.Button(Button{Text: "No"}) {
			g.pressed = append(g.pressed, "No")
		}
	}) {
		g.open = false
	}
	if u.Back() {
		g.back++
	}
}

func (g *grid) want(t *testing.T, names ...string) {
	t.Helper()
	if !slices.Equal(g.pressed, names) {
		t.Errorf("pressed %q, want %q", g.pressed, names)
	}
	g.pressed = nil
}

func TestMousePresses(t *testing.T) {
	g := newGrid(t)
	a, b := g.at["0 1"].Center(), g.at["2 2"].Center()
	g.click(a.X, a.Y, g.build)
	g.want(t, "0 1")
	g.press(a.X, a.Y, 1, g.build)
	g.release(b.X, b.Y, g.build)
	g.want(t) // it was let go elsewhere
	off := g.at["1 1"].Center()
	g.click(off.X, off.Y, g.build)
	g.want(t) // it is disabled
	g.press(a.X, a.Y, 1, g.build)
	g.in.Lost = true
	g.frame(g.build)
	g.release(a.X, a.Y, g.build)
	g.want(t) // the window lost the keyboard meanwhile
}

func TestKeyboardAndPadReachEverything(t *testing.T) {
	g := newGrid(t)
	g.key(KeyTab, 0, g.build)
	g.key(KeyEnter, 0, g.build)
	g.key(KeyTab, 0, g.build)
	g.key(KeySpace, 0, g.build)
	g.key(KeyTab, Shift, g.build)
	g.key(KeyTab, Shift, g.build) // round to the last
	g.key(KeyEnter, 0, g.build)
	g.want(t, "0 0", "0 1", "2 2")
	for _, n := range []Nav{NavUp, NavLeft, NavLeft, NavUp, NavAccept, NavDown, NavDown, NavRight, NavAccept} {
		g.nav(n, g.build)
	}
	g.want(t, "0 0", "2 1")
	g.key(KeyUp, 0, g.build) // beside the disabled one: no row is left out
	g.key(KeyEnter, 0, g.build)
	g.want(t, "1 0")
	if g.nav(NavBack, g.build); g.back != 1 {
		t.Errorf("B went back %d times", g.back)
	}
	if g.key(KeyEscape, 0, g.build); g.back != 2 {
		t.Errorf("Escape went back %d times in all", g.back)
	}
}

// The ring shows where the keyboard is, but not to who uses the mouse.
func TestRing(t *testing.T) {
	g := newGrid(t)
	at := g.at["0 0"].Center()
	g.click(at.X, at.Y, g.build)
	if g.ui.focus.shown {
		t.Error("a click shows the ring")
	}
	if g.nav(NavRight, g.build); !g.ui.focus.shown {
		t.Error("a pad does not show the ring")
	}
}

func TestModalTakesAllInput(t *testing.T) {
	g := newGrid(t)
	g.key(KeyTab, 0, g.build)
	g.key(KeyTab, 0, g.build)
	g.open = true
	g.frame(g.build)
	for name, r := range g.at {
		if c := r.Center(); strings.HasPrefix(name, "0") {
			g.click(c.X, c.Y, g.build)
		}
	}
	g.want(t)
	g.nav(NavAccept, g.build) // keys were used: the dialog's first has the focus
	g.nav(NavDown, g.build)
	g.nav(NavAccept, g.build)
	g.nav(NavUp, g.build)
	g.nav(NavAccept, g.build)
	g.want(t, "Yes", "No", "Yes")
	if !g.ui.Busy() {
		t.Error("not busy with a dialog open")
	}
	g.key(KeyEscape, 0, g.build)
	if g.open || g.back != 0 {
		t.Errorf("Escape: open %t, went back %d times", g.open, g.back)
	}
	g.frame(g.build)
	g.key(KeyEnter, 0, g.build) // the focus is where it was
	g.want(t, "0 1")
}

// Building a screen calls things once, however often the layout settles.
func TestHeardOnce(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	heard, extra := 0, false
	build := func(u *UI) {
		if extra {
			u.Paragraph("This was not here before, so everything below moves.")
		}
		if u.Button(Button{Text: "More"}) {
			heard, extra = heard+1, true
		}
		u.Card(func() { u.Note(strings.Repeat("text ", 50*heard)) })
	}
	b.frame(build)
	b.click(100, 10, build)
	if heard != 1 {
		t.Errorf("heard %d times", heard)
	}
}

// Changes after a screen was drawn show at once: nobody would draw it
// again while nothing happens.
func TestChangesShowAtOnce(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	asked, shown := false, false
	build := func(u *UI) {
		shown = false
		if asked {
			u.Modal(Modal{Title: "Leave?"}, func() { shown = true })
		}
		if u.Back() {
			asked = true
		}
	}
	b.frame(build)
	if b.key(KeyEscape, 0, build); !shown {
		t.Error("the dialog that Escape opens is not in the picture")
	}
}

// A dialog that is opened again begins anew: its field has the focus, nothing
// is dropped down.
func TestDialogAgain(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	open, name, choice, other := false, "", 0, ""
	build := func(u *UI) {
		u.Field(Field{Name: "other"}, &other)
		if open && u.Modal(Modal{Title: "Name"}, func() {
			u.Field(Field{Name: "name", Focus: true}, &name)
			u.Choice(Choice{Name: "choice", Options: []string{"A", "B"}}, &choice)
		}) {
			open = false
		}
	}
	b.click(100, 10, build)
	for range 2 {
		open = true
		b.frame(build)
		b.write("x", build)
		b.key(KeyTab, 0, build)
		b.key(KeyEnter, 0, build) // drops the options down
		open = false
		b.frame(build)
		b.write("o", build) // where the focus was before
	}
	open = true
	b.frame(build)
	b.key(KeyEscape, 0, build)
	if name != "xx" || other != "oo" || open {
		t.Errorf("name %q, other %q, open %t", name, other, open)
	}
}

// The same name twice is two widgets.
func TestSameNameTwice(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var on [2]bool
	build := func(u *UI) {
		for i := range on {
			u.Check(Check{Text: "Sound"}, &on[i])
		}
	}
	b.frame(build)
	b.click(10, 50, build)
	if on != [2]bool{false, true} {
		t.Errorf("got %v", on)
	}
}

func TestSmallAndLargeWindows(t *testing.T) {
	for _, size := range [][2]int{{640, 480}, {1, 1}, {0, 0}, {320, 2000}, {2560, 1440}} {
		b := newBench(t, size[0], size[1], 1.5)
		g := newGallery(b.store)
		g.dialog = true
		b.frame(g.build)
		b.click(10, 10, g.build)
		b.key(KeyTab, 0, g.build)
		b.picture(b.frame(g.build))
	}
}

// light returns how bright an opaque colour looks, 0 to 1: the relative luminance of the Web
// Content Accessibility Guidelines 2.1.
func light(c draw.Color) float64 {
	part := func(b uint8) float64 {
		v := float64(b) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

// contrast is that of two opaque colours by the same guidelines: 1 for the same, 21 for black
// and white.
func contrast(c, d draw.Color) float64 {
	a, b := light(c), light(d)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

// Words can be read: contrast of at least 4.5 (WCAG 2.1, level AA) on what they
// stand on.
func TestContrast(t *testing.T) {
	for _, th := range []Theme{DarkTheme(), LightTheme()} {
		pairs := map[string][2]draw.Color{
			"accent button": {th.AccentText, th.Accent}, "danger button": {th.DangerText, th.DangerFill},
			"chosen": {th.Text, th.AccentSoft}, "chosen, soft": {th.Soft, th.AccentSoft},
		}
		for back, c := range map[string]draw.Color{"back": th.Back, "panel": th.Panel, "raised": th.Raised, "field": th.Field} {
			for name, word := range map[string]draw.Color{
				"text": th.Text, "soft": th.Soft, "faint": th.Faint, "good": th.Good, "warning": th.Warning, "danger": th.Danger,
			} {
				if back != "raised" || name == "text" || name == "soft" {
					pairs[name+" on "+back] = [2]draw.Color{word, c}
				}
			}
		}
		for name, p := range pairs {
			if got := contrast(p[0], p[1]); got < 4.5 {
				t.Errorf("dark %t, %s: %.2f", th.Dark, name, got)
			}
		}
	}
}

func TestForgets(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	for i := range 5000 {
		b.frame(func(u *UI) { u.Scroll(fmt.Sprint(i), 10, func() {}) })
	}
	if n := len(b.ui.memory); n > 1400 {
		t.Errorf("%d containers remembered that are long gone", n)
	}
}
