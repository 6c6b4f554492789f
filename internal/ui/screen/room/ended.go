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
	v.Message(u, 520, func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			u.Icon(draw.IconWarning, widgets.Warning)
			u.Headline(e.Title)
		})
		v.TroubleWords(u, e.Trouble)
		u.Bar(nil, v.waysOn()...)
	})
}

// waysOn are the buttons that lead on.
func (v Ended) waysOn() []widgets.Button {
	e, home := &v.Ending, widgets.Button{Text: "Home", Name: "home", Do: v.GoHome}
	again := widgets.Button{Text: "Try again", Name: "again", Kind: widgets.Primary, Disabled: !e.Again, Do: v.Retry}
	var help widgets.Button
	switch {
	case e.Core:
		again.Text, again.Name, again.Do = "Play anyway", "any core", v.RetryAnyCore
		help = widgets.Button{Text: "Choose another core", Name: "core", Do: v.ChooseCore}
	case e.Trust != [32]byte{}:
		again.Text, again.Name, again.Do = "Trust this core", "trust core", v.RetryTrusted
		help = widgets.Button{Text: "Choose another core", Name: "core", Do: v.ChooseCore}
	case e.Port != 0:
		help = widgets.Button{
			Text: fmt.Sprintf("Use port %d", e.Port), Name: "port", Tip: "It is free. Over the internet, your router must forward it.",
			Do: func() { v.RetryAt(e.Port) },
		}
	case e.RoomsCore != nil:
		help = widgets.Button{Text: "Get it", Name: "core", Icon: draw.IconGet, Do: v.GetCore}
	case e.NeedsCore:
		help = widgets.Button{Text: "Cores", Name: "cores", Icon: draw.IconChip, Do: v.SeeCores}
	case e.Crash:
		return []widgets.Button{home, {Text: "Cores", Name: "cores", Icon: draw.IconChip, Do: v.SeeCores}, again}
	default:
		if v.edit.Text != "" {
			return []widgets.Button{home, v.edit, again}
		}
		return []widgets.Button{home, again}
	}
	again.Kind, help.Kind = widgets.Normal, widgets.Primary
	return []widgets.Button{home, again, help}
}
