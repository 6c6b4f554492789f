package pads

import (
	"slices"

	"github.com/nettplay/nettplay/config"
)

// A Conflict is a key or button that would do several things.
type Conflict struct {
	Pad  bool     // a controller's button, else a key
	Name string   // as the settings have it
	Uses []string // the settings that name it, such as "keys.a" and "hotkeys.menu"
}

// A Use is a setting and the keys or buttons it names.
type Use struct {
	Setting string
	Pad     bool
	Names   []string
}

// Uses lists what each key and button of the settings does; hotkeys are those of the
// program, which the caller knows.
func Uses(cfg config.Config, hotkeys []Use) []Use {
	var uses []Use
	add := func(section string, pad bool, buttons config.Buttons) {
		for _, b := range buttons.All() {
			uses = append(uses, Use{Setting: section + b.Name, Pad: pad, Names: b.Names})
		}
	}
	add("keys.", false, cfg.Keys)
	add("keys2.", false, cfg.Keys2)
	add("pads.buttons.", true, cfg.Pads.Buttons)
	var stylus []string // the half axes that move it
	if s := cfg.Pads.Stylus; s == "left" || s == "right" {
		stylus = []string{"-" + s + "x", "+" + s + "x", "-" + s + "y", "+" + s + "y"}
	}
	uses = append(uses,
		Use{"pads.touch", true, cfg.Pads.Touch}, Use{"pads.menu", true, cfg.Pads.Menu}, Use{"pads.layout", true, cfg.Pads.Layout},
		Use{"pads.swap", true, cfg.Pads.Swap}, Use{"pads.stylus", true, stylus})
	return append(uses, hotkeys...)
}

// Conflicts finds the keys and buttons that more than one setting names, in the order
// in which they first appear.
func Conflicts(uses []Use) []Conflict {
	var all []Conflict
	for _, use := range uses {
		for _, name := range use.Names {
			i := slices.IndexFunc(all, func(c Conflict) bool { return c.Pad == use.Pad && c.Name == name })
			if i < 0 {
				i = len(all)
				all = append(all, Conflict{Pad: use.Pad, Name: name})
			}
			if !slices.Contains(all[i].Uses, use.Setting) {
				all[i].Uses = append(all[i].Uses, use.Setting)
			}
		}
	}
	return slices.DeleteFunc(all, func(c Conflict) bool { return len(c.Uses) < 2 })
}
