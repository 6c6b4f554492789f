package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Choice is one of several options, in a list that drops down; it tells whether
// it was changed.
func (u *UI) Choice(c Choice, value *int) (changed bool) {
	id := u.id(c.Name, "choice")
	c.Options = u.sayAll(c.Options)
	m := u.remember(id)
	r := u.Cell(u.list.Widest(StyleBody, c.Options...)+48, Control)
	t := u.interact(id, r, false)
	if (t.clicked || u.press(t)) && len(c.Options) > 0 {
		m.open, m.highlight, m.scroll, u.again = true, *value, -1, true
	}
	u.choiceBox(c, *value, r, t)
	u.describe(t, description{labelled: true})
	u.Tip(c.Tip)
	if m.open {
		changed = u.dropDown(c, m, id, r, value)
	}
	return changed
}

func (u *UI) choiceBox(c Choice, value int, r draw.Rect, t touch) {
	u.face(t, r, corner, 1, u.touched(u.theme.Raised, t), u.theme.LineStrong)
	in := r.Inset2(12, 0)
	u.list.Icon(in.CutRight(20), draw.IconDown, 16, u.theme.Soft)
	if value >= 0 && value < len(c.Options) {
		u.list.TextIn(in, StyleBody, c.Options[value], u.theme.Text, draw.Start)
	}
	u.pointer(t, Hand)
}

const optionHeight = 32

// dropDown shows the options until one is taken or the user goes elsewhere.
func (u *UI) dropDown(c Choice, m *memory, id ID, r draw.Rect, value *int) (changed bool) {
	u.above(func() {
		all := u.list.Bounds().Inset(8)
		h := min(float32(len(c.Options))*optionHeight+8, all.H)
		box := draw.R(r.X, r.Bottom()+4, r.W, h)
		if box.Bottom() > all.Bottom() {
			box.Y = max(all.Y, min(all.Bottom()-h, r.Y-4-h))
		}
		u.list.Shadow(box.Move(0, 4), corner, 14, u.theme.Shadow)
		u.face(touch{}, box, corner, 1, u.theme.Panel, u.theme.LineStrong)
		u.In(box.Inset(4), func() {
			u.optionKeys(c, m)
			if i := u.options(c, m, id, box.Inset(4), *value); i >= 0 {
				changed, *value, m.open, u.again = i != *value, i, false, true
			}
		})
		if u.Back() || u.live() && (u.in.Pressed != NoButton && u.first && !u.mouse.at.In(box) || u.in.Press.is(KeyTab)) {
			m.open, u.again = false, true
			u.used()
		}
	})
	return changed
}

func (u *UI) optionKeys(c Choice, m *memory) {
	if !u.live() {
		return
	}
	switch u.move() {
	case NavUp:
		m.highlight--
	case NavDown:
		m.highlight++
	case NoNav:
		return
	}
	m.highlight = max(0, min(m.highlight, len(c.Options)-1))
	m.scroll = -1
	u.used()
}

// options draws the options and returns the one that was taken, -1 for none.
func (u *UI) options(c Choice, m *memory, id ID, box draw.Rect, value int) (taken int) {
	taken = -1
	most := max(float32(len(c.Options))*optionHeight-box.H, 0)
	if m.scroll < 0 {
		m.scroll = float32(m.highlight)*optionHeight - box.H/2
	}
	m.scroll = max(0, min(m.scroll-u.in.Wheel.Y*optionHeight, most))
	u.list.PushClip(box)
	defer u.list.PopClip()
	u.noteView(box, draw.R(box.X, box.Y-m.scroll, box.W, box.H+most))
	for i, o := range c.Options {
		r := draw.R(box.X, box.Y+float32(i)*optionHeight-m.scroll, box.W, optionHeight)
		u.lastName = o
		t := u.interact(id.number(i+1), r, false)
		if t.hot && u.mouseMoved() {
			m.highlight = i
		}
		if i == m.highlight {
			u.focus.part = r.Intersect(u.list.Clip())
		}
		u.option(r, o, i == m.highlight, i == value)
		if t.clicked {
			taken = i
		}
	}
	if p := u.in.Press; u.live() && !u.focus.keyUsed && (p.is(KeyEnter) || p.is(KeySpace) || u.in.Nav == NavAccept) && !p.Repeat {
		u.used()
		taken = m.highlight
	}
	return taken
}

func (u *UI) option(r draw.Rect, text string, lit, chosen bool) {
	if lit {
		u.list.FillRound(r, 5, u.theme.AccentSoft)
	}
	in := r.Inset2(10, 0)
	if chosen {
		u.list.Icon(in.CutRight(18), draw.IconCheck, 15, u.theme.Accent)
	}
	u.list.TextIn(in, StyleBody, text, u.theme.Text, draw.Start)
}

// Radio is one of a few options, side by side, or a [UI.Choice] where they have no room; it
// tells whether it was changed.
func (u *UI) Radio(c Choice, value *int) (changed bool) {
	english := c.Options
	c.Options = u.sayAll(c.Options)
	wide := u.radioWidth(c.Options)
	if u.frame().width() < wide {
		c.Options = english
		return u.Choice(c, value)
	}
	id := u.id(c.Name, "radio")
	r := u.Cell(wide, Control)
	t := u.interact(id, r, false)
	u.does(t, "Left and right change it")
	before := *value
	u.radioMove(c, t, r, value)
	if *value >= 0 && *value < len(c.Options) {
		u.describe(t, description{labelled: true, state: english[*value], instead: true})
	}
	u.face(t, r, corner, 1, u.theme.Raised, u.theme.Line)
	w := r.W / float32(max(len(c.Options), 1))
	for i, o := range c.Options {
		u.segment(draw.R(r.X+float32(i)*w, r.Y, w, r.H).Inset(3), o, i == *value)
	}
	u.pointer(t, Hand)
	u.Tip(c.Tip)
	return *value != before
}

// RadioWidth is how wide the options of a [UI.Radio] are beside each other, in points.
func (u *UI) RadioWidth(options ...string) float32 { return u.radioWidth(u.sayAll(options)) }

func (u *UI) radioWidth(said []string) float32 {
	return (u.list.Widest(StyleBold, said...) + 28) * float32(len(said))
}

func (u *UI) radioMove(c Choice, t touch, r draw.Rect, value *int) {
	n := len(c.Options)
	if t.clicked && r.W > 0 {
		*value = max(0, min(int((u.mouse.at.X-r.X)/r.W*float32(n)), n-1))
	}
	if !t.focused {
		return
	}
	switch m := u.move(); {
	case m == NavLeft && *value > 0:
		*value--
	case m == NavRight && *value < n-1:
		*value++
	default:
		return
	}
	u.used()
}

func (u *UI) segment(r draw.Rect, text string, on bool) {
	c := u.theme.Soft
	if on {
		u.list.FillRound(r, 6, u.theme.Accent)
		c = u.theme.AccentText
	}
	u.list.TextIn(r.Inset2(4, 0), StyleBold, text, c, draw.Middle)
}
