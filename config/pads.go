package config

import (
	"fmt"
	"slices"
)

// Pads holds the settings of controllers.
type Pads struct {
	// Devices says which device plays each of this machine's seats, in their
	// order: "any", "keyboard", "keyboard 2", "pad 1" to "pad 16", or a part of the
	// name of a controller.
	Devices  []string
	Deadzone float64  // share of a stick's way that counts as the middle, 0 to 0.9
	Stylus   string   // one of Sticks: it moves the stylus
	Speed    float64  // of the stylus, 0.25 to 4: 1 is across the screen in a good second
	Turn     bool     // the cross turns with a turned picture, also on the keyboard
	Touch    []string // controller buttons that put the stylus down
	Menu     []string // controller buttons that open the menu of the game
	Layout   []string // controller buttons for the next arrangement of the screens
	Swap     []string // controller buttons that let the two screens change places
	Clip     []string // controller buttons that keep the last 30 seconds
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
	Emphasis, Rotate, Swap, Others, VolumeDown, VolumeUp, Pause   []string
	FastForward                                                   []string // while held
	Help, Clip                                                    []string
}

func (p *Pads) fields() []field {
	return []field{
		setting("devices", &p.Devices, []string{"any"}, `The device of each seat of this computer. "any" is the keyboard and all controllers together; "keyboard 2" is the second set of keys; "pad 1" is the controller plugged in first, and stays so when it comes back.`,
			`a list of "any", "keyboard", "keyboard 2", "pad 1" to "pad 16", or a part of a controller's name`, whyDevices).shown("The device of each console of this computer. “Any device” is the keyboard and every controller that no other console has. “Pad 1” is the controller plugged in first, and stays so when it comes back.").placed(),
		number("deadzone", &p.Deadzone, 0.25, 0, 0.9, "How far a stick must be moved to count, as a share of its way."),
		choice("stylus", &p.Stylus, "right", Sticks(), "The stick that moves the stylus over the bottom screen."),
		number("speed", &p.Speed, 1, 0.25, 4, "How fast the stick moves the stylus. At 1 it crosses the screen in a good second."),
		toggle("turn", &p.Turn, true, "Turn the cross with a turned picture, so that up is up as you see it, with controllers and on the keyboard. The other buttons stay as they are.").shown("While the picture is turned: up on the cross is up as you see it, with controllers and on the keyboard. The other buttons stay as they are."),
		padList("touch", &p.Touch, "The buttons that put the stylus down.", "righttrigger", "rightstick"),
		padList("menu", &p.Menu, "The buttons that open the menu of the game. START and SELECT, held for a second, open it too.", "guide").later(),
		padList("layout", &p.Layout, "The buttons for the next screen layout.", "touchpad", "paddle1").later(),
		padList("swap", &p.Swap, "The buttons that let the two screens change places.", "lefttrigger").later(),
		padList("clip", &p.Clip, "The buttons that keep the last 30 seconds of the game as a clip. Usually none: a game needs what most controllers have.").later(),
		setting("own", &p.Own, map[string]string{}, "Buttons of single controllers that differ from those of all, by the controller's name.",
			`"name of a controller" = "a: b; up: dpup, -lefty" pairs in { }, or as lines under [pads.own]`, whyMappings).shown("Changes here apply to all controllers without buttons of their own. Choose a controller to give it its own."),
	}
}

func (h *Hotkeys) fields() []field {
	return []field{
		keyList("menu", &h.Menu, "Opens the menu.", "Escape"),
		keyList("fullscreen", &h.Fullscreen, "Window or whole display.", "F11"),
		keyList("screenshot", &h.Screenshot, "Saves a picture of all consoles.", "F12"),
		keyList("layout", &h.Layout, "The next screen layout.", "F2"),
		keyList("mute", &h.Mute, "Sound on or off.", "F3"),
		keyList("hud", &h.HUD, "Ping, frames and delay on or off.", "F8").later(),
		keyList("chat", &h.Chat, "Write to the other players.", "Tab"),
		keyList("record", &h.Record, "Records games or not, from the next room on.", "F4"),
		keyList("emphasis", &h.Emphasis, "Makes the top screen large, the bottom screen, or both alike.", "F5").later(),
		keyList("rotate", &h.Rotate, "Turns the picture to the left, to the right, or back.", "B").later(),
		keyList("swap", &h.Swap, "Lets the two screens change places.", "F6").later(),
		keyList("others", &h.Others, "Shows the other players' consoles, or not.", "F7").later(),
		keyList("volume_down", &h.VolumeDown, "Quieter.", "F9").later(),
		keyList("volume_up", &h.VolumeUp, "Louder.", "F10").later(),
		keyList("pause", &h.Pause, "Pauses the game for all players, or goes on.", "Pause").later(),
		keyList("fast_forward", &h.FastForward, "While it is held, the game runs as fast as the computer can. It works only when you play alone.", "Space").later(),
		keyList("clip", &h.Clip, "Keeps the last 30 seconds of the game as a clip, to be found in its recording.", "C").later(),
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
					Control: name,
					item:    name,
				})
			}
			inputs[f.device+" "+name] = f.key
		}
	}
	return append(problems, mappingClashes(p)...)
}

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
	usual [3][]string // what presses it by default, by the section
}

// The sections of buttons. The second keys leave alone what the first and the hotkeys use, and the right
// hand has the cross, as there.
const (
	firstKeys = iota
	secondKeys
	padButtons
)

// refs lists the fields.
func (b *Buttons) refs() []buttonRef {
	return []buttonRef{
		{"a", &b.A, "A, the right one of the four.", [...][]string{{"X"}, {"G"}, {"b"}}},
		{"b", &b.B, "B, the lowest of the four.", [...][]string{{"Z"}, {"F"}, {"a"}}},
		{"x", &b.X, "X, the highest of the four.", [...][]string{{"S"}, {"T"}, {"y"}}},
		{"y", &b.Y, "Y, the left one of the four.", [...][]string{{"A"}, {"R"}, {"x"}}},
		{"l", &b.L, "The left shoulder button.", [...][]string{{"Q"}, {"E"}, {"leftshoulder"}}},
		{"r", &b.R, "The right shoulder button.", [...][]string{{"W"}, {"Y"}, {"rightshoulder"}}},
		{"start", &b.Start, "START.", [...][]string{{"Return"}, {"P"}, {"start"}}},
		{"select", &b.Select, "SELECT.", [...][]string{{"Right Shift"}, {"O"}, {"back"}}},
		{"up", &b.Up, "Up on the cross.", [...][]string{{"Up"}, {"I"}, {"dpup", "-lefty"}}},
		{"down", &b.Down, "Down on the cross.", [...][]string{{"Down"}, {"K"}, {"dpdown", "+lefty"}}},
		{"left", &b.Left, "Left on the cross.", [...][]string{{"Left"}, {"J"}, {"dpleft", "-leftx"}}},
		{"right", &b.Right, "Right on the cross.", [...][]string{{"Right"}, {"L"}, {"dpright", "+leftx"}}},
		{"lid", &b.Lid, "Closes the console while it is held.", [3][]string{}},
		{"mic", &b.Mic, "Blows into the microphone while it is held.", [...][]string{{"M"}, {"N"}, {"leftstick"}}},
	}
}

// fields describes a section of buttons.
func (b *Buttons) fields(list func(name string, ptr *[]string, doc string, usual ...string) field, section int) (fields []field) {
	for _, r := range b.refs() {
		fields = append(fields, list(r.name, r.names, r.doc, r.usual[section]...))
	}
	return fields
}
