package config

import (
	"fmt"
	"slices"
	"strings"
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
	Doc   string   // what it is
	Names []string // of the keys or controller buttons that press it
}

// All returns all buttons in the order of the file.
func (b Buttons) All() []Button {
	list := make([]Button, 0, 14)
	for _, r := range b.refs() {
		list = append(list, Button{r.name, r.doc, *r.at(&b)})
	}
	return list
}

// buttonRef names a field of Buttons.
type buttonRef struct {
	name, doc string
	at        func(*Buttons) *[]string
}

// refs lists the fields of Buttons.
func (Buttons) refs() []buttonRef {
	return []buttonRef{
		{"a", "A, the right one of the four.", func(b *Buttons) *[]string { return &b.A }},
		{"b", "B, the lowest of the four.", func(b *Buttons) *[]string { return &b.B }},
		{"x", "X, the highest of the four.", func(b *Buttons) *[]string { return &b.X }},
		{"y", "Y, the left one of the four.", func(b *Buttons) *[]string { return &b.Y }},
		{"l", "The left shoulder button.", func(b *Buttons) *[]string { return &b.L }},
		{"r", "The right shoulder button.", func(b *Buttons) *[]string { return &b.R }},
		{"start", "START.", func(b *Buttons) *[]string { return &b.Start }},
		{"select", "SELECT.", func(b *Buttons) *[]string { return &b.Select }},
		{"up", "Up on the cross.", func(b *Buttons) *[]string { return &b.Up }},
		{"down", "Down on the cross.", func(b *Buttons) *[]string { return &b.Down }},
		{"left", "Left on the cross.", func(b *Buttons) *[]string { return &b.Left }},
		{"right", "Right on the cross.", func(b *Buttons) *[]string { return &b.Right }},
		{"lid", "Closes the console while it is held.", func(b *Buttons) *[]string { return &b.Lid }},
		{"mic", "Blows into the microphone while it is held.", func(b *Buttons) *[]string { return &b.Mic }},
	}
}

// buttonFields describes a section of buttons.
func buttonFields(section, allowed string, at func(*Config) *Buttons, name func(string) string) []field {
	var fields []field
	for _, r := range (Buttons{}).refs() {
		fields = append(fields, newField(section+"."+r.name, r.doc, allowed,
			func(c *Config) *[]string { return r.at(at(c)) }, each(8, name)))
	}
	return fields
}

// yielding marks fields that files of earlier versions do not have.
func yielding(fields []field) []field {
	for i := range fields {
		fields[i].yields = true
	}
	return fields
}

// Pads is how controllers are used.
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
	// Own is how single controllers differ from Buttons and Touch, by their names; see
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

func defaultPads() Pads {
	return Pads{
		Devices: []string{"any"}, Deadzone: 0.25,
		Stylus: "right", Speed: 1, Touch: []string{"righttrigger", "rightstick"}, Own: map[string]string{},
		Menu: []string{"guide"}, Layout: []string{"touchpad", "paddle1"}, Swap: []string{"lefttrigger"},
		Buttons: Buttons{
			A: []string{"b"}, B: []string{"a"}, X: []string{"y"}, Y: []string{"x"},
			L: []string{"leftshoulder"}, R: []string{"rightshoulder"}, Start: []string{"start"}, Select: []string{"back"},
			Up: []string{"dpup", "-lefty"}, Down: []string{"dpdown", "+lefty"},
			Left: []string{"dpleft", "-leftx"}, Right: []string{"dpright", "+leftx"},
			Lid: []string{}, Mic: []string{"leftstick"},
		},
	}
}

func defaultHotkeys() Hotkeys {
	return Hotkeys{
		Menu: []string{"Escape"}, Fullscreen: []string{"F11"}, Screenshot: []string{"F12"}, Layout: []string{"F2"},
		Mute: []string{"F3"}, HUD: []string{"F8"}, Chat: []string{"Tab"}, Record: []string{"F4"},
		Emphasis: []string{"F5"}, Swap: []string{"F6"}, Others: []string{"F7"},
		VolumeDown: []string{"F9"}, VolumeUp: []string{"F10"}, Pause: []string{"Pause"}, FastForward: []string{"Space"},
		Help: []string{"F1"},
	}
}

