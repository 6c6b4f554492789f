package pads

import (
	"strings"

	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Kind says what is printed on a controller's buttons. The settings' names are by place: "a" is the lowest of
// the four on each of them.
type Kind uint8

// The kinds.
const (
	Plain Kind = iota // as the older controllers of the Xbox, and many others
	Xbox
	PlayStation3
	PlayStation4
	PlayStation5
	Nintendo
	JoyCon // a single one, held sideways: what is printed on it is by no place
)

// Printed returns what is printed on a button of a controller, or what it is called, by its name in the settings:
// "Cross" for "a". Half axes are "Left stick up" and so on.
func (k Kind) Printed(control string) string {
	if name := ownNames[k][control]; name != "" {
		return name
	}
	if name := plainNames[control]; name != "" {
		return name
	}
	return control
}

// Short is what fits onto a button in a picture of a controller; "" for nothing.
func (k Kind) Short(control string) string {
	switch name := k.Printed(control); {
	case control == "guide":
		return ""
	case shapes[name] != "":
		return shapes[name]
	case k == JoyCon:
		return ""
	default:
		return name
	}
}

// shapes are the signs on the buttons of a PlayStation, as far as the window's font has them.
var shapes = map[string]string{"Cross": "×", "Circle": "○", "Square": "□", "Triangle": "▲"}

// plainNames are those of what the kinds have no other names for.
var plainNames = map[control]string{
	"a": "A", "b": "B", "x": "X", "y": "Y", "back": "Back", "guide": "Guide", "start": "Start",
	"leftshoulder": "LB", "rightshoulder": "RB", "lefttrigger": "LT", "righttrigger": "RT",
	"leftstick": "Left stick click", "rightstick": "Right stick click",
	"dpup": "D-pad up", "dpdown": "D-pad down", "dpleft": "D-pad left", "dpright": "D-pad right",
	"-leftx": "Left stick left", "+leftx": "Left stick right", "-lefty": "Left stick up", "+lefty": "Left stick down",
	"-rightx": "Right stick left", "+rightx": "Right stick right", "-righty": "Right stick up", "+righty": "Right stick down",
	"misc1": "Extra button", "paddle1": "Paddle 1", "paddle2": "Paddle 2", "paddle3": "Paddle 3", "paddle4": "Paddle 4",
	"touchpad": "Touchpad",
}

var ownNames = [...]map[control]string{
	Plain:        nil,
	Xbox:         {"back": "View", "guide": "Xbox", "start": "Menu", "misc1": "Share"},
	PlayStation3: playStation("Select", "Start"),
	PlayStation4: playStation("Share", "Options"),
	PlayStation5: playStation("Create", "Options"),
	Nintendo: {
		"a": "B", "b": "A", "x": "Y", "y": "X", "back": "−", "start": "+", "guide": "Home", "misc1": "Capture",
		"leftshoulder": "L", "rightshoulder": "R", "lefttrigger": "ZL", "righttrigger": "ZR",
	},
	JoyCon: {
		"a": "Lower button", "b": "Right button", "x": "Left button", "y": "Upper button",
		"leftshoulder": "SL", "rightshoulder": "SR", "back": "−", "start": "+", "guide": "Home", "misc1": "Capture",
	},
}

func playStation(back, start string) map[control]string {
	return map[control]string{
		"a": "Cross", "b": "Circle", "x": "Square", "y": "Triangle", "back": back, "start": start, "guide": "PS",
		"leftshoulder": "L1", "rightshoulder": "R1", "lefttrigger": "L2", "righttrigger": "R2",
		"leftstick": "L3", "rightstick": "R3", "misc1": "Mute",
	}
}

// accepts returns the button that presses in menus, and the one that goes back: A and B where they are printed on
// a controller of Nintendo's, else the places that they have on an Xbox's.
func (k Kind) accepts() (accept, back control) {
	if k == Nintendo {
		return "b", "a"
	}
	return "a", "b"
}

// Back is the button that goes back in menus, by its name in the settings.
func (k Kind) Back() string {
	_, back := k.accepts()
	return back
}

// Words are the names of the buttons that hints speak of.
func (k Kind) Words() widgets.PadWords {
	accept, back := k.accepts()
	return widgets.PadWords{
		Accept: k.Printed(accept), Back: k.Printed(back), Forward: k.Printed("start"),
		Previous: k.Printed("leftshoulder"), Next: k.Printed("rightshoulder"),
	}
}

// move is what a button of a controller does in menus.
func (k Kind) move(name control) widgets.Nav {
	switch accept, back := k.accepts(); name {
	case accept:
		return widgets.NavAccept
	case back:
		return widgets.NavBack
	}
	return moveOf[name]
}

// Makers' numbers, as USB and Bluetooth have them.
const (
	madeBySony     = 0x054c
	madeByNintendo = 0x057e
	madeBy8BitDo   = 0x2dc8
)

// nintendoLike are parts of the names of 8BitDo's controllers on which the letters stand as on Nintendo's.
var nintendoLike = []string{"sn30", "sf30", "n30", "f30", "fc30", "sfc30", "snes30", "nes30", "lite", "zero", "pro 2"}

// KindOf returns what is printed on a controller, by what SDL takes it for, its maker and its name.
func KindOf(sdlKind Kind, maker int, name string) Kind {
	if sdlKind != Plain {
		return sdlKind
	}
	switch maker {
	case madeBySony:
		return PlayStation4
	case madeByNintendo:
		return Nintendo
	case madeBy8BitDo:
		lower := strings.ToLower(name)
		for _, part := range nintendoLike {
			if strings.Contains(lower, part) {
				return Nintendo
			}
		}
	}
	return Plain
}
