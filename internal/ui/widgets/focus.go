package widgets

import (
	"cmp"
	"slices"

	"github.com/nettplay/nettplay/internal/ui/draw"
)

// focus is which widget has the keyboard.
//
// Where it goes when the picture changes under it is decided here alone (changeLayer, lost, instead):
//
//   - What is disabled now keeps the ring, and does nothing, until the player moves on.
//   - Who had the way forward (the filled button) has it still when that is another button now.
//   - In place of what is gone comes the way forward; without one the [Button] with Rest; without that the nearest
//     that loses nothing and is not written in: never a button that stands [Button.Aside], nor a field or a log.
//   - A screen that shows by itself begins anew, with nothing of where the ring was when it showed before; one to
//     which the player goes back does not (screen.Nav).
type focus struct {
	id        ID
	shown     bool    // keys or a pad were used last: the ring shows
	pad       bool    // a pad was used last
	taken     bool    // in this build, by a widget that is new
	main      ID      // of this build: the way forward
	rest      ID      // of this build: where the ring stands while there is no way forward
	lit       ID      // id, if it has been the way forward, or rest, since it got the keyboard; else 0
	enter     ID      // what Enter presses where no widget needs it: the way forward of the picture before
	forward   bool    // of this build: what has the keyboard leaves Enter to the way forward
	reveal    ID      // to be scrolled into sight
	roll      float32 // how far to scroll, where the keyboard finds no widget to go to
	arrived   ID      // has just got it by keys or a pad: a field is written anew
	away      bool    // the player has scrolled since the focus moved: it need not be in sight
	rect      draw.Rect
	part      draw.Rect   // of rect: what is lit in it
	items     []Target    // of this build, in order
	keyUsed   bool        // what was pressed has been used
	typing    bool        // a text field has it
	capturing bool        // a control is being captured
	does      string      // of a pad's button to what has it; "" for A that presses
	turns     bool        // a pad's L and R turn to another part of the screen
	described description // of this build: what has the keyboard
	saved     [draw.Layers]held
	before    ID // who had it when the build began
}

// held is what has the keyboard in a layer that a dialog covers: focus.id and focus.lit.
type held struct{ id, lit ID }

// Target is a widget that can have the keyboard.
type Target struct {
	ID   ID
	Name string    // what it is remembered by, without its scopes
	Rect draw.Rect // in points
	Seen draw.Rect // the part of it that is in sight

	area  *memory // of the innermost scroll area that it is in, nil for none
	aside bool    // it does not get the keyboard by itself
	text  bool    // one writes in it, or reads: it does not get the keyboard in place of what is gone
}

// Targets returns the widgets that could have the keyboard in the picture just made, in the
// order of Tab. It is valid until the next Frame.
func (u *UI) Targets() []Target { return u.focus.items }

func (f *focus) begin() {
	if f.lit != f.id {
		f.lit = 0
	}
	if f.id == f.main || f.id == f.rest {
		f.lit = f.id
	}
	f.items, f.before = f.items[:0], f.id
	f.keyUsed, f.typing, f.capturing = false, false, false
	f.taken, f.main, f.rest, f.does, f.turns, f.forward = false, 0, 0, "", false, false
	f.described, f.part = description{}, draw.Rect{}
}

// SetFocus gives the keyboard to a widget, 0 to none. Beneath a dialog the widget gets it when the dialog is gone.
func (u *UI) SetFocus(id ID) {
	if u.layers.now < u.layers.top {
		u.focus.saved[u.layers.now] = held{id: id}
	}
	u.setFocus(id)
}

func (u *UI) setFocus(id ID) {
	if u.focus.id != id {
		u.focus.id, u.again = id, true
	}
}

// LastRect returns where the widget built last is, in points.
func (u *UI) LastRect() draw.Rect { return u.lastRect }

// beDefault gives the keyboard to the default button of a dialog that opens, unless another
// widget of it has it. On a screen it is the one that gets it when no widget has it.
func (u *UI) beDefault(id ID) {
	if !u.live() {
		return
	}
	if u.layers.opening && u.focus.id == 0 {
		u.setFocus(id)
	}
	if u.focus.main == 0 {
		u.focus.main = id
	}
}

// beRest has the ring stand on a button while there is no way forward, also while it is disabled.
func (u *UI) beRest(id ID) {
	if u.live() && u.focus.rest == 0 {
		u.focus.rest = id
	}
}

// standAside has the widget built last not get the keyboard by itself.
func (u *UI) standAside() {
	if t := u.lastTarget(); t != nil {
		t.aside = true
	}
}

// isText says that one writes in the widget built last, or reads.
func (u *UI) isText() {
	if t := u.lastTarget(); t != nil {
		t.text = true
	}
}

