package gameview

import (
	"image"

	"github.com/nettplay/nettplay/inputdelay"
)

// The size of one screen of a console, in its own pixels.
const (
	screenW = inputdelay.ScreenWidth
	screenH = inputdelay.ScreenHeight
)

// Layout is the arrangement of the two screens of a console.
type Layout uint8

// The layouts, in the order in which the hotkey goes through them.
const (
	Vertical   Layout = iota // the top screen above the bottom screen
	Horizontal               // the top screen left of the bottom screen
	Hybrid                   // one screen large, and beside it both, small, one above the other
	TopOnly                  // only the top screen, or with Swap the bottom screen
	BottomOnly               // only the bottom screen, or with Swap the top screen
	layouts
)

// layoutNames are config.Layouts in the order of the constants.
var layoutNames = [layouts]string{"vertical", "horizontal", "hybrid", "top", "bottom"}

// LayoutOf returns the layout that settings name, as config.Layouts has them.
// A name that is not known is Vertical.
func LayoutOf(name string) Layout {
	for l, n := range layoutNames {
		if n == name {
			return Layout(l)
		}
	}
	return Vertical
}

// String is the layout's name in the settings.
func (l Layout) String() string { return layoutNames[l%layouts] }

// Next is the layout after this one.
func (l Layout) Next() Layout { return (l + 1) % layouts }

// alone tells whether only one screen shows.
func (l Layout) alone() bool { return l == TopOnly || l == BottomOnly }

// Emphasis says which of two screens is the large one.
type Emphasis uint8

// The emphases, in the order in which the hotkey goes through them.
const (
	Even      Emphasis = iota // both are of one size
	LargeTop                  // the top screen is large, the other a third of it
	LargeDown                 // the bottom screen is large, the other a third of it
	emphases
)

// emphasisNames are how the settings call them.
var emphasisNames = [emphases]string{"even", "top", "bottom"}

// EmphasisOf returns the emphasis that a setting names: "top" or "bottom".
// Anything else is Even.
func EmphasisOf(name string) Emphasis {
	for e, n := range emphasisNames {
		if n == name {
			return Emphasis(e)
		}
	}
	return Even
}

// String is the emphasis' name in the settings.
func (e Emphasis) String() string { return emphasisNames[e%emphases] }

// Next is the emphasis after this one.
func (e Emphasis) Next() Emphasis { return (e + 1) % emphases }

// Arrangement is how the player wants a console's screens.
type Arrangement struct {
	Layout   Layout
	Emphasis Emphasis // in Vertical and Horizontal; in Hybrid, Even is LargeTop
	Swap     bool     // the bottom screen comes first, or is the one that is shown; in Hybrid the other one is large
	Integer  bool     // whole multiples of the console's pixels, if one fits
	Gap      int      // between the screens, in console pixels, 0 to 192
}

// Screens is where a console's two screens are, in pixels of the drawing area.
// A screen that is not shown is an empty rectangle.
type Screens struct {
	Top, Bottom image.Rectangle
	// Again is where Hybrid shows the large screen a second time, small.
	Again       image.Rectangle
	AgainBottom bool // that is the bottom screen
}

// Bounds is what all screens cover.
func (s Screens) Bounds() image.Rectangle { return s.Top.Union(s.Bottom).Union(s.Again) }

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

// place puts the screens of one console into the middle of an area, as large as
// they get there. Nothing is drawn outside of the area; in one too small for a
// pixel of each screen nothing is drawn at all.
func (a Arrangement) place(area image.Rectangle) Screens {
	a.Gap = min(max(a.Gap, 0), screenH)
	large := a.size(area)
	if large.X < 4 {
		return Screens{}
	}
	var s Screens
	switch {
	case a.Layout == Vertical || a.Layout == Horizontal:
		s = a.both(area, large)
	case a.Layout == Hybrid:
		s = a.hybrid(area, large)
	case (a.Layout == BottomOnly) != a.Swap:
		s.Bottom = center(area, large)
	default:
		s.Top = center(area, large)
	}
	return s
}

