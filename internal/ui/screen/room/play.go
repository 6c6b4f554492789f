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
	v.screensBox(u, r)
	v.momentBox(u, r)
}

// menu is the menu over the game.
func (v Play) menu(u *widgets.UI, r *Room) {
	title := "Menu"
	if r.Run.Paused {
		title = "The game is paused"
	}
	if u.Modal(widgets.Modal{Name: "menu", Title: title, Width: 460}, func() {
		if r.Local == 0 && !r.Run.Paused {
			u.Note("The game keeps running behind this menu.")
		}
		on := "Back to the game"
		if r.Run.Paused {
			on = "Resume"
		}
		u.Button(widgets.Button{Text: on, Name: "resume", Icon: draw.IconPlay, Kind: widgets.Primary, Do: func() {
			if r.Run.Paused && r.Local == 0 {
				v.Pause(false)
			}
			v.ToggleMenu()
		}})
		if len(r.Run.Off) > 0 {
			u.Note("The game has switched your console off. The others play on.")
			u.Button(widgets.Button{Text: "Switch on", Name: "switch on", Tip: "It restarts the game there, with its save", Do: v.SwitchOn})
		}
		v.menuDisconnected(u, r)
		v.menuPause(u, r)
		v.menuScreens(u, r)
		v.menuDelay(u, r)
		pages := []widgets.Button{
			{Text: "Settings", Name: "settings", Icon: draw.IconSettings, Do: func() { v.Go(screen.Settings) }},
			{Text: "Clip", Name: "clip", Icon: draw.IconClip, Tip: "Keeps the last 30 seconds, to be found under Recordings", Do: v.Clip},
			{Text: "Keys", Name: "keys", Icon: draw.IconKeys, Do: func() { v.Keys = true }},
		}
		inRow := len(pages)
		if r.Local == 0 {
			inRow = 2
			pages = slices.Insert(pages, 0, widgets.Button{Text: "Chat", Name: "chat", Icon: draw.IconChat, Do: func() {
				v.ToggleMenu()
				v.engine.OpenChat()
			}})
		}
		for row := range slices.Chunk(pages, inRow) {
			screen.Across(u, row...)
		}
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
func (v Play) menuScreens(u *widgets.UI, r *Room) {
	labelled := func(label string, choose func(*widgets.UI)) {
		u.Tight(func() {
			u.Small(label)
			choose(u)
		})
	}
	u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
		labelled("Screen layout", v.chooseLayout)
		labelled("Picture", v.chooseRotation)
	})
	screen.Across(u,
		widgets.Button{Text: "Swap the screens", Name: "swap", Tip: "The other screen first, or large", Do: func() {
			v.settings.SetVideo(func(c *config.Video) { c.Swap = !c.Swap })
		}},
		widgets.Button{Text: "More about screens", Name: "screens", Icon: draw.IconScreen, Tip: "More settings for the screens of this game", Do: func() { r.Run.screens = true }})
}

func (v Play) chooseLayout(u *widgets.UI) {
	values, names := settings.Layouts()
	screen.Choose(u, widgets.Choice{Name: "layout", Options: names, Tip: "How the two screens are arranged"}, values, v.Video().Layout, func(layout string) {
		v.settings.SetVideo(func(c *config.Video) { c.Layout = layout })
	})
}

func (v Play) chooseRotation(u *widgets.UI) {
	values, names := settings.Rotations()
	screen.Choose(u, widgets.Choice{Name: "rotation", Options: names, Tip: "For games that hold the console like a book"}, values, v.Video().Rotation, func(rotation string) {
		v.settings.SetVideo(func(c *config.Video) { c.Rotation = rotation })
	})
}

// screensBox is all that is remembered for each game of how its screens show.
func (v Play) screensBox(u *widgets.UI, r *Room) {
	if !r.Run.Menu || !r.Run.screens {
		return
	}
	row := func(label string, choose func()) {
		u.Row(widgets.Cells(130, widgets.Fill), func() {
			u.Label(label)
			choose()
		})
	}
	screen.Dialog(u, widgets.Modal{Name: "screens", Title: "The screens of this game", Width: 420}, func() { r.Run.screens = false }, func() {
		u.Note("These choices are remembered for this game. “As in the settings” follows the settings.")
		row("Screen layout", func() { v.chooseLayout(u) })
		row("Held like a book", func() { v.chooseRotation(u) })
		row("Large screen", func() {
			values, names := settings.Emphases()
			screen.Choose(u, widgets.Choice{Name: "emphasis", Options: names}, values, v.Video().Emphasis, func(emphasis string) {
				v.settings.SetVideo(func(c *config.Video) { c.Emphasis = emphasis })
			})
		})
		row("Pixels", func() {
			values, names := settings.Filters()
			screen.Choose(u, widgets.Choice{Name: "filter", Options: names}, values, v.Video().Filter, func(filter string) {
				v.settings.SetVideo(func(c *config.Video) { c.Filter = filter })
			})
		})
	}, widgets.Button{Text: "As in the settings", Name: "usual", Disabled: !v.Memory.Look(v.Shown()...).Any(), Do: func() {
		v.settings.SetVideo(func(c *config.Video) {
			usual := v.Config.Video
			c.Layout, c.Rotation, c.Emphasis, c.Filter = usual.Layout, usual.Rotation, usual.Emphasis, usual.Filter
		})
	}}, widgets.Button{Text: "Done", Name: "done", Kind: widgets.Primary})
}

// menuDisconnected lets the game host go on without players whose connection is lost, and whoever takes over the room
// without the game host.
func (v Play) menuDisconnected(u *widgets.UI, r *Room) {
	for _, b := range r.Run.Disconnected {
		u.Note("The connection to " + b.Nickname + " is lost. The game waits for a minute, and resumes when the connection is back.")
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
		u.Note("Anyone can resume it.")
	case r.Local == 0:
		buttons = append(buttons, widgets.Button{Text: "Pause for all", Name: "pause", Do: func() { v.Pause(true) }})
	}
	if r.Hosting || r.Local > 0 {
		buttons = append(buttons, widgets.Button{Text: "Save to continue later", Name: "keep", Tip: "All of you can continue from this moment another day", Do: v.AskMoment})
	}
	if len(buttons) > 0 {
		screen.Across(u, buttons...)
	}
}
