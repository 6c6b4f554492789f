package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func (v *Screen) padBindings(u *widgets.UI) {
	for _, words := range v.stickConflicts() {
		u.Message(widgets.Warning, words)
	}
	v.bindings(u, true, "pads.", "Buttons")
	if v.PadAt == "" {
		v.usual(u, true)
	} else {
		_, own := v.draft().Pads.Own[v.PadAt]
		u.Bar(nil, widgets.Button{Text: "As for all controllers", Name: "like all", Kind: widgets.Quiet, Disabled: !own, Do: v.forget})
	}
}

// deviceLabel is the width of the labels beside choices of devices, whose names are long.
func deviceLabel(u *widgets.UI) float32 {
	if u.Area().W < 440 {
		return 110
	}
	return labelWidth
}

// devices says which device plays each console of this machine.
func (v *Screen) devices(u *widgets.UI) {
	list := v.draft().Pads.Devices
	for i, device := range list {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(deviceLabel(u), widgets.Fill, widgets.Auto), func() {
				u.Small(fmt.Sprintf("Console %d", i+1))
				v.deviceChoice(u, widgets.Choice{Name: "device"}, device, i, len(list))
				remove := v.removal("", "", "", func(c *config.Config) { c.Pads.Devices = slices.Delete(slices.Clone(c.Pads.Devices), i, i+1) })
				remove.Disabled = len(list) == 1
				u.Button(remove)
			})
		})
	}
	u.Start(widgets.Button{Text: "Add a player on this computer", Name: "more", Icon: draw.IconPlus, Kind: widgets.Quiet, Disabled: len(list) >= 4, Do: func() {
		v.Change(func(c *config.Config) { c.Pads.Devices = v.Devices(len(list) + 1) })
	}})
	u.Space(8)
}

// bindings are the keys or buttons that do things.
func (v *Screen) bindings(u *widgets.UI, pad bool, section, title string) {
	u.Heading(title)
	for _, b := range bindings(v.ofPad()) {
		if b.pad() != pad || !strings.HasPrefix(b.key, section) {
			continue
		}
		v.binding(u, b, b.label)
	}
}

// binding is one of them.
func (v *Screen) binding(u *widgets.UI, b binding, label string) {
	v.Offered(b.key)
	row := func() {
		u.Label(label)
		u.Tip(config.Help(b.key))
		none := ""
		if len(*b.at) == 0 {
			none = v.taken(v.ofPad(), b)
		}
		switch out := u.Bind(widgets.Bind{Name: b.key, None: none, Controls: *b.at, Pad: b.pad(), Printed: func(name string) string { return v.printed(name, b.pad()) }, Conflict: v.Problems[b.key]}); {
		case out.Set != "":
			v.Bind(b.key, out.Set, true)
		case out.Add != "":
			v.Bind(b.key, out.Add, false)
		case out.Clear:
			v.Unbind(b.key)
		}
	}
	whole := func() { u.Row(widgets.Cells(widgets.Fill, min(260, u.Area().W-170)), row) }
	if b.pad() && v.PadAt != "" { // whose usual buttons are those of all, see below
		whole()
		return
	}
	v.undoable(u, b.key, whole)
}

// forget takes a controller's own buttons from it.
func (v *Screen) forget() {
	v.Change(func(c *config.Config) { c.Pads.SetMapping(v.PadAt, c.Pads.MappingOf("")) })
}

func (v *Screen) usual(u *widgets.UI, pad bool) {
	u.Bar(nil, widgets.Button{Text: "Reset to defaults", Name: "usual", Kind: widgets.Quiet, Do: func() { v.UsualBindings(pad) }})
}
