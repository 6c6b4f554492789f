package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Widths of cells, beside numbers of points.
const (
	Auto float32 = 0  // what the widget needs
	Fill float32 = -1 // a share of what is left; -2 is twice the share
)

const maxCells = 12

// cellWidths is a width for each cell of a row.
type cellWidths [maxCells]float32

// Widths is the widths of a row's cells.
type Widths struct {
	w cellWidths
	n int
}

// Cells makes the widths of a row: points, [Auto], [Fill] or a multiple of it.
// There are at most 12. Cells beyond those given are Auto.
func Cells(widths ...float32) (w Widths) {
	w.n = copy(w.w[:], widths)
	return w
}

// frame is a container that is open.
type frame struct {
	row  bool
	rect draw.Rect // the place it has; a column may grow beyond
	end  float32   // where the last widget ended: its bottom in a column, its right edge in a row
	gap  float32
	used bool // has a widget
	flow bool
	top  float32 // of a flow's line

	// of a row
	memory *memory
	widths Widths
	index  int
	actual cellWidths // natural widths of Auto cells
	high   float32    // the highest cell
	tail   float32    // how much of that is below what the cells are level with
}

func column(r draw.Rect) frame { return frame{rect: r, end: r.Y, gap: Gap} }

func (u *UI) frame() *frame { return &u.open.frames[len(u.open.frames)-1] }

// Cell takes the place of the next widget, or of what is drawn by hand, which needs w x h
// points, and returns it. In a column it gets the whole width, in a row the width of the cell,
// and its height is in the middle of the row's.
func (u *UI) Cell(w, h float32) draw.Rect {
	f := u.frame()
	switch {
	case f.flow:
		return f.flowing(w, h)
	case !f.row:
		return f.below(h)
	}
	r := f.cell(w, h)
	if free := f.rect.H - f.memory.tail - h; free > 0 {
		r.Y += free / 2
	}
	r.H = h
	return r
}

// below takes the next h points of a column.
func (f *frame) below(h float32) draw.Rect {
	if f.used {
		f.end += f.gap
	}
	r := draw.Rect{X: f.rect.X, Y: f.end, W: f.rect.W, H: h}
	f.end, f.used = f.end+h, true
	return r
}

// cell takes the next cell of a row for something that needs w x h.
func (f *frame) cell(w, h float32) draw.Rect {
	if f.used {
		f.end += f.gap
	}
	i := min(f.index, maxCells-1)
	f.index, f.used = f.index+1, true
	width := f.widths.w[i]
	if width == Auto {
		f.actual[i] = w
		width = w
	} else if width < 0 {
		width *= -f.share()
	}
	r := draw.Rect{X: f.end, Y: f.rect.Y, W: max(width, 0), H: f.rect.H}
	f.end += max(width, 0)
	f.high = max(f.high, h)
	return r
}

// flowing takes the next place of a flow.
func (f *frame) flowing(w, h float32) draw.Rect {
	w = min(w, f.rect.W)
	switch {
	case !f.used:
	case f.end+f.gap+w > f.rect.Right()+0.5:
		f.end, f.top, f.high = f.rect.X, f.top+f.high+f.gap, 0
	default:
		f.end += f.gap
	}
	r := draw.R(f.end, f.top, w, h)
	f.end, f.used, f.high = f.end+w, true, max(f.high, h)
	return r
}

// share returns how wide a cell with Fill is.
func (f *frame) share() float32 {
	left, parts := f.rect.W-f.gap*float32(max(f.widths.n-1, 0)), float32(0)
	for i := range f.widths.n {
		switch w := f.widths.w[i]; {
		case w > 0:
			left -= w
		case w == Auto:
			left -= f.memory.widths[i]
		default:
			parts -= w
		}
	}
	return max(left, 0) / max(parts, 1)
}

