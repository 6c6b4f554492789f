package widgets

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// TestNothingMovesUnderTheMouse: in a scroll area, what the mouse is on stays there when what is
// above it grows and shrinks, and what moves nevertheless while the button is down is clicked.
func TestNothingMovesUnderTheMouse(t *testing.T) {
	b := newBench(t, 300, 200, 1)
	above, pressed, at := 20, 0, draw.Rect{}
	column := func(u *UI) {
		for range above {
			u.Label("a player")
		}
		if u.Button(Button{Text: "Change"}) {
			pressed++
		}
		at = u.LastRect()
		for range 20 {
			u.Label("a setting")
		}
	}
	scroll := func(u *UI) { u.Scroll("room", 0, func() { column(u) }) }
	b.frame(scroll)
	b.in.MouseIn, b.in.Mouse = true, draw.Pt(100, 100)
	for at.Bottom() > 150 {
		b.in.Wheel = draw.Pt(0, -1)
		b.frame(scroll)
	}
	b.move(at.X+20, at.Y+10, scroll)
	was := at
	for _, above = range []int{22, 19, 21} {
		if b.frame(scroll); at != was {
			t.Errorf("with %d above it, it is at %v, not %v", above, at, was)
		}
	}
	b.in.Wheel = draw.Pt(0, 1)
	if b.frame(scroll); at.Y != was.Y+48 {
		t.Errorf("the wheel moves it from %v to %v", was, at)
	}

	above = 0
	b.frame(column)
	b.press(at.X+20, at.Y+10, 1, column)
	above = 2
	b.release(b.in.Mouse.X, b.in.Mouse.Y, column)
	if pressed != 1 {
		t.Errorf("pressed %d times", pressed)
	}
}
