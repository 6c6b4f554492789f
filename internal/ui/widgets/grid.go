package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Grid is a number of tiles, in rows of as many as fit, of which *chosen has the ring.
type Grid struct {
	Name  string
	Count int
	Tile  func(i int) Tile // called for those in sight
	Wide  float32          // least width of a tile, in points
	Side  float32          // of its picture
	Lines int              // of its texts, of which the last one is Sub
	Take  bool             // takes the keyboard now
	Rows  int              // that show at most; 0: what is left of the area, through which the tiles scroll
}

// Tile is one of a grid.
type Tile struct {
	Title string
	Sub   string // a line below
	Image draw.Texture
	Color draw.Color // of what stands in for a picture, with the first letter of the title
}

// tilePad is the space around and in tiles, in points.
const tilePad = 10

// Grid draws tiles. A click, Enter or a pad's A opens the chosen one; the arrows move in it, letters find one by its title.
func (u *UI) Grid(g Grid, chosen *int) (p Picked) {
	id := u.id(g.Name, "grid")
	m := u.remember(id)
	s := g.shape(u.frame().width(), u.Area().H, u.list.LineHeight(StyleSmall))
	view := u.Cell(0, s.view)
	*chosen = max(0, min(*chosen, s.count-1))
	if g.Take {
		u.take(id)
	}
	t := u.interact(id, view, s.count == 0)
	before := *chosen
	if t.focused && s.count > 0 {
		if u.gridKeys(g, s, m, chosen) {
			s.reveal(m, *chosen)
		}
		p.Activated = u.press(t)
	}
	at := s.at(u.mouse.at, view, m.scroll)
	if at >= 0 && t.clicked {
		*chosen, p.Activated = at, true
	}
	u.list.PushClip(view.Inset2(-ringRoom, 0))
	for i := max(0, int(m.scroll/s.pitch)*s.columns); i < s.count; i++ {
		r := s.place(i, view, m.scroll)
		if r.Y >= view.Bottom() {
			break
		}
		if i == *chosen && t.focused {
			u.focus.rect, u.focus.part = r, r.Intersect(u.list.Clip())
		}
		u.tile(g, g.Tile(i), r, touch{hot: t.hot && i == at, down: t.down && i == at, ring: t.ring && i == *chosen})
	}
	u.list.PopClip()
	if at >= 0 {
		u.pointer(t, Hand)
	}
	u.scrolled(id, m, view, s.content)
	p.Changed = *chosen != before
	return p
}

// Fits reports whether all tiles would have room in what is left of the area, without a need to scroll.
func (g Grid) Fits(u *UI) bool {
	room := u.Area().H
	return g.shape(u.frame().width(), room, u.list.LineHeight(StyleSmall)).content <= room+1
}

// gridShape is where the tiles of a grid are.
type gridShape struct {
	columns, count int
	wide, high     float32 // of a tile
	pitch          float32 // from row to row
	view, content  float32
}

func (g Grid) shape(width, room, line float32) (s gridShape) {
	s.high = g.Side + 3*tilePad + float32(g.Lines)*line
	s.pitch = s.high + Gap
	fit := func() int {
		s.columns = max(1, int((width+Gap)/(g.Wide+Gap)))
		return (g.Count + s.columns - 1) / s.columns
	}
	rows := fit()
	if g.Rows > 0 {
		rows = min(rows, g.Rows)
	} else if float32(rows)*s.pitch-Gap+2*ringRoom > room+1 {
		width -= barWidth + 6
		rows = fit()
	}
	s.count = min(g.Count, rows*s.columns)
	s.wide = (width+Gap)/float32(s.columns) - Gap
	s.content = max(float32(rows)*s.pitch-Gap, 0) + 2*ringRoom
	if s.view = s.content; g.Rows == 0 {
		s.view = room
	}
	return s
}