// width returns how wide the next place is; for an Auto cell of a row, what is left.
func (f *frame) width() float32 {
	switch w := f.widths.w[min(f.index, maxCells-1)]; {
	case !f.row:
		return f.rect.W
	case w > 0:
		return w
	case w < 0:
		return -w * f.share()
	default:
		return max(f.rect.Right()-f.end-f.gap, 0)
	}
}

// Row puts what build adds side by side, in cells of these widths.
func (u *UI) Row(widths Widths, build func()) {
	m := u.remember(u.id("", "row"))
	r := u.Cell(m.wide, m.height)
	f := u.fill(frame{row: true, rect: r, end: r.X, gap: Gap, memory: m, widths: widths}, build)
	if f.actual != m.widths || f.tail != m.tail {
		m.widths, m.tail, u.again = f.actual, f.tail, true
	}
	u.boxEnded(m, f.end-r.X, f.high)
}

// Flow puts what build adds side by side, each as wide as it needs, and goes on below where
// the width is used up. It returns how high that is.
func (u *UI) Flow(build func()) (high float32) {
	m := u.remember(u.id("", "flow"))
	r := u.Cell(m.wide, m.height)
	f := u.fill(frame{flow: true, rect: r, end: r.X, top: r.Y, gap: Gap}, build)
	high = f.top + f.high - r.Y
	u.boxEnded(m, f.end-r.X, high)
	return high
}

// fill builds in a container, and returns it as it came out.
func (u *UI) fill(f frame, build func()) frame {
	u.open.frames = append(u.open.frames, f)
	build()
	f = *u.frame()
	u.open.frames = u.open.frames[:len(u.open.frames)-1]
	return f
}

// boxEnded compares what a container came out as with what was assumed.
func (u *UI) boxEnded(m *memory, w, h float32) {
	u.settle(&m.height, h)
	u.settle(&m.wide, w)
}

// settle replaces a measure that came out other than assumed.
func (u *UI) settle(assumed *float32, is float32) {
	if way := is - *assumed; way > 0.01 || way < -0.01 {
		*assumed, u.again = is, true
	}
}

// Column puts what build adds below each other: for several widgets in a cell
// of a row.
func (u *UI) Column(build func()) { u.box(u.id("", "column"), 0, Gap, nil, build) }

// Tight is a Column with less space between its widgets.
func (u *UI) Tight(build func()) { u.box(u.id("", "tight"), 0, 4, nil, build) }

// Card is a Column on a panel of its own.
func (u *UI) Card(build func()) {
	panel := func(r draw.Rect) { u.face(touch{}, r, 12, 1, u.theme.Panel, u.theme.Line) }
	u.box(u.id("", "card"), Padding, Gap, panel, build)
}

// box is a column with padding, on what back draws.
func (u *UI) box(id ID, padding, gap float32, back func(draw.Rect), build func()) {
	m := u.remember(id)
	r := u.Cell(m.wide, m.height)
	if back != nil {
		back(r)
	}
	inner := column(r.Inset(padding))
	inner.end, inner.gap = r.Y+padding, gap
	inner.rect.Y = inner.end
	u.within(id, func() { inner = u.fill(inner, build) })
	u.boxEnded(m, 0, inner.end-r.Y+padding)
}

// In makes a column of a part of the window.
func (u *UI) In(r draw.Rect, build func()) { u.fill(column(r), build) }

// Area returns what is left below the last widget of the column, down to the
// end of the place that it has.
func (u *UI) Area() draw.Rect {
	f := u.frame()
	if f.row {
		return f.rect
	}
	top := f.end
	if f.used {
		top += f.gap
	}
	return draw.Rect{X: f.rect.X, Y: top, W: f.rect.W, H: max(f.rect.Bottom()-top, 0)}
}

// Space makes the gap before the next widget h points larger; in a row it is an
// empty cell.
func (u *UI) Space(h float32) {
	f := u.frame()
	if f.row {
		f.cell(h, 0)
		return
	}
	f.end += h
}

// SetGap changes the space between the widgets that follow in the container.
func (u *UI) SetGap(gap float32) { u.frame().gap = gap }
