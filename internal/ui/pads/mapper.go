package pads

import (
	"maps"
	"slices"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// A Mapper knows what is pressed on each device, and what that does to the consoles
// of this machine's seats. Seats count from 0 in the order of pads.devices in the settings,
// not by their numbers in a room. Make one with NewMapper.
//
// All methods may be called from any goroutine and return at once.
type Mapper struct {
	mu      sync.Mutex
	devices []*device // the keyboards first, then by slot
	pads    config.Pads
	seats   [ds.MaxSeats]seat
	playing int // so many seats
	menu    menu
	muted   bool
	turn    Turn // of the picture
	cross   bool // turns with it
	last    ID   // the controller that was used last

	places  []place // of controllers that were here, the last one that came last
	changed bool    // places, since Controllers was called
}

// seat is the input of one seat of this machine.
type seat struct {
	devices []ID
	tapped  inputdelay.Keys // gone down since the last frame
	pointer pointer
}

// NewMapper makes a mapper for a keyboard, with the bindings of the settings.
func NewMapper(cfg config.Config) *Mapper {
	keyboards := []*device{newDevice(Keyboard, Hardware{Name: "keyboard"}, 0), newDevice(Keyboard2, Hardware{Name: "keyboard 2"}, 0)}
	m := &Mapper{devices: keyboards, playing: max(len(cfg.Pads.Devices), 1), last: Keyboard}
	m.Configure(cfg)
	return m
}

// Configure takes other bindings, from now on, and lets go of all buttons.
func (m *Mapper) Configure(cfg config.Config) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pads = cfg.Pads
	m.pads.Devices = slices.Clone(cfg.Pads.Devices)
	for _, list := range []*[]string{&m.pads.Touch, &m.pads.Menu, &m.pads.Layout, &m.pads.Swap, &m.pads.Clip} {
		*list = slices.Clone(*list)
	}
	m.pads.Own = maps.Clone(cfg.Pads.Own)
	for _, d := range m.devices {
		d.configure(cfg)
	}
	m.release()
	m.assign()
}

// Play says how many seats of this machine play: devices that the settings give to others
// are free for those, and those that they forget get one, see [Devices].
func (m *Mapper) Play(seats int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seats = min(max(seats, 1), ds.MaxSeats); seats != m.playing {
		m.playing = seats
		m.release()
		m.assign()
	}
}

// Connect tells that a controller was plugged in. One that was here before has the number that it had, as far as it
// can be told from others of its model, see [Mapper.Asking].
func (m *Mapper) Connect(id ID, about Hardware) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !id.isPad() || m.device(id) != nil {
		return
	}
	d := newDevice(id, about, 0)
	d.configure(config.Config{Pads: m.pads})
	m.place(d)
	m.devices = append(m.devices, d)
	m.assign()
	m.quiet()
}

// Disconnect tells that a controller was unplugged, and lets go of its buttons.
func (m *Mapper) Disconnect(id ID) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !id.isPad() {
		return
	}
	m.devices = slices.DeleteFunc(m.devices, func(d *device) bool { return d.id == id })
	m.menu.lift(id, m.menu.held.name)
	m.assign()
}

// A Pad is a controller that is there.
type Pad struct {
	ID    ID
	Name  string // as it calls itself; from a device, so not to be trusted
	Kind  Kind   // what is printed on its buttons
	Slot  int    // N where the settings call it "pad N"
	Seats []int  // of this machine that it plays
	// Its pressed buttons, and where its axes are, each way -1 to 1, by SDL's names.
	Held []string
	Axes map[string]float64
}

// Pads returns the controllers that are plugged in, by slot.
func (m *Mapper) Pads() (list []Pad) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.devices {
		if !d.id.isPad() {
			continue
		}
		pad := Pad{ID: d.id, Name: d.name, Kind: d.about.Kind, Slot: d.slot, Held: slices.Sorted(maps.Keys(d.pressed)), Axes: maps.Clone(d.axes)}
		for i := range m.seats {
			if slices.Contains(m.seats[i].devices, d.id) {
				pad.Seats = append(pad.Seats, i)
			}
		}
		list = append(list, pad)
	}
	return list
}

// Kind says what is printed on the buttons of the controller that was used last, or of the first one that is there.
func (m *Mapper) Kind() Kind {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.devices {
		if d.id == m.last && d.id.isPad() {
			return d.about.Kind
		}
	}
	for _, d := range m.devices {
		if d.id.isPad() {
			return d.about.Kind
		}
	}
	return Plain
}

// Missing returns the seats below n that no device plays: the controller that the
// settings name is not there.
func (m *Mapper) Missing(n int) (seats []int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range min(n, ds.MaxSeats) {
		if len(m.seats[i].devices) == 0 {
			seats = append(seats, i)
		}
	}
	return seats
}

// Key tells that a key of the keyboard went down or up, by SDL's scancode name.
func (m *Mapper) Key(name string, down bool) {
	m.Button(Keyboard, name, down)
	m.Button(Keyboard2, name, down)
}

// Button tells that a button of a controller went down or up, by SDL's name.
func (m *Mapper) Button(id ID, name string, down bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := m.device(id); d != nil {
		m.press(d, name, down)
	}
}

// Axis tells where an axis of a controller is, by SDL's name and value.
func (m *Mapper) Axis(id ID, axis string, value int16) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d := m.device(id)
	if d == nil || d.halves(axis) == nil {
		return
	}
	d.axes[axis] = axisValue(value)
	for _, h := range d.halves(axis) {
		was := d.pressed[h.control] || d.ignored[h.control]
		m.press(d, h.control, h.stick.direction(h.value, m.pads.Deadzone, was))
	}
}

