package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/ui/pads"
)

// Several players at this machine: the player of the settings, and others beside, each
// with a console, a save and a device of their own.

// MaxBeside is how many players can be at this machine beside the first: as many as
// there is room for on a screen.
const MaxBeside = 3

// SitBeside lets one more player play at this machine; in a room, at once.
func (m *Model) SitBeside() {
	if len(m.Beside) >= MaxBeside {
		return
	}
	n := len(m.Beside) + 1
	name := config.NumberedNickname(m.Config.Player.Nickname, n+1)
	if n <= len(m.Memory.Beside) {
		name = m.Memory.Beside[n-1] // who sat there last time
	}
	if m.Room == nil { // with a seat for somebody to join
		m.Host.Players = min(max(m.Host.Players, n+2), ds.MaxSeats)
	}
	if r := m.Room; r != nil && r.Hosting && r.Present() >= r.Room.Settings.Seats {
		m.SetSeats(r.Present() + 1)
	}
	m.seatBeside(append(slices.Clone(m.Beside), name))
}

// GetUp lets a player beside the first go: number 0 is the next one to that.
func (m *Model) GetUp(n int) {
	if n < 0 || n >= len(m.Beside) {
		return
	}
	devices := pads.Devices(m.Config.Pads.Devices, len(m.Beside)+1)
	m.set(func(c *config.Config) { c.Pads.Devices = slices.Delete(devices, n+1, n+2) })
	m.seatBeside(slices.Delete(slices.Clone(m.Beside), n, n+1))
}

// NameBeside names a player beside the first.
func (m *Model) NameBeside(n int, name string) {
	if n < 0 || n >= len(m.Beside) {
		return
	}
	list := slices.Clone(m.Beside)
	list[n] = name
	m.seatBeside(list)
}

// besideProblem is why a name cannot be that of a player; "" when it can.
func (m *Model) besideProblem(name string) string {
	c := cloneConfig(m.Config)
	c.Player.Nickname = name
	return problems(c.Validate())["player.nickname"]
}

// seatBeside makes these the players beside the first. Names that are not names yet
// wait until they are.
func (m *Model) seatBeside(names []string) {
	m.Beside = names
	for _, name := range names {
		if m.besideProblem(name) != "" {
			return
		}
	}
	m.Memory.Beside = append(slices.Clone(names), m.Memory.Beside[min(len(names), len(m.Memory.Beside)):]...)
	m.command(SaveMemory{})
	if m.control != nil && m.Room != nil && m.Room.Room.Phase == host.PhaseLobby {
		m.control.Beside(m.Beside)
	}
}

// besides are those beside the first who have a name.
func (m *Model) besides() []string {
	return slices.DeleteFunc(slices.Clone(m.Beside), func(name string) bool { return m.besideProblem(name) != "" })
}

// mayCome tells whether one more player can sit down at this machine now.
func (m *Model) mayCome() bool {
	r := m.Room
	switch {
	case len(m.Beside) >= MaxBeside:
		return false
	case r == nil || !r.Known:
		return true
	case r.Playing || r.Room.Phase != host.PhaseLobby:
		return false
	case r.Hosting:
		return r.Present() < ds.MaxSeats
	}
	return r.Present() < r.Room.Settings.Seats
}

// Device is the setting of the device that plays one of this machine's consoles, of so
// many, 0 being the first.
func (m *Model) Device(console, of int) string {
	return pads.Devices(m.Config.Pads.Devices, of)[console]
}

// SetDevice lets a device play one of this machine's consoles. Who had it gets the one
// that this console had.
func (m *Model) SetDevice(console, of int, device string) {
	list := pads.Devices(m.Config.Pads.Devices, of)
	if other := slices.Index(list, device); other >= 0 && device != "any" {
		list[other] = list[console]
	}
	list[console] = device
	m.set(func(c *config.Config) {
		c.Pads.Devices = append(list, c.Pads.Devices[min(of, len(c.Pads.Devices)):]...)
	})
}

// deviceOptions are the devices that can be chosen, as settings, and what they are called.
func (m *Model) deviceOptions(now string) (values, names []string) {
	values = []string{"any", "keyboard", "pad 1", "pad 2", "pad 3", "pad 4"}
	for _, p := range m.Pads {
		if v := fmt.Sprintf("pad %d", p.Slot); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	if !slices.Contains(values, now) {
		values = append(values, now)
	}
	for _, v := range values {
		names = append(names, m.deviceName(v))
	}
	return values, names
}

// deviceName is what a device is called on the screen.
func (m *Model) deviceName(device string) string {
	switch device {
	case "any":
		return "Any device"
	case "keyboard":
		return "Keyboard"
	}
	for _, p := range m.Pads {
		if device == fmt.Sprintf("pad %d", p.Slot) {
			return capitals([]string{device})[0] + ": " + printableName(p.Name)
		}
	}
	if strings.HasPrefix(device, "pad ") {
		return capitals([]string{device})[0] + " (not plugged in)"
	}
	return device
}
