package app

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func (v *View) home(u *widgets.UI) {
	m := v.m
	r := v.place(u, 680)
	const high = 430
	if r.H > high {
		r = draw.R(r.X, r.Y+(r.H-high)/2, r.W, high)
	}
	u.In(r, func() {
		u.Text(draw.Style{Size: 34, Weight: draw.Bold}, widgets.Normal, "nettplay", draw.Start)
		u.Soft("Nintendo DS games with friends, over the network.")
		u.Space(10)
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
			if u.Button(widgets.Button{Text: "Host", Sub: "Open a room for your friends", Icon: draw.IconHome, Kind: widgets.Primary}) {
				m.GoHost()
			}
			if u.Button(widgets.Button{Text: "Join", Sub: "Play in a friend's room, or watch", Icon: draw.IconPeople}) {
				m.GoJoin()
			}
		})
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
			if u.Button(widgets.Button{Text: "Play alone", Sub: "One console or more, offline", Icon: draw.IconConsole}) {
				m.GoAlone()
			}
			if u.Button(widgets.Button{Text: "Recordings", Sub: "Watch a game again", Icon: draw.IconFilm}) {
				m.GoRecordings()
			}
		})
		u.Space(6)
		v.homeState(u)
		u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Auto, widgets.Fill), func() {
			if u.Button(widgets.Button{Text: "Settings", Icon: draw.IconSettings, Kind: widgets.Quiet}) {
				m.GoSettings()
			}
			if u.Button(widgets.Button{Text: "Saves", Icon: draw.IconClock, Kind: widgets.Quiet}) {
				m.GoSaves()
			}
			if u.Button(widgets.Button{Text: "About", Icon: draw.IconInfo, Kind: widgets.Quiet}) {
				m.GoAbout()
			}
			u.Text(widgets.StyleSmall, widgets.Normal, "", draw.End)
		})
	})
}

// homeState says who plays with what, and what is missing.
func (v *View) homeState(u *widgets.UI) {
	m := v.m
	switch {
	case m.Core.Looking:
		u.Small("Looking for an emulator core …")
	case !m.Core.Found && m.Core.Trouble != nil:
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Message(widgets.Warning, m.Core.Trouble.Title+". Without it no game can start.")
			if u.Button(widgets.Button{Text: "What to do", Name: "core"}) {
				m.Trouble = m.Core.Trouble
			}
		})
	case len(m.Games.Games) == 0 && !m.Games.Scanning:
		u.Message(widgets.Warning, "No games were found yet. Drop a .nds file, or a folder with some, onto this window.")
	default:
		u.Small(fmt.Sprintf("You are %s · %s · core: %s", m.Config.Player.Nickname, gamesWords(m.Games), m.Core.Core.Name))
	}
}

// gamesWords is how many games there are.
func gamesWords(l library.List) string {
	words := count(len(l.Games), "game")
	if l.Scanning {
		words += ", still looking"
	}
	return words
}

func (v *View) welcome(u *widgets.UI) {
	m := v.m
	r := v.place(u, 600)
	foot := r.CutBottom(widgets.Control)
	r.CutBottom(14)
	u.In(r, func() {
		u.Title("Welcome to nettplay")
		u.Scroll("steps", 0, func() {
			u.Card(func() {
				u.Heading("1. What do the others call you?")
				v.nickname(u)
				u.Note("Up to ten letters. Your games see it too, as the owner of the console.")
			})
			u.Card(func() {
				u.Heading("2. An emulator core")
				v.coreState(u)
			})
			u.Card(func() {
				u.Heading("3. Your games")
				v.folders(u)
			})
		})
	})
	u.In(foot, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Small("All of this can be changed in the settings.")
			bad := m.Settings.Problems["player.nickname"] != ""
			if u.Button(widgets.Button{Text: "Begin", Name: "begin", Kind: widgets.Primary, Disabled: bad}) {
				m.FinishWelcome()
			}
		})
	})
}

