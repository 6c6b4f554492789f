package app

import (
	"image"
	"slices"
	"testing"
	"time"
	"unicode"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// byTouch has one finger alone, and a key for the console's own buttons, which no touch screen has.
type byTouch struct{ *desk }

func newTouch(d *desk) guest { return byTouch{d} }

func (f byTouch) at() *desk { return f.desk }

// tap lays the finger down on the middle of a place, and lifts it.
func (f byTouch) tap(at image.Rectangle) { f.t.Helper(); f.again(at, 1) }

// again does so for the n-th time at once.
func (f byTouch) again(at image.Rectangle, n int) {
	f.t.Helper()
	f.presses++
	c := at.Min.Add(at.Max).Div(2)
	f.order("down %d %d %d", c.X, c.Y, n)
	f.order("up %d %d %d", c.X, c.Y, n)
}

// pull moves what is at a place up or down.
func (f byTouch) pull(x, from, to int) {
	f.t.Helper()
	f.presses++
	f.order("down %d %d", x, from)
	for i := 1; i <= 4; i++ {
		f.order("move %d %d", x, from+(to-from)*i/4)
	}
	f.order("up %d %d", x, to)
}

// show brings a widget into sight, and returns where.
func (f byTouch) show(name string) image.Rectangle {
	f.t.Helper()
	return f.reach(name, func(image.Rectangle) { f.settle() }, func(all image.Rectangle) {
		x, high := (all.Min.X+all.Max.X)/2, f.frame.Dy()
		if all.Min.Y < high/2 {
			f.pull(x, 2*high/5, 3*high/5)
		} else {
			f.pull(x, 3*high/5, 2*high/5)
		}
	})
}

func (f byTouch) press(name string) { f.t.Helper(); f.tap(f.show(name)) }

func (f byTouch) choose(list, item string) { f.t.Helper(); pressItem(f, list, item) }

func (f byTouch) open(_, item string) {
	f.t.Helper()
	f.until(item, func(s seen) bool { return slices.Contains(s.Items, item) })
	at := f.show(item)
	f.tap(at)
	f.again(at, 2)
}

// write taps the letters of the board that a field opens.
func (f byTouch) write(field, text string, enter bool) {
	f.t.Helper()
	before, board := f.presses, byPad(f)
	f.again(f.show(field), 3) // all that is there
	for _, r := range text {
		switch {
		case r == ' ':
			f.tap(board.letter("space"))
			continue
		case unicode.IsUpper(r):
			f.tap(board.letter("shift"))
		case r == ':': // on the second page, as digits are
			f.tap(board.letter("#+="))
		}
		f.tap(board.letter(string(r)))
	}
	if enter {
		f.tap(board.letter("enter"))
	} else {
		f.tap(board.letter("done"))
	}
	f.presses = before + 1 // a field counts as one
}

func (f byTouch) turn(part string, _ int) { f.t.Helper(); f.press(part) }

func (f byTouch) settings() { f.t.Helper(); f.press("Settings") }

func (f byTouch) paste() { f.t.Helper(); f.press("paste") }

func (f byTouch) back() { f.t.Helper(); f.wake(); f.press("back") }

func (f byTouch) seek() { f.t.Helper(); f.wake(); f.press("seek") }

// wake brings back what goes from a picture that is watched.
func (f byTouch) wake() {
	f.t.Helper()
	if f.now().Screen == "watching" {
		f.tap(image.Rect(0, 0, f.frame.Dx(), f.frame.Dy()/2))
	}
}

func (f byTouch) play() { f.t.Helper(); byKeys(f).play() }

func (f byTouch) menu() {
	f.t.Helper()
	s := f.until("a way to the menu", func(s seen) bool { return s.says("Menu") })
	f.tap(s.Texts[slices.IndexFunc(s.Texts, func(t spot) bool { return t.Name == "Menu" })].At)
	f.until("the menu", func(s seen) bool { return s.Menu })
}

// TestEveningByTouch: everything can be done with a finger alone, on both machines.
func TestEveningByTouch(t *testing.T) { longEvening(t, newTouch) }

// TestFingerOpensMenu: who plays with a finger has a plate that opens the menu; with a mouse it is not there, for keys are.
func TestFingerOpensMenu(t *testing.T) {
	m := gameScene(longNames[:2], 1, nil)(t)
	p := inspectBuild(t, nil, m.Store, m.Build, small, 1)
	plate := func() (at draw.Rect) {
		p.frame(20 * time.Millisecond)
		for _, w := range p.ui.Canvas().Texts() {
			if w.Text == "Menu" {
				return w.Place
			}
		}
		return draw.Rect{}
	}
	if at := plate(); at != (draw.Rect{}) {
		t.Errorf("without a finger it is at %v", at)
	}
	p.in.Touch, p.in.MouseIn = true, true
	at := plate()
	p.in.Mouse, p.in.Pressed, p.in.Held = at.Center(), widgets.LeftButton, p.in.Held.With(widgets.LeftButton)
	p.frame(20 * time.Millisecond)
	p.in.Pressed, p.in.Released, p.in.Held = widgets.NoButton, widgets.LeftButton, p.in.Held.Without(widgets.LeftButton)
	p.frame(20 * time.Millisecond)
	if !m.session.Room.Run.Menu {
		t.Errorf("a tap at %v does not open the menu", at)
	}
}

// TestFingerBringsBar: what goes from a picture that is watched comes back where a finger is laid down, wherever that is.
func TestFingerBringsBar(t *testing.T) {
	all := scenes()
	m := all[slices.IndexFunc(all, func(s scene) bool { return s.name == "watching" })].make(t)
	p := inspectBuild(t, nil, m.Store, m.Build, small, 1)
	there := func() bool {
		p.frame(20 * time.Millisecond)
		return slices.ContainsFunc(p.ui.Targets(), func(w widgets.Target) bool { return w.Name == "back" })
	}
	if p.frame(10 * time.Second); there() {
		t.Fatal("it does not go")
	}
	p.in.Touch, p.in.MouseIn, p.in.Mouse, p.in.Held = true, true, draw.Pt(300, 40), p.in.Held.With(widgets.LeftButton)
	if !there() {
		t.Error("a finger does not bring it back")
	}
}
