package room

import (
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// menuDelay changes the input delay while a game runs, or makes it automatic. A number that the player
// chooses stays until the delay is made automatic again.
func (v Play) menuDelay(u *widgets.UI, r *Room) {
	if !r.Hosting || r.Local > 0 {
		return
	}
	delay, auto := r.Run.Figures.Delay, r.Run.Figures.Auto
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		u.Label("Input delay")
		screen.Stepper(u, "delay", delay, delay <= 0, delay >= ds.MaxDelay, phrase.Count(delay, "frame"), v.SetDelay)
	})
	if r.Room.Settings.Clocked {
		return
	}
	AutoChoice(u, autodelay.Named(auto.Preset), v.SetAutoDelay)
	if auto.Why != "" {
		u.Note("Your own delay: " + auto.Why + ".")
	}
}
