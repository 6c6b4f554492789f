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
	pad   bool // a controller's
	at    *[]string
}

// whose says whose button it is where there are two of that name.
func (b binding) whose() string {
	if strings.HasPrefix(b.key, "keys2.") {
		return " of the second player"
	}
	return ""
}

// bindings are all lists of keys and buttons of settings, in the order in which
// they are shown.
func bindings(c *config.Config) []binding {
	var list []binding
	list = append(list, buttons("keys", false, &c.Keys)...)
	list = append(list, buttons("keys2", false, &c.Keys2)...)
	h := &c.Hotkeys
	for _, b := range []binding{
		{"menu", "Menu", false, &h.Menu},
		{"help", "List of all keys", false, &h.Help},
		{"fullscreen", "Full screen", false, &h.Fullscreen},
		{"screenshot", "Take a picture", false, &h.Screenshot},
		{"layout", "Next arrangement", false, &h.Layout},
		{"mute", "Sound on or off", false, &h.Mute},
		{"hud", "Figures on or off", false, &h.HUD},
		{"chat", "Write to the others", false, &h.Chat},
		{"record", "Record games or not", false, &h.Record},
		{"emphasis", "Change the large screen", false, &h.Emphasis},
		{"swap", "Swap the screens", false, &h.Swap},
		{"others", "The others' consoles on or off", false, &h.Others},
		{"volume_down", "Quieter", false, &h.VolumeDown},
		{"volume_up", "Louder", false, &h.VolumeUp},
		{"pause", "Pause for all, or go on", false, &h.Pause},
		{"fast_forward", "Fast-forward, alone", false, &h.FastForward},
	} {
		b.key = "hotkeys." + b.key
		list = append(list, b)
	}
	list = append(list, buttons("pads.buttons", true, &c.Pads.Buttons)...)
	p := &c.Pads
	return append(list,
		binding{"pads.touch", "Touch with the stylus", true, &p.Touch}, binding{"pads.menu", "Menu of the game", true, &p.Menu},
		binding{"pads.swap", "Swap the screens", true, &p.Swap}, binding{"pads.layout", "Next arrangement", true, &p.Layout})
}

func buttons(section string, pad bool, b *config.Buttons) []binding {
	list := []binding{
		{"a", "A", pad, &b.A},
		{"b", "B", pad, &b.B},
		{"x", "X", pad, &b.X},
		{"y", "Y", pad, &b.Y},
		{"l", "L", pad, &b.L},
		{"r", "R", pad, &b.R},
		{"start", "START", pad, &b.Start},
		{"select", "SELECT", pad, &b.Select},
		{"up", "Up", pad, &b.Up},
		{"down", "Down", pad, &b.Down},
		{"left", "Left", pad, &b.Left},
		{"right", "Right", pad, &b.Right},
		{"lid", "Close the lid", pad, &b.Lid},
		{"mic", "Blow into the microphone", pad, &b.Mic},
	}
	for i := range list {
		list[i].key = section + "." + list[i].key
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
		if target.at == nil || !slices.Contains(names(target.pad), name) {
			v.Say("“" + name + "” cannot be used.")
			return
		}
		for _, b := range bindings(c) {
			if i := slices.Index(*b.at, name); i >= 0 && b.pad == target.pad && b.key != key {
				*b.at = slices.Delete(slices.Clone(*b.at), i, i+1)
				v.Say("“" + name + "” was “" + b.label + "”" + b.whose() + " before, and is not any more.")
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
