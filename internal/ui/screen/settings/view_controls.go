package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func (v *Screen) keysPage(u *widgets.UI) {
	u.Note("Press the button beside a name, then the key. With Shift held, the key is added to those that are there.")
	v.bindings(u, false, "keys.", "The console")
	u.Space(8)
	v.bindings(u, false, "hotkeys.", "nettplay")
	u.Space(8)
	v.bindings(u, false, "keys2.", "A second player at this keyboard")
	v.usual(u, false)
}

func (v *Screen) padsPage(u *widgets.UI) {
	v.setting(u, "pads.devices", func() { u.Space(0) })
	v.devices(u)
	u.Space(8)
	v.mapping(u)
	for _, words := range v.stickConflicts() {
		u.Message(widgets.Warning, words)
	}
	v.bindings(u, true, "pads.", "Buttons")
	if v.PadAt == "" {
		v.usual(u, true)
	} else {
		v.likeAll(u)
	}
	v.oneOf(u, "pads.stylus", config.Sticks(), []string{"Left", "Right", "None"}, func(c *config.Config) *string { return &c.Pads.Stylus })
	v.setting(u, "pads.speed", func() {
		f := v.draft().Pads.Speed
		if u.Slider(widgets.Slider{Name: "speed", Min: 0.25, Max: 4, Step: 0.25, Format: func(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }}, &f) {
			v.Change(func(c *config.Config) { c.Pads.Speed = f })
		}
	})
	v.setting(u, "pads.deadzone", func() {
		f := v.draft().Pads.Deadzone
		if u.Slider(widgets.Slider{Name: "deadzone", Min: 0, Max: 0.9, Step: 0.05, Format: func(f float64) string { return fmt.Sprintf("%.0f %%", f*100) }}, &f) {
			v.Change(func(c *config.Config) { c.Pads.Deadzone = f })
		}
	})
}

// devices says which device plays each console of this machine.
func (v *Screen) devices(u *widgets.UI) {
	list := v.draft().Pads.Devices
	for i, device := range list {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(170, widgets.Fill, widgets.Auto), func() {
				u.Small(fmt.Sprintf("Console %d", i+1))
				values, names := v.DeviceOptions(device)
				at := slices.Index(values, device)
				if u.Choice(widgets.Choice{Name: "device", Options: names}, &at) {
					v.SetDevice(i, len(list), values[at])
				}
				if u.Button(widgets.Button{Icon: draw.IconTrash, Name: "remove", Kind: widgets.Quiet, Disabled: len(list) == 1}) {
					v.Change(func(c *config.Config) { c.Pads.Devices = slices.Delete(slices.Clone(c.Pads.Devices), i, i+1) })
				}
			})
		})
	}
	u.Row(widgets.Cells(170, widgets.Auto, widgets.Fill), func() {
		u.Space(0)
		if u.Button(widgets.Button{Text: "One more console", Name: "more", Kind: widgets.Quiet, Disabled: len(list) >= 4}) {
			v.Change(func(c *config.Config) { c.Pads.Devices = v.Devices(len(list) + 1) })
		}
		u.Space(0)
	})
}

// bindings are the keys or buttons that do things.
func (v *Screen) bindings(u *widgets.UI, pad bool, section, title string) {
	u.Heading(title)
	for _, b := range bindings(v.ofPad()) {
		if b.pad != pad || !strings.HasPrefix(b.key, section) {
			continue
		}
		v.Offered(b.key)
		u.Row(widgets.Cells(widgets.Fill, min(260, u.Area().W-180)), func() {
			u.Label(b.label)
			u.Tip(help(b.key))
			switch out := u.Bind(widgets.Bind{Name: b.key, Controls: *b.at, Pad: pad, Conflict: v.Problems[b.key]}); {
			case out.Set != "":
				v.Bind(b.key, out.Set, true)
			case out.Add != "":
				v.Bind(b.key, out.Add, false)
			case out.Clear:
				v.Unbind(b.key)
			}
		})
	}
}

// likeAll takes a controller's own buttons from it.
func (v *Screen) likeAll(u *widgets.UI) {
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		u.Space(0)
		_, own := v.draft().Pads.Own[v.PadAt]
		if u.Button(widgets.Button{Text: "As for all controllers", Name: "like all", Kind: widgets.Quiet, Disabled: !own}) {
			v.forget()
		}
	})
}

func (v *Screen) usual(u *widgets.UI, pad bool) {
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		u.Space(0)
		if u.Button(widgets.Button{Text: "As they usually are", Name: "usual", Kind: widgets.Quiet}) {
			v.UsualBindings(pad)
		}
	})
}
