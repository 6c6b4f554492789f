package settings

import (
	"fmt"
	"strings"
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
	v.draft()
	v.Page(u, "Settings", 900, func() {
		area, names := u.Area(), Pages()
		page := int(v.At)
		page = (page + u.Turned() + len(names)) % len(names)
		side := area
		if narrow := area.W < 580; narrow {
			side = area.Top(widgets.Control)
			area.Top(widgets.Gap)
		} else {
			side = area.Left(140)
			area.Left(20)
		}
		u.In(side, func() {
			if side.W > 140 {
				u.Choice(widgets.Choice{Name: "pages", Options: names}, &page)
				return
			}
			u.List(widgets.List{Name: "pages", Count: len(names), Height: min(float32(len(names))*36+8, side.H), Item: func(i int) widgets.Item {
				return widgets.Item{Title: names[i]}
			}}, &page)
		})
		if page >= 0 {
			v.At = Page(page)
		}
		u.In(area, func() {
			u.Scroll("page "+Pages()[v.At], 0, func() { v.page(u) })
		})
	}, nil)
	v.try(u)
}

func (v *Screen) page(u *widgets.UI) {
	switch v.At {
	case PagePlayer:
		v.playerPage(u)
	case PageGames:
		u.Heading("Folders with games")
		v.Folders(u)
	case PageCore:
		v.corePage(u)
	case PageNetwork:
		v.networkPage(u)
	case PageRoom:
		v.roomPage(u)
	case PageVideo:
		v.videoPage(u)
	case PageAudio:
		v.audioPage(u)
	case PageKeys:
		v.keysPage(u)
	case PagePads:
		v.padsPage(u)
	case PageRecording:
		v.recordingPage(u)
	}
}

func (v *Screen) playerPage(u *widgets.UI) {
	v.nextRoom(u)
	if words, other := v.GamesSee(); other {
		u.Message(widgets.Warning, words)
	}
	v.setting(u, "player.nickname", func() { v.Nickname(u) })
	v.oneOf(u, "player.language", config.Languages(), []string{"Japanese", "English", "French", "German", "Italian", "Spanish"},
		func(c *config.Config) *string { return &c.Player.Language })
	v.oneOf(u, "player.colour", config.Colours(), capitals(config.Colours()), func(c *config.Config) *string { return &c.Player.Colour })
	v.setting(u, "player.birthday", func() { v.birthday(u) })
	v.setting(u, "player.mac", func() { u.Text(widgets.StyleMono, widgets.Normal, v.draft().Player.MAC, draw.Start) })
	if v.Key != "" {
		screen.Labelled(u, "Your key", "Each connection proves it, so friends see that it is you. They find it beside your name in the lobby.", func() {
			u.Text(widgets.StyleMono, widgets.Normal, v.Key, draw.Start)
		})
	}
}

// nextRoom says of settings that a room is given when one enters it, that they do not
// change the present one.
func (v *Screen) nextRoom(u *widgets.UI) {
	if v.InRoom {
		u.Message(widgets.Primary, "You are in a room: what you change here counts from the next one on.")
	}
}

func (v *Screen) birthday(u *widgets.UI) {
	b := v.draft().Player.Birthday
	months := make([]string, 12)
	for i := range months {
		months[i] = time.Month(i + 1).String()
	}
	days := make([]string, time.Date(2004, time.Month(b.Month)+1, 0, 0, 0, 0, 0, time.UTC).Day())
	for i := range days {
		days[i] = fmt.Sprint(i + 1)
	}
	month, day := int(b.Month)-1, int(b.Day)-1
	u.Row(widgets.Cells(80, widgets.Fill), func() {
		d := u.Choice(widgets.Choice{Name: "day", Options: days}, &day)
		m := u.Choice(widgets.Choice{Name: "month", Options: months}, &month)
		if d || m {
			last := time.Date(2004, time.Month(month)+2, 0, 0, 0, 0, 0, time.UTC).Day()
			v.Change(func(c *config.Config) {
				c.Player.Birthday = config.Birthday{Month: uint8(month + 1), Day: uint8(min(day+1, last))}
			})
		}
	})
}

// Nickname is the field for the player's name.
func (v *Screen) Nickname(u *widgets.UI) {
	name := v.draft().Player.Nickname
	if e := u.Field(widgets.Field{
		Name: "player.nickname", Icon: draw.IconPerson, Max: 2 * config.MaxNickname, Error: v.nicknameError(),
		Focus: v.Current == screen.Welcome && u.Focused() == 0, Select: true,
	}, &name); e.Changed {
		v.Change(func(c *config.Config) { c.Player.Nickname = name })
	}
}

// nicknameError says why a name is not allowed; the settings show that below the field.
func (v *Screen) nicknameError() string {
	if v.Current == screen.Settings {
		return ""
	}
	return v.Problems["player.nickname"]
}

