package settings

import (
	"strconv"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen: a list of pages at the left, one page at the right.
// Every key of the settings' file is on one of them.
func (v *Screen) Build(u *widgets.UI) {
	v.compare() // once for all rows
	v.Page(u, "Settings", 900, func() {
		area, n, turned := u.Area(), len(v.pages), u.Turned()
		page := (int(v.At) + turned + n) % n
		side := area
		if narrow := area.W < 580; narrow {
			side = area.Top(widgets.Control)
			area.Top(widgets.Gap)
		} else {
			side = area.Left(140)
			area.Left(20)
		}
		shown := page
		if v.Search.Searches() {
			shown = -1
		}
		was := shown
		u.In(side, func() {
			if side.W > 140 {
				u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
					names := pageNames(v.pages)
					if v.Search.Searches() {
						names, shown = append(names, "Search results"), n
					}
					if u.Choice(widgets.Choice{Name: "pages", Options: names}, &shown); shown == n {
						shown = -1
					}
					v.searchField(u)
				})
				return
			}
			v.searchField(u)
			u.List(widgets.List{Name: "pages", Count: n, Height: min(float32(n)*36+8, side.H-widgets.Control-widgets.Gap), Item: func(i int) widgets.Item {
				return widgets.Item{Title: v.pages[i].name}
			}}, &shown)
		})
		if turned != 0 || shown != was {
			v.Search.Reset()
		}
		if v.At = Page(page); shown >= 0 {
			v.At = Page(shown)
		}
		u.In(area, func() {
			if v.Search.Searches() {
				u.Scroll("found", 0, func() { margin(u, func() { v.results(u) }) })
				return
			}
			before := len(u.Targets())
			u.Scroll("page "+v.pages[v.At].name, 0, func() { margin(u, func() { v.page(u, v.pages[v.At]) }) })
			if list := u.Targets(); turned != 0 && len(list) > before {
				u.SetFocus(list[before].ID) // who turns to a page by keys goes on in it
			}
		})
	}, nil)
	v.try(u)
	v.teach(u)
}

func pageNames(all []page) (list []string) {
	for _, p := range all {
		list = append(list, p.name)
	}
	return list
}

// ownKey shows the fingerprint of this installation's key.
func (v *Screen) ownKey(u *widgets.UI) {
	if v.Key != "" {
		u.Tight(func() {
			u.Row(widgets.Cells(labelWidth, widgets.Fill), func() {
				u.Label("Your key")
				u.Text(widgets.StyleMono, widgets.Normal, v.Key, draw.Start)
			})
			u.Note("Each connection proves it, so friends see that it is you. They find it in the lobby, by pointing at the line below your name.")
			u.Space(8)
		})
	}
}

// nextRoom says of settings that a room is given when one enters it, that they do not
// change the present one.
func (v *Screen) nextRoom(u *widgets.UI) {
	if v.InRoom {
		u.Message(widgets.Primary, "You are in a room: changes here take effect in the next one.")
	}
}

func birthday(u *widgets.UI, _ string, b *config.Birthday) (changed bool) {
	months := make([]string, 12)
	for i := range months {
		months[i] = time.Month(i + 1).String()
	}
	days := make([]string, lastDay(int(b.Month)))
	for i := range days {
		days[i] = strconv.Itoa(i + 1)
	}
	month, day := int(b.Month)-1, int(b.Day)-1
	u.Row(widgets.Cells(80, widgets.Fill), func() {
		d := u.Choice(widgets.Choice{Name: "day", Options: days}, &day)
		m := u.Choice(widgets.Choice{Name: "month", Options: months}, &month)
		changed = d || m
	})
	*b = config.Birthday{Month: uint8(month + 1), Day: uint8(min(day+1, lastDay(month+1)))}
	return changed
}

