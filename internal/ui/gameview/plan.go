package gameview

import (
	"image"
	"math"
	"math/bits"
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
	figures       bool    // a strip at the right leaves room for the figures at its top
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
	// Free are the largest rectangles in which nothing stands, each as far as it goes. They overlap.
	Free []image.Rectangle
}

// all are the consoles of a plan, our own first.
func (p *Plan) all() []Placed { return slices.Concat(p.Mine, p.Others) }

// Arrange makes a plan: our own consoles (usually one) as large as possible, and the other
// players' beside or below them, whichever leaves ours larger; all of them together in the middle.
// A screen of another is at least a third as wide as the largest of ours, and at most two thirds.
func Arrange(a Area, mine, others []ds.Seat, o Options) Plan {
	a.turn = o.Rotation
	best := a.compose(mine, nil, o, image.Rectangle{}, true)
	if o.Others && len(others) > 0 {
		best = a.split(mine, others, o, true)
		if a.figures = o.HUD && !slices.ContainsFunc(a.free(best.all()), a.holdsFigures); a.figures {
			best = a.split(mine, others, o, true)
		}
		if below := a.split(mine, others, o, false); below.worth() > best.worth() {
			best = below
		}
	}
	best.Free = a.free(best.all())
	return best
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

// split makes a plan with the others at the right or below, in a strip that is as narrow as lets them be
// a third of ours. They also take what ours leave free in that direction.
func (a Area) split(mine, others []ds.Seat, o Options, right bool) Plan {
	all := image.Rect(0, 0, a.Width, a.Height)
	along := all.Dx()
	if !right {
		along = all.Dy()
	}
	least := 0
	for step := 1 << bits.Len(uint(along)); step > 0; step /= 2 {
		if t := least + step; t < along && a.tooSmall(all, t, mine, others, o, right) {
			least = t
		}
	}
	least++
	main, strip := a.cut(all, least, right)
	ours := a.gridOf(main, len(mine), math.MaxInt, a.ownLine(mine), o).size()
	free := max(0, main.Dx()-ours.X)
	if !right {
		free = max(0, main.Dy()-ours.Y)
	}
	free = free * 6 / 7 // they do not stand at the edge
	_, wide := a.cut(all, least+free, right)
	need := a.gridOf(wide, len(others), a.most(main, mine, o), a.Line, a.another()).size()
	if !right {
		need.X = need.Y
	}
	if need.X > least {
		_, strip = a.cut(all, min(need.X, least+free), right)
	}
	return a.compose(mine, others, o, strip, right)
}

// tooSmall reports whether the others are less than a third of ours in a strip of some thickness.
func (a Area) tooSmall(all image.Rectangle, thickness int, mine, others []ds.Seat, o Options, right bool) bool {
	main, strip := a.cut(all, thickness, right)
	g := a.gridOf(strip, len(others), math.MaxInt, a.Line, a.another())
	return 3*a.another().wide(g.console) < o.wide(a.gridOf(main, len(mine), math.MaxInt, a.ownLine(mine), o).console)
}

// most is how wide others may be, so that their screens are at most two thirds as wide as the largest of ours.
func (a Area) most(main image.Rectangle, mine []ds.Seat, o Options) int {
	if len(mine) == 0 {
		return math.MaxInt
	}
	wide := o.wide(a.gridOf(main, len(mine), math.MaxInt, a.ownLine(mine), o).console)
	if o.turn() != pads.Upright { // one above the other is half as wide again as high
		return wide
	}
	return wide * 2 / 3
}

// ours returns what our consoles cover.
func (p *Plan) ours() (covered image.Rectangle) {
	for _, c := range p.Mine {
		covered = covered.Union(c.Screens.Bounds()).Union(c.Name)
	}
	return covered
}

// cut parts an area: a strip of some thickness at the right or below, and the rest.
func (a Area) cut(all image.Rectangle, thickness int, right bool) (main, strip image.Rectangle) {
	main, strip = all, all
	if right {
		main.Max.X -= thickness
		strip.Min.X = main.Max.X
		if a.figures {
			strip.Min.Y += min(a.figuresHigh(strip), strip.Dy()/3)
		}
	} else {
		main.Max.Y -= thickness
		strip.Min.Y = main.Max.Y
	}
	return main, strip
}

// compose places our consoles in what a strip leaves, and the others in the strip, close together, in the middle
// of the window. Without others ours are there alone.
func (a Area) compose(mine, others []ds.Seat, o Options, strip image.Rectangle, right bool) (p Plan) {
	main := image.Rect(0, 0, a.Width, a.Height)
	room := strip.Size()
	if len(others) > 0 && right {
		main.Max.X = strip.Min.X
	} else if len(others) > 0 {
		main.Max.Y = strip.Min.Y
	}
	ours := a.gridOf(main, len(mine), math.MaxInt, a.ownLine(mine), o)
	theirs := a.gridOf(image.Rectangle{Max: room}, len(others), a.most(main, mine, o), a.Line, a.another())
	one, two := ours.size(), theirs.size()
	top := strip.Min.Y // what is above it is for the figures
	switch {
	case len(others) == 0 || theirs.columns == 0:
		p.Mine = a.fill(ours, center(image.Rect(0, 0, a.Width, a.Height), one), mine, true)
		return p
	case right:
		left := (a.Width - one.X - two.X) / 2
		p.Mine = a.fill(ours, center(image.Rect(left, 0, left+one.X, a.Height), one), mine, true)
		p.Others = a.fill(theirs, center(image.Rect(left+one.X, top, left+one.X+two.X, a.Height), two), others, false)
	default:
		top := (a.Height - one.Y - two.Y) / 2
		p.Mine = a.fill(ours, center(image.Rect(0, top, a.Width, top+one.Y), one), mine, true)
		p.Others = a.fill(theirs, center(image.Rect(0, top+one.Y, a.Width, top+one.Y+two.Y), two), others, false)
	}
	return p
}

// figureWidth is the limit of a figure's width, in heights of a line.
const figureWidth = 5

// figuresHigh is how high the figures are in a strip.
func (a Area) figuresHigh(strip image.Rectangle) int {
	inLine := max((strip.Dx()-2*a.margin())/max(figureWidth*a.Line, 1), 1)
	return (maxFigures+inLine-1)/inLine*a.Line + 2*a.margin()
}

// holdsFigures reports whether the figures have room in a place.
func (a Area) holdsFigures(r image.Rectangle) bool {
	return r.Dx() >= figureWidth*a.Line+4*a.margin() && r.Dy() >= a.figuresHigh(r)+2*a.margin()
}

// free returns the largest rectangles beside some consoles, but no slivers.
func (a Area) free(list []Placed) (free []image.Rectangle) {
	all := image.Rect(0, 0, a.Width, a.Height)
	var taken []image.Rectangle
	xs := []int{0, a.Width}
	for _, c := range list {
		for _, r := range []image.Rectangle{c.Screens.Top, c.Screens.Bottom, c.Screens.Again, c.Name} {
			if r = r.Intersect(all); !r.Empty() {
				taken = append(taken, r)
				xs = append(xs, r.Min.X, r.Max.X)
			}
		}
	}
	slices.SortFunc(taken, func(p, q image.Rectangle) int { return p.Min.Y - q.Min.Y })
	slices.Sort(xs)
	xs = slices.Compact(xs)
	for i, left := range xs {
		for _, right := range xs[i+1:] {
			if right-left < 2*a.Line {
				continue
			}
			y := 0
			for _, r := range append(taken[:len(taken):len(taken)], image.Rect(left, a.Height, right, a.Height+1)) {
				if r.Min.X >= right || r.Max.X <= left {
					continue
				}
				if r.Min.Y-y >= a.Line {
					free = append(free, image.Rect(left, y, right, r.Min.Y))
				}
				y = max(y, r.Max.Y)
			}
		}
	}
	return slices.DeleteFunc(free, func(r image.Rectangle) bool {
		return slices.ContainsFunc(free, func(o image.Rectangle) bool { return r != o && r.In(o) })
	})
}

func (a Area) scale() float64 { return min(max(a.Scale, 0.25), 16) }

// ownLine is the height of the line for a name over each of our consoles: only of several is it said whose is which.
func (a Area) ownLine(mine []ds.Seat) int {
	if len(mine) > 1 {
		return a.Line
	}
	return 0
}

// A grid is the arrangement of consoles of one size, each with a line for a name.
type grid struct {
	columns, rows int
	console       image.Point
	shape         Screens     // of each, from 0, 0 on
	cell          image.Point // with its name, and the room between it and the next
	line          int         // height of the name
}

// size is that of the whole grid, 0 for none.
func (g grid) size() image.Point { return image.Pt(g.columns*g.cell.X, g.rows*g.cell.Y) }

// gridOf is the grid that shows n consoles largest in an area, but at most so wide. A console alone has no room around it.
func (a Area) gridOf(area image.Rectangle, n, most, line int, how Options) (best grid) {
	margin := a.margin()
	if n == 1 && line == 0 {
		margin = 0
	}
	for columns := 1; columns <= n; columns++ {
		rows := (n + columns - 1) / columns
		room := image.Rectangle{Max: image.Pt(min(area.Dx()/columns-margin, most), area.Dy()/rows-margin-line)}
		if room.Max.X < 1 || room.Max.Y < 1 {
			continue
		}
		shape := how.place(room)
		if size := shape.Bounds().Size(); size.X > best.console.X {
			best = grid{columns, rows, size, shape.moved(shape.Bounds().Min.Mul(-1)), size.Add(image.Pt(margin, margin+line)), line}
		}
	}
	return best
}

// fill places consoles in a grid that stands somewhere, each with its name above or below.
func (a Area) fill(g grid, at image.Rectangle, seats []ds.Seat, above bool) (list []Placed) {
	if g.columns == 0 { // not even a pixel of each has room
		if above {
			for _, seat := range seats {
				list = append(list, Placed{Seat: seat})
			}
		}
		return list
	}
	margin := (g.cell.X - g.console.X) / 2
	for i, seat := range seats {
		from := cellOf(at, i, g.columns, len(seats)).Min.Add(image.Pt(margin, margin))
		name := image.Rect(from.X, from.Y+g.console.Y, from.X+g.console.X, from.Y+g.console.Y+g.line)
		if above {
			name = image.Rect(from.X, from.Y, from.X+g.console.X, from.Y+g.line)
			from.Y += g.line
		}
		c := Placed{Seat: seat, Screens: g.shape.moved(from)}
		if g.line > 0 {
			c.Name = name
		}
		list = append(list, c)
	}
	return list
}

// another is how another player's console is shown: one screen above the other, turned as ours are.
func (a Area) another() Options { return Options{Rotation: a.turn} }

func (a Area) margin() int { return int(6 * a.scale()) }

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
