package settings

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Device returns the device, as a setting, that plays a console of this machine. console
// counts from 0; of is how many there are.
func (v *Screen) Device(console, of int) string {
	return pads.Devices(v.Config.Pads.Devices, of)[console]
}

// SetDevice lets a device play one of this machine's consoles. The console that had the
// device gets this one's.
func (v *Screen) SetDevice(console, of int, device string) {
	list := pads.Devices(v.Config.Pads.Devices, of)
	if other := slices.Index(list, device); other >= 0 && device != "any" {
		list[other] = list[console]
	}
	list[console] = device
	v.Set(func(c *config.Config) {
		c.Pads.Devices = append(list, c.Pads.Devices[min(of, len(c.Pads.Devices)):]...)
	})
}

// DeviceOptions returns the devices to choose from, as settings, and their names.
func (v *Screen) DeviceOptions(now string) (values, names []string) {
	values = []string{"any", "keyboard", "pad 1", "pad 2", "pad 3", "pad 4"}
	for _, p := range v.Pads {
		if pad := fmt.Sprintf("pad %d", p.Slot); !slices.Contains(values, pad) {
			values = append(values, pad)
		}
	}
	if !slices.Contains(values, now) {
		values = append(values, now)
	}
	for _, device := range values {
		names = append(names, v.deviceName(device))
	}
	return values, names
}

// deviceName returns a device's name on the screen.
func (v *Screen) deviceName(device string) string {
	switch device {
	case "any":
		return "Any device"
	case "keyboard":
		return "Keyboard"
	}
	for _, p := range v.Pads {
		if device == fmt.Sprintf("pad %d", p.Slot) {
			return capitals([]string{device})[0] + ": " + printableName(p.Name)
		}
	}
	if strings.HasPrefix(device, "pad ") {
		return capitals([]string{device})[0] + " (not plugged in)"
	}
	return device
}

// printableName returns the printable part of a name that a device gives itself.
func printableName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
	if letters := []rune(clean); len(letters) > 40 {
		clean = string(letters[:39]) + "…"
	}
	return strings.TrimSpace(clean)
}

// DeviceChoice chooses the device that plays a console of this machine.
func (v *Screen) DeviceChoice(u *widgets.UI, name string, console, of int) {
	now := v.Device(console, of)
	values, names := v.DeviceOptions(now)
	at := 0
	for i, value := range values {
		if value == now {
			at = i
		}
	}
	if u.Choice(widgets.Choice{Name: name, Options: names}, &at) {
		v.SetDevice(console, of, values[at])
	}
}
