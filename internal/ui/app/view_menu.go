package app

import (
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// playing is the game, with the menu over it when that is open.
func (v *View) playing(u *widgets.UI) {
	r := v.m.Room
	if r == nil {
		return
	}
	menu := r.Menu
	if v.play != nil {
		v.play(u)
	}
	if menu || u.Settling() && r.Menu { // it must not hear the key that opens it
		v.menu(u, r)
	}
}

// menu is the menu over the game.
func (v *View) menu(u *widgets.UI, r *Room) {
	m := v.m
	title := "Menu"
	if r.Paused {
		title = "The game is paused"
	}
	if u.Modal(widgets.Modal{Name: "menu", Title: title, Width: 360}, func() {
		if r.Local == 0 && !r.Paused {
			u.Note("The game goes on behind this menu.")
		}
		if u.Button(widgets.Button{Text: "Play on", Name: "resume", Icon: draw.IconPlay, Kind: widgets.Primary}) {
			if r.Paused && r.Local == 0 {
				m.Pause(false)
			}
			m.ToggleMenu()
		}
		v.menuAway(u, r)
		v.menuPause(u, r)
		if r.Hosting && r.Local == 0 {
			delay := r.Figures.Delay
			u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
				u.Label("Input delay")
				v.stepper(u, "delay", delay, delay <= 0, delay >= ds.MaxDelay, count(delay, "frame"), m.SetDelay)
			})
			if u.Button(widgets.Button{Text: "End the game for all", Name: "end"}) {
				m.AskEndGame()
			}
		}
		if u.Button(widgets.Button{Text: "Settings", Name: "settings", Icon: draw.IconSettings}) {
			m.GoSettings()
		}
		leave := "Leave the room"
		if r.Local > 0 {
			leave = "End the game"
		}
		if u.Button(widgets.Button{Text: leave, Name: "leave", Icon: draw.IconLeave}) {
			m.AskLeave()
		}
	}) {
		m.ToggleMenu()
	}
}

// menuAway is for those whose line is broken.
func (v *View) menuAway(u *widgets.UI, r *Room) {
	for _, b := range r.Away {
		u.Note("The line to " + b.Nickname + " is broken. The game waits for a minute, and goes on where it was when the line is back.")
		if u.Button(widgets.Button{Text: "Go on without " + b.Nickname, Name: "without " + b.Nickname, Kind: widgets.Danger}) {
			v.m.GoOnWithout(b.Machine)
			return
		}
	}
}

func (v *View) menuPause(u *widgets.UI, r *Room) {
	switch {
	case r.Local > 0:
	case r.Paused:
		u.Note("Anybody can let it go on.")
	case u.Button(widgets.Button{Text: "Pause for all", Name: "pause", Icon: draw.IconPause}):
		v.m.Pause(true)
	}
}
