package app

import (
	"strings"
	"unicode"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// beside is who plays at this machine, with which device, to be changed.
func (v *View) beside(u *widgets.UI) {
	m := v.m
	of := len(m.Beside) + 1
	add := func() {
		if u.Button(widgets.Button{Text: "Add a player on this machine", Name: "add player", Icon: draw.IconPlus, Kind: widgets.Quiet, Disabled: !m.mayCome()}) {
			m.SitBeside()
		}
	}
	if of == 1 {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			add()
			u.Space(0)
		})
		return
	}
	u.Card(func() {
		u.Heading("At this machine")
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill, widgets.Control), func() {
			u.Label(m.Config.Player.Nickname)
			v.device(u, "device 0", 0, of)
			u.Space(0)
		})
		for i := range m.Beside {
			if i < len(m.Beside) { // one may just have got up
				u.ScopeN(i, func() { v.besideRow(u, i, of) })
			}
		}
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			add()
			u.Space(0)
		})
	})
}

func (v *View) besideRow(u *widgets.UI, i, of int) {
	m := v.m
	up := false
	u.Row(widgets.Cells(widgets.Fill, widgets.Fill, widgets.Control), func() {
		name := m.Beside[i]
		if e := u.Field(widgets.Field{Name: "name", Icon: draw.IconPerson, Max: 2 * config.MaxNickname, Error: m.besideProblem(name)}, &name); e.Changed {
			m.NameBeside(i, name)
		}
		v.device(u, "device", i+1, of)
		up = u.Button(widgets.Button{Icon: draw.IconTrash, Name: "up", Kind: widgets.Quiet, Tip: "Does not play here any more"})
	})
	if up {
		m.GetUp(i)
	}
}

// device is the choice of what plays one of this machine's consoles.
func (v *View) device(u *widgets.UI, name string, console, of int) {
	now := v.m.Device(console, of)
	values, names := v.m.deviceOptions(now)
	at := 0
	for i, value := range values {
		if value == now {
			at = i
		}
	}
	if u.Choice(widgets.Choice{Name: name, Options: names}, &at) {
		v.m.SetDevice(console, of, values[at])
	}
}

// printableName is a name that a device gives itself.
func printableName(name string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, name)
	if letters := []rune(clean); len(letters) > 40 {
		clean = string(letters[:39]) + "…"
	}
	return strings.TrimSpace(clean)
}
