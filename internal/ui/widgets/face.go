package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// face paints the ground of a widget, with its edge and its ring.
func (u *UI) face(t touch, r draw.Rect, radius, width float32, fill, edge draw.Color) {
	u.list.FillRound(r, radius, fill)
	u.list.Border(r, radius, width, edge)
	if t.ring {
		u.list.Border(r.Inset(-3), radius+3, 2, u.theme.Focus)
	}
}

// touched returns a colour as it is under the mouse, or being pressed.
func (u *UI) touched(c draw.Color, t touch) draw.Color {
	to := draw.Black
	if u.theme.Dark {
		to = draw.White
	}
	switch {
	case c.A == 0:
		return c
	case t.down:
		return c.Mix(to, 0.16)
	case t.hot:
		return c.Mix(to, 0.07)
	}
	return c
}

// pointer says what the mouse looks like over a widget.
func (u *UI) pointer(t touch, c Cursor) {
	if t.hot {
		u.out.Cursor = c
	}
}