// nickname is the field for the player's name.
func (v *View) nickname(u *widgets.UI) {
	name := v.draft().Player.Nickname
	if e := u.Field(widgets.Field{
		Name: "player.nickname", Icon: draw.IconPerson, Max: 2 * config.MaxNickname, Error: v.nicknameError(),
	}, &name); e.Changed {
		v.m.Change(func(c *config.Config) { c.Player.Nickname = name })
	}
}

// nicknameError is why a name is not taken; in the settings, that stands below.
func (v *View) nicknameError() string {
	if v.m.Screen == ScreenSettings {
		return ""
	}
	return v.m.Settings.Problems["player.nickname"]
}

// draft is the settings as they stand in the form.
func (v *View) draft() *config.Config {
	if v.m.Settings.Problems == nil {
		v.m.openSettings()
	}
	return &v.m.Settings.Draft
}

// coreState says which core is used, or how to get one.
func (v *View) coreState(u *widgets.UI) {
	c := &v.m.Core
	switch {
	case c.Looking:
		u.Progress(widgets.Progress{Value: -1, Text: "looking"})
	case c.Found:
		u.Message(widgets.Good, coreWords(c.Core))
	case c.Trouble != nil:
		u.Message(widgets.Warning, c.Trouble.Words)
		if c.Trouble.Hint != "" {
			u.Paragraph(c.Trouble.Hint)
		}
		v.copyLine(u, "core line", c.Trouble.Copy)
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			if u.Button(widgets.Button{Text: "Look again", Name: "look"}) {
				v.m.LookForCore()
			}
			u.Space(0)
		})
	}
}

// coreWords names a core and what it can do.
func coreWords(c emucore.Core) string {
	words := strings.TrimSpace(c.Name + " " + c.Version)
	if c.Wireless {
		return words + ": with the local wireless of the DS, for games that play together."
	}
	return words + ": without local wireless; the consoles run side by side, but do not hear each other."
}

// folders are the folders with games, to be changed.
func (v *View) folders(u *widgets.UI) {
	m := v.m
	u.Note("Drop a folder with .nds files onto this window, or type it here. ROMs are never sent to anybody: each player needs the game.")
	draft := v.draft()
	for i, folder := range draft.ROMs.Folders {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
				u.Icon(draw.IconFolder, widgets.Normal)
				u.Label(folder)
				if u.Button(widgets.Button{Icon: draw.IconTrash, Name: "remove", Kind: widgets.Quiet, Tip: "Do not look there"}) {
					m.Change(func(c *config.Config) { c.ROMs.Folders = without(c.ROMs.Folders, folder) })
				}
			})
		})
	}
	v.addOne(u, "roms.folders", "a folder, such as ~/roms", func(c *config.Config, text string) {
		c.ROMs.Folders = append(c.ROMs.Folders, text)
	})
	for _, missing := range m.Games.Missing {
		u.Message(widgets.Warning, missing+" is not there.")
	}
	u.Small(gamesWords(m.Games))
}

// addOne is a field for one more entry of a list.
func (v *View) addOne(u *widgets.UI, key, hint string, add func(*config.Config, string)) {
	v.offered(key)
	text := v.typed[key]
	u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
		e := u.Field(widgets.Field{Name: key, Hint: hint, Max: 1000}, &text)
		v.typed[key] = text
		pressed := u.Button(widgets.Button{Text: "Add", Name: "add " + key, Disabled: text == ""})
		if (pressed || e.Entered) && text != "" {
			before := cloneConfig(v.m.Settings.Draft)
			v.m.Change(func(c *config.Config) { add(c, text) })
			if why := v.m.Settings.Problems[key]; why != "" {
				v.m.Say(why)
				v.m.Change(func(c *config.Config) { *c = before })
				return
			}
			v.typed[key] = ""
		}
	})
}

func without(list []string, item string) (rest []string) {
	rest = []string{}
	for _, s := range list {
		if s != item {
			rest = append(rest, s)
		}
	}
	return rest
}
