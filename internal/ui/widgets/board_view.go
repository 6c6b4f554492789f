package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

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
			u.Say("A types  ·  X deletes  ·  Y space  ·  L and R move  ·  Select shifts  ·  Start enters  ·  B closes"), u.theme.Soft, draw.Middle)
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
	u.list.TextIn(r, style, u.Say(k.name), text, draw.Middle)
}
