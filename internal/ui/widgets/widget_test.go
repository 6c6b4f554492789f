package widgets

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

func TestListByKeysLettersAndMouse(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	chosen, after := 0, 0
	var got Picked
	names := []string{"Advance", "Black", "Bomber", "Über", "ポケモン"}
	build := func(u *UI) {
		p := u.List(List{Name: "games", Count: 100, Height: 300, Item: func(i int) Item {
			return Item{Title: fmt.Sprint(names[i%5], i)}
		}}, &chosen)
		if !u.Settling() {
			got = p
		}
		if u.Button(Button{Text: "Start"}) {
			after++
		}
	}
	b.frame(build)
	b.key(KeyTab, 0, build)
	step := func(want int, do func()) {
		t.Helper()
		if do(); chosen != want {
			t.Errorf("chose %d, want %d", chosen, want)
		}
	}
	step(1, func() { b.key(KeyDown, 0, build) })
	step(2, func() { b.write("b", build) })
	step(6, func() { b.in.Now += 2 * time.Second; b.write("b", build) })
	step(7, func() { b.write("o", build) })
	step(8, func() { b.in.Now += 2 * time.Second; b.write("ü", build) })
	step(99, func() { b.key(KeyEnd, 0, build) })
	b.key(KeyEnter, 0, build)
	if !got.Activated || got.Changed {
		t.Errorf("Enter: %+v", got)
	}
	b.nav(NavDown, build) // leaves the list
	b.nav(NavAccept, build)
	if after != 1 || chosen != 99 {
		t.Errorf("down at the end: pressed the button %d times, chosen %d", after, chosen)
	}
	step(93, func() { b.click(100, 52, build) }) // the top of the window is 3308 points down
	b.press(100, 52, 2, build)
	if !got.Activated {
		t.Error("a double click does not activate")
	}
	b.release(100, 52, build)
	b.in.Wheel.Y = 1000
	b.move(100, 100, build)
	step(0, func() { b.click(100, 20, build) })
}

// An item that the screen chooses comes into sight; where the player has scrolled to, the list
// stays.
func TestListShowsWhatIsChosen(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	chosen := 0
	build := func(u *UI) {
		u.List(List{Name: "files", Count: 100, Height: 300, Item: func(i int) Item { return Item{Title: fmt.Sprint(i)} }}, &chosen)
	}
	b.frame(build)
	chosen = 50
	b.frame(build)
	if b.click(100, 52, build); chosen < 43 || chosen > 50 {
		t.Errorf("the second of those in sight is %d", chosen)
	}
	in := b.in
	in.MouseIn, in.Mouse, in.Wheel = true, draw.Pt(100, 100), draw.Pt(0, -100)
	b.ui.Frame(in, build)
	b.frame(build)
	if b.click(100, 52, build); chosen < 90 {
		t.Errorf("after the wheel, the second of those in sight is %d", chosen)
	}
}

func TestListOfNothing(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	chosen := -1
	build := func(u *UI) {
		u.List(List{Name: "rooms", Empty: "No rooms yet", Item: func(int) Item { t.Error("asked"); return Item{} }}, &chosen)
	}
	b.key(KeyTab, 0, build)
	b.key(KeyDown, 0, build)
	b.key(KeyEnter, 0, build)
	b.click(50, 20, build)
	if chosen != -1 {
		t.Errorf("chose %d of none", chosen)
	}
}

// A widget that the keyboard reaches in a scroll area comes into sight.
func TestScrollFollowsFocus(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var at [40]draw.Rect
	pressed := -1
	build := func(u *UI) {
		u.Scroll("all", 200, func() {
			for i := range at {
				if u.Button(Button{Text: fmt.Sprint("button ", i)}) {
					pressed = i
				}
				at[i] = u.LastRect()
			}
		})
	}
	b.frame(build)
	for range at {
		b.key(KeyTab, 0, build)
	}
	if r := at[39]; r.Y < 0 || r.Bottom() > 200 {
		t.Errorf("the last button is at %v", r)
	}
	b.click(100, 100, build)
	if pressed < 36 {
		t.Errorf("a click hit button %d", pressed)
	}
	b.click(100, 300, build) // below the area
	b.in.Wheel.Y = 2
	b.move(100, 100, build)
	if r := at[39]; r.Bottom() <= 200 {
		t.Errorf("after the wheel the last button is at %v", r)
	}
	b.press(635, 5, 1, build) // the bar
	b.release(635, 5, build)
	if at[0].Y != 0 {
		t.Errorf("after the bar was pressed at its top the first button is at %v", at[0])
	}
}

