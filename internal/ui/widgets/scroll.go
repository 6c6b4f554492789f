package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// scrolling is a scroll area that is open.
type scrolling struct {
	memory *memory
	view   draw.Rect
}

const barWidth = 10

// Scroll is a column of any height that is seen through a window, height points
// high; with 0, down to the end of the place that the container has.
func (u *UI) Scroll(name string, height float32, build func()) {
	id := u.id(name, "scroll")
	m := u.remember(id)
	if height <= 0 {
		height = u.Area().H
	}
	view := u.Cell(0, height)
	inner := column(draw.R(view.X, view.Y-m.scroll, view.W, view.H))
	clip := view.Inset2(-ringRoom, 0)
	if overflows(m.height, view) {
		inner.rect.W -= barWidth + 4
	} else {
		clip = view.Inset2(-ringRoom, -ringRoom)
	}
	u.open.scrolls = append(u.open.scrolls, scrolling{m, view})
	u.list.PushClip(clip)
	u.within(id, func() { inner = u.fill(inner, build) })
	u.list.PopClip()
	u.open.scrolls = u.open.scrolls[:len(u.open.scrolls)-1]
	u.boxEnded(m, 0, inner.end-inner.rect.Y)
	u.pageKeys(m, view)
	u.scrolled(id, m, view, m.height)
}

// ringRoom is how far the ring goes beyond its widget, in points.
const ringRoom = 4

// overflows reports whether content that is so high needs a bar. Up to a point it does not: heights are rounded.
func overflows(content float32, view draw.Rect) bool { return content-view.H > 1 }

// Middle puts a Card into the middle of what is left of the column. One that is higher
// scrolls.
func (u *UI) Middle(build func()) { u.Centered("around", func() { u.Card(build) }) }

// Centered is a Scroll through what is left of the column, with its content in the middle where that is lower.
func (u *UI) Centered(name string, build func()) {
	m := u.remember(u.id(name, "middle"))
	area := u.Area()
	u.Scroll(name, area.H, func() {
		if free := area.H - m.height; free > 0 {
			u.frame().end += free / 2
		}
		top := u.frame().end
		build()
		u.settle(&m.height, u.frame().end-top)
	})
}

// pageKeys scrolls by Page Up and Page Down where the focus or the mouse is, so
// that text without widgets can be read too.
func (u *UI) pageKeys(m *memory, view draw.Rect) {
	k := u.in.Press.Key
	if k != KeyPageUp && k != KeyPageDown || u.focus.keyUsed || !u.live() {
		return
	}
	if !u.mouse.at.In(view) && u.focus.rect.Intersect(view).Empty() && len(u.focus.items) > 0 {
		return
	}
	step := view.H - 40
	if k == KeyPageUp {
		step = -step
	}
	m.scroll = max(0, min(m.scroll+step, m.height-view.H))
	u.used()
	u.focus.away = true
	u.again = true
}

// scrolled lets the wheel and the bar move what is seen of content that is so high.
func (u *UI) scrolled(id ID, m *memory, view draw.Rect, content float32) {
	before := m.scroll
	most := float32(0)
	if overflows(content, view) {
		most = content - view.H
	}
	u.noteView(view, draw.R(view.X, view.Y-m.scroll, view.W, max(content, view.H)))
	if w := u.in.Wheel.Y; w != 0 && u.live() && u.mouse.at.In(view.Intersect(u.list.Clip())) && most > 0 {
		m.scroll = max(0, min(m.scroll-w*48, most))
		u.in.Wheel, u.focus.away = draw.Point{}, true
	}
	if roll := u.focus.roll; roll != 0 && u.live() {
		if m.scroll = max(0, min(m.scroll+roll, most)); m.scroll != before {
			u.focus.roll = 0
		}
	}
	if most > 0 {
		u.bar(id.with("bar"), m, view, content)
		u.pull(id, m, view)
	}
	m.scroll = max(0, min(m.scroll, most))
	if m.scroll != before {
		u.again = true
	}
}

// pullFrom is how far a finger goes up or down before it pulls what it lies on instead of pressing it, in points.
const pullFrom = 10

// pull lets a finger pull an area: the innermost one that it came down on. What it came down on is not pressed then.
func (u *UI) pull(id ID, m *memory, view draw.Rect) {
	if !u.first || !u.in.Touch || !u.live() {
		return
	}
	at, by := &u.mouse, id.with("pull")
	if u.in.Pressed == LeftButton && at.pull == 0 && at.active != id.with("bar") && at.at.In(view.Intersect(u.list.Clip())) {
		at.pull = id
	}
	if at.pull != id || !u.in.Held.Has(LeftButton) {
		return
	}
	way := at.at.Sub(at.pressAt)
	if up := max(way.Y, -way.Y); at.active == by || up > pullFrom && up > max(way.X, -way.X) {
		at.active, u.focus.away = by, true
		m.scroll -= at.at.Y - at.was.Y
	}
}

// bar is the scroll bar, to be dragged by the mouse.
func (u *UI) bar(id ID, m *memory, view draw.Rect, content float32) {
	rail := draw.R(view.Right()-barWidth, view.Y, barWidth, view.H)
	high := max(view.H*view.H/content, 24)
	room, most := view.H-high, content-view.H
	grip := draw.R(rail.X, rail.Y+room*max(0, min(m.scroll/most, 1)), rail.W, high)
	hot := u.live() && u.in.MouseIn && u.mouse.at.In(rail.Intersect(u.list.Clip()))
	if hot && u.mouse.active == 0 {
		u.mouse.nextHot = id
	}
	if hot && u.first && u.in.Pressed == LeftButton {
		u.mouse.active, m.grip = id, u.mouse.at.Y-grip.Y
		if !u.mouse.at.In(grip) {
			m.grip = high / 2
		}
	}
	if u.mouse.active == id && room > 0 {
		m.scroll, u.focus.away = (u.mouse.at.Y-m.grip-rail.Y)/room*most, true
	}
	c := u.theme.LineStrong
	if u.mouse.active == id || u.mouse.hot == id {
		c = u.theme.Faint
	}
	u.list.FillRound(grip.Inset4(3, 2, 1, 2), 3, c)
}

// scrollArea returns the innermost area that is open, without memory for none.
func (u *UI) scrollArea() (s scrolling) {
	if n := len(u.open.scrolls); n > 0 {
		s = u.open.scrolls[n-1]
	}
	return s
}

// scrolledOut reports whether a part of r is out of sight in the innermost area that is open, where
// all of it could be seen.
func (u *UI) scrolledOut(r draw.Rect) bool {
	s := u.scrollArea()
	view := s.view
	return s.memory != nil && r.H <= view.H && (r.Y < view.Y-0.5 || r.Bottom() > view.Bottom()+0.5)
}

// reveal scrolls r into sight in all areas that are open.
func (u *UI) reveal(r draw.Rect) {
	r = r.Inset(-8)
	for i := len(u.open.scrolls) - 1; i >= 0; i-- {
		s := u.open.scrolls[i]
		move := float32(0)
		if r.Y < s.view.Y {
			move = r.Y - s.view.Y
		} else if r.Bottom() > s.view.Bottom() {
			move = min(r.Bottom()-s.view.Bottom(), r.Y-s.view.Y)
		}
		if move != 0 {
			s.memory.scroll += move
			r.Y -= move
			u.again = true
		}
	}
}
