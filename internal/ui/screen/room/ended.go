package room

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Ended says why the session ended, with a way on.
type Ended struct{ *Session }

// Back implements screen.Screen: the way leads home.
func (v Ended) Back() bool { return false }

// Build implements screen.Screen.
func (v Ended) Build(u *widgets.UI) {
	e := &v.Ending
	r := v.Place(u, 520)
	u.In(r, func() {
		u.Middle(func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
				u.Icon(draw.IconWarning, widgets.Warning)
				u.Headline(e.Title)
			})
			v.TroubleWords(u, e.Trouble)
			if e.Core {
				v.coreButtons(u)
				return
			}
			cells := widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto)
			if e.Port != 0 || e.RoomsCore != nil {
				cells = widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto, widgets.Auto)
			}
			u.Row(cells, func() {
				u.Space(0)
				if u.Button(widgets.Button{Text: "Home", Name: "home"}) {
					v.GoHome()
				}
				if e.Port != 0 && u.Button(widgets.Button{Text: fmt.Sprintf("Use port %d", e.Port), Name: "port", Tip: "It is free. Over the internet, your router must forward it."}) {
					v.RetryAt(e.Port)
				}
				kind := widgets.Primary
				if e.RoomsCore != nil {
					kind = widgets.Normal
				}
				if u.Button(widgets.Button{Text: "Try again", Name: "again", Kind: kind, Disabled: !e.Again}) {
					v.Retry()
				}
				if e.RoomsCore != nil && u.Button(widgets.Button{Text: "Get it", Name: "core", Icon: draw.IconDown, Kind: widgets.Primary}) {
					v.GetCore()
				}
			})
		})
	})
}

// coreButtons are the ways on with a core that failed its check.
func (v Ended) coreButtons(u *widgets.UI) {
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto, widgets.Auto), func() {
		u.Space(0)
		if u.Button(widgets.Button{Text: "Home", Name: "home"}) {
			v.GoHome()
		}
		if u.Button(widgets.Button{Text: "Play anyway", Name: "any core", Disabled: !v.Ending.Again}) {
			v.RetryAnyCore()
		}
		if u.Button(widgets.Button{Text: "Choose another core", Name: "core", Kind: widgets.Primary}) {
			v.ChooseCore()
		}
	})
}
