package settings

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Device returns the device, as a setting, that plays a console of this machine. console counts from 0;
// of is their number.
func (v *Screen) Device(console, of int) string { return v.Devices(of)[console] }

// Devices returns which device, as a setting, plays each of so many consoles of this machine.
func (v *Screen) Devices(of int) []string {
	var slots []int
	for _, p := range v.Pads {
		slots = append(slots, p.Slot)
	}
	return pads.Devices(v.Config.Pads.Devices, of, slots)
}

// SetDevice lets a device play one of this machine's consoles. The console that had the
// device gets this one's.
func (v *Screen) SetDevice(console, of int, device string) {
	list := v.Devices(of)
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
	values = []string{"any", "keyboard", "keyboard 2", "pad 1", "pad 2", "pad 3", "pad 4"}
	for _, p := range v.Pads {
		if pad := fmt.Sprintf("pad %d", p.Slot); !slices.Contains(values, pad) {
			values = append(values, pad)
		}
	}
	if !slices.Contains(values, now) {
		values = append(values, now)
	}
	for _, device := range values {
		names = append(names, v.DeviceName(device))
	}
	return values, names
}

// DeviceName returns a device's name on the screen.
func (v *Screen) DeviceName(device string) string {
	switch device {
	case "any":
		return "Any device"
	case "keyboard":
		return "Keyboard"
	case "keyboard 2":
		return "Keyboard, second set"
	}
	for _, p := range v.Pads {
		if device == fmt.Sprintf("pad %d", p.Slot) {
			return capitals([]string{device})[0] + ": " + PrintableName(p.Name)
		}
	}
	if strings.HasPrefix(device, "pad ") {
		return capitals([]string{device})[0] + " (not plugged in)"
	}
	return device
}

// PrintableName returns the printable part of a name that a device gives itself.
func PrintableName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
	return strings.TrimSpace(phrase.Shorten(clean, 40))
}

// DeviceChoice chooses the device that plays a console of this machine.
func (v *Screen) DeviceChoice(u *widgets.UI, name string, console, of int) {
	now := v.Device(console, of)
	v.deviceChoice(u, widgets.Choice{Name: name, Tip: v.KeysWords(now)}, now, console, of)
}

func (v *Screen) deviceChoice(u *widgets.UI, c widgets.Choice, now string, console, of int) {
	values, names := v.DeviceOptions(now)
	c.Options = names
	screen.Choose(u, c, values, now, func(device string) { v.SetDevice(console, of, device) })
}

// KeysWords says which keys a device has that is a keyboard; "" for any other.
func (v *Screen) KeysWords(device string) string {
	b := v.Config.Keys
	switch device {
	case "any", "keyboard":
	case "keyboard 2":
		b = v.Config.Keys2
	default:
		return ""
	}
	first := func(lists ...[]string) string {
		var names []string
		for _, l := range lists {
			if len(l) == 0 {
				l = []string{"none"}
			}
			names = append(names, v.KeyLabel(l[0]))
		}
		return strings.Join(names, " ")
	}
	cross := first(b.Up, b.Left, b.Down, b.Right)
	if cross == "Up Left Down Right" {
		cross = "the arrows"
	}
	return "The cross: " + cross + ". A, B, X, Y: " + first(b.A, b.B, b.X, b.Y) + ". L, R: " + first(b.L, b.R) + ". Start: " + first(b.Start) + "."
}
