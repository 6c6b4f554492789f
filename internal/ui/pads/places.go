package pads

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ui/memory"
)

// Two controllers of one model have the same name. Each has a slot, by which the settings give it to a player, and
// has it again when it comes back: it is known by its serial number, else by where it is plugged in. Where neither
// tells two apart that were both away, the players are asked.

// place is a controller that is or was here.
type place struct {
	memory.Controller
	seen bool // since the program began
}

// Recall tells of controllers of earlier days, before any is connected.
func (m *Mapper) Recall(list []memory.Controller) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range list[max(len(list)-memory.MaxControllers, 0):] {
		m.places = append(m.places, place{Controller: c})
	}
}

// Controllers returns those to be remembered, and whether they are others than when it was last called.
func (m *Mapper) Controllers() (list []memory.Controller, changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	changed, m.changed = m.changed, false
	if !changed {
		return nil, false
	}
	for _, p := range m.places {
		if p.Whole() {
			list = append(list, p.Controller)
		}
	}
	return list, true
}

// Knows reports whether a controller was here before: its serial number or its port says so.
func (m *Mapper) Knows(about Hardware) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.evident(about)) > 0
}

// place gives a controller that comes its slot.
func (m *Mapper) place(d *device) {
	at, sure := m.find(d.about)
	if at < 0 {
		d.slot = freeSlot(m.devices)
		m.remember(d, -1)
		return
	}
	d.slot, d.unsure = m.places[at].Slot, !sure
	if d.unsure {
		return
	}
	m.remember(d, at)
	for _, guessed := range m.devices {
		if guessed == d || guessed.slot != d.slot {
			continue
		}
		guessed.slot, guessed.unsure = 0, false // it had only been taken for this one
		m.devices = append(m.devices, d)
		m.place(guessed)
		m.devices = m.devices[:len(m.devices)-1]
		return
	}
}

// find returns the place of a controller that comes, -1 for none, and whether that is no guess.
func (m *Mapper) find(about Hardware) (at int, sure bool) {
	found, sure := m.evident(about), true
	switch {
	case len(found) == 0:
		for i, p := range m.places {
			if p.seen && p.may(about) && m.holder(p.Slot) == nil {
				found = append(found, i)
			}
		}
		sure = len(found) == 1 && !slices.ContainsFunc(m.devices, func(d *device) bool { return d.unsure && d.name == about.Name })
	case len(found) > 1: // a number that a maker gives to all, a receiver of several
		sure = !slices.ContainsFunc(found, func(i int) bool { return m.places[i].seen })
		found = slices.DeleteFunc(found, func(i int) bool { return m.holder(m.places[i].Slot) != nil })
	}
	if len(found) == 0 {
		return -1, false
	}
	return slices.MinFunc(found, func(a, b int) int { return m.places[a].Slot - m.places[b].Slot }), sure
}

// evident returns the places that serial number or port say to be a controller's, and that no other one has for sure.
func (m *Mapper) evident(about Hardware) (found []int) {
	for _, same := range []func(p place) bool{
		func(p place) bool {
			return p.Serial == about.Serial && p.Port == about.Port && p.Serial != "" && p.Port != ""
		},
		func(p place) bool { return p.Serial == about.Serial && p.Serial != "" },
		func(p place) bool { return p.Port == about.Port && p.Port != "" },
	} {
		for i, p := range m.places {
			if holder := m.holder(p.Slot); p.may(about) && same(p) && (holder == nil || holder.unsure) {
				found = append(found, i)
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// may reports whether a place may be a controller's: the model is the same, and no serial number speaks against it.
func (p place) may(about Hardware) bool {
	return p.Name == about.Name && (p.Serial == "" || about.Serial == "" || p.Serial == about.Serial)
}

// holder returns the controller with a slot, nil for none.
func (m *Mapper) holder(slot int) *device {
	for _, d := range m.devices {
		if d.id.isPad() && d.slot == slot {
			return d
		}
	}
	return nil
}

// remember notes that a controller has its slot; at is the place that it had, -1 for none.
func (m *Mapper) remember(d *device, at int) {
	c := memory.Controller{Name: d.name, Serial: d.about.Serial, Port: d.about.Port, Slot: d.slot}
	if at >= 0 {
		m.changed = m.changed || m.places[at].Controller != c
		m.places = slices.Delete(m.places, at, at+1)
	} else {
		m.changed = m.changed || c.Whole()
	}
	m.places = append(m.places, place{c, true})
	m.places = m.places[max(len(m.places)-memory.MaxControllers, 0):]
}

// asked are the controllers of one model of which nobody knows which is whose, and that different players of this
// machine have; by slot.
func (m *Mapper) asked() (list []*device) {
	for _, first := range m.devices {
		list = slices.DeleteFunc(slices.Clone(m.devices), func(d *device) bool { return !d.unsure || d.name != first.name })
		if first.unsure && slices.ContainsFunc(list, func(d *device) bool { return m.seatOf(d) != m.seatOf(list[0]) }) {
			return list
		}
	}
	return nil
}

// seatOf returns the first seat that a device plays, -1 for none.
func (m *Mapper) seatOf(d *device) int {
	return slices.IndexFunc(m.seats[:], func(s seat) bool { return slices.Contains(s.devices, d.id) })
}

// Asking returns the seat of this machine whose player is to press a button, and what the controllers call themselves:
// several of one model came back, and nothing tells them apart. The first that is pressed is the seat's; until then
// none of them does anything. asks is false while there is nothing to ask.
func (m *Mapper) Asking() (seat int, name string, asks bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.asked()
	if len(list) == 0 {
		return 0, "", false
	}
	return max(m.seatOf(list[0]), 0), list[0].name, true
}

// claim lets a controller that was pressed have the first slot that is asked for, and reports whether it was.
func (m *Mapper) claim(d *device) bool {
	list := m.asked()
	if !slices.Contains(list, d) {
		return false
	}
	list[0].slot, d.slot = d.slot, list[0].slot
	m.settle(d)
	if rest := slices.DeleteFunc(list, func(o *device) bool { return o == d }); len(rest) == 1 {
		m.settle(rest[0])
	}
	m.assign()
	m.release()
	return true
}

// LeaveOrder answers Asking: each controller stays with the player that it has.
func (m *Mapper) LeaveOrder() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.asked() {
		m.settle(d)
	}
}

// settle makes a controller's slot its own.
func (m *Mapper) settle(d *device) {
	d.unsure = false
	m.remember(d, slices.IndexFunc(m.places, func(p place) bool { return p.Slot == d.slot && p.seen && p.may(d.about) }))
}

// quiet lets go of what controllers hold that do nothing until the players were asked.
func (m *Mapper) quiet() {
	for _, d := range m.asked() {
		d.letGo()
	}
}