// Folders are the folders with games, to be changed.
func (v *Screen) Folders(u *widgets.UI) {
	u.Note("Drop a folder with .nds files onto this window, browse for it, or type it here. ROMs are never sent to anybody: each player needs the game.")
	folders := func(c *config.Config) *[]string { return &c.ROMs.Folders }
	v.items(u, draw.IconFolder, "Do not look there", folders)
	v.addFolder(u, "roms.folders", "a folder, such as ~/roms", FolderOfGames(), folders)
	for _, missing := range v.Games.Missing {
		u.Message(widgets.Warning, missing+" is not there.")
	}
	u.Bar(func() { u.Small(GamesWords(v.Games)) },
		widgets.Button{Text: "Look again", Name: "games again", Icon: draw.IconAgain, Kind: widgets.Quiet, Disabled: v.Games.Scanning, Do: func() { v.Do(screen.ScanGames{}) }})
}

// FolderOfGames asks for a folder with games.
func FolderOfGames() screen.PathRequest {
	return screen.PathRequest{Title: "Where are your games?", Note: "Folders below it count too.", Fits: emucore.IsGameName}
}

// GamesWords returns the number of games that there are.
func GamesWords(l library.List) string {
	words := phrase.Count(len(l.Games), "game")
	if l.Scanning {
		words += ", still looking"
	}
	return words
}

func (v *Screen) networkPage(u *widgets.UI) {
	v.nextRoom(u)
	v.relayList(u)
	v.typedWhole(u, "net.port", func(c *config.Config) *int { return &c.Net.Port })
	v.yesNo(u, "net.forward", func(c *config.Config) *bool { return &c.Net.Forward })
	v.typedSetting(u, "net.stun", strings.Join(v.draft().Net.STUN, " "), func(c *config.Config, text string) string {
		c.Net.STUN = strings.Fields(text)
		return ""
	})
	v.text(u, "net.bind", "all addresses", 45, func(c *config.Config) *string { return &c.Net.Bind })
	v.typedWhole(u, "net.upload", func(c *config.Config) *int { return &c.Net.Upload })
	v.yesNo(u, "net.friends", func(c *config.Config) *bool { return &c.Net.Friends })
	v.duration(u, "net.silence", 3*time.Second, time.Minute, time.Second, func(c *config.Config) *time.Duration { return &c.Net.Silence })
}

func (v *Screen) roomPage(u *widgets.UI) {
	u.Note("For the rooms that you open.")
	v.text(u, "room.name", v.Config.Player.Nickname+"'s room", 40, func(c *config.Config) *string { return &c.Room.Name })
	v.whole(u, "room.seats", 2, 16, "", func(c *config.Config) *int { return &c.Room.Seats })
	v.oneOf(u, "room.auto_delay", config.AutoDelays(), []string{"A number", "Trading", "Party", "Racing"}, func(c *config.Config) *string { return &c.Room.AutoDelay })
	v.whole(u, "room.delay", 0, 30, "", func(c *config.Config) *int { return &c.Room.Delay })
	v.setting(u, "room.rtc", func() {
		now := v.draft().Room.RTC.Now
		if u.Check(widgets.Check{Text: "the time of this computer", Name: "rtc now"}, &now) {
			v.Change(func(c *config.Config) { c.Room.RTC = fixedTime(now) })
		}
	})
	if !v.draft().Room.RTC.Now {
		v.fixedClock(u)
	}
	v.typedWhole(u, "room.hash_every", func(c *config.Config) *int { return &c.Room.HashEvery })
	v.whole(u, "room.skew", 0, 2, "", func(c *config.Config) *int { return &c.Room.Skew })
	v.yesNo(u, "room.announce", func(c *config.Config) *bool { return &c.Room.Announce })
	v.yesNo(u, "room.open", func(c *config.Config) *bool { return &c.Room.Open })
	v.yesNo(u, "room.late_join", func(c *config.Config) *bool { return &c.Room.LateJoin })
	v.yesNo(u, "room.keep_consoles", func(c *config.Config) *bool { return &c.Room.KeepConsoles })
	syncs, names := Syncs()
	v.oneOf(u, "room.sync", syncs, names, func(c *config.Config) *string { return &c.Room.Sync })
	v.whole(u, "room.spectators", 0, 16, "", func(c *config.Config) *int { return &c.Room.Spectators })
	v.setting(u, "room.spectate_delay", func() {
		screen.DelayChoice(u, "room.spectate_delay", int(v.draft().Room.SpectateDelay.Seconds()), func(seconds int) {
			v.Change(func(c *config.Config) { c.Room.SpectateDelay = time.Duration(seconds) * time.Second })
		})
	})
}

// Syncs returns what becomes of a bad line, in the settings' words and for people.
func Syncs() (values, names []string) {
	return config.Syncs(), []string{"All wait for it", "Nobody waits for it"}
}

// fixedTime is the clock of a room that does not show the present time: that of
// the console's first day.
func fixedTime(now bool) config.RTC {
	if now {
		return config.RTC{Now: true}
	}
	return config.RTC{Seconds: time.Date(2009, 10, 24, 18, 30, 0, 0, time.UTC).Unix()}
}

// fixedClock is the field for a clock that shows a certain time.
func (v *Screen) fixedClock(u *widgets.UI) {
	const key = "rtc text"
	text, typing := v.typed[key]
	if !typing {
		text = v.draft().Room.RTC.String()
	}
	u.Row(widgets.Cells(170, widgets.Fill), func() {
		u.Space(0)
		e := u.Field(widgets.Field{Name: key, Hint: "2009-10-24 18:30", Max: 24}, &text)
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
