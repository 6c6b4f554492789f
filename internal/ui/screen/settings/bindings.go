package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/pads"
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
			{"layout", "Next arrangement", &h.Layout},
			{"mute", "Sound on or off", &h.Mute},
			{"hud", "Figures on or off", &h.HUD},
			{"chat", "Write to the others", &h.Chat},
			{"record", "Record games or not", &h.Record},
			{"emphasis", "Change the large screen", &h.Emphasis},
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
			{"layout", "Next arrangement", &p.Layout},
		}),
	)
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

// Bind gives a key or button to something, and takes it from anything else, and says so:
// each key does one thing.
func (v *Screen) Bind(key, name string, alone bool) {
	v.changeBindings(func(c *config.Config) {
		var target binding
		for _, b := range bindings(c) {
			if b.key == key {
				target = b
			}
		}
		if target.at == nil || !slices.Contains(names(target.pad()), name) {
			v.Say("“" + name + "” cannot be used.")
			return
		}
		for _, b := range bindings(c) {
			if i := slices.Index(*b.at, name); i >= 0 && b.pad() == target.pad() && b.key != key {
				*b.at = slices.Delete(slices.Clone(*b.at), i, i+1)
				v.Say("“" + name + "” " + b.noLonger())
			}
		}
		switch {
		case alone:
			*target.at = []string{name}
		case !slices.Contains(*target.at, name):
			*target.at = append(slices.Clone(*target.at), name)
		}
	})
}

// changeBindings changes keys and buttons: of controllers, those that the page shows.
func (v *Screen) changeBindings(change func(*config.Config)) {
	v.Change(func(c *config.Config) { v.forPad(c, change) })
}

// stickConflicts names the half axes of the stylus' stick that also press buttons. They
// work, so this is no mistake, but hardly anybody wants it.
func (v *Screen) stickConflicts() (words []string) {
	c := v.ofPad()
	for _, conflict := range pads.Conflicts(pads.Uses(*c, nil)) {
		if !slices.Contains(conflict.Uses, "pads.stylus") {
			continue // the button itself tells of that
		}
		var labels []string
		for _, use := range conflict.Uses {
			if use != "pads.stylus" {
				labels = append(labels, "“"+label(use)+"”")
			}
		}
		words = append(words, fmt.Sprintf("“%s” moves the stylus, and is also %s. Choose another stick for the stylus, below, or another button.", conflict.Name, strings.Join(labels, " and ")))
	}
	return words
}

// Unbind takes all keys or buttons from something.
func (v *Screen) Unbind(key string) {
	v.changeBindings(func(c *config.Config) {
		for _, b := range bindings(c) {
			if b.key == key {
				*b.at = []string{}
			}
		}
	})
}

// UsualBindings gives all keys, or all controller buttons, what they do when
// nobody changed them.
func (v *Screen) UsualBindings(pad bool) {
	usual := config.Defaults()
	v.Change(func(c *config.Config) {
		if pad {
			p, u := &c.Pads, usual.Pads
			p.Buttons, p.Touch, p.Menu, p.Layout, p.Swap = u.Buttons, u.Touch, u.Menu, u.Layout, u.Swap
			return
		}
		c.Keys, c.Keys2, c.Hotkeys = usual.Keys, usual.Keys2, usual.Hotkeys
	})
}

func names(pad bool) []string {
	if pad {
		return config.PadNames()
	}
	return config.KeyNames()
}
