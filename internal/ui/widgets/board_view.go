package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// The place of the board, in points.
const (
	boardWide = 720
	boardKeyH = 40 // at most
	boardText = 38 // the line with the text
	boardGap  = 5
)

// boardPlace returns the lower part of the window that the board takes.
func boardPlace(bounds draw.Rect) draw.Rect {
	w := min(bounds.W, boardWide)
	h := boardText + 5*(boardKeyHeight(bounds)+boardGap) + 2*boardGap + boardHint(bounds)
	return draw.R(bounds.X+(bounds.W-w)/2, bounds.Bottom()-h, w, h)
}

// boardKeyHeight returns how high a key is: the board leaves a third of the window free.
func boardKeyHeight(bounds draw.Rect) float32 {
	return min(boardKeyH, max((bounds.H*2/3-boardText-2*boardGap-boardHint(bounds))/5-boardGap, 18))
}

// boardHint returns how high the line is that explains the pad; there is none in a small
// window.
func boardHint(bounds draw.Rect) float32 {
	if bounds.W < 560 || bounds.H < 400 {
		return 0
	}
	return 22
}

// keys calls do with the place of each key.
func (b *board) keys(bounds draw.Rect, do func(row, column int, r draw.Rect, k boardKey)) {
	area := boardPlace(bounds)
	area.Top(boardText)
	area = area.Inset2(2*boardGap, 0)
	high, unit := boardKeyHeight(bounds), (area.W+boardGap)/boardColumns
	for i, row := range b.rows() {
		line := area.Top(high)
		area.Top(boardGap)
		x := line.X
		for j, k := range row {
			do(i, j, draw.R(x, line.Y, k.wide*unit-boardGap, high), k)
			x += k.wide * unit
		}
	}
}

// under returns the key at a place, and lights it.
func (b *board) under(bounds draw.Rect, at draw.Point) (key boardKey, there bool) {
	b.keys(bounds, func(row, column int, r draw.Rect, k boardKey) {
		if at.In(r) {
			b.row, b.column, key, there = row, column, k, true
		}
	})
	return key, there
}

// endBoard draws the board over everything, unless its field is gone.
func (u *UI) endBoard() {
	b := &u.board
	if b.field == 0 || !b.built {
		b.field = 0
		return
	}
	defer u.list.SetLayer(u.list.SetLayer(draw.Layers - 2))
	bounds := u.list.Bounds()
	place := u.list.Snap(boardPlace(bounds))
	u.list.Shadow(place, 0, 20, u.theme.Shadow)
	u.list.Fill(place, u.theme.Panel)
	u.list.Fill(draw.R(place.X, place.Y, place.W, 1), u.theme.LineStrong)
	u.boardLine(b, draw.R(place.X, place.Y, place.W, boardText).Inset2(2*boardGap, boardGap))
	b.keys(bounds, func(row, column int, r draw.Rect, k boardKey) {
		u.noteWidget(b.field.number(16*row+column), r)
		u.boardKey(b, u.list.Snap(r), k, row == b.row && column == b.column)
	})
	if h := boardHint(bounds); h > 0 {
		u.list.TextIn(draw.R(place.X, place.Bottom()-h, place.W, h-4), StyleSmall,
			"A types  ·  X deletes  ·  Y space  ·  L and R move  ·  Select shifts  ·  Start enters  ·  B closes", u.theme.Soft, draw.Middle)
	}
}

// boardLine shows the text of the field: the board may cover that.
func (u *UI) boardLine(b *board, r draw.Rect) {
	u.face(touch{}, r, 6, 1, u.theme.Field, u.theme.Accent)
	in := r.Inset2(9, 0)
	u.list.PushClip(in)
	defer u.list.PopClip()
	line := u.list.LineHeight(StyleBody)
	at := u.list.Width(StyleBody, b.text[:min(b.caret, len(b.text))])
	left := in.X - max(0, at-in.W+2)
	u.noteView(in, draw.R(left, in.Y, max(u.list.Width(StyleBody, b.text), in.W), in.H))
	u.list.Text(draw.Pt(left, in.Y+(in.H-line)/2), StyleBody, b.text, u.theme.Text)
	u.list.Fill(draw.R(left+at, in.Y+4, 1.5, in.H-8), u.theme.Text)
}

func (u *UI) boardKey(b *board, r draw.Rect, k boardKey, lit bool) {
	fill, text := u.theme.Raised, u.theme.Text
	switch {
	case lit:
		fill, text = u.theme.Accent, u.theme.AccentText
	case k.does == boardShift && b.upper:
		fill = u.theme.AccentSoft
	}
	u.face(touch{}, r, 6, 1, fill, u.theme.Line)
	style := StyleBody
	if len([]rune(k.name)) > 1 {
		style = StyleSmall
	}
	u.list.TextIn(r, style, k.name, text, draw.Middle)
}
