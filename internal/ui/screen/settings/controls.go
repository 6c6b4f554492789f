package settings

import (
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/pads"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// binding is a list of keys, or of a controller's buttons, that do one thing.
type binding struct {
	key   string // of the settings: "keys.a"
	label string
	at    *[]string
}

// pad reports whether they are a controller's buttons.
func (b binding) pad() bool { return strings.HasPrefix(b.key, "pads.") }

// whose says whose button it is where there are two of that name.
func (b binding) whose() string {
	if strings.HasPrefix(b.key, "keys2.") {
		return " of the second player"
	}
	return ""
}

// noLonger says what a key or button that was taken from it does no more.
func (b binding) noLonger() string {
	section, name, _ := strings.Cut(strings.TrimPrefix(b.key, "pads."), ".")
	if console := section == "keys" || section == "keys2" || section == "buttons"; console && name != "lid" && name != "mic" {
		return "no longer presses “" + b.label + "”" + b.whose() + "."
	}
	return "is no longer for “" + b.label + "”" + b.whose() + "."
}

// bindings are all lists of keys and buttons of settings, in the order in which
// they are shown.
func bindings(c *config.Config) []binding {
	h, p := &c.Hotkeys, &c.Pads
	return slices.Concat(
		buttons("keys", &c.Keys),
		buttons("keys2", &c.Keys2),
		section("hotkeys", []binding{
			{"menu", "Menu", &h.Menu},
			{"help", "List of all keys", &h.Help},
			{"fullscreen", "Full screen", &h.Fullscreen},
			{"screenshot", "Take a picture", &h.Screenshot},
			{"layout", "Next screen layout", &h.Layout},
			{"mute", "Sound on or off", &h.Mute},
			{"hud", "Show ping and speed, or not", &h.HUD},
			{"chat", "Chat with the others", &h.Chat},
			{"record", "Record games or not", &h.Record},
			{"clip", "Keep the last 30 seconds", &h.Clip},
			{"emphasis", "Change the large screen", &h.Emphasis},
			{"rotate", "Turn the picture", &h.Rotate},
			{"swap", "Swap the screens", &h.Swap},
			{"others", "The others' consoles on or off", &h.Others},
			{"volume_down", "Quieter", &h.VolumeDown},
			{"volume_up", "Louder", &h.VolumeUp},
			{"pause", "Pause for all, or go on", &h.Pause},
			{"fast_forward", "Fast-forward, alone", &h.FastForward},
		}),
		buttons("pads.buttons", &p.Buttons),
		section("pads", []binding{
			{"touch", "Touch with the stylus", &p.Touch},
			{"menu", "Menu of the game", &p.Menu},
			{"swap", "Swap the screens", &p.Swap},
			{"layout", "Next screen layout", &p.Layout},
			{"clip", "Keep the last 30 seconds", &p.Clip},
		}),
	)
}

// printed returns what is printed on a key, or on a button of the controller whose buttons the page shows, by its
// name in the settings.
func (v *Screen) printed(name string, pad bool) string {
	if !pad {
		return v.KeyLabel(name)
	}
	return v.kindShown().Printed(name)
}

// printedAll is printed of several.
func (v *Screen) printedAll(names []string, pad bool) (list []string) {
	for _, name := range names {
		list = append(list, v.printed(name, pad))
	}
	return list
}

// kindShown says whose names buttons have: those of the controller whose buttons the page shows, else of the one
// that was used last.
func (v *Screen) kindShown() pads.Kind {
	for _, p := range v.Pads {
		if v.PadAt != "" && p.Name == v.PadAt {
			return p.Kind
		}
	}
	return v.PadKind
}

// bindingOf returns the binding of a key of the settings, nil where there is none.
func bindingOf(c *config.Config, key string) *binding {
	all := bindings(c)
	return screen.At(all, slices.IndexFunc(all, func(b binding) bool { return b.key == key }))
}

func buttons(name string, b *config.Buttons) []binding {
	return section(name, []binding{
		{"a", "A", &b.A},
		{"b", "B", &b.B},
		{"x", "X", &b.X},
		{"y", "Y", &b.Y},
		{"l", "L", &b.L},
		{"r", "R", &b.R},
		{"start", "START", &b.Start},
		{"select", "SELECT", &b.Select},
		{"up", "Up", &b.Up},
		{"down", "Down", &b.Down},
		{"left", "Left", &b.Left},
		{"right", "Right", &b.Right},
		{"lid", "Close the lid", &b.Lid},
		{"mic", "Blow into the microphone", &b.Mic},
	})
}

// section completes the keys of a section's bindings.
func section(name string, list []binding) []binding {
	for i := range list {
		list[i].key = name + "." + list[i].key
	}
	return list
}

func names(pad bool) []string {
	if pad {
		return config.PadNames()
	}
	return config.KeyNames()
}
