package app

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func (v *View) ended(u *widgets.UI) {
	m := v.m
	e := &m.Ended
	r := v.place(u, 520)
	u.In(r, func() {
		u.Space(max((r.H-300)/2, 0))
		u.Card(func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
				u.Icon(draw.IconWarning, widgets.Warning)
				u.Heading(e.Title)
			})
			v.trouble(u, e.Trouble)
			cells := widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto)
			if e.Port != 0 {
				cells = widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto, widgets.Auto)
			}
			u.Row(cells, func() {
				u.Space(0)
				if u.Button(widgets.Button{Text: "Home", Name: "home"}) {
					m.home()
				}
				if e.Port != 0 && u.Button(widgets.Button{Text: fmt.Sprintf("Use port %d", e.Port), Name: "port", Tip: "It is free. Over the internet, your router must forward it."}) {
					m.RetryAt(e.Port)
				}
				if u.Button(widgets.Button{Text: "Try again", Name: "again", Kind: widgets.Primary, Disabled: !e.Again}) {
					m.Retry()
				}
			})
		})
	})
}

func (v *View) about(u *widgets.UI) {
	m := v.m
	v.page(u, "About nettplay", 600, func() {
		u.Scroll("about", 0, func() {
			u.Paragraph("Every player's computer runs one emulated Nintendo DS for each player. Only what is pressed crosses the network, and all computers stay alike, bit for bit. So every game with local wireless can be played far apart, on unmodified emulator cores.")
			u.Card(func() {
				labelled(u, "Version", "", func() { u.Label(m.Version) })
				labelled(u, "Core", "", func() { u.Label(v.aboutCore()) })
				labelled(u, "Core's SHA-256", "All players of a room need the same.", func() {
					u.Column(func() { v.mono(u, v.aboutSum()) })
				})
			})
			u.Note("nettplay is free software under the GNU General Public License, version 3 or later. It comes without any warranty.")
		})
	}, nil)
}

func (v *View) aboutCore() string {
	if !v.m.Core.Found {
		return "none"
	}
	return strings.TrimSpace(v.m.Core.Core.Name + " " + v.m.Core.Core.Version)
}

func (v *View) aboutSum() string {
	if !v.m.Core.Found {
		return "–"
	}
	return fmt.Sprintf("%x", v.m.Core.Core.SHA256)
}
