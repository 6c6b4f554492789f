package pads

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
)

// A Conflict is a key or button that would do several things.
type Conflict struct {
	Pad  bool     // a controller's button, else a key
	Name string   // as the settings have it
	Uses []string // the settings that name it, such as "keys.a" and "hotkeys.menu"
}

// String says it in words.
func (c Conflict) String() string {
	what := "key"
	if c.Pad {
		what = "button"
	}
	return fmt.Sprintf("the %s %q is in %s", what, c.Name, strings.Join(c.Uses, " and "))
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
	for _, b := range []Use{
		{Setting: "pads.touch", Names: cfg.Pads.Touch},
		{Setting: "pads.menu", Names: cfg.Pads.Menu},
		{Setting: "pads.layout", Names: cfg.Pads.Layout},
		{Setting: "pads.swap", Names: cfg.Pads.Swap},
	} {
		b.Pad = true
		uses = append(uses, b)
	}
	uses = append(uses, stylusUse(cfg.Pads.Stylus))
	return append(uses, hotkeys...)
}

// stylusUse is the half axes that move the stylus.
func stylusUse(stick string) Use {
	use := Use{Setting: "pads.stylus", Pad: true}
	if stick == "left" || stick == "right" {
		use.Names = []string{"-" + stick + "x", "+" + stick + "x", "-" + stick + "y", "+" + stick + "y"}
	}
	return use
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
