package gameview

import (
	"image"
	"math"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// pixelOf is the pixel of a row or column of n console pixels that is seen at a
// place between lo and hi, where they are drawn enlarged: the one whose
// colour the drawing pixel has that the place lies in. Outside it is the nearest.
//
// A renderer takes for drawing pixel d the console pixel below its middle,
// floor((d+1/2)*n/size). This is the same in whole numbers.
// Where the middle is right between two console pixels, as every third is at 1.5 times
// the size, it is the one after: sampled sees to it that renderers agree. Where one
// rounds otherwise, a sight knows better; see SetLens.
func pixelOf(at float64, lo, hi, n int) int {
	return (2*drawn(at, lo, hi) + 1) * n / (2 * (hi - lo))
}

// drawn is the number of the drawing pixel from lo to hi that a place lies in, or is nearest to.
func drawn(at float64, lo, hi int) int {
	d := min(max(math.Floor(at), float64(lo)), float64(hi-1)) - float64(lo)
	if math.IsNaN(d) {
		return 0
	}
	return int(d)
}

// across are the pixels of a screen from left to right and from top to bottom, as it is drawn.
func across(t pads.Turn) (columns, rows int) {
	if t == pads.Upright {
		return screenW, screenH
	}
	return screenH, screenW
}

// unturned is the pixel of a screen that is drawn in a column and a row of its picture.
func unturned(t pads.Turn, column, row int) (px, py uint8) {
	switch t {
	case pads.Left:
		return uint8(screenW - 1 - row), uint8(column)
	case pads.Right:
		return uint8(row), uint8(screenH - 1 - column)
	}
	return uint8(column), uint8(row)
}

// drawnAt is the inverse of unturned.
func drawnAt(t pads.Turn, px, py uint8) (column, row int) {
	switch t {
	case pads.Left:
		return int(py), screenW - 1 - int(px)
	case pads.Right:
		return screenH - 1 - int(py), int(px)
	}
	return int(px), int(py)
}

// pixelIn returns the pixel of a bottom screen drawn at a place, turned, that is seen at x, y:
// 0 to 255 and 0 to 191. x and y are in pixels of the drawing area, of which the first
// spans 0 to 1. Outside of the screen it is the nearest pixel, so that a stroke that leaves
// it goes on along its edge. Without a bottom screen it is 0, 0.
func pixelIn(at image.Rectangle, t pads.Turn, x, y float64) (px, py uint8) {
	if at.Empty() {
		return 0, 0
	}
	columns, rows := across(t)
	return unturned(t, pixelOf(x, at.Min.X, at.Max.X, columns), pixelOf(y, at.Min.Y, at.Max.Y, rows))
}

// rectOf is where the pixels of the drawing area are that show one pixel of a bottom screen
// drawn at a place, turned: for each of them pixelIn gives that pixel. It is empty where the screen is
// drawn too small for each pixel to have one.
func rectOf(at image.Rectangle, t pads.Turn, px, py uint8) image.Rectangle {
	columns, rows := across(t)
	column, row := drawnAt(t, px, py)
	x0, x1 := spanOf(column, at.Min.X, at.Max.X, columns)
	y0, y1 := spanOf(row, at.Min.Y, at.Max.Y, rows)
	return image.Rect(x0, y0, x1, y1)
}

// spanOf is the inverse of pixelOf: the drawing pixels from a to b-1 show pixel p.
func spanOf(p, lo, hi, n int) (a, b int) {
	first := func(p int) int { // the least d with (2d+1)*n >= 2*p*size
		return lo + max(0, (2*p*(hi-lo)+n-1)/(2*n))
	}
	return first(p), min(first(p+1), hi)
}

// inside reports whether a place lies in a rectangle of drawing pixels.
func inside(x, y float64, r image.Rectangle) bool {
	return x >= float64(r.Min.X) && x < float64(r.Max.X) && y >= float64(r.Min.Y) && y < float64(r.Max.Y)
}

// stylus is pixelIn by what is seen at one of the places that show the bottom screen. A
// place that is gone is the first one.
func (c Placed) stylus(place int, x, y float64) (px, py uint8) {
	bottoms := c.Screens.bottoms()
	if len(bottoms) == 0 {
		return 0, 0
	}
	if place >= len(bottoms) {
		place = 0
	}
	at, k := bottoms[place], c.sights[place]
	if k == nil || len(k.columns) == 0 || k.at != at {
		return pixelIn(at, c.Screens.Turn, x, y)
	}
	return unturned(c.Screens.Turn, int(k.columns[drawn(x, at.Min.X, at.Max.X)]), int(k.rows[drawn(y, at.Min.Y, at.Max.Y)]))
}

// A Pen is the player's stylus: a mouse with its button down, or a finger. It
// is down on the screen where it was put down until it is lifted, wherever it
// goes meanwhile. The zero value is a lifted pen. Main thread only.
type Pen struct {
	down  bool
	seat  ds.Seat
	place int // in Screens.bottoms
	by    int64
}

// Down puts the pen down at a place in pixels of the drawing area, if a bottom screen is
// there. by tells fingers apart, and the mouse from them: a second one
// while the pen is down does nothing. ok is false when nothing was touched.
func (p *Pen) Down(plan *Plan, by int64, x, y float64) (touch Touch, ok bool) {
	if p.down {
		return Touch{}, false
	}
	for _, c := range plan.Mine {
		for i, at := range c.Screens.bottoms() {
			if inside(x, y, at) {
				p.down, p.seat, p.place, p.by = true, c.Seat, i, by
				return p.at(c, x, y), true
			}
		}
	}
	return Touch{}, false
}

// Move moves the pen. ok is false when it is not down, or the console it was on is
// not shown any more.
func (p *Pen) Move(plan *Plan, by int64, x, y float64) (touch Touch, ok bool) {
	if !p.down || p.by != by {
		return Touch{}, false
	}
	for _, c := range plan.Mine {
		if c.Seat == p.seat && len(c.Screens.bottoms()) > 0 {
			return p.at(c, x, y), true
		}
	}
	return Touch{}, false
}

// Has reports whether the mouse or a finger holds the pen down.
func (p *Pen) Has(by int64) bool { return p.down && p.by == by }

// Lift lifts the pen whoever put it down, as when the window loses the focus
// or a menu opens. ok is false when it was not down.
func (p *Pen) Lift() (touch Touch, ok bool) {
	ok, p.down = p.down, false
	return Touch{Seat: p.seat}, ok
}

func (p *Pen) at(c Placed, x, y float64) Touch {
	px, py := c.stylus(p.place, x, y)
	return Touch{p.seat, px, py}
}

// Touch is where the stylus is on a console of this machine.
type Touch struct {
	Seat ds.Seat
	X, Y uint8 // pixel of the bottom screen; 0 of one that was lifted
}