func padFields() []field {
	later := func(name, doc string, at func(*Pads) *[]string) field {
		return yielding([]field{newField("pads."+name, doc, padNamesAllowed(), func(c *Config) *[]string { return at(&c.Pads) }, each(8, whyPadName))})[0]
	}
	return []field{
		newField("pads.devices", `Which device plays: one for each seat of this machine. "any" is the keyboard and all controllers together; "keyboard 2" is the second set of keys; "pad 1" is the first controller that was plugged in.`,
			`a list of "any", "keyboard", "keyboard 2", "pad 1" to "pad 16", or a part of a controller's name`,
			func(c *Config) *[]string { return &c.Pads.Devices }, whyDevices),
		newField("pads.deadzone", "How far a stick must be moved to count, as a share of its way.",
			"0.0 to 0.9", func(c *Config) *float64 { return &c.Pads.Deadzone }, between(0.0, 0.9)),
		newField("pads.stylus", "The stick that moves the stylus over the bottom screen.",
			strings.Join(Sticks(), ", "), func(c *Config) *string { return &c.Pads.Stylus }, oneOf(Sticks())),
		newField("pads.speed", "How fast the stick moves the stylus. At 1 it crosses the screen in a good second.",
			"0.25 to 4.0", func(c *Config) *float64 { return &c.Pads.Speed }, between(0.25, 4.0)),
		newField("pads.touch", "The buttons that put the stylus down.",
			padNamesAllowed(), func(c *Config) *[]string { return &c.Pads.Touch }, each(8, whyPadName)),
		later("menu", "The buttons that open the menu of the game. START and SELECT, held for a second, open it too.", func(p *Pads) *[]string { return &p.Menu }),
		later("layout", "The buttons for the next arrangement of the screens.", func(p *Pads) *[]string { return &p.Layout }),
		later("swap", "The buttons that let the two screens change places.", func(p *Pads) *[]string { return &p.Swap }),
		newField("pads.own", "Buttons of single controllers that differ from those of all, by the controller's name.",
			`"name of a controller" = "a: b; up: dpup, -lefty" pairs in { }, or as lines under [pads.own]`, func(c *Config) *map[string]string { return &c.Pads.Own }, whyMappings),
	}
}

func hotkeyFields() []field {
	hotkey := func(name, doc string, at func(*Hotkeys) *[]string) field {
		return newField("hotkeys."+name, doc, keyNamesAllowed(),
			func(c *Config) *[]string { return at(&c.Hotkeys) }, each(8, whyKeyName))
	}
	later := func(name, doc string, at func(*Hotkeys) *[]string) field {
		return yielding([]field{hotkey(name, doc, at)})[0]
	}
	return []field{
		hotkey("menu", "Opens the menu.", func(h *Hotkeys) *[]string { return &h.Menu }),
		hotkey("fullscreen", "Window or whole display.", func(h *Hotkeys) *[]string { return &h.Fullscreen }),
		hotkey("screenshot", "Saves a picture of all consoles.", func(h *Hotkeys) *[]string { return &h.Screenshot }),
		hotkey("layout", "The next arrangement of the screens.", func(h *Hotkeys) *[]string { return &h.Layout }),
		hotkey("mute", "Sound on or off.", func(h *Hotkeys) *[]string { return &h.Mute }),
		later("hud", "Ping, frames and delay on or off.", func(h *Hotkeys) *[]string { return &h.HUD }),
		hotkey("chat", "Write to the other players.", func(h *Hotkeys) *[]string { return &h.Chat }),
		hotkey("record", "Records games or not, from the next room on.", func(h *Hotkeys) *[]string { return &h.Record }),
		later("emphasis", "Makes the top screen large, the bottom screen, or both alike.", func(h *Hotkeys) *[]string { return &h.Emphasis }),
		later("swap", "Lets the two screens change places.", func(h *Hotkeys) *[]string { return &h.Swap }),
		later("others", "Shows the other players' consoles, or not.", func(h *Hotkeys) *[]string { return &h.Others }),
		later("volume_down", "Quieter.", func(h *Hotkeys) *[]string { return &h.VolumeDown }),
		later("volume_up", "Louder.", func(h *Hotkeys) *[]string { return &h.VolumeUp }),
		later("pause", "Pauses the game for all players, or goes on.", func(h *Hotkeys) *[]string { return &h.Pause }),
		later("fast_forward", "While it is held, the game runs as fast as the computer can. It works only when you play alone.", func(h *Hotkeys) *[]string { return &h.FastForward }),
		later("help", "Shows what all keys do.", func(h *Hotkeys) *[]string { return &h.Help }),
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

// inputDevice is what a section binds: the "keyboard", a "pad", or "".
func inputDevice(section string) string {
	switch section {
	case "keys", "keys2", "hotkeys":
		return "keyboard"
	case "pads", "pads.buttons":
		return "pad"
	}
	return ""
}

// clashes finds names that do two things: of keys, and of controller buttons.
func clashes(c Config) (problems []Problem) {
	inputs := map[string]string{} // what each already does, by "keyboard" or "pad" and name
	for _, s := range schema() {
		device := inputDevice(s.key)
		for _, f := range s.fields {
			names, isList := f.at(&c).(*[]string)
			if device == "" || !isList || f.key == "pads.devices" {
				continue
			}
			for _, name := range *names {
				other, taken := inputs[device+" "+name]
				if taken && other != f.key {
					problems = append(problems, Problem{
						Key: f.key, Other: other,
						Why:     fmt.Sprintf("%q is in %s already", name, other),
						Allowed: "each key or button in one place",
					})
				}
				inputs[device+" "+name] = f.key
			}
		}
	}
	return append(problems, mappingClashes(c.Pads)...)
}