// lastDay returns the last day of a month, counted from 1, in a leap year.
func lastDay(month int) int {
	return time.Date(2004, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// Nickname is the field for the player's name.
func (v *Screen) Nickname(u *widgets.UI) {
	name, why := v.draft().Player.Nickname, v.Problems["player.nickname"]
	if v.Current == screen.Settings {
		why = "" // it is shown below the field
	}
	if e := u.Field(widgets.Field{
		Name: "player.nickname", Icon: draw.IconPerson, Max: 2 * config.MaxNickname, Error: why,
		Focus: v.Current == screen.Welcome && u.Focused() == 0, Select: true, Forward: true,
	}, &name); e.Changed {
		v.Change(func(c *config.Config) { c.Player.Nickname = name })
	}
}

// folderStays says what becomes of a folder that is removed from the settings.
const folderStays = "The folder and its files stay where they are."

// Folders are the folders with games, to be changed.
func (v *Screen) Folders(u *widgets.UI) {
	u.Note("Drop a folder with games (.nds, .zip or .7z) onto this window, browse for it, or type it here. ROMs are never sent to anybody: each player needs the game.")
	folders := func(c *config.Config) *[]string { return &c.ROMs.Folders }
	v.items(u, draw.IconFolder, "Remove this folder", folderStays, folders)
	v.addFolder(u, "roms.folders", "The path of a folder", FolderOfGames(), folders)
	for _, missing := range v.Games.Missing {
		u.Message(widgets.Warning, missing+" is not there.")
	}
	for _, skipped := range v.Games.Skipped[:min(len(v.Games.Skipped), 3)] {
		u.Message(widgets.Warning, "Not looked at: "+screen.Printable(skipped.Path)+" ("+skipped.Why+")")
	}
	u.Bar(func() { u.Small(GamesWords(v.Games)) },
		widgets.Button{Text: "Look again", Name: "games again", Icon: draw.IconAgain, Kind: widgets.Quiet, Disabled: v.Games.Scanning, Do: v.Engine.ScanGames})
}

// FolderOfGames asks for a folder with games.
func FolderOfGames() screen.PathRequest {
	return screen.PathRequest{Title: "Where are your games?", Note: "nettplay looks in its subfolders too.", Fits: emucore.IsGameFile}
}

// GamesWords returns the number of games that there are.
func GamesWords(l library.List) string {
	words := phrase.Count(len(l.Games), "game")
	if l.Scanning {
		words += ", still looking"
	}
	return words
}

// Syncs returns what becomes of a bad line, in the settings' words and for people.
func Syncs() (values, names []string) {
	return config.Syncs(), []string{"Everyone waits", "Nobody waits", "Rollback"}
}

// OwnDelayNames are the choices of config.OwnDelays for people.
func OwnDelayNames() []string {
	return []string{"Automatic", "None", "1 frame", "2 frames", "3 frames"}
}

// clock chooses what the consoles' clocks show.
func (v *Screen) clock(u *widgets.UI, r row) {
	now := v.draft().Room.RTC.Now
	v.setting(u, r, func() {
		if u.Check(widgets.Check{Text: "the time of this computer", Name: "rtc now"}, &now) {
			rtc := config.RTC{Now: now}
			if !now { // the console's first day
				rtc.Seconds = time.Date(2009, 10, 24, 18, 30, 0, 0, time.UTC).Unix()
			}
			v.Change(func(c *config.Config) { c.Room.RTC = rtc })
		}
	})
	if !v.draft().Room.RTC.Now {
		v.fixedClock(u)
	}
}

// fixedClock is the field for a clock that shows a certain time.
func (v *Screen) fixedClock(u *widgets.UI) {
	const key = "rtc text"
	text, typing := v.typed[key]
	if !typing {
		text = v.draft().Room.RTC.String()
	}
	u.Row(widgets.Cells(labelWidth, widgets.Fill), func() {
		u.Space(0)
		e := u.Field(widgets.Field{Name: key, Hint: "2009-10-24 18:30", Max: 24, Forward: true}, &text)
		if !e.Changed {
			return
		}
		v.typed[key] = text
		if rtc, err := config.ParseRTC(text); err == nil && !rtc.Now {
			v.Change(func(c *config.Config) { c.Room.RTC = rtc })
		}
	})
	if _, err := config.ParseRTC(text); err != nil {
		u.Message(widgets.Danger, screen.Sentence(err.Error()))
	}
}
