package gameview

import (
	"image"

	"github.com/nettplay/nettplay/internal/ds"
)

// Options is how the player wants the view.
type Options struct {
	Arrangement
	Others bool // show the other players' consoles
}

// Area is the drawing area.
type Area struct {
	Width, Height int     // in its own pixels
	Line          int     // height of a line of text, for names
	Scale         float64 // how many of its pixels are one at 96 dpi and UI scale 1
}

// Placed is where one console is.
type Placed struct {
	Seat    ds.Seat
	Screens Screens
	Name    image.Rectangle // for the name; empty if there is none
	sight   *sight          // what is seen of the bottom screen; nil: what should be
}

// Plan is where everything is. It changes only with what Arrange is given, so
// a picture drawn by a plan and a stylus mapped by it belong together.
type Plan struct {
	Mine   []Placed // in the order given to Arrange
	Others []Placed // the same; empty when they are not shown
	Main   image.Rectangle
	Strip  image.Rectangle // of the others; empty without them
}

// Arrange makes a plan: our own consoles (usually one) as large as possible, the
// other players' small in a strip at the right or below, whichever leaves
// ours larger.
func Arrange(a Area, mine, others []ds.Seat, o Options) Plan {
	all := image.Rect(0, 0, a.Width, a.Height)
	plan := Plan{Main: all, Mine: placeMine(all, a, mine, o.Arrangement)}
	if !o.Others || len(others) == 0 {
		return plan
	}
	right, below := a.split(all, mine, others, o, true), a.split(all, mine, others, o, false)
	if right.worth() >= below.worth() {
		return right
	}
	return below
}

// worth says how large a plan shows our consoles, then the others.
func (p Plan) worth() int {
	area := func(list []Placed) (sum int) {
		for _, c := range list {
			b := c.Screens.Bounds()
			sum += b.Dx() * b.Dy()
		}
		return sum
	}
	return 8*area(p.Mine) + area(p.Others)
}

// split makes a plan with a strip at the right or below.
func (a Area) split(all image.Rectangle, mine, others []ds.Seat, o Options, right bool) Plan {
	p := Plan{Main: all, Strip: all}
	if right {
		wide := a.thickness(all.Dx(), all.Dy(), len(others))
		p.Main.Max.X = all.Max.X - wide
		p.Strip.Min.X = p.Main.Max.X
	} else {
		high := a.thickness(all.Dy(), all.Dx(), len(others))
		p.Main.Max.Y = all.Max.Y - high
		p.Strip.Min.Y = p.Main.Max.Y
	}
	p.Mine = placeMine(p.Main, a, mine, o.Arrangement)
	p.Others = a.placeOthers(p.Strip, others)
	return p
}

// thickness is how much of the longer direction a strip takes: a fifth for few
// consoles, up to a third for many, at most what they need at full size.
func (a Area) thickness(across, along, n int) int {
	part := across / 5
	if n > 4 {
		part = across / 3
	}
	return min(part, int(float64(screenW)*a.scale())*((n+3)/4))
}

func (a Area) scale() float64 { return min(max(a.Scale, 0.25), 16) }

// placeMine places our own consoles, in as many columns as show them largest.
func placeMine(area image.Rectangle, a Area, seats []ds.Seat, how Arrangement) []Placed {
	best, size := []Placed(nil), -1
	for columns := 1; columns <= len(seats); columns++ {
		var list []Placed
		least := -1
		for i, seat := range seats {
			cell := cellOf(area, i, columns, len(seats))
			c := Placed{Seat: seat}
			if len(seats) > 1 {
				cell.Min.Y = min(cell.Min.Y+a.Line, cell.Max.Y)
			}
			c.Screens = how.place(cell)
			if b := c.Screens.Bounds(); len(seats) > 1 && !b.Empty() {
				c.Name = image.Rect(cell.Min.X, b.Min.Y-a.Line, cell.Max.X, b.Min.Y)
			}
			if d := c.Screens.Bounds().Dx(); least < 0 || d < least {
				least = d
			}
			list = append(list, c)
		}
		if least > size {
			best, size = list, least
		}
	}
	return best
}

// placeOthers places consoles in a strip, upright, each with a line for a name
// below, in as many columns as show them largest.
func (a Area) placeOthers(strip image.Rectangle, seats []ds.Seat) []Placed {
	margin := int(6 * a.scale())
	strip = strip.Inset(margin)
	best, size := []Placed(nil), 0
	for columns := 1; columns <= len(seats); columns++ {
		var list []Placed
		least := -1
		for i, seat := range seats {
			cell := cellOf(strip, i, columns, len(seats)).Inset(margin / 2)
			cell.Max.Y -= a.Line
			c := Placed{Seat: seat, Screens: Arrangement{}.place(cell)}
			b := c.Screens.Bounds()
			c.Name = image.Rect(cell.Min.X, b.Max.Y, cell.Max.X, b.Max.Y+a.Line)
			if least < 0 || b.Dx() < least {
				least = b.Dx()
			}
			list = append(list, c)
		}
		if least > size {
			best, size = list, least
		}
	}
	return best
}

// cellOf is the place of console i of n in a grid of so many columns. The consoles
// of a last row that is not full stand in the middle.
func cellOf(area image.Rectangle, i, columns, n int) image.Rectangle {
	rows := (n + columns - 1) / columns
	row, column := i/columns, i%columns
	w, h := area.Dx()/columns, area.Dy()/rows
	inRow := min(columns, n-row*columns)
	left := area.Min.X + (area.Dx()-inRow*w)/2 + column*w
	top := area.Min.Y + row*h
	return image.Rect(left, top, left+w, top+h)
}
