package settings

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// A controller can have buttons of its own. While the page shows those of one, the settings
// that it shows and changes are as if they were those of all.

// forPad changes settings as if the mapping of the controller that the page shows were that
// of all.
func (v *Screen) forPad(c *config.Config, change func(*config.Config)) {
	if v.PadAt == "" {
		change(c)
		return
	}
	all, own := c.Pads.MappingOf(""), c.Pads.MappingOf(v.PadAt)
	c.Pads.SetMapping("", own)
	change(c)
	own = c.Pads.MappingOf("")
	c.Pads.SetMapping("", all)
	c.Pads.SetMapping(v.PadAt, own)
}

// ofPad returns the settings of the form as the controller that the page shows has them.
func (v *Screen) ofPad() *config.Config {
	c := Clone(*v.draft())
	m := c.Pads.MappingOf(v.PadAt)
	c.Pads.Buttons, c.Pads.Touch = m.Buttons, m.Touch
	return &c
}

// mappable returns the names of the controllers that are there or have buttons of their own.
func (v *Screen) mappable() (names []string) {
	for _, p := range v.Pads {
		if v.draft().Pads.Keeps(p.Name) && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	var absent []string
	for name := range v.draft().Pads.Own {
		if !slices.Contains(names, name) {
			absent = append(absent, name)
		}
	}
	slices.Sort(absent)
	return append(names, absent...)
}

// mapping chooses the controller whose buttons the page shows.
func (v *Screen) mapping(u *widgets.UI, r row) {
	v.Offered(r.key)
	v.strangers(u)
	list := v.mappable()
	if !slices.Contains(list, v.PadAt) {
		v.PadAt = ""
	}
	names := []string{"All controllers"}
	for _, name := range list {
		shown := PrintableName(name)
		if _, own := v.draft().Pads.Own[name]; own {
			shown += " · its own"
		}
		names = append(names, shown)
	}
	u.Row(widgets.Cells(deviceLabel(u), widgets.Fill, widgets.Auto), func() {
		u.Label(r.label)
		screen.Choose(u, widgets.Choice{Name: "mapping", Options: names}, append([]string{""}, list...), v.PadAt, func(name string) { v.PadAt = name })
		u.Button(widgets.Button{Text: "Try it", Name: "try", Disabled: len(v.Pads) == 0, Tip: "Shows what a controller does", Do: v.Try})
	})
	switch {
	case len(list) == 0:
		u.Note("No known controller is plugged in. To have nettplay know others, put a gamecontrollerdb.txt into the settings folder.")
	case v.PadAt == "":
		u.Note(config.Help(r.key))
	default:
		u.Note("Changes here apply to “" + PrintableName(v.PadAt) + "” alone, whenever it is plugged in.")
		v.anew(u)
	}
	u.Message(widgets.Danger, v.Problems[r.key])
}
