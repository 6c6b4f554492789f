package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Flow puts what build adds side by side, each as wide as it needs, and goes on below where
// the width is used up. It returns how high that is.
func (u *UI) Flow(build func()) (high float32) {
	id := u.id("", "flow")
	m := u.remember(id)
	r := u.placeBox(m)
	f := u.fill(frame{flow: true, rect: r, end: r.X, top: r.Y, gap: Gap}, build)
	high = f.top + f.high - r.Y
	u.boxEnded(m, f.end-r.X, high)
	return high
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
