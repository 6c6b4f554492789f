package start

import (
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Welcome is the first steps: the player's name, a core, games.
type Welcome struct {
	screen.Base
	settings *settings.Screen
	cores    *cores.Screen

	// Firewall prepares the player for a question that the system asks at the first room; "" where it asks none.
	Firewall string
}

// NewWelcome makes the screen.
func NewWelcome(set *settings.Screen, list *cores.Screen) *Welcome {
	return &Welcome{Base: screen.Base{Shared: set.Shared, ID: screen.Welcome}, settings: set, cores: list, Firewall: firewallWords}
}

// Back implements screen.Screen: there is nothing before it.
func (v *Welcome) Back() bool { return true }

// Build implements screen.Screen.
func (v *Welcome) Build(u *widgets.UI) {
	r := v.Place(u, 600)
	foot := r.CutBottom(widgets.Control)
	r.CutBottom(14)
	u.In(r, func() {
		u.Title("Welcome to nettplay")
		u.Scroll("steps", 0, func() {
			u.Card(func() {
				u.Heading("1. What should the others call you?")
				v.settings.Nickname(u)
				u.Note("Up to ten letters.")
			})
			u.Card(func() {
				u.Heading("2. An emulator core")
				v.cores.Offer(u)
			})
			u.Card(func() {
				u.Heading("3. Your games")
				v.settings.Folders(u)
			})
			if v.Firewall != "" {
				u.Card(func() {
					u.Heading("4. Your computer's firewall")
					u.Note(v.Firewall)
				})
			}
		})
	})
	u.In(foot, func() {
		bad := v.settings.Problems["player.nickname"] != ""
		begin := widgets.Button{Text: "Get started", Name: "begin", Kind: widgets.Primary, Disabled: bad, Do: v.Finish}
		if v.cores.Helps() {
			begin.Kind = widgets.Normal
		}
		screen.Foot(u, "You can change all of this later in the settings.", begin)
	})
}

// Finish ends the first steps.
func (v *Welcome) Finish() {
	v.Memory.Welcomed = true
	v.Engine.SaveMemory()
	v.GoHome()
}
