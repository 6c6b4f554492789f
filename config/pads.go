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
