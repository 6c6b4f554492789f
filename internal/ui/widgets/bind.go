package widgets

import (
	"cmp"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// Bind is the controls that do one thing. Pressing it waits for a key, or a
// button of a pad, which takes the place of those before; with Shift held it is
// one more. Backspace and Delete clear it; Escape ends the waiting.
func (u *UI) Bind(b Bind) (out Bound) {
	id := u.id(b.Name, "bind")
	m := u.remember(id)
	r := u.Cell(220, Control)
	t := u.interact(id, r, false)
	switch {
	case m.open:
		out = u.capture(b, m, t)
	case t.clicked || u.press(t):
		m.open, m.adding, u.again = true, u.in.Press.Mods&Shift != 0, true
	case t.focused && (u.in.Press.is(KeyDelete) || u.in.Press.is(KeyBackspace)):
		out.Clear = true
		u.used()
	}
	u.bindFace(b, m, r, t)
	u.describe(t, description{labelled: true})
	u.pointer(t, Hand)
	return out
}

// capture waits for the control.
func (u *UI) capture(b Bind, m *memory, t touch) (out Bound) {
	u.focus.capturing = true
	name := u.in.Control
	if !b.Pad {
		name = u.in.Press.Name
	}
	if u.in.Press.Repeat {
		name = ""
	}
	switch {
	case !t.focused, u.in.Press.is(KeyEscape), u.in.Pressed != NoButton && !t.pressed, u.in.Lost:
		m.open, u.again = false, true
	case name == "":
		return out
	case m.adding:
		out.Add, m.open = name, false
	default:
		out.Set, m.open = name, false
	}
	u.layers.backUsed, u.again = true, true
	u.used()
	return out
}

func (u *UI) bindFace(b Bind, m *memory, r draw.Rect, t touch) {
	fill, edge, text := u.theme.Field, u.theme.LineStrong, u.theme.Text
	if b.Conflict != "" {
		edge = u.theme.Warning
	}
	if m.open {
		fill, edge = u.theme.AccentSoft, u.theme.Accent
	}
	u.face(t, r, corner, 1.5, u.touched(fill, t), edge)
	in := r.Inset2(11, 0)
	if b.Conflict != "" && !m.open {
		u.list.Icon(in.CutRight(18), draw.IconWarning, 17, u.theme.Warning)
		u.Tip(b.Conflict)
	}
	switch {
	case m.open && b.Pad:
		u.list.TextIn(in, StyleBody, u.Say("press a button…"), text, draw.Start)
	case m.open:
		u.list.TextIn(in, StyleBody, u.Say("press a key…"), text, draw.Start)
	case len(b.Controls) == 0:
		u.list.TextIn(in, StyleBody, u.Say(cmp.Or(b.None, "none")), u.theme.Faint, draw.Start)
	default:
		printed := b.Controls
		if b.Printed != nil {
			printed = nil
			for _, name := range b.Controls {
				printed = append(printed, b.Printed(name))
			}
		}
		u.keycaps(in, printed)
	}
}

// Keys shows names of keys, each on a key of its own.
func (u *UI) Keys(names []string) {
	w := float32(0)
	for _, n := range names {
		w += u.keycapWidth(n) + 6
	}
	r := u.Cell(w, 24)
	u.keycaps(r, names)
	u.lastRect, u.lastID = r, 0
}

func (u *UI) keycapWidth(name string) float32 {
	return max(u.list.Width(StyleSmall, u.Say(name))+14, 26)
}

// keycaps writes names of controls, each on a key of its own.
func (u *UI) keycaps(in draw.Rect, names []string) {
	for _, n := range names {
		w := min(u.keycapWidth(n), in.W)
		if w < 24 {
			return
		}
		keycap := in.Left(w)
		in.Left(6)
		keycap = keycap.Inset2(0, min(6, max((keycap.H-24)/2, 0)))
		u.face(touch{}, keycap, 5, 1, u.theme.Raised, u.theme.LineStrong)
		u.list.TextIn(keycap.Inset2(6, 0), StyleSmall, u.Say(n), u.theme.Text, draw.Middle)
	}
}
