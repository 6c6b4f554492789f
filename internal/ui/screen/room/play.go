package room

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Play is the game, with the menu over it when that is open.
type Play struct{ *Session }

// Back implements screen.Screen: it opens or closes the menu.
func (v Play) Back() bool {
	v.ToggleMenu()
	return true
}

// Build implements screen.Screen.
func (v Play) Build(u *widgets.UI) {
	r := v.Room
	if r == nil {
		return
	}
	if v.Game != nil {
		v.Game(u)
	}
	if r.Run.Menu {
		v.menu(u, r)
	}
	v.momentBox(u, r)
}

// menu is the menu over the game.
func (v Play) menu(u *widgets.UI, r *Room) {
	title := "Menu"
	if r.Run.Paused {
		title = "The game is paused"
	}
	if u.Modal(widgets.Modal{Name: "menu", Title: title, Width: 400}, func() {
		if r.Local == 0 && !r.Run.Paused {
			u.Note("The game goes on behind this menu.")
		}
		u.Button(widgets.Button{Text: "Play on", Name: "resume", Icon: draw.IconPlay, Kind: widgets.Primary, Do: func() {
			if r.Run.Paused && r.Local == 0 {
				v.Pause(false)
			}
			v.ToggleMenu()
		}})
		if len(r.Run.Off) > 0 {
			u.Note("The game has switched your console off. The others play on.")
			u.Button(widgets.Button{Text: "Switch on", Name: "switch on", Tip: "The game begins anew on it, with its save", Do: v.SwitchOn})
		}
		if r.Local == 0 && u.Button(widgets.Button{Text: "Write to the others", Name: "chat", Icon: draw.IconChat}) {
			v.ToggleMenu()
			v.Do(OpenChat{})
		}
		v.menuDisconnected(u, r)
		v.menuPause(u, r)
		v.menuScreens(u)
		v.menuDelay(u, r)
		screen.Across(u,
			widgets.Button{Text: "Settings", Name: "settings", Icon: draw.IconSettings, Do: func() { v.Go(screen.Settings) }},
			widgets.Button{Text: "Keys", Name: "keys", Icon: draw.IconInfo, Do: func() { v.Keys = true }})
		v.menuLeave(u, r)
	}) {
		v.ToggleMenu()
	}
}

// menuLeave leads out of the game.
func (v Play) menuLeave(u *widgets.UI, r *Room) {
	buttons := []widgets.Button{{Text: "Leave the room", Name: "leave", Icon: draw.IconLeave, Do: v.AskLeave}}
	switch {
	case r.Local > 0:
		buttons[0].Text = "End the game"
	case r.Hosting:
		buttons = slices.Insert(buttons, 0, widgets.Button{Text: "End the game for all", Name: "end", Do: v.AskEndGame})
	}
	screen.Across(u, buttons...)
}

// menuScreens chooses how the screens stand.
func (v Play) menuScreens(u *widgets.UI) {
	u.Bar(func() {
		values, names := settings.Layouts()
		screen.Choose(u, widgets.Choice{Name: "layout", Options: names, Tip: "How the two screens stand"}, values, v.Config.Video.Layout, func(layout string) {
			v.settings.Set(func(c *config.Config) { c.Video.Layout = layout })
		})
	}, widgets.Button{Text: "Swap", Name: "swap", Tip: "The other screen first, or large", Do: func() {
		v.settings.Set(func(c *config.Config) { c.Video.Swap = !c.Video.Swap })
	}})
}

// menuDisconnected lets the game host go on without players whose connection is lost, and whoever takes over the room
// without the game host.
func (v Play) menuDisconnected(u *widgets.UI, r *Room) {
	for _, b := range r.Run.Disconnected {
		u.Note("The connection to " + b.Nickname + " is lost. The game waits for a minute, and goes on where it was when the connection is back.")
		if !r.Hosting {
			u.Note("Without " + b.Nickname + " this game is over, and the room goes on with you as its game host.")
		}
		if u.Button(widgets.Button{Text: "Go on without " + b.Nickname, Name: "without " + b.Nickname, Kind: widgets.Danger}) {
			v.GoOnWithout(b.Machine)
			return
		}
	}
}

// menuPause pauses the game, and keeps a moment of it.
func (v Play) menuPause(u *widgets.UI, r *Room) {
	var buttons []widgets.Button
	switch {
	case r.Local == 0 && r.Run.Paused:
		u.Note("Anybody can let it go on.")
	case r.Local == 0:
		buttons = append(buttons, widgets.Button{Text: "Pause for all", Name: "pause", Do: func() { v.Pause(true) }})
	}
	if r.Hosting || r.Local > 0 {
		buttons = append(buttons, widgets.Button{Text: "Keep this moment", Name: "keep", Tip: "To go on from here another day", Do: v.AskMoment})
	}
	if len(buttons) > 0 {
		screen.Across(u, buttons...)
	}
}
