package start

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Alone asks how many consoles are to run on this machine alone.
type Alone struct {
	screen.Base
	Game     *library.Game
	Consoles int

	session  *room.Session
	settings *settings.Screen
}

// NewAlone makes the screen.
func NewAlone(s *room.Session, set *settings.Screen) *Alone {
	return &Alone{Base: screen.Base{Shared: s.Shared, ID: screen.Alone}, Consoles: 1, session: s, settings: set}
}

// Start starts consoles on this machine alone.
func (v *Alone) Start() {
	if v.Game == nil || v.NeedCore() {
		return
	}
	n, game := min(max(v.Consoles, 1), 4), *v.Game
	v.session.Enter(room.Room{Local: n, Game: &game}, room.OpenSession{Local: n, Game: &game}, v.Start)
}

// Build implements screen.Screen.
func (v *Alone) Build(u *widgets.UI) {
	v.Page(u, "Play alone", 560, func() {
		u.Scroll("form", 0, func() { v.form(u) })
	}, func() {
		u.Bar(nil, widgets.Button{Text: "Start", Name: "start", Icon: draw.IconPlay, Kind: widgets.Primary, Do: v.Start})
	})
}

func (v *Alone) form(u *widgets.UI) {
	v.GameCard(u, v.Game)
	u.Card(func() {
		n := v.Consoles - 1
		screen.Labelled(u, "Consoles", "", func() {
			if u.Radio(widgets.Choice{Name: "consoles", Options: []string{"1", "2", "3", "4"}}, &n) {
				v.Consoles = n + 1
			}
		})
		if v.Consoles > 1 {
			v.session.WarnDeaf(u)
		}
		u.Note(aloneWords(v.Consoles, v.Core.Core.Wireless))
	})
	if v.Consoles > 1 {
		v.devices(u)
	}
}

// devices says what plays each console, to change it, and which keys that has.
func (v *Alone) devices(u *widgets.UI) {
	u.Card(func() {
		u.Heading("Players' controllers")
		for i := range v.Consoles {
			u.ScopeN(i, func() {
				screen.Labelled(u, fmt.Sprintf("Console %d", i+1), v.settings.KeysWords(v.settings.Device(i, v.Consoles)), func() {
					v.settings.DeviceChoice(u, "device", i, v.Consoles)
				})
			})
		}
	})
}

func aloneWords(n int, wireless bool) string {
	switch {
	case n == 1:
		return "One console, offline. It uses the same save as your games with others."
	case wireless:
		return "They reach each other by local wireless. Each has its own save."
	}
	return "They run side by side, and cannot reach each other. Each has its own save."
}
