package pads

import "github.com/nettplay/nettplay/config"

// ID tells devices apart: SDL's instance id of a controller. It is never given
// twice while the program runs.
type ID int32

// Keyboard is the ID of all keyboards together, with the first set of keys; Keyboard2 that
// of the same keyboards with the second.
const (
	Keyboard  ID = -1
	Keyboard2 ID = -2
)

// isPad reports whether a device is a controller.
func (id ID) isPad() bool { return id >= 0 }

// device is a controller, or the keyboard.
type device struct {
	id      ID
	name    string // as the controller calls itself
	slot    int    // "pad 1" has 1; the keyboards have none
	about   Hardware
	unsure  bool // its slot is a guess: it may be that of another one of its model
	pressed map[control]bool
	buttons bindings
	touch   []control        // of a controller: they put the stylus down
	ignored map[control]bool // pressed, but not for a console until let go
	axes    map[string]float64
}

// Hardware is what a controller tells of itself. None of it is to be trusted.
type Hardware struct {
	Name   string // as it calls itself
	Serial string // of this very piece; "" where it tells none
	Port   string // where it is plugged in, the same each time; "" unknown
	Kind   Kind   // what is printed on its buttons
}

func newDevice(id ID, about Hardware, slot int) *device {
	return &device{
		id: id, name: about.Name, slot: slot, about: about,
		pressed: map[control]bool{}, ignored: map[control]bool{}, axes: map[string]float64{},
	}
}

// configure takes what the settings say of the device.
func (d *device) configure(cfg config.Config) {
	switch d.id {
	case Keyboard:
		d.buttons = bind(cfg.Keys)
	case Keyboard2:
		d.buttons = bind(cfg.Keys2)
	default:
		m := cfg.Pads.MappingOf(d.name)
		d.buttons, d.touch = bind(m.Buttons), m.Touch
	}
}

// set notes that a control went down or up, and reports whether that is new.
func (d *device) set(c control, down bool) bool {
	if !down {
		delete(d.ignored, c)
	}
	if d.pressed[c] == down || down && d.ignored[c] {
		return false
	}
	if down {
		d.pressed[c] = true
	} else {
		delete(d.pressed, c)
	}
	return true
}

// letGo releases everything: a button that is down counts again once it was let go.
func (d *device) letGo() {
	for c := range d.pressed {
		d.ignored[c] = true
	}
	clear(d.pressed)
}

// stick is the position of a controller's left or right stick.
func (d *device) stick(side string) stick { return stick{d.axes[side+"x"], d.axes[side+"y"]} }

// halves are the controls that an axis, and the other one of its stick, can press, with how
// far each is pressed; none for what is no axis.
func (d *device) halves(axis string) []half {
	switch axis {
	case AxisLeft, AxisRight:
		v := d.axes[axis]
		return []half{{axis, v, stick{x: v}}}
	case AxisLeftX, AxisLeftY, AxisRightX, AxisRightY:
		side := axis[:len(axis)-1]
		s := d.stick(side)
		return []half{{"-" + side + "x", -s.x, s}, {"+" + side + "x", s.x, s}, {"-" + side + "y", -s.y, s}, {"+" + side + "y", s.y, s}}
	}
	return nil
}

// half is one way that an axis can be moved.
type half struct {
	control control
	value   float64
	stick   stick
}
