package widgets

// anchor keeps the widget under the mouse in its place while what is above it in a scroll area grows or
// shrinks: a press that was meant for it does not hit what comes there in its place.
type anchor struct {
	was  anchored // in the picture before
	now  anchored // the same widget in this build
	next anchored // what is under the mouse in this build
}

// anchored is where a widget is in the content of a scroll area.
type anchored struct {
	id   ID
	area *memory
	y    float32
}

// note notes where a widget is.
func (a *anchor) note(u *UI, id ID, y float32) {
	s := u.scrollArea()
	if s.memory == nil {
		return
	}
	at := anchored{id, s.memory, y - s.view.Y + s.memory.scroll}
	if a.was.id == id {
		a.now = at
	}
	if u.mouse.nextHot == id {
		a.next = at
	}
}

// hold scrolls by as much as the widget under the mouse has moved. It tells whether it did.
func (a *anchor) hold() bool {
	way := a.now.y - a.was.y
	if a.now.id == 0 || a.now.area != a.was.area || -0.5 < way && way < 0.5 {
		return false
	}
	before := a.now.area.scroll
	a.now.area.scroll = max(0, before+way)
	a.was = a.now
	return a.now.area.scroll != before
}

// end notes what is under the mouse in a picture that is ready.
func (a *anchor) end(hot ID) {
	a.was = anchored{}
	if a.next.id == hot {
		a.was = a.next
	}
}
