package widgets

import "testing"

// dialogs is a screen with a menu, and a question over the menu.
type dialogs struct {
	*bench
	menu, asked bool
	answer      Answer
	pressed     []string
}

func (d *dialogs) build(u *UI) {
	press := func(b Button) {
		if u.Button(b) {
			d.pressed = append(d.pressed, b.Text)
		}
	}
	press(Button{Text: "Screen"})
	if d.menu && u.Modal(Modal{Title: "Menu"}, func() {
		press(Button{Text: "Pause"})
		press(Button{Text: "Play on", Kind: Primary})
		press(Button{Text: "Leave"})
	}) {
		d.menu = false
	}
	if d.asked {
		if a := u.Ask("Leave?", "The others play on.", "Do it", "Stay", Danger); a != NoAnswer {
			d.answer, d.asked = a, false
		}
	}
	if u.Back() {
		d.pressed = append(d.pressed, "back")
	}
}

func newDialogs(t *testing.T) *dialogs {
	d := &dialogs{bench: newBench(t, 640, 480, 1)}
	d.frame(d.build)
	return d
}

func (d *dialogs) want(t *testing.T, when string, pressed ...string) {
	t.Helper()
	if len(d.pressed) != len(pressed) || len(pressed) > 0 && d.pressed[0] != pressed[0] {
		t.Errorf("%s: pressed %q, want %q", when, d.pressed, pressed)
	}
	d.pressed = nil
}

// A dialog that the mouse has opened has the keyboard: Enter presses its default, and arrows
// move from there.
func TestDialogOpenedByMouse(t *testing.T) {
	d := newDialogs(t)
	d.click(100, 10, d.build)
	d.want(t, "a click", "Screen")
	d.menu = true
	d.frame(d.build)
	d.key(KeyEnter, 0, d.build)
	d.want(t, "Enter", "Play on")
	d.key(KeyDown, 0, d.build)
	d.key(KeyEnter, 0, d.build)
	d.want(t, "Down and Enter", "Leave")
}

// TestHighDialogOpensOnItsDefault: a dialog that is higher than the window has the keyboard on its
// default button from its first picture on, as a low one has. Rows are as high as they will be only
// after they were built once.
func TestHighDialogOpensOnItsDefault(t *testing.T) {
	for rows := range 14 {
		b, open, pressed := newBench(t, 640, 360, 1), false, ""
		build := func(u *UI) {
			u.Button(Button{Text: "Screen"})
			if !open {
				return
			}
			press := func(name string, kind Kind) {
				if u.Button(Button{Text: name, Kind: kind}) {
					pressed = name
				}
			}
			u.Modal(Modal{Title: "Menu"}, func() {
				press("Play on", Primary)
				press("Write", Normal)
				for range rows {
					u.Row(Cells(Fill, Fill), func() { u.Buttons(Button{Text: "a"}, Button{Text: "b"}) })
				}
			})
		}
		b.frame(build)
		b.click(100, 10, build)
		open = true
		b.frame(build)
		b.key(KeyEnter, 0, build)
		if pressed != "Play on" {
			t.Errorf("with %d rows, Enter presses %q", rows, pressed)
		}
	}
}

// A question over a menu keeps the keyboard from it: Tab goes round in the question. Its
// default loses nothing.
func TestQuestionOverAMenu(t *testing.T) {
	d := newDialogs(t)
	d.menu = true
	d.frame(d.build)
	d.asked = true
	d.frame(d.build)
	for range 5 {
		d.key(KeyTab, 0, d.build)
	}
	d.key(KeyTab, Shift, d.build)
	d.key(KeyEnter, 0, d.build)
	d.want(t, "Tab in a question")
	if d.answer != No || d.asked {
		t.Errorf("after four times Tab the answer is %v", d.answer)
	}
	d.key(KeyEnter, 0, d.build)
	d.want(t, "Enter, back in the menu", "Play on")
	d.asked = true
	d.frame(d.build)
	d.key(KeyEscape, 0, d.build)
	if d.asked || !d.menu {
		t.Error("Escape closes more than the question")
	}
	d.key(KeyEscape, 0, d.build)
	if d.want(t, "Escape"); d.menu {
		t.Error("Escape does not close the menu")
	}
}

// Keys pressed before a dialog came by itself were not meant for it.
func TestDialogThatComesByItself(t *testing.T) {
	d := newDialogs(t)
	d.menu = true
	d.key(KeyEnter, 0, d.build)
	d.want(t, "Enter as the menu comes")
	d.asked = true
	d.key(KeyEscape, 0, d.build)
	if !d.asked || d.menu {
		t.Error("Escape does not go to the menu, which was seen, but to the question")
	}
}

// TestStartLeadsForward: Start of a pad leads to the way forward from anywhere, and presses it
// there. Where there is none it presses what has the ring.
func TestStartLeadsForward(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var pressed []string
	forward := true
	build := func(u *UI) {
		for _, name := range []string{"a", "b", "c", "d"} {
			if u.Button(Button{Text: name}) {
				pressed = append(pressed, name)
			}
		}
		if u.Button(Button{Text: "Start", Kind: Primary, Disabled: !forward}) {
			pressed = append(pressed, "Start")
		}
	}
	b.frame(build)
	b.key(KeyTab, 0, build)
	for _, want := range []int{0, 1} {
		if b.nav(NavForward, build); len(pressed) != want {
			t.Fatalf("pressed are %q", pressed)
		}
	}
	forward = false
	b.frame(build)
	b.nav(NavUp, build)
	if b.nav(NavForward, build); len(pressed) != 2 || pressed[0] != "Start" || pressed[1] == "Start" {
		t.Errorf("pressed are %q", pressed)
	}
}