// lastTarget returns the widget built last, nil if it cannot have the keyboard.
func (u *UI) lastTarget() *Target {
	if n := len(u.focus.items); n > 0 && u.focus.items[n-1].ID == u.lastID {
		return &u.focus.items[n-1]
	}
	return nil
}

// take gives the keyboard to a widget that is new, unless one before it has taken it.
func (u *UI) take(id ID) {
	if u.live() && !u.focus.taken {
		u.setFocus(id)
		u.focus.taken = true
	}
}

// Focused returns the widget that has the keyboard, for [UI.SetFocus]; 0 for none.
func (u *UI) Focused() ID { return u.focus.id }

// Forward returns the widget that is the way forward, to which Start of a pad leads; 0 for none.
func (u *UI) Forward() ID { return u.focus.main }

// move returns where an arrow key or a pad's cross points, unless it was used.
func (u *UI) move() Nav {
	if u.focus.keyUsed {
		return NoNav
	}
	if u.in.Nav >= NavUp && u.in.Nav <= NavRight {
		return u.in.Nav
	}
	if u.in.Press.Mods != 0 {
		return NoNav
	}
	return arrows[u.in.Press.Key]
}

// arrows are where the arrow keys point.
var arrows = map[Key]Nav{KeyUp: NavUp, KeyDown: NavDown, KeyLeft: NavLeft, KeyRight: NavRight}

// used says that the focused widget has used what was pressed.
func (u *UI) used() { u.focus.keyUsed, u.focus.shown = true, true }

// navigate moves the focus, at the end of a build.
func (u *UI) navigate() {
	f := &u.focus
	u.changeLayer()
	if f.keyUsed || len(f.items) == 0 || f.capturing {
		return
	}
	to, m := ID(0), u.move()
	if u.in.Press.Key == KeyTab && u.in.Press.Mods&^Shift == 0 {
		to = f.step(u.in.Press.Mods&Shift != 0)
	} else if m != NoNav {
		to = f.nearest(m)
	} else if u.in.Nav == NavAccept && f.find() < 0 {
		to = f.first()
	}
	switch {
	case to != 0:
		f.id, f.reveal, f.arrived, f.shown, f.away, u.again = to, to, to, true, false, true
	case m == NavUp:
		f.roll, f.away, u.again = -rollStep, true, true
	case m == NavDown:
		f.roll, f.away, u.again = rollStep, true, true
	}
}

// rollStep is the distance that an arrow scrolls text that has no widgets, in points.
const rollStep = 60

// changeLayer keeps the focus of what a dialog covers until it is gone.
func (u *UI) changeLayer() {
	switch {
	case u.layers.nextTop > u.layers.top:
		clear(u.focus.saved[u.layers.top:])
		u.focus.saved[u.layers.top] = held{u.focus.before, u.focus.litBefore()}
		u.focus.id = 0
	case u.layers.nextTop < u.layers.top:
		was := u.focus.saved[u.layers.nextTop]
		u.focus.id, u.focus.lit = was.id, was.lit
	case u.layers.opened:
		u.focus.id, u.again = 0, true // in the place of another dialog
	case len(u.focus.items) > 0 && u.focus.lost():
		u.setFocus(u.focus.instead())
		u.focus.reveal, u.focus.arrived = u.focus.id, u.focus.id
	}
}

// litBefore is lit, of what had the keyboard when the build began.
func (f *focus) litBefore() ID {
	if f.lit == f.before {
		return f.lit
	}
	return 0
}

// lost reports whether the keyboard is to go elsewhere: what had it is gone, or it was the way forward, and is no more.
func (f *focus) lost() bool {
	moved := f.lit != 0 && f.lit == f.id && f.main != 0 && f.main != f.id
	return moved || f.shown && f.find() < 0
}

// instead returns the widget that gets the keyboard in place of the one that had it; 0 for none.
func (f *focus) instead() ID {
	if f.id == 0 || f.id != f.before || f.main != 0 || f.rest != 0 {
		return f.first()
	}
	at := f.rect.Center()
	safe := slices.DeleteFunc(slices.Clone(f.items), func(t Target) bool { return t.aside || t.text })
	if len(safe) == 0 {
		return 0
	}
	nearest := slices.MinFunc(safe, func(a, b Target) int {
		far := func(t Target) float32 {
			c := t.Rect.Center()
			return (c.X-at.X)*(c.X-at.X) + 16*(c.Y-at.Y)*(c.Y-at.Y)
		}
		return cmp.Compare(far(a), far(b))
	})
	return nearest.ID
}

