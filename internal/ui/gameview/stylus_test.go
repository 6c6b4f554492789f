package gameview

import (
	"image"
	"math"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

func TestPenDragsAlongTheEdge(t *testing.T) {
	plan := Arrange(Area{Width: 512, Height: 768, Line: 16, Scale: 1}, []ds.Seat{3}, nil, Options{})
	var pen Pen
	if _, ok := pen.Down(&plan, 0, 10, 100); ok {
		t.Error("the top screen was touched")
	}
	touch, ok := pen.Down(&plan, 0, 100, 384+50)
	if want := (Touch{Seat: 3, X: 50, Y: 25}); !ok || touch != want {
		t.Errorf("down: %+v, want %+v", touch, want)
	}
	for _, c := range []struct {
		x, y   float64
		px, py uint8
	}{
		{0, 384, 0, 0},
		{511.9, 767.9, 255, 191},
		{-4000, 300, 0, 0},
		{4000, 9000, 255, 191},
		{100, 0, 50, 0},
		{math.Inf(1), math.Inf(-1), 255, 0},
		{math.NaN(), math.NaN(), 0, 0},
	} {
		touch, ok := pen.Move(&plan, 0, c.x, c.y)
		if want := (Touch{Seat: 3, X: c.px, Y: c.py}); !ok || touch != want {
			t.Errorf("moved to %v,%v: %+v, want %+v", c.x, c.y, touch, want)
		}
	}
	if touch, ok := pen.Lift(); !ok || touch != (Touch{Seat: 3}) {
		t.Errorf("up: %+v %v", touch, ok)
	}
	if _, ok := pen.Move(&plan, 0, 100, 500); ok {
		t.Error("a lifted pen writes")
	}
	if _, ok := pen.Lift(); ok {
		t.Error("a lifted pen was lifted")
	}
}

func TestSecondFingerIsNoPen(t *testing.T) {
	plan := Arrange(Area{Width: 512, Height: 768, Line: 16, Scale: 1}, []ds.Seat{0}, nil, Options{})
	var pen Pen
	pen.Down(&plan, 1, 100, 500)
	if _, ok := pen.Down(&plan, 2, 200, 500); ok {
		t.Error("a second finger touches")
	}
	if _, ok := pen.Move(&plan, 2, 200, 500); ok {
		t.Error("a second finger moves the stylus")
	}
}

// A stroke goes on in the new place when the layout changes under it, and
// ends where its screen is gone.
func TestPenInAnotherLayout(t *testing.T) {
	area := Area{Width: 512, Height: 768, Line: 16, Scale: 1}
	plan := Arrange(area, []ds.Seat{0}, nil, Options{})
	var pen Pen
	pen.Down(&plan, 0, 100, 500)
	wide := Arrange(area, []ds.Seat{0}, nil, Options{Layout: Horizontal})
	if touch, ok := pen.Move(&wide, 0, 256, 300); !ok || touch.X != 0 || touch.Y != 12 {
		t.Errorf("%+v %v", touch, ok)
	}
	without := Arrange(area, []ds.Seat{0}, nil, Options{Layout: TopOnly})
	if _, ok := pen.Move(&without, 0, 100, 500); ok {
		t.Error("a screen that is not shown is touched")
	}
}

func TestPenKnowsWhoseConsole(t *testing.T) {
	plan := Arrange(Area{Width: 1024, Height: 800, Line: 16, Scale: 1}, []ds.Seat{2, 5}, nil, Options{})
	for _, c := range plan.Mine {
		var pen Pen
		b := c.Screens.Bottom
		touch, ok := pen.Down(&plan, 0, float64(b.Min.X), float64(b.Min.Y))
		if !ok || touch.Seat != c.Seat || touch.X != 0 || touch.Y != 0 {
			t.Errorf("seat %d: %+v %v", c.Seat, touch, ok)
		}
	}
}

// FuzzStylus looks for a place or a screen that gives a pixel off the screen.
func FuzzStylus(f *testing.F) {
	f.Add(1.5, 2.5, 0, 0, 256, 192)
	f.Add(-1e300, 1e300, -50, 70, 1, 1)
	f.Add(math.NaN(), math.Inf(1), 5, 5, 4000, 3)
	f.Fuzz(func(t *testing.T, x, y float64, left, top, w, h int) {
		if max(left, -left, top, -top) > 1<<20 || w < 1 || h < 1 || w > 1<<16 || h > 1<<16 {
			return
		}
		s := Screens{Bottom: image.Rect(left, top, left+w, top+h)}
		px, py := pixelIn(s.Bottom, s.Turn, x, y)
		if py >= screenH {
			t.Fatalf("row %d", py)
		}
		if math.IsNaN(x) || math.IsNaN(y) || !inside(x, y, s.Bottom) {
			return
		}
		at := image.Pt(int(math.Floor(x)), int(math.Floor(y)))
		if !at.In(rectOf(s.Bottom, s.Turn, px, py)) {
			t.Fatalf("%v,%v is pixel %d,%d, which is drawn at %v", x, y, px, py, rectOf(s.Bottom, s.Turn, px, py))
		}
	})
}