// press notes that a control went down or up.
func (m *Mapper) press(d *device, name control, down bool) {
	if !d.set(name, down) {
		return
	}
	if down && d.id.isPad() {
		m.last = d.id
	}
	switch {
	case !d.id.isPad():
	case down && m.claim(d):
		return
	case down:
		m.menu.press(d, name)
		m.menu.asked.Open = m.menu.asked.Open || slices.Contains(m.pads.Menu, name)
		m.screens(d, name)
	default:
		m.menu.lift(d.id, name)
	}
	if down && !m.muted {
		m.tap(d, name)
	}
}

// screens notes that a button is for the screens of the consoles, or for a clip. The controller's own
// mapping of it to a console goes first.
func (m *Mapper) screens(d *device, name control) {
	if d.buttons[name] != 0 || slices.Contains(d.touch, name) {
		return
	}
	m.menu.asked.Layout = m.menu.asked.Layout || slices.Contains(m.pads.Layout, name)
	m.menu.asked.Swap = m.menu.asked.Swap || slices.Contains(m.pads.Swap, name)
	m.menu.asked.Clip = m.menu.asked.Clip || slices.Contains(m.pads.Clip, name)
}

// tap lets the seats of a device see a control in their next frame, even if it is up by then.
func (m *Mapper) tap(d *device, name control) {
	for i := range m.seats {
		s := &m.seats[i]
		if !slices.Contains(s.devices, d.id) {
			continue
		}
		s.tapped |= d.buttons[name]
		if slices.Contains(d.touch, name) {
			s.pointer.tapped = true
		}
	}
}

// Release lets go of everything: the window has lost the keyboard. A button that is still
// held counts again after it was let go.
func (m *Mapper) Release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.release()
}

func (m *Mapper) release() {
	for _, d := range m.devices {
		d.letGo()
	}
	for i := range m.seats {
		m.seats[i].tapped = 0
		m.seats[i].pointer.lift()
	}
	m.menu = menu{}
}

// Mute keeps everything from the consoles, or no longer, such as while a menu or
// the chat is open. It lets go of all buttons when it begins and when it ends.
func (m *Mapper) Mute(muted bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.muted != muted {
		m.muted = muted
		m.release()
	}
}

// Touch tells that mouse or finger hold the stylus on a pixel of a seat's bottom
// screen.
func (m *Mapper) Touch(seat int, x, y uint8) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seat >= 0 && seat < ds.MaxSeats && !m.muted {
		m.seats[seat].pointer.touch(x, y)
	}
}

// Lift tells that mouse or finger lifted the stylus.
func (m *Mapper) Lift(seat int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seat >= 0 && seat < ds.MaxSeats {
		m.seats[seat].pointer.up()
	}
}

// Turn tells how the picture of the consoles is turned: up on a stick, and with cross on the cross, is up as the
// player sees it.
func (m *Mapper) Turn(t Turn, cross bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn, m.cross = t, cross
}

// Input returns the input of a seat's player in the next frame. It is to be called once for each frame:
// what was only tapped is gone then, and a stick has moved the stylus on.
func (m *Mapper) Input(seat int) emucore.Input {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seat < 0 || seat >= ds.MaxSeats || m.muted {
		return emucore.Input{}
	}
	s := &m.seats[seat]
	keys := s.tapped
	s.tapped = 0
	var stylus stick
	touching := false
	for _, id := range s.devices {
		d := m.device(id)
		for name := range d.pressed {
			keys |= d.buttons[name]
		}
		if id.isPad() {
			stylus = stylus.add(d.stick(m.pads.Stylus).pull(m.pads.Deadzone))
			touching = touching || slices.ContainsFunc(d.touch, func(c control) bool { return d.pressed[c] })
		}
	}
	keys = cancelOpposites(keys)
	if m.cross {
		keys = m.turn.Cross(keys)
	}
	stylus.x, stylus.y = m.turn.Seen(stylus.x, stylus.y)
	in := emucore.Input{Keys: keys}
	if x, y, down := s.pointer.frame(stylus.times(m.pads.Speed), touching); down {
		in.Keys |= inputdelay.Touch
		in.X, in.Y = x, y
	}
	return in.Normal()
}

// Cursor is where a controller holds the stylus over a seat's bottom screen, for
// drawing. shown is false while mouse or finger have it, and when no stick has moved it
// for some seconds.
func (m *Mapper) Cursor(seat int) (x, y uint8, shown bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if seat < 0 || seat >= ds.MaxSeats {
		return 0, 0, false
	}
	return m.seats[seat].pointer.cursor()
}

func (m *Mapper) device(id ID) *device {
	if i := slices.IndexFunc(m.devices, func(d *device) bool { return d.id == id }); i >= 0 {
		return m.devices[i]
	}
	return nil
}

// assign gives the seats their devices.
func (m *Mapper) assign() {
	slices.SortStableFunc(m.devices, func(a, b *device) int { return a.slot - b.slot })
	var slots []int
	for _, d := range m.devices {
		if d.id.isPad() {
			slots = append(slots, d.slot)
		}
	}
	list := assign(Devices(m.pads.Devices, m.playing, slots), m.devices)
	for i := range m.seats {
		m.seats[i].devices = nil
		if i < len(list) {
			m.seats[i].devices = list[i]
		}
	}
}