// both places two screens, the larger of which has a known size.
func (a Arrangement) both(area image.Rectangle, large image.Point) (s Screens) {
	one, two := large, large
	if a.Emphasis != Even {
		two = a.third(large)
		if (a.Emphasis == LargeDown) != a.Swap {
			one, two = two, one
		}
	}
	gap := a.Gap * large.X / screenW
	if a.Layout == Horizontal {
		at := center(area, image.Pt(one.X+gap+two.X, large.Y))
		s.Top = middleY(at.Min.X, at, one)
		s.Bottom = middleY(at.Max.X-two.X, at, two)
	} else {
		at := center(area, image.Pt(large.X, one.Y+gap+two.Y))
		s.Top = middleX(at.Min.Y, at, one)
		s.Bottom = middleX(at.Max.Y-two.Y, at, two)
	}
	if a.Swap {
		s.Top, s.Bottom = s.Bottom, s.Top
	}
	return s
}

// LargeBottom tells whether Hybrid shows the bottom screen large.
func (a Arrangement) LargeBottom() bool { return (a.Emphasis == LargeDown) != a.Swap }

// hybrid places a large screen, and both in a column at its right, of half the size: together
// they are as high as the large one.
func (a Arrangement) hybrid(area image.Rectangle, large image.Point) (s Screens) {
	small := a.whole(large.X / 2)
	gap := a.Gap * small.X / screenW
	column := image.Pt(small.X, 2*small.Y+gap)
	at := center(area, image.Pt(large.X+gap+small.X, max(large.Y, column.Y)))
	one := middleY(at.Min.X, at, large)
	stack := middleY(at.Max.X-small.X, at, column)
	top := middleX(stack.Min.Y, stack, small)
	bottom := middleX(stack.Max.Y-small.Y, stack, small)
	if a.LargeBottom() {
		return Screens{Top: top, Bottom: one, Again: bottom, AgainBottom: true}
	}
	return Screens{Top: one, Bottom: bottom, Again: top}
}

// size is how large the larger screen can be. All that is rounded is rounded
// down, so what stands beside it fits too.
func (a Arrangement) size(area image.Rectangle) image.Point {
	w, h := 6*screenW, 6*screenH // of everything, in sixths of a console pixel
	share := 6                   // how many sixths the other screen is
	if a.Emphasis != Even {
		share = 2
	}
	switch a.Layout {
	case Vertical:
		h += 6*a.Gap + share*screenH
	case Horizontal:
		w += 6*a.Gap + share*screenW
	case Hybrid: // the column is half as large, and so is its gap
		w += 3*a.Gap + 3*screenW
		h += 3 * a.Gap
	}
	return a.whole(max(0, min(6*screenW*area.Dx()/w, 6*screenW*area.Dy()/h)))
}

// third is the size of the small screen beside a large one.
func (a Arrangement) third(large image.Point) image.Point { return a.whole(large.X / 3) }

// whole is the size of a screen that is at most so wide. A screen smaller than a
// console's own is never a whole multiple of it.
func (a Arrangement) whole(wide int) image.Point {
	if a.Integer && wide >= screenW {
		wide -= wide % screenW
	}
	return image.Pt(wide, wide*screenH/screenW)
}

// center is a rectangle of a size in the middle of an area.
func center(area image.Rectangle, size image.Point) image.Rectangle {
	at := area.Min.Add(image.Pt((area.Dx()-size.X)/2, (area.Dy()-size.Y)/2))
	return image.Rectangle{Min: at, Max: at.Add(size)}
}

// middleX is a rectangle of a size at y, in the middle of a box from left to right.
func middleX(y int, box image.Rectangle, size image.Point) image.Rectangle {
	x := box.Min.X + (box.Dx()-size.X)/2
	return image.Rect(x, y, x+size.X, y+size.Y)
}

// middleY is a rectangle of a size at x, in the middle of a box from top to bottom.
func middleY(x int, box image.Rectangle, size image.Point) image.Rectangle {
	y := box.Min.Y + (box.Dy()-size.Y)/2
	return image.Rect(x, y, x+size.X, y+size.Y)
}
