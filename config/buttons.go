package config

import (
	"fmt"
	"slices"
)

// Buttons says what presses each button of a console: names of keys or of
// controller buttons, none or several.
type Buttons struct {
	A, B, X, Y, L, R, Start, Select []string
	Up, Down, Left, Right           []string
	Lid, Mic                        []string // while held: closed; noise in the microphone
}

// Button is one button of a console and what presses it.
type Button struct {
	Name  string   // as in the file: "a", "start", "up", "lid"
	Names []string // of the keys or controller buttons that press it
}

// All returns all buttons in the order of the file.
func (b Buttons) All() []Button {
	list := make([]Button, 0, 14)
	for _, r := range b.refs() {
		list = append(list, Button{r.name, *r.names})
	}
	return list
}

// buttonRef is a field of Buttons.
type buttonRef struct {
	name  string
	names *[]string
	doc   string
}

// refs lists the fields.
func (b *Buttons) refs() []buttonRef {
	return []buttonRef{
		{"a", &b.A, "A, the right one of the four."},
		{"b", &b.B, "B, the lowest of the four."},
		{"x", &b.X, "X, the highest of the four."},
		{"y", &b.Y, "Y, the left one of the four."},
		{"l", &b.L, "The left shoulder button."},
		{"r", &b.R, "The right shoulder button."},
		{"start", &b.Start, "START."},
		{"select", &b.Select, "SELECT."},
		{"up", &b.Up, "Up on the cross."},
		{"down", &b.Down, "Down on the cross."},
		{"left", &b.Left, "Left on the cross."},
		{"right", &b.Right, "Right on the cross."},
		{"lid", &b.Lid, "Closes the console while it is held."},
		{"mic", &b.Mic, "Blows into the microphone while it is held."},
	}
}

// fields describes a section of buttons.
func (b *Buttons) fields(list func(name string, ptr *[]string, doc string, usual ...string) field, usual Buttons) (fields []field) {
	defaults := usual.All()
	for i, r := range b.refs() {
		fields = append(fields, list(r.name, r.names, r.doc, defaults[i].Names...))
	}
	return fields
}

// Pads holds the settings of controllers.
type Pads struct {
	// Devices says which device plays each of this machine's seats, in their
	// order: "any", "keyboard", "keyboard 2", "pad 1" to "pad 16", or a part of the
	// name of a controller.
	Devices  []string
	Deadzone float64  // share of a stick's way that counts as the middle, 0 to 0.9
	Stylus   string   // one of Sticks: it moves the stylus
	Speed    float64  // of the stylus, 0.25 to 4: 1 is across the screen in a good second
	Touch    []string // controller buttons that put the stylus down
	Menu     []string // controller buttons that open the menu of the game
	Layout   []string // controller buttons for the next arrangement of the screens
	Swap     []string // controller buttons that let the two screens change places
	Buttons  Buttons  // controller buttons and half axes, by SDL's names
	// Own holds the differences of single controllers from Buttons and Touch, by their names; see
	// [Pads.MappingOf].
	Own map[string]string
}

// Sticks returns which stick of a controller can move the stylus.
func Sticks() []string { return []string{"left", "right", "none"} }

// Hotkeys are keys for the program itself, by SDL scancode names.
type Hotkeys struct {
	Menu, Fullscreen, Screenshot, Layout, Mute, HUD, Chat, Record []string
	Emphasis, Swap, Others, VolumeDown, VolumeUp, Pause           []string
	FastForward                                                   []string // while held
	Help                                                          []string
}

func defaultKeys() Buttons {
	return Buttons{
		A: []string{"X"}, B: []string{"Z"}, X: []string{"S"}, Y: []string{"A"},
		L: []string{"Q"}, R: []string{"W"}, Start: []string{"Return"}, Select: []string{"Right Shift"},
		Up: []string{"Up"}, Down: []string{"Down"}, Left: []string{"Left"}, Right: []string{"Right"},
		Lid: []string{}, Mic: []string{"M"},
	}
}

// defaultKeys2 leaves alone what [defaultKeys] and the hotkeys use. The right hand has the
// cross, as there.
func defaultKeys2() Buttons {
	return Buttons{
		A: []string{"G"}, B: []string{"F"}, X: []string{"T"}, Y: []string{"R"},
		L: []string{"E"}, R: []string{"Y"}, Start: []string{"P"}, Select: []string{"O"},
		Up: []string{"I"}, Down: []string{"K"}, Left: []string{"J"}, Right: []string{"L"},
		Lid: []string{}, Mic: []string{"N"},
	}
}

