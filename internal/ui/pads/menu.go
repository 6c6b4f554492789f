package pads

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// A direction that is held moves on in a menu after these, first and then each time.
const (
	repeatFirst = 400 * time.Millisecond
	repeatNext  = 110 * time.Millisecond
)

// maxMoves is the greatest number of presses that wait for the menu.
const maxMoves = 64

// moveOf has the moves of a pad's controls in menus, whatever they do to a console, but for A and B: see Kind.move.
var moveOf = map[control]widgets.Nav{
	"dpup": widgets.NavUp, "dpdown": widgets.NavDown, "dpleft": widgets.NavLeft, "dpright": widgets.NavRight,
	"-lefty": widgets.NavUp, "+lefty": widgets.NavDown, "-leftx": widgets.NavLeft, "+leftx": widgets.NavRight,
	"start":        widgets.NavForward,
	"leftshoulder": widgets.NavPrevious, "rightshoulder": widgets.NavNext,
}

// menu is the state of controllers in menus.
type menu struct {
	pressed []press // since the last call of Menu, oldest first
	held    press   // repeats; zero for none
	by      ID
	next    time.Duration // when it repeats
	armed   bool          // next is set

	asked Move          // Open, Layout, Swap and Clip, since the last call of Menu
	both  bool          // chord is held
	since time.Duration // when that began; negative: it has asked already
}

// press is a control that was pressed, and what that does in menus: it depends on the controller.
type press struct {
	name control
	nav  widgets.Nav
}

// chord, held for chordTime, asks for the game's menu, on any controller.
const chordTime = time.Second

var chord = []control{"back", "start"}

// chords reports whether a controller's chord for the menu is held.
func (d *device) chords() bool {
	return d.id.isPad() && !slices.ContainsFunc(chord, func(c control) bool { return !d.pressed[c] })
}

// chorded tells whether the chord has just been held long enough, and if it is held, how long
// that still takes; negative: it is not.
func (m *menu) chorded(held bool, now time.Duration) (asks bool, left time.Duration) {
	switch {
	case !held:
		m.both = false
		return false, -1
	case !m.both:
		m.both, m.since = true, now
	case m.since < 0:
		return false, -1
	}
	if left = m.since + chordTime - now; left > 0 {
		return false, left
	}
	m.since = -1
	return true, -1
}

// press notes a control that went down.
func (m *menu) press(d *device, name control) {
	if len(m.pressed) < maxMoves {
		m.pressed = append(m.pressed, press{name, d.about.Kind.move(name)})
	}
	m.held = press{}
	if nav := moveOf[name]; nav >= widgets.NavUp && nav <= widgets.NavRight {
		m.held, m.by, m.armed = press{name, nav}, d.id, false
	}
}

// lift notes that a control is let go.
func (m *menu) lift(id ID, name control) {
	if m.held.name == name && m.by == id {
		m.held = press{}
	}
}

// take returns the next thing.
func (m *menu) take(now time.Duration) (p press, again bool) {
	if len(m.pressed) > 0 {
		p = m.pressed[0]
		m.pressed = append(m.pressed[:0], m.pressed[1:]...)
		m.arm(now + repeatFirst)
		return p, len(m.pressed) > 0
	}
	if m.held == (press{}) {
		return p, false
	}
	m.arm(now + repeatFirst)
	if now < m.next {
		return p, false
	}
	m.next = now + repeatNext
	return m.held, false
}

func (m *menu) arm(at time.Duration) {
	if !m.armed {
		m.next, m.armed = at, true
	}
}

// A Move is one of a controller in a menu.
type Move struct {
	Nav     widgets.Nav   // for widgets.Input.Nav
	Control string        // for widgets.Input.Control; "" when it is repeated
	Open    bool          // the menu of the game is asked for
	Layout  bool          // the next arrangement of the screens is asked for
	Swap    bool          // the screens are to change places
	Clip    bool          // the last half minute is to be kept
	More    bool          // there is another one already: ask again with the next picture
	Wake    time.Duration // ask again after so long even if nothing happens; negative: no need
}

// Menu returns what controllers do in a menu, one thing a call. now is since any moment
// and never goes back, as widgets.Input.Now. Outside of menus call it too, and
// drop what it gives, so that no press waits for the next menu.
func (m *Mapper) Menu(now time.Duration) Move {
	m.mu.Lock()
	defer m.mu.Unlock()
	fresh := len(m.menu.pressed) > 0
	pressed, more := m.menu.take(now)
	move := m.menu.asked
	m.menu.asked = Move{}
	move.Nav, move.More, move.Wake = pressed.nav, more, -1
	if fresh {
		move.Control = pressed.name
	}
	if m.menu.held != (press{}) {
		move.Wake = max(m.menu.next-now, 0)
	}
	asks, left := m.menu.chorded(slices.ContainsFunc(m.devices, (*device).chords), now)
	move.Open = move.Open || asks
	if left >= 0 && (move.Wake < 0 || left < move.Wake) {
		move.Wake = left
	}
	return move
}
