package pads

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/inputdelay"
)

// control is something of a device that is either pressed or not: a key, a button,
// or half of an axis, by its name in the settings.
type control = string

// keyOf is the console's key that each name of config.Buttons stands for.
var keyOf = map[string]inputdelay.Keys{
	"a": inputdelay.KeyA, "b": inputdelay.KeyB, "x": inputdelay.KeyX, "y": inputdelay.KeyY,
	"l": inputdelay.KeyL, "r": inputdelay.KeyR,
	"start": inputdelay.KeyStart, "select": inputdelay.KeySelect,
	"up": inputdelay.KeyUp, "down": inputdelay.KeyDown, "left": inputdelay.KeyLeft, "right": inputdelay.KeyRight,
	"lid": inputdelay.Lid, "mic": inputdelay.Mic,
}

// bindings says which keys of a console each control presses.
type bindings map[control]inputdelay.Keys

func bind(buttons config.Buttons) bindings {
	b := bindings{}
	for _, button := range buttons.All() {
		for _, name := range button.Names {
			b[name] |= keyOf[button.Name]
		}
	}
	return b
}

// Does returns the keys of a console that controls of a controller press by some mapping, and
// whether they put the stylus down.
func Does(m config.Mapping, controls []string) (keys inputdelay.Keys, touches bool) {
	b := bind(m.Buttons)
	for _, c := range controls {
		keys |= b[c]
		touches = touches || slices.Contains(m.Touch, c)
	}
	return cancelOpposites(keys), touches
}

// cancelOpposites lets go of directions of the cross that are held against each other.
func cancelOpposites(keys inputdelay.Keys) inputdelay.Keys {
	for _, pair := range [...]inputdelay.Keys{
		inputdelay.KeyUp | inputdelay.KeyDown, inputdelay.KeyLeft | inputdelay.KeyRight,
	} {
		if keys&pair == pair {
			keys &^= pair
		}
	}
	return keys
}
