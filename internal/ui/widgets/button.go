package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// Button is something to press: it does what it is for, and tells whether it was pressed.
func (u *UI) Button(b Button) (pressed bool) {
	id := u.id(b.Name, b.Text)
	b.Text, b.Sub = u.Say(b.Text), u.Say(b.Sub)
	size, radius, inside := u.buttonSize(b), float32(corner), u.buttonInside
	if b.Sub != "" {
		radius, inside = 12, u.largeInside
	}
	r := u.Cell(size.X, size.Y)
	if !b.Disabled && (b.Default || b.Kind == Primary) {
		u.beDefault(id)
	}
	if b.Rest {
		u.beRest(id)
	}
	t := u.interact(id, r, b.Disabled)
	if b.Kind == Primary && !b.Disabled && u.live() {
		u.inspection.Filled = append(u.inspection.Filled, id)
	}
	if b.Aside || b.Kind == Danger {
		u.standAside()
	}
	fill, text, edge := u.buttonColors(b, t)
	u.face(t, r, radius, 1, fill, edge)
	inside(r, b, text)
	u.pointer(t, Hand)
	u.Tip(b.Tip)
	pressed = t.clicked || u.press(t)
	if pressed && b.Do != nil {
		b.Do()
	}
	return pressed
}

// Buttons draws several, one after the other. The zero Button is an empty cell of a row.
func (u *UI) Buttons(list ...Button) {
	for _, b := range list {
		if b.Text == "" && b.Icon == draw.NoIcon {
			u.Space(0)
		} else {
			u.Button(b)
		}
	}
}

// Bar is a row with buttons at its right end. Left draws the rest of it; nil leaves that empty.
func (u *UI) Bar(left func(), list ...Button) {
	widths := Cells(Fill)
	widths.n += len(list)
	u.Row(widths, func() {
		if left == nil {
			left = func() { u.Space(0) }
		}
		left()
		u.Buttons(list...)
	})
}

// Start is a row with buttons at its left end.
func (u *UI) Start(list ...Button) {
	widths := Widths{n: len(list) + 1}
	widths.w[len(list)] = Fill
	u.Row(widths, func() {
		u.Buttons(list...)
		u.Space(0)
	})
}

// ButtonWidth is the width that a button takes where it is asked, in points.
func (u *UI) ButtonWidth(b Button) float32 {
	b.Text, b.Sub = u.Say(b.Text), u.Say(b.Sub)
	return u.buttonSize(b).X
}

func (u *UI) buttonSize(b Button) draw.Point {
	if b.Sub != "" {
		return draw.Pt(max(u.list.Width(StyleHead, b.Text), u.list.Width(StyleSmall, b.Sub))+84, 76)
	}
	if b.Text == "" {
		return draw.Pt(Control, Control)
	}
	w := u.list.Width(StyleBold, b.Text) + 32
	if b.Icon != draw.NoIcon {
		w += 22
	}
	return draw.Pt(max(w, 76), Control)
}

// buttonInside writes icon and text in the middle.
func (u *UI) buttonInside(r draw.Rect, b Button, c draw.Color) {
	if b.Icon == draw.NoIcon {
		u.list.TextIn(r.Inset2(8, 0), StyleBold, b.Text, c, draw.Middle)
		return
	}
	if b.Text == "" {
		u.list.Icon(r, b.Icon, 18, c)
		return
	}
	w := min(u.list.Width(StyleBold, b.Text), r.W-40)
	x := r.X + (r.W-w-26)/2
	u.list.Icon(draw.R(x, r.Y, 18, r.H), b.Icon, 18, c)
	u.list.TextIn(draw.R(x+26, r.Y, w+1, r.H), StyleBold, b.Text, c, draw.Start)
}

// buttonColors returns the colours of a button as it stands.
func (u *UI) buttonColors(b Button, t touch) (fill, text, edge draw.Color) {
	th := &u.theme
	switch b.Kind {
	case Primary:
		fill, text, edge = th.Accent, th.AccentText, th.Accent
	case Danger:
		fill, text, edge = th.DangerFill, th.DangerText, th.DangerFill
	case Quiet:
		fill, text, edge = draw.Color{}, th.Soft, draw.Color{}
	default:
		fill, text, edge = th.Raised, th.Text, th.LineStrong
		if b.Sub != "" {
			fill, edge = th.Panel, th.Line
		}
	}
	if b.Disabled && b.Kind == Quiet {
		return fill, th.Faint.Fade(0.7), edge
	}
	if b.Disabled {
		return th.Raised.Fade(0.5), th.Faint.Fade(0.7), th.Line
	}
	if b.Kind == Quiet && (t.hot || t.down) {
		fill, text = th.Raised, th.Text
	}
	return u.touched(fill, t), text, edge
}

// largeInside writes icon, text and the smaller line from the left on.
func (u *UI) largeInside(r draw.Rect, b Button, text draw.Color) {
	mark := text
	if b.Kind == Normal && !b.Disabled {
		mark = u.theme.Accent
	}
	soft := text.Mix(u.theme.Soft, 0.9)
	if b.Kind == Primary || b.Kind == Danger {
		soft = text
	}
	in := r.Inset2(20, 0)
	switch {
	case b.Image != 0:
		in = r.Inset2(14, 0)
		u.list.Image(b.Image, in.Left(48).Centered(48, 48))
		in.Left(14)
	case b.Icon != draw.NoIcon && b.Pictured:
		in = r.Inset2(14, 0)
		u.list.Icon(in.Left(48), b.Icon, 28, mark)
		in.Left(14)
	case b.Icon != draw.NoIcon:
		u.list.Icon(in.Left(28), b.Icon, 28, mark)
		in.Left(18)
	}
	lines := min(u.list.Wrap(StyleSmall, b.Sub, in.W, nil), 2)
	in = in.Inset2(0, (r.H-28-float32(lines)*u.list.LineHeight(StyleSmall))/2)
	u.list.TextIn(in.Top(25), StyleHead, b.Text, text, draw.Start)
	in.Top(1.5)
	u.linesIn(in, lines, b.Sub, soft)
}

// Check is a box with a text; it tells whether it was changed.
func (u *UI) Check(c Check, value *bool) (changed bool) {
	id := u.id(c.Name, c.Text)
	c.Text = u.Say(c.Text)
	r := u.Cell(u.list.Width(StyleBody, c.Text)+32, 28)
	t := u.interact(id, r, c.Disabled)
	if t.clicked || u.press(t) {
		*value, changed = !*value, true
	}
	state := "off"
	if *value {
		state = "on"
	}
	u.describe(t, description{labelled: true, state: state})
	box := draw.R(r.X, r.Y+4, 20, 20)
	u.tick(box, *value, c.Disabled, t)
	ink := u.theme.Text
	if c.Disabled {
		ink = u.theme.Faint.Fade(0.7)
	}
	u.list.TextIn(draw.R(r.X+30, r.Y, r.W-30, r.H), StyleBody, c.Text, ink, draw.Start)
	u.pointer(t, Hand)
	u.Tip(c.Tip)
	return changed
}

func (u *UI) tick(box draw.Rect, on, disabled bool, t touch) {
	fill, edge, mark := u.theme.Field, u.theme.LineStrong, u.theme.AccentText
	if on {
		fill, edge = u.theme.Accent, u.theme.Accent
	}
	if disabled {
		fill, edge, mark = u.theme.Raised, u.theme.Line, u.theme.Faint
	}
	u.face(t, box, 5, 1.5, u.touched(fill, t), edge)
	if on {
		u.list.Icon(box, draw.IconCheck, 16, mark)
	}
}