func defaultPadButtons() Buttons {
	return Buttons{
		A: []string{"b"}, B: []string{"a"}, X: []string{"y"}, Y: []string{"x"},
		L: []string{"leftshoulder"}, R: []string{"rightshoulder"}, Start: []string{"start"}, Select: []string{"back"},
		Up: []string{"dpup", "-lefty"}, Down: []string{"dpdown", "+lefty"},
		Left: []string{"dpleft", "-leftx"}, Right: []string{"dpright", "+leftx"},
		Lid: []string{}, Mic: []string{"leftstick"},
	}
}

func (p *Pads) fields() []field {
	return []field{
		setting("devices", &p.Devices, []string{"any"}, `The device of each seat of this machine. "any" is the keyboard and all controllers together; "keyboard 2" is the second set of keys; "pad 1" is the first controller that was plugged in.`,
			`a list of "any", "keyboard", "keyboard 2", "pad 1" to "pad 16", or a part of a controller's name`, whyDevices),
		number("deadzone", &p.Deadzone, 0.25, 0, 0.9, "How far a stick must be moved to count, as a share of its way."),
		choice("stylus", &p.Stylus, "right", Sticks(), "The stick that moves the stylus over the bottom screen."),
		number("speed", &p.Speed, 1, 0.25, 4, "How fast the stick moves the stylus. At 1 it crosses the screen in a good second."),
		padList("touch", &p.Touch, "The buttons that put the stylus down.", "righttrigger", "rightstick"),
		padList("menu", &p.Menu, "The buttons that open the menu of the game. START and SELECT, held for a second, open it too.", "guide").later(),
		padList("layout", &p.Layout, "The buttons for the next arrangement of the screens.", "touchpad", "paddle1").later(),
		padList("swap", &p.Swap, "The buttons that let the two screens change places.", "lefttrigger").later(),
		setting("own", &p.Own, map[string]string{}, "Buttons of single controllers that differ from those of all, by the controller's name.",
			`"name of a controller" = "a: b; up: dpup, -lefty" pairs in { }, or as lines under [pads.own]`, whyMappings),
	}
}

func (h *Hotkeys) fields() []field {
	return []field{
		keyList("menu", &h.Menu, "Opens the menu.", "Escape"),
		keyList("fullscreen", &h.Fullscreen, "Window or whole display.", "F11"),
		keyList("screenshot", &h.Screenshot, "Saves a picture of all consoles.", "F12"),
		keyList("layout", &h.Layout, "The next arrangement of the screens.", "F2"),
		keyList("mute", &h.Mute, "Sound on or off.", "F3"),
		keyList("hud", &h.HUD, "Ping, frames and delay on or off.", "F8").later(),
		keyList("chat", &h.Chat, "Write to the other players.", "Tab"),
		keyList("record", &h.Record, "Records games or not, from the next room on.", "F4"),
		keyList("emphasis", &h.Emphasis, "Makes the top screen large, the bottom screen, or both alike.", "F5").later(),
		keyList("swap", &h.Swap, "Lets the two screens change places.", "F6").later(),
		keyList("others", &h.Others, "Shows the other players' consoles, or not.", "F7").later(),
		keyList("volume_down", &h.VolumeDown, "Quieter.", "F9").later(),
		keyList("volume_up", &h.VolumeUp, "Louder.", "F10").later(),
		keyList("pause", &h.Pause, "Pauses the game for all players, or goes on.", "Pause").later(),
		keyList("fast_forward", &h.FastForward, "While it is held, the game runs as fast as the computer can. It works only when you play alone.", "Space").later(),
		keyList("help", &h.Help, "Shows what all keys do.", "F1").later(),
	}
}

// whyDevices allows names of devices; only "any" may play several seats.
func whyDevices(list []string) string {
	if len(list) == 0 || len(list) > 16 {
		return fmt.Sprintf("has %d entries, 1 to 16 are possible", len(list))
	}
	for i, name := range list {
		if why := printable(1, 64)(name); why != "" {
			return why
		}
		if name != "any" && slices.Contains(list[:i], name) {
			return fmt.Sprintf("%q stands twice", name)
		}
	}
	return ""
}

// clashes finds names that do two things: of keys, and of controller buttons.
func clashes(all []field, p Pads) (problems []Problem) {
	inputs := map[string]string{} // what each already does, by "keyboard" or "pad" and name
	for _, f := range all {
		if f.device == "" {
			continue
		}
		for _, name := range *f.names() {
			other, taken := inputs[f.device+" "+name]
			if taken && other != f.key {
				problems = append(problems, Problem{
					Key: f.key, Other: other,
					Why:     fmt.Sprintf("%q is in %s already", name, other),
					Allowed: "each key or button in one place",
				})
			}
			inputs[f.device+" "+name] = f.key
		}
	}
	return append(problems, mappingClashes(p)...)
}
