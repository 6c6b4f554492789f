package gameview

import (
	"image"
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// The size of one screen of a console, in its own pixels.
const (
	screenW = inputdelay.ScreenWidth
	screenH = inputdelay.ScreenHeight
)

// The arrangements of the two screens of a console: config.Layouts, in the order in which the
// hotkey goes through them.
const (
	Vertical   = "vertical"   // the top screen above the bottom screen
	Horizontal = "horizontal" // the top screen left of the bottom screen
	Hybrid     = "hybrid"     // one screen large, and beside it both, small, one above the other
	TopOnly    = "top"        // only the top screen, or with Swap the bottom screen
	BottomOnly = "bottom"     // only the bottom screen, or with Swap the top screen
)

// The emphases say which of two screens is the large one: config.Emphases, in the order in which
// the hotkey goes through them.
const (
	Even      = "even"   // both are of one size
	LargeTop  = "top"    // the top screen is large, the other a third of it
	LargeDown = "bottom" // the bottom screen is large, the other a third of it
)

// The rotations of the picture: config.Rotations, in the order in which the hotkey goes through them.
const (
	Unturned    = "none"
	TurnedLeft  = "left"  // the top of the picture is at the left
	TurnedRight = "right" // the top of the picture is at the right
)

// PlayersBars of config.Bars has what is behind the consoles take their players' colours.
const PlayersBars = "players"

// Options are the player's settings of the view. The zero Options show one screen above the other.
// Emphasis counts in Vertical and Horizontal; in Hybrid, Even is LargeTop.
type Options config.Video

// alone reports whether only one screen shows.
func (o Options) alone() bool { return o.Layout == TopOnly || o.Layout == BottomOnly }

// uneven reports whether one of two screens is a third of the other.
func (o Options) uneven() bool { return o.Emphasis == LargeTop || o.Emphasis == LargeDown }

// turn is how all that is shown of consoles is turned.
func (o Options) turn() pads.Turn {
	switch o.Rotation {
	case TurnedLeft:
		return pads.Left
	case TurnedRight:
		return pads.Right
	}
	return pads.Upright
}

// smooth reports whether pixels are interpolated; otherwise they are sharp.
func (o Options) smooth() bool { return o.Filter == "linear" }

// after returns what comes after one of a list, and the first after the last.
func after(list []string, now string) string {
	return list[(slices.Index(list, now)+1)%len(list)]
}

// Screens is where a console's two screens are, in pixels of the drawing area.
// A screen that is not shown is an empty rectangle.
type Screens struct {
	Top, Bottom image.Rectangle
	// Again is where Hybrid shows the large screen a second time, small.
	Again       image.Rectangle
	AgainBottom bool      // that is the bottom screen
	Turn        pads.Turn // of the picture in each of them
}

// Bounds returns the area that all screens cover.
func (s Screens) Bounds() image.Rectangle { return s.Top.Union(s.Bottom).Union(s.Again) }

// moved is the same elsewhere.
func (s Screens) moved(by image.Point) Screens {
	for _, r := range []*image.Rectangle{&s.Top, &s.Bottom, &s.Again} {
		if !r.Empty() {
			*r = r.Add(by)
		}
	}
	return s
}

// bottoms are the places that show the bottom screen: none, one or two.
func (s Screens) bottoms() (list []image.Rectangle) {
	if !s.Bottom.Empty() {
		list = append(list, s.Bottom)
	}
	if s.AgainBottom && !s.Again.Empty() {
		list = append(list, s.Again)
	}
	return list
}

// pixels is a rectangle as package draw has it.
func pixels(r image.Rectangle) draw.Rect {
	return draw.R(float32(r.Min.X), float32(r.Min.Y), float32(r.Dx()), float32(r.Dy()))
}

// points is a rectangle of pixels in points.
func points(list *draw.List, r image.Rectangle) draw.Rect { return pixels(r).Mul(1 / list.Scale()) }

// place puts the screens of one console into the middle of an area, as large as
// they get there. Nothing is drawn outside of the area; in one too small for a
// pixel of each screen nothing is drawn at all.
func (o Options) place(area image.Rectangle) Screens {
	t := o.turn()
	if t == pads.Upright {
		return o.upright(area)
	}
	size := area.Size()
	s := o.upright(image.Rect(0, 0, size.Y, size.X))
	for _, r := range []*image.Rectangle{&s.Top, &s.Bottom, &s.Again} {
		if !r.Empty() {
			*r = turned(*r, t, size).Add(area.Min)
		}
	}
	s.Turn = t
	return s
}

// turned is where a rectangle of an upright picture is once that is turned; size is that of the turned picture.
func turned(r image.Rectangle, t pads.Turn, size image.Point) image.Rectangle {
	if t == pads.Left {
		return image.Rect(r.Min.Y, size.Y-r.Max.X, r.Max.Y, size.Y-r.Min.X)
	}
	return image.Rect(size.X-r.Max.Y, r.Min.X, size.X-r.Min.Y, r.Max.X)
}

// upright is place of a picture that is not turned.
func (o Options) upright(area image.Rectangle) Screens {
	o.Gap = min(max(o.Gap, 0), screenH)
	large := o.size(area)
	switch {
	case large.X < 4:
		return Screens{}
	case o.Layout == Hybrid:
		return o.hybrid(area, large)
	case !o.alone():
		return o.both(area, large)
	case o.bottomAlone():
		return Screens{Bottom: center(area, large)}
	default:
		return Screens{Top: center(area, large)}
	}
}

// bottomAlone tells which is the only screen that shows.
func (o Options) bottomAlone() bool { return (o.Layout == BottomOnly) != o.Swap }

// both places two screens, the larger of which has a known size.
func (o Options) both(area image.Rectangle, large image.Point) (s Screens) {
	one, two := large, large
	if o.uneven() {
		two = o.whole(large.X / 3)
		if (o.Emphasis == LargeDown) != o.Swap {
			one, two = two, one
		}
	}
	gap := o.Gap * large.X / screenW
	if o.Layout == Horizontal {
		at := center(area, image.Pt(one.X+gap+two.X, large.Y))
		s.Top, s.Bottom = within(at, one, start, middle), within(at, two, end, middle)
	} else {
		at := center(area, image.Pt(large.X, one.Y+gap+two.Y))
		s.Top, s.Bottom = within(at, one, middle, start), within(at, two, middle, end)
	}
	if o.Swap {
		s.Top, s.Bottom = s.Bottom, s.Top
	}
	return s
}

// LargeBottom reports whether Hybrid shows the bottom screen large.
func (o Options) LargeBottom() bool { return (o.Emphasis == LargeDown) != o.Swap }

// hybrid places a large screen, and both in a column at its right, of half the size: together
// they are as high as the large one.
func (o Options) hybrid(area image.Rectangle, large image.Point) (s Screens) {
	small := o.whole(large.X / 2)
	gap := o.Gap * small.X / screenW
	column := image.Pt(small.X, 2*small.Y+gap)
	at := center(area, image.Pt(large.X+gap+small.X, max(large.Y, column.Y)))
	one, stack := within(at, large, start, middle), within(at, column, end, middle)
	top, bottom := within(stack, small, middle, start), within(stack, small, middle, end)
	if o.LargeBottom() {
		return Screens{Top: top, Bottom: one, Again: bottom, AgainBottom: true}
	}
	return Screens{Top: one, Bottom: bottom, Again: top}
}

// size returns the largest size of the larger screen. All that is rounded is rounded down, so what
// stands beside it fits too.
func (o Options) size(area image.Rectangle) image.Point {
	w, h := 6*screenW, 6*screenH // of everything, in sixths of a console pixel
	share := 6                   // how many sixths the other screen is
	if o.uneven() {
		share = 2
	}
	switch o.Layout {
	case Horizontal:
		w += 6*o.Gap + share*screenW
	case Hybrid: // the column is half as large, and so is its gap
		w += 3*o.Gap + 3*screenW
		h += 3 * o.Gap
	case TopOnly, BottomOnly:
	default:
		h += 6*o.Gap + share*screenH
	}
	return o.whole(max(0, min(6*screenW*area.Dx()/w, 6*screenW*area.Dy()/h)))
}

// wide is the width of the largest screen of a console that is shown in so many pixels, as it is upright.
func (o Options) wide(size image.Point) int {
	if o.turn() != pads.Upright {
		size.X, size.Y = size.Y, size.X
	}
	return o.size(image.Rectangle{Max: size}).X
}

// whole is the size of a screen that is at most so wide. A screen smaller than a
// console's own is never a whole multiple of it.
func (o Options) whole(wide int) image.Point {
	if o.Integer && wide >= screenW {
		wide -= wide % screenW
	}
	return image.Pt(wide, wide*screenH/screenW)
}

// center is a rectangle of a size in the middle of an area.
func center(area image.Rectangle, size image.Point) image.Rectangle {
	return within(area, size, middle, middle)
}

// Where something is within an area, from left to right or from top to bottom.
const (
	start = iota
	middle
	end
)

// within is a rectangle of a size within an area.
func within(area image.Rectangle, size image.Point, across, down int) image.Rectangle {
	free := area.Size().Sub(size)
	at := area.Min.Add(image.Pt(free.X*across/end, free.Y*down/end))
	return image.Rectangle{Min: at, Max: at.Add(size)}
}
