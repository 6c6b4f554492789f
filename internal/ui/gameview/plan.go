package gameview

import (
	"image"
	"math"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// Area is the drawing area.
type Area struct {
	Width, Height int     // in its own pixels
	Line          int     // height of a line of text, for names
	Scale         float64 // how many of its pixels are one at 96 dpi and UI scale 1
	turn          string  // Options.Rotation, of the others' consoles
}

// Placed is where one console is.
type Placed struct {
	Seat    ds.Seat
	Screens Screens
	Name    image.Rectangle // for the name; empty if there is none
	sights  [2]*sight       // what is seen at each of Screens.bottoms; nil: what should be
}

// Plan is where everything is. It changes only with what Arrange is given, so
// a picture drawn by a plan and a stylus mapped by it belong together.
type Plan struct {
	Mine   []Placed // in the order given to Arrange
	Others []Placed // the same; empty when they are not shown
	Main   image.Rectangle
	Strip  image.Rectangle // of the others; empty without them
}

// all are the consoles of a plan, our own first.
func (p *Plan) all() []Placed { return slices.Concat(p.Mine, p.Others) }

// Arrange makes a plan: our own consoles (usually one) as large as possible, the
// other players' small in a strip at the right or below, whichever leaves
// ours larger.
func Arrange(a Area, mine, others []ds.Seat, o Options) Plan {
	all := image.Rect(0, 0, a.Width, a.Height)
	plan := Plan{Main: all, Mine: placeMine(all, a, mine, o)}
	if !o.Others || len(others) == 0 {
		return plan
	}
	a.turn = o.Rotation
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

// split makes a plan with a strip at the right or below. The strip also takes what ours leave
// free in its direction, as far as the others fill it.
func (a Area) split(all image.Rectangle, mine, others []ds.Seat, o Options, right bool) Plan {
	along, across := all.Dx(), all.Dy()
	if !right {
		along, across = across, along
	}
	least := a.thickness(along, across, len(others))
	p := cut(all, least, right)
	p.Mine = placeMine(p.Main, a, mine, o)
	ours, most := p.ours()
	free := p.Main.Dx() - ours.Dx()
	if !right {
		free = p.Main.Dy() - ours.Dy()
	}
	free = max(free, 0) * 6 / 7 // ours do not stand at the edge
	wide := cut(all, least+free, right)
	if need := a.need(a.below(wide.Strip, right && o.HUD), len(others), most, right); need > least {
		p = cut(all, min(need, least+free), right)
		p.Mine = placeMine(p.Main, a, mine, o)
	}
	p.Others = a.placeOthers(a.below(p.Strip, right && o.HUD), others, most)
	return p
}

// figureWidth is the limit of a figure's width, in heights of a line.
const figureWidth = 5

// below is a strip without the room for the figures at its top.
func (a Area) below(strip image.Rectangle, figures bool) image.Rectangle {
	inLine := max(strip.Dx()/max(figureWidth*a.Line, 1), 1)
	lines := (maxFigures + inLine - 1) / inLine
	if high := lines*a.Line + 2*a.margin(); figures && high < strip.Dy()/3 {
		strip.Min.Y += high
	}
	return strip
}

// cut makes a plan with a strip of some thickness.
func cut(all image.Rectangle, thickness int, right bool) Plan {
	p := Plan{Main: all, Strip: all}
	if right {
		p.Main.Max.X = all.Max.X - thickness
		p.Strip.Min.X = p.Main.Max.X
	} else {
		p.Main.Max.Y = all.Max.Y - thickness
		p.Strip.Min.Y = p.Main.Max.Y
	}
	return p
}

// ours returns what our consoles cover, and how wide another's may be: two thirds of ours.
func (p Plan) ours() (covered image.Rectangle, most int) {
	most = math.MaxInt
	for _, c := range p.Mine {
		covered = covered.Union(c.Screens.Bounds()).Union(c.Name)
		if c.Screens.Turn != pads.Upright { // their heights, and one above the other is half as wide again as high
			most = min(most, c.Screens.Bounds().Dy())
			continue
		}
		most = min(most, c.Screens.Bounds().Dx()*2/3)
	}
	return covered, most
}

// thickness returns the part of the longer direction that a strip takes in any case: a fifth for few
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
func placeMine(area image.Rectangle, a Area, seats []ds.Seat, how Options) []Placed {
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

// A grid is the arrangement of consoles in a strip: upright, each with a line for a name below.
type grid struct {
	columns, rows int
	size          image.Point // of a console
	cell          image.Point // with its name and the room around it
}

// gridOf is the grid that shows n consoles largest in a strip, but at most so wide.
func (a Area) gridOf(strip image.Rectangle, n, most int) (best grid) {
	margin := a.margin()
	strip = strip.Inset(margin / 2)
	for columns := 1; columns <= n; columns++ {
		rows := (n + columns - 1) / columns
		wide := min(strip.Dx()/columns-margin, most)
		room := image.Rectangle{Max: image.Pt(wide, strip.Dy()/rows-margin-a.Line)}
		size := a.another().place(room).Bounds().Size()
		if size.X > best.size.X {
			best = grid{columns, rows, size, size.Add(image.Pt(margin, margin+a.Line))}
		}
	}
	return best
}

// need returns the thickness of a strip that holds n consoles as large as they can be in this one.
func (a Area) need(strip image.Rectangle, n, most int, right bool) int {
	g := a.gridOf(strip, n, most)
	if right {
		return g.columns*g.cell.X + a.margin()
	}
	return g.rows*g.cell.Y + a.margin()
}

// another is how another player's console is shown: one screen above the other, turned as ours are.
func (a Area) another() Options { return Options{Rotation: a.turn} }

func (a Area) margin() int { return int(6 * a.scale()) }

// placeOthers places consoles in the middle of a strip.
func (a Area) placeOthers(strip image.Rectangle, seats []ds.Seat, most int) (list []Placed) {
	g := a.gridOf(strip, len(seats), most)
	if g.columns == 0 {
		return nil
	}
	all := center(strip, image.Pt(g.columns*g.cell.X, g.rows*g.cell.Y))
	for i, seat := range seats {
		cell := cellOf(all, i, g.columns, len(seats)).Inset(a.margin() / 2)
		screens := a.another().place(image.Rectangle{Min: cell.Min, Max: cell.Min.Add(g.size)})
		b := screens.Bounds()
		list = append(list, Placed{Seat: seat, Screens: screens, Name: image.Rect(cell.Min.X, b.Max.Y, cell.Max.X, b.Max.Y+a.Line)})
	}
	return list
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