// TestFingerPulls: a finger pulls the content that it lies on, and then presses nothing. One that hardly moves presses, and
// a mouse pulls nothing.
func TestFingerPulls(t *testing.T) {
	for _, c := range []struct {
		finger       bool
		to           float32
		top, pressed int
	}{{true, 60, -90, -1}, {true, 145, 0, 3}, {false, 60, 0, -1}} {
		b := newBench(t, 640, 480, 1)
		top, pressed := float32(0), -1
		build := func(u *UI) {
			u.Scroll("all", 200, func() {
				for i := range 40 {
					if u.Button(Button{Text: fmt.Sprint("button ", i)}) {
						pressed = i
					}
					if i == 0 {
						top = u.LastRect().Y
					}
				}
			})
		}
		b.frame(build)
		b.in.Touch = c.finger
		b.press(40, 150, 1, build)
		b.move(40, (150+c.to)/2, build)
		b.move(40, c.to, build)
		b.release(40, c.to, build)
		if int(top) != c.top || pressed != c.pressed {
			t.Errorf("%+v: the first button is at %g, and button %d was pressed", c, top, pressed)
		}
	}
}

func TestPageKeysScrollText(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var top float32
	build := func(u *UI) {
		u.Scroll("help", 200, func() {
			u.Paragraph(strings.Repeat("words that nobody can press ", 200))
			top = u.LastRect().Y
		})
	}
	b.frame(build)
	b.key(KeyPageDown, 0, build)
	if b.key(KeyPageDown, 0, build); top != -320 {
		t.Errorf("after two pages of 160 points the text begins at %g", top)
	}
	if b.key(KeyPageUp, 0, build); top != -160 {
		t.Errorf("after one back at %g", top)
	}
}

func TestCheckSliderRadio(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	ready, delay, layout, turned := false, 4.0, 0, 0
	build := func(u *UI) {
		turned += u.Turned()
		u.Check(Check{Text: "Ready"}, &ready)
		u.Slider(Slider{Name: "delay", Max: 12, Step: 1, Format: func(v float64) string { return fmt.Sprint(v) }}, &delay)
		u.Radio(Choice{Name: "layout", Options: []string{"A", "B", "C"}}, &layout)
	}
	b.frame(build)
	b.nav(NavNext, build)
	b.nav(NavNext, build)
	b.nav(NavNext, build)
	b.nav(NavPrevious, build)
	b.key(KeySpace, 0, build)
	b.key(KeyDown, 0, build)
	b.key(KeyRight, 0, build)
	b.key(KeyRight, 0, build)
	b.key(KeyDown, 0, build)
	b.nav(NavRight, build)
	if turned != 2 || !ready || delay != 6 || layout != 1 {
		t.Errorf("turned %d, ready %t, delay %g, layout %d", turned, ready, delay, layout)
	}
	b.key(KeyUp, 0, build)
	if b.key(KeyHome, 0, build); delay != 0 {
		t.Errorf("Home: delay %g", delay)
	}
	b.press(20, 28+12+18, 1, build)
	b.move(5000, 100, build)
	if b.release(5000, 100, build); delay != 12 {
		t.Errorf("dragged beyond the end: delay %g", delay)
	}
}

func TestChoice(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	value, pressed := 0, 0
	options := make([]string, 60)
	for i := range options {
		options[i] = fmt.Sprint("option ", i)
	}
	build := func(u *UI) {
		u.Choice(Choice{Name: "choice", Options: options}, &value)
		if u.Button(Button{Text: "below"}) {
			pressed++
		}
	}
	b.key(KeyTab, 0, build)
	b.key(KeyEnter, 0, build)
	b.key(KeyDown, 0, build)
	b.key(KeyDown, 0, build)
	if b.key(KeyEnter, 0, build); value != 2 {
		t.Errorf("chose %d", value)
	}
	b.nav(NavAccept, build)
	b.nav(NavUp, build)
	if b.nav(NavBack, build); value != 2 {
		t.Errorf("B chose %d", value)
	}
	b.click(100, 18, build)
	b.click(100, 60, build) // an option, over the button
	if pressed != 0 {
		t.Error("a click went through the options to the button below")
	}
	b.click(100, 60, build)
	if pressed != 1 {
		t.Error("the button does not hear clicks after the options are gone")
	}
}

func TestBind(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var got Bound
	back := false
	build := func(u *UI) {
		if o := u.Bind(Bind{Name: "a", Controls: []string{"X"}}); o != (Bound{}) {
			got = o
		}
		if o := u.Bind(Bind{Name: "pad", Pad: true}); o != (Bound{}) {
			got = o
		}
		back = u.Back() || back
	}
	name := func(k Key, n string) {
		b.in.Press = KeyPress{Key: k, Name: n}
		b.frame(build)
	}
	b.key(KeyTab, 0, build)
	name(KeyEnter, "Return")
	if !b.ui.Busy() {
		t.Error("not busy while a key is awaited")
	}
	name(KeyTab, "Tab") // a control like any other
	if got != (Bound{Set: "Tab"}) {
		t.Errorf("got %+v", got)
	}
	got = Bound{}
	name(KeyEnter, "Return")
	name(KeyEscape, "Escape")
	if got != (Bound{}) || back {
		t.Errorf("Escape: %+v, back %t", got, back)
	}
	name(KeyDelete, "Delete")
	if !got.Clear {
		t.Errorf("Delete: %+v", got)
	}
	b.key(KeyDown, 0, build)
	b.nav(NavAccept, build)
	b.in.Nav, b.in.Control = NavBack, "b"
	if b.frame(build); got.Set != "b" || back {
		t.Errorf("pad: %+v, back %t", got, back)
	}
}

