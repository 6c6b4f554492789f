package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
)

// Bind gives a key or button to something, and takes it from anything else, and says so:
// each key does one thing.
func (v *Screen) Bind(key, name string, alone bool) {
	v.changeBindings(func(c *config.Config) {
		target := bindingOf(c, key)
		pad := strings.HasPrefix(key, "pads.")
		if target == nil || !slices.Contains(names(target.pad()), name) {
			v.SayOf("keys", "“"+v.printed(name, pad)+"” cannot be used.")
			return
		}
		for _, b := range bindings(c) {
			if i := slices.Index(*b.at, name); i >= 0 && b.pad() == target.pad() && b.key != key {
				*b.at = slices.Delete(slices.Clone(*b.at), i, i+1)
				v.SayOf("keys", "“"+v.printed(name, pad)+"” "+b.noLonger())
				v.took[b.key] = name
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

// taken says what the key of a button that has none does now: one that was taken from it, or its usual one; "" for none
// that does anything.
func (v *Screen) taken(c *config.Config, of binding) string {
	names := []string{v.took[of.key]}
	if usual := bindingOf(&v.usualConfig, of.key); usual != nil {
		names = append(names, *usual.at...)
	}
	for _, name := range names {
		for _, b := range bindings(c) {
			if b.pad() == of.pad() && b.key != of.key && slices.Contains(*b.at, name) {
				return fmt.Sprintf("none: %s is now “%s”%s", v.printed(name, of.pad()), b.label, b.whose())
			}
		}
	}
	return ""
}

// changeBindings changes keys and buttons: of controllers, those that the page shows.
func (v *Screen) changeBindings(change func(*config.Config)) {
	v.Change(func(c *config.Config) { v.forPad(c, change) })
}

// stickConflicts names the half axes of the stylus' stick that also press buttons. They
// work, so this is no mistake, but hardly anybody wants it.
func (v *Screen) stickConflicts() (words []string) {
	c := v.ofPad()
	stick := c.Pads.Stylus
	for _, name := range []string{"-" + stick + "y", "+" + stick + "y", "-" + stick + "x", "+" + stick + "x"} {
		var labels []string
		for _, b := range bindings(c) {
			if b.pad() && slices.Contains(*b.at, name) {
				labels = append(labels, "“"+v.label(b.key)+"”")
			}
		}
		if labels != nil {
			words = append(words, fmt.Sprintf("“%s” moves the stylus, and is also %s. Choose another stick for the stylus, below, or another button.", v.printed(name, true), strings.Join(labels, " and ")))
		}
	}
	return words
}

// Unbind takes all keys or buttons from something.
func (v *Screen) Unbind(key string) {
	v.changeBindings(func(c *config.Config) {
		if b := bindingOf(c, key); b != nil {
			*b.at = []string{}
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
			p.Buttons, p.Touch, p.Menu, p.Layout, p.Swap, p.Clip = u.Buttons, u.Touch, u.Menu, u.Layout, u.Swap, u.Clip
			return
		}
		c.Keys, c.Keys2, c.Hotkeys = usual.Keys, usual.Keys2, usual.Hotkeys
	})
}