// goForward leads the ring to the way forward of the picture before. Where it is there, or there
// is none, it is as the pad's A.
func (u *UI) goForward() Nav {
	f := &u.focus
	if f.main == 0 || f.id == f.main || f.capturing {
		return NavAccept
	}
	f.id, f.reveal, f.arrived, f.shown, f.away = f.main, f.main, f.main, true, false
	return NoNav
}

// enterForward has Enter press the way forward of the picture before, where no widget has the keyboard, or one that
// leaves Enter to it. A pad's A does so where the ring stands on what has no use for it.
func (f *focus) enterForward(p KeyPress, n Nav) {
	f.enter = 0
	enter := p.is(KeyEnter) && p.Mods == 0 && !p.Repeat && (f.forward || f.find() < 0)
	if !f.capturing && (enter || n == NavAccept && f.forward && !f.typing) {
		f.enter = f.main
	}
}

// first returns the widget that gets the keyboard when none has it.
func (f *focus) first() ID {
	return cmp.Or(f.main, f.rest, f.items[f.begins()].ID)
}

// begins returns the index of the first widget that is not aside, of the first if all are.
func (f *focus) begins() int {
	return max(slices.IndexFunc(f.items, func(t Target) bool { return !t.aside }), 0)
}

func (f *focus) find() int {
	return slices.IndexFunc(f.items, func(t Target) bool { return t.ID == f.id })
}

// step returns the widget after the focused one, or before it.
func (f *focus) step(back bool) ID {
	i, by := f.find(), 1
	switch {
	case back:
		i, by = max(i, 0), len(f.items)-1
	case i < 0:
		i = f.begins() - 1
	}
	return f.items[(i+by)%len(f.items)].ID
}

// nearest returns the widget that is nearest in a direction, 0 for none. Up and down in a scroll
// area it is one of that area, as long as there is one.
func (f *focus) nearest(to Nav) ID {
	from := f.find()
	if from < 0 {
		return f.first()
	}
	best, least, inside := ID(0), float32(0), false
	for _, t := range f.items {
		if t.ID == f.id {
			continue
		}
		same := t.area != nil && t.area == f.items[from].area && (to == NavUp || to == NavDown)
		d, ok := distance(f.rect, t.Rect, to)
		if !ok || inside && !same {
			continue
		}
		if 2*t.Seen.H < min(t.Rect.H, Control) && t.area != f.items[from].area {
			d += unseen
		}
		if best == 0 || d < least || same && !inside {
			best, least, inside = t.ID, d, same
		}
	}
	return best
}

// unseen is how much farther, in points, a widget counts that another scroll area has out of sight, or most of it: it is
// seldom what a player means.
const unseen = 100

// distance returns how far b is from a in a direction. To the left and right, what lies aside
// counts more than what lies ahead; up and down, less: no row is left out because its widgets
// stand at its other end. Not ok if b is not in that direction.
func distance(a, b draw.Rect, to Nav) (d float32, ok bool) {
	weight, off := float32(4), float32(1)/8
	switch to {
	case NavUp, NavDown: // as left and right, turned
		a, b = draw.R(a.Y, a.X, a.H, a.W), draw.R(b.Y, b.X, b.H, b.W)
		weight, off = 1.0/20, 1.0/50
	}
	if to == NavUp || to == NavLeft {
		a.X, b.X = -a.Right(), -b.Right()
	}
	ahead := b.X - a.Right()
	if b.X+b.W/2 <= a.X+a.W/2 || ahead < -min(a.W, b.W)/2 {
		return 0, false
	}
	aside := max(b.Y-a.Bottom(), a.Y-b.Bottom(), 0)
	middle := b.Center().Y - a.Center().Y
	return max(ahead, 0) + weight*aside + off*max(middle, -middle), true
}

// Pad reports whether a pad was used last, with which one seldom writes.
func (u *UI) Pad() bool { return u.focus.pad }

// Turned tells whether a pad's L or R, or Ctrl+Tab, asks for the part of the screen before
// (-1) or after (1); 0 for neither.
func (u *UI) Turned() int {
	p := u.in.Press
	tab := p.Key == KeyTab && p.Mods&^Shift == Ctrl
	u.focus.turns = true
	if !u.live() || u.focus.keyUsed || !tab && u.in.Nav != NavPrevious && u.in.Nav != NavNext {
		return 0
	}
	u.used()
	if u.in.Nav == NavPrevious || tab && p.Mods&Shift != 0 {
		return -1
	}
	return 1
}

// Grab takes all keys and moves away from the widgets that are built after it, and from
// [UI.Back], for this picture. The mouse still works.
func (u *UI) Grab() { u.focus.keyUsed, u.focus.capturing, u.layers.backUsed = true, true, true }