// countQuads returns of how many quads a picture is.
func countQuads(out Output) (n int) {
	out.List.Each(func(_ draw.Texture, quads []draw.Vertex) { n += len(quads) / 4 })
	return n
}

func TestToastsAndTips(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	build := func(u *UI) { u.Button(Button{Text: "x", Tip: "why"}) }
	base := countQuads(b.frame(build))
	b.ui.Toast(Good, "Saved.")
	b.ui.Toast(Good, "Saved.")
	if len(b.ui.toasts.list) != 1 {
		t.Errorf("the same message %d times", len(b.ui.toasts.list))
	}
	out := b.frame(build)
	if countQuads(out) == base || out.Wake < 0 {
		t.Error("no message to be seen, or no wish to be drawn when it goes away")
	}
	b.in.Now += 10 * time.Second
	if n := countQuads(b.frame(build)); n != base {
		t.Errorf("%d quads after the message is gone, %d before", n, base)
	}
	if out := b.move(30, 20, build); out.Wake < 0 || out.Wake > tipDelay {
		t.Errorf("wakes in %v for the tip", out.Wake)
	}
	rest := countQuads(b.frame(build))
	b.in.Now += time.Second
	if n := countQuads(b.frame(build)); n <= rest {
		t.Error("no tip")
	}
	b.move(600, 400, build)
	if out := b.frame(build); countQuads(out) != base || out.Wake >= 0 {
		t.Errorf("%d quads (%d at first), wakes in %v with nothing to show", countQuads(out), base, out.Wake)
	}
}

func TestLogStaysAtTheEnd(t *testing.T) {
	b := newBench(t, 640, 480, 1)
	var lines []Line
	build := func(u *UI) { u.Log(Log{Name: "chat", Lines: lines, Height: 200}) }
	add := func(n int) {
		for range n {
			lines = append(lines, Line{From: "Bob", Text: fmt.Sprint("line ", len(lines))})
		}
		b.frame(build)
	}
	m := func() *memory { return b.ui.memory[b.ui.open.scopes[0].with("chat")] }
	add(50)
	end := m().scroll
	if add(1); m().scroll <= end {
		t.Error("a new line is not shown")
	}
	b.in.Wheel.Y = 3
	b.move(100, 100, build)
	up := m().scroll
	if add(5); m().scroll != up {
		t.Error("a new line took away what the user reads")
	}
	lines = lines[:3]
	b.frame(build)
	if m().scroll != 0 {
		t.Errorf("three lines, scrolled by %g", m().scroll)
	}
}

// TestLongSliderByKeys: arrows go a useful part of a long way, from place to place, whatever the value was; short ways go
// step by step, and so does Shift.
func TestLongSliderByKeys(t *testing.T) {
	for _, tt := range []struct {
		slider           Slider
		from             float64
		right, left, fin float64 // after an arrow to the right, two to the left, and one to the right with Shift
	}{
		{Slider{Max: 100, Step: 1}, 33, 35, 25, 26},
		{Slider{Max: 100, Step: 1}, 98, 100, 90, 91},
		{Slider{Max: 192, Step: 1}, 3, 5, 0, 1},
		{Slider{Min: 10, Max: 500, Step: 2}, 60, 70, 30, 32},
		{Slider{Max: 30, Step: 1}, 4, 5, 3, 4},
		{Slider{Min: 0.25, Max: 4, Step: 0.25}, 1, 1.25, 0.75, 1},
	} {
		b := newBench(t, 640, 480, 1)
		value, s := tt.from, tt.slider
		s.Name, s.Format = "long", func(v float64) string { return fmt.Sprint(v) }
		build := func(u *UI) { u.Slider(s, &value) }
		b.frame(build)
		b.key(KeyTab, 0, build)
		expect := func(what string, want float64) {
			t.Helper()
			if value != want {
				t.Errorf("%+v from %g, %s: %g, not %g", tt.slider, tt.from, what, value, want)
			}
		}
		expect("shown", tt.from)
		b.key(KeyRight, 0, build)
		expect("to the right", tt.right)
		b.key(KeyLeft, 0, build)
		b.key(KeyLeft, 0, build)
		expect("twice to the left", tt.left)
		b.key(KeyRight, Shift, build)
		expect("one step", tt.fin)
	}
}
