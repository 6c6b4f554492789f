package widgets

import "github.com/nettplay/nettplay/internal/ui/draw"

// touch is the user's use of a widget.
type touch struct {
	hot     bool // the mouse is over it
	down    bool // it is being pressed
	clicked bool
	pressed bool // the mouse button went down on it just now
	focused bool
	entered bool // Enter was pressed, for which no widget has a use of its own: this is the way forward
	ring    bool // the ring shows
}

// interact lets a widget, unless disabled, take part in what the user does.
func (u *UI) interact(id ID, r draw.Rect, disabled bool) (t touch) {
	u.lastRect, u.lastID = r, id
	u.noteWidget(id, r)
	seen := r.Intersect(u.list.Clip())
	u.KeepClear(seen)
	if !u.live() {
		return t
	}
	if disabled {
		if u.focus.id == id && u.focus.shown { // it had it before
			u.focus.items = append(u.focus.items, Target{ID: id, Name: u.lastName, Rect: r, Seen: seen, area: u.scrollArea().memory})
			u.focus.rect, u.focus.part, t.ring = r, seen, true
		}
		return t
	}
	t.pressed = u.takeMouse(id, seen)
	u.anchor.note(u, id, r.Y)
	u.focus.items = append(u.focus.items, Target{ID: id, Name: u.lastName, Rect: r, Seen: seen, area: u.scrollArea().memory})
	if u.focus.reveal == id {
		u.focus.reveal = 0
		u.reveal(r)
	} else if u.focus.id == id && u.focus.shown && !u.focus.away && u.scrolledOut(r) {
		u.reveal(r) // what is above it has grown
	}
	inside := u.in.MouseIn && u.mouse.at.In(seen)
	t.hot = u.mouse.hot == id && (u.mouse.active == 0 || u.mouse.active == id)
	t.down = u.mouse.active == id && inside
	t.clicked = u.in.Released == LeftButton && u.mouse.active == id && (inside || u.mouse.stayed())
	t.focused = u.focus.id == id
	t.entered = u.first && u.focus.enter == id
	if t.focused {
		u.focus.rect, u.focus.part = r, seen
		t.ring = u.focus.shown
	}
	return t
}

// takeMouse notes that the mouse is over a widget and whether it was pressed.
func (u *UI) takeMouse(id ID, seen draw.Rect) (pressed bool) {
	if !u.in.MouseIn || !u.mouse.at.In(seen) {
		return false
	}
	if u.mouse.active == 0 || u.mouse.active == id {
		u.mouse.nextHot = id
	}
	if u.in.Pressed != LeftButton {
		return false
	}
	u.mouse.active = id
	u.setFocus(id)
	u.focus.shown = false
	return true
}

// press reports whether the focused widget is pressed by Enter, Space or a pad's A.
func (u *UI) press(t touch) bool {
	if t.entered && !u.focus.keyUsed {
		u.focus.keyUsed = true // where the keyboard is stays as it was
		u.inspection.Pressed = append(u.inspection.Pressed, u.lastID)
		return true
	}
	if !t.focused || u.focus.keyUsed {
		return false
	}
	if p := u.in.Press; u.in.Nav == NavAccept || !p.Repeat && p.Mods == 0 && (p.is(KeyEnter) || p.is(KeySpace)) {
		u.used()
		u.inspection.Pressed = append(u.inspection.Pressed, u.lastID)
		return true
	}
	return false
}