// place is where a tile is.
func (s gridShape) place(i int, view draw.Rect, scroll float32) draw.Rect {
	return draw.R(view.X+float32(i%s.columns)*(s.wide+Gap), view.Y+ringRoom+float32(i/s.columns)*s.pitch-scroll, s.wide, s.high)
}

// at returns the tile at a place, -1 for none.
func (s gridShape) at(p draw.Point, view draw.Rect, scroll float32) int {
	if !p.In(view) {
		return -1
	}
	i := int((p.Y-view.Y-ringRoom+scroll)/s.pitch)*s.columns + min(int((p.X-view.X)/(s.wide+Gap)), s.columns-1)
	if i < 0 || i >= s.count || !p.In(s.place(i, view, scroll)) {
		return -1
	}
	return i
}

// reveal scrolls to a tile.
func (s gridShape) reveal(m *memory, i int) {
	top := float32(i/s.columns) * s.pitch
	m.scroll = max(top+s.high+2*ringRoom-s.view, min(m.scroll, top))
}

// gridKeys moves the choice. At an edge it leaves the key to the way out of the grid.
func (u *UI) gridKeys(g Grid, s gridShape, m *memory, chosen *int) bool {
	to, column := *chosen, *chosen%s.columns
	far, leaps := u.leap(*chosen, max(int(s.view/s.pitch), 1)*s.columns, s.count)
	switch dir := u.move(); {
	case dir == NavLeft && column > 0:
		to--
	case dir == NavRight && column < s.columns-1 && to < s.count-1:
		to++
	case dir == NavUp && to >= s.columns:
		to -= s.columns
	case dir == NavDown && to/s.columns < (s.count-1)/s.columns:
		to += s.columns
	case u.focus.keyUsed || dir != NoNav:
		return false
	case leaps:
		to = far
	case u.letter() != "" && u.first:
		*chosen = u.search(s.count, func(i int) string { return u.Say(g.Tile(i).Title) }, m, *chosen)
		return true
	default:
		return false
	}
	u.used()
	*chosen = max(0, min(to, s.count-1))
	return true
}

// tile draws one.
func (u *UI) tile(g Grid, tile Tile, r draw.Rect, t touch) {
	tile.Title, tile.Sub = u.Say(tile.Title), u.Say(tile.Sub)
	u.list.FillRound(r, 12, u.touched(u.theme.Panel, t))
	if t.ring {
		u.list.Border(r.Inset(-3), 15, 2, u.theme.Focus)
	}
	in := r.Inset2(tilePad, tilePad)
	pic := in.Top(g.Side).Centered(g.Side, g.Side)
	if tile.Image != 0 {
		u.list.Image(tile.Image, pic)
	} else {
		u.plate(pic, tile.Color, tile.Title)
	}
	in.Top(tilePad)
	line := u.list.LineHeight(StyleSmall)
	lines := min(u.list.Wrap(StyleSmall, tile.Title, in.W, nil), g.Lines-1)
	u.middleLines(in.Top(float32(lines)*line), lines, tile.Title, u.theme.Text)
	if tile.Sub != "" {
		u.list.TextIn(in.Top(line), StyleSmall, tile.Sub, u.theme.Faint, draw.Middle)
	}
}

// plate draws what stands in for a picture: a colour, and the first letter of a title.
func (u *UI) plate(r draw.Rect, c draw.Color, title string) {
	u.list.FillRound(r, r.W/8, u.theme.Panel.Mix(c, 0.6))
	for _, first := range title {
		u.list.TextIn(r, draw.Style{Size: r.W / 2, Weight: draw.Bold}, string(first), u.theme.Text, draw.Middle)
		return
	}
}

// Plate is what stands in for a picture of a side, in points.
func (u *UI) Plate(c draw.Color, title string, side float32) {
	r := u.Cell(side, side).Centered(side, side)
	u.plate(r, c, u.Say(title))
	u.lastRect, u.lastID = r, 0
}
