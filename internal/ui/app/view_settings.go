package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The settings: a list of pages at the left, one page at the right. Every key of
// the settings' file is on one of them.

func (v *View) settings(u *widgets.UI) {
	v.draft()
	f := &v.m.Settings
	v.page(u, "Settings", 900, func() {
		area := u.Area()
		side := area.Left(140)
		area.Left(20)
		page := int(f.Page)
		u.In(side, func() {
			names := Pages()
			u.List(widgets.List{Name: "pages", Count: len(names), Height: min(float32(len(names))*36+8, side.H), Item: func(i int) widgets.Item {
				return widgets.Item{Title: names[i]}
			}}, &page)
		})
		if page >= 0 {
			f.Page = Page(page)
		}
		u.In(area, func() {
			u.Scroll("page "+Pages()[f.Page], 0, func() { v.settingsPage(u) })
		})
	}, nil)
}

func (v *View) settingsPage(u *widgets.UI) {
	switch v.m.Settings.Page {
	case PagePlayer:
		v.setPlayer(u)
	case PageGames:
		u.Heading("Folders with games")
		v.folders(u)
	case PageCore:
		v.setCore(u)
	case PageNetwork:
		v.setNetwork(u)
	case PageRoom:
		v.setRoom(u)
	case PageVideo:
		v.setVideo(u)
	case PageAudio:
		v.setAudio(u)
	case PageKeys:
		v.setKeys(u)
	case PagePads:
		v.setPads(u)
	case PageRecording:
		v.setRecording(u)
	}
}

// setting is one setting: its label, a widget, and what it means, or why it is not
// taken.
func (v *View) setting(u *widgets.UI, key string, build func()) {
	v.offered(key)
	u.Tight(func() {
		u.Row(widgets.Cells(170, widgets.Fill), func() {
			u.Label(settingLabel(key))
			build()
		})
		if why := v.m.Settings.Problems[key]; why != "" {
			u.Message(widgets.Danger, why)
		}
		u.Note(help(key))
		u.Space(8)
	})
}

// text is a setting that is a text.
func (v *View) text(u *widgets.UI, key, hint string, length int, at func(*config.Config) *string) {
	v.setting(u, key, func() {
		s := *at(v.draft())
		if e := u.Field(widgets.Field{Name: key, Hint: hint, Max: length, Secret: key == "room.password"}, &s); e.Changed {
			v.m.Change(func(c *config.Config) { *at(c) = s })
		}
	})
}

// whole is a setting that is a whole number.
func (v *View) whole(u *widgets.UI, key string, lo, hi int, unit string, at func(*config.Config) *int) {
	v.setting(u, key, func() {
		n := *at(v.draft())
		if number(u, key, &n, lo, hi, unit) {
			v.m.Change(func(c *config.Config) { *at(c) = n })
		}
	})
}

// typedWhole is a whole number that is typed, since there are too many for a
// slider.
func (v *View) typedWhole(u *widgets.UI, key string, at func(*config.Config) *int) {
	v.typedSetting(u, key, fmt.Sprint(*at(v.draft())), func(c *config.Config, text string) string {
		var n int
		if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text {
			return "This is not a whole number."
		}
		*at(c) = n
		return ""
	})
}

// typedSetting is a setting that is typed in a form of its own. What does not make
// sense stays in the field with the reason, until it does or the field is left.
func (v *View) typedSetting(u *widgets.UI, key, value string, set func(*config.Config, string) string) {
	text, typing := v.typed[key]
	if !typing {
		text = value
	}
	why := ""
	v.setting(u, key, func() {
		e := u.Field(widgets.Field{Name: key, Max: 64}, &text)
		if e.Changed {
			v.typed[key] = text
			v.m.Change(func(c *config.Config) {
				trial := cloneConfig(*c)
				if why = set(&trial, strings.TrimSpace(text)); why == "" {
					*c = trial
				}
			})
			return
		}
		if e.Left && v.m.Settings.Problems[key] == "" {
			delete(v.typed, key)
		}
		if typing {
			trial := cloneConfig(*v.draft())
			why = set(&trial, strings.TrimSpace(text))
		}
	})
	if why != "" {
		u.Message(widgets.Danger, why)
	}
}

// yesNo is a setting that is on or off.
func (v *View) yesNo(u *widgets.UI, key string, at func(*config.Config) *bool) {
	v.setting(u, key, func() {
		on := *at(v.draft())
		word := "off"
		if on {
			word = "on"
		}
		if u.Check(widgets.Check{Text: word, Name: key}, &on) {
			v.m.Change(func(c *config.Config) { *at(c) = on })
		}
	})
}

// oneOf is a setting with a few values, which have names for people.
func (v *View) oneOf(u *widgets.UI, key string, values, names []string, at func(*config.Config) *string) {
	v.setting(u, key, func() {
		i := slices.Index(values, *at(v.draft()))
		choice := widgets.Choice{Name: key, Options: names}
		changed := false
		if len(names) <= 4 {
			changed = u.Radio(choice, &i)
		} else {
			changed = u.Choice(choice, &i)
		}
		if changed && i >= 0 {
			v.m.Change(func(c *config.Config) { *at(c) = values[i] })
		}
	})
}

// duration is a setting that is a time.
func (v *View) duration(u *widgets.UI, key string, lo, hi, step time.Duration, at func(*config.Config) *time.Duration) {
	v.setting(u, key, func() {
		f := float64(*at(v.draft()))
		if u.Slider(widgets.Slider{Name: key, Min: float64(lo), Max: float64(hi), Step: float64(step), Format: func(f float64) string {
			if step < time.Second {
				return fmt.Sprintf("%d ms", time.Duration(f).Milliseconds())
			}
			return fmt.Sprintf("%.0f s", time.Duration(f).Seconds())
		}}, &f) {
			v.m.Change(func(c *config.Config) { *at(c) = time.Duration(f).Round(step) })
		}
	})
}

func (v *View) setPlayer(u *widgets.UI) {
	v.nextRoom(u)
	v.setting(u, "player.nickname", func() { v.nickname(u) })
	v.oneOf(u, "player.language", config.Languages(), []string{"Japanese", "English", "French", "German", "Italian", "Spanish"},
		func(c *config.Config) *string { return &c.Player.Language })
	v.oneOf(u, "player.colour", config.Colours(), capitals(config.Colours()), func(c *config.Config) *string { return &c.Player.Colour })
	v.setting(u, "player.birthday", func() { v.birthday(u) })
	v.setting(u, "player.mac", func() { u.Text(widgets.StyleMono, widgets.Normal, v.draft().Player.MAC, draw.Start) })
}

// nextRoom says of settings that a room is given when one enters it, that they do not
// change the present one.
func (v *View) nextRoom(u *widgets.UI) {
	if v.m.Room != nil {
		u.Message(widgets.Primary, "You are in a room: what you change here counts from the next one on.")
	}
}

func capitals(names []string) []string {
	list := make([]string, len(names))
	for i, n := range names {
		list[i] = strings.ToUpper(n[:1]) + strings.ReplaceAll(n[1:], "-", " ")
	}
	return list
}

func (v *View) birthday(u *widgets.UI) {
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
			v.m.Change(func(c *config.Config) {
				c.Player.Birthday = config.Birthday{Month: uint8(month + 1), Day: uint8(min(day+1, last))}
			})
		}
	})
}

func (v *View) setCore(u *widgets.UI) {
	v.coreState(u)
	u.Space(8)
	all := v.m.Core.All
	names, values := []string{"The default: DeSmuME"}, []string{""}
	for _, c := range all {
		names, values = append(names, strings.TrimSpace(c.Name+" "+c.Version)+wirelessWord(c)), append(values, c.Path)
	}
	current := v.draft().Core.Name
	if !slices.Contains(values, current) {
		names, values = append(names, current), append(values, current)
	}
	v.setting(u, "core.name", func() {
		i := slices.Index(values, current)
		if u.Choice(widgets.Choice{Name: "core.name", Options: names}, &i) {
			v.m.Change(func(c *config.Config) { c.Core.Name = values[i] })
		}
	})
	v.coreOptions(u)
	v.setting(u, "core.folders", func() { u.Space(0) })
	for i, folder := range v.draft().Core.Folders {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
				u.Icon(draw.IconFolder, widgets.Normal)
				u.Label(folder)
				if u.Button(widgets.Button{Icon: draw.IconTrash, Name: "remove", Kind: widgets.Quiet}) {
					v.m.Change(func(c *config.Config) { c.Core.Folders = without(c.Core.Folders, folder) })
				}
			})
		})
	}
	v.addOne(u, "core.folders", "a folder with cores", func(c *config.Config, text string) { c.Core.Folders = append(c.Core.Folders, text) })
}

func wirelessWord(c emucore.Core) string {
	if c.Wireless {
		return " (local wireless)"
	}
	return ""
}

// coreOptions are what a room may choose of the core.
func (v *View) coreOptions(u *widgets.UI) {
	profile := emucore.ProfileFor(v.m.Core.Core.Name)
	v.setting(u, "core.options", func() {
		if !v.m.Core.Found || len(profile.Free) == 0 {
			u.Soft("This core has none to choose from.")
			return
		}
		u.Space(0)
	})
	if !v.m.Core.Found {
		return
	}
	for _, free := range profile.Free {
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill), func() {
			u.Small(free.Key)
			chosen := v.draft().Core.Options[free.Key]
			i := max(slices.Index(free.Values, chosen), 0)
			if u.Choice(widgets.Choice{Name: free.Key, Options: free.Values}, &i) {
				v.m.Change(func(c *config.Config) {
					options := map[string]string{}
					for k, val := range c.Core.Options {
						options[k] = val
					}
					options[free.Key] = free.Values[i]
					c.Core.Options = options
				})
			}
		})
	}
}

func (v *View) setNetwork(u *widgets.UI) {
	v.nextRoom(u)
	v.typedWhole(u, "net.port", func(c *config.Config) *int { return &c.Net.Port })
	v.text(u, "net.bind", "all addresses", 15, func(c *config.Config) *string { return &c.Net.Bind })
	v.typedWhole(u, "net.upload", func(c *config.Config) *int { return &c.Net.Upload })
	v.duration(u, "net.silence", 3*time.Second, time.Minute, time.Second, func(c *config.Config) *time.Duration { return &c.Net.Silence })
}

func (v *View) setRoom(u *widgets.UI) {
	u.Note("For the rooms that you open.")
	v.text(u, "room.name", v.m.Config.Player.Nickname+"'s room", 40, func(c *config.Config) *string { return &c.Room.Name })
	v.text(u, "room.password", "none", 64, func(c *config.Config) *string { return &c.Room.Password })
	v.whole(u, "room.seats", 2, 16, "", func(c *config.Config) *int { return &c.Room.Seats })
	v.whole(u, "room.delay", 0, 30, "", func(c *config.Config) *int { return &c.Room.Delay })
	v.setting(u, "room.rtc", func() {
		now := v.draft().Room.RTC.Now
		if u.Check(widgets.Check{Text: "the time of this computer", Name: "rtc now"}, &now) {
			v.m.Change(func(c *config.Config) { c.Room.RTC = fixedTime(now) })
		}
	})
	if !v.draft().Room.RTC.Now {
		v.fixedClock(u)
	}
	v.typedWhole(u, "room.hash_every", func(c *config.Config) *int { return &c.Room.HashEvery })
	v.whole(u, "room.skew", 0, 2, "", func(c *config.Config) *int { return &c.Room.Skew })
	v.yesNo(u, "room.announce", func(c *config.Config) *bool { return &c.Room.Announce })
	v.yesNo(u, "room.late_join", func(c *config.Config) *bool { return &c.Room.LateJoin })
	v.yesNo(u, "room.keep_consoles", func(c *config.Config) *bool { return &c.Room.Keep })
	v.whole(u, "room.spectators", 0, 16, "", func(c *config.Config) *int { return &c.Room.Spectators })
	v.setting(u, "room.spectate_delay", func() {
		if seconds, changed := v.delayChoice(u, "room.spectate_delay", int(v.draft().Room.SpectateDelay.Seconds())); changed {
			v.m.Change(func(c *config.Config) { c.Room.SpectateDelay = time.Duration(seconds) * time.Second })
		}
	})
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
func (v *View) fixedClock(u *widgets.UI) {
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
			v.m.Change(func(c *config.Config) { c.Room.RTC = rtc })
		}
	})
	if _, err := config.ParseRTC(text); err != nil {
		u.Message(widgets.Danger, sentence(err.Error()))
	}
}

func (v *View) setVideo(u *widgets.UI) {
	v.oneOf(u, "video.layout", config.Layouts(), []string{"Upright", "Side by side", "Top only", "Bottom only"},
		func(c *config.Config) *string { return &c.Video.Layout })
	v.oneOf(u, "video.emphasis", config.Emphases(), []string{"Both alike", "Top", "Bottom"},
		func(c *config.Config) *string { return &c.Video.Emphasis })
	v.yesNo(u, "video.swap", func(c *config.Config) *bool { return &c.Video.Swap })
	v.whole(u, "video.gap", 0, 192, "", func(c *config.Config) *int { return &c.Video.Gap })
	v.yesNo(u, "video.integer", func(c *config.Config) *bool { return &c.Video.Integer })
	v.oneOf(u, "video.filter", config.Filters(), []string{"Sharp", "Soft"}, func(c *config.Config) *string { return &c.Video.Filter })
	v.yesNo(u, "video.others", func(c *config.Config) *bool { return &c.Video.Others })
	v.yesNo(u, "video.hud", func(c *config.Config) *bool { return &c.Video.HUD })
	v.oneOf(u, "video.theme", config.Themes(), []string{"Dark", "Light"}, func(c *config.Config) *string { return &c.Video.Theme })
	v.windowScale(u)
	v.yesNo(u, "video.fullscreen", func(c *config.Config) *bool { return &c.Video.Fullscreen })
	v.yesNo(u, "video.vsync", func(c *config.Config) *bool { return &c.Video.VSync })
	v.scale(u)
}

// windowScale is the size of the window, by buttons for the reason of scale.
func (v *View) windowScale(u *widgets.UI) {
	const key = "video.scale"
	v.setting(u, key, func() {
		n := v.draft().Video.Scale
		v.stepper(u, key, n, n <= 1, n >= 8, fmt.Sprintf("%d ×", n), func(n int) {
			v.m.Change(func(c *config.Config) { c.Video.Scale = n })
		})
	})
}

// scale is the size of the widgets themselves: by buttons, since a slider would
// move away under the mouse.
func (v *View) scale(u *widgets.UI) {
	v.setting(u, "video.ui_scale", func() {
		s := v.draft().Video.UIScale
		set := func(percent int) {
			v.m.Change(func(c *config.Config) { c.Video.UIScale = float64(percent) / 100 })
		}
		percent := int(s*100 + 0.5)
		u.Row(widgets.Cells(widgets.Auto, 80, widgets.Auto, widgets.Fill), func() {
			if u.Button(widgets.Button{Icon: draw.IconMinus, Name: "smaller", Disabled: percent <= 50}) {
				set(max(percent-25, 50))
			}
			u.Text(widgets.StyleBody, widgets.Normal, fmt.Sprintf("%d %%", percent), draw.Middle)
			if u.Button(widgets.Button{Icon: draw.IconPlus, Name: "larger", Disabled: percent >= 400}) {
				set(min(percent+25, 400))
			}
			u.Space(0)
		})
	})
}

func (v *View) setAudio(u *widgets.UI) {
	v.yesNo(u, "audio.enabled", func(c *config.Config) *bool { return &c.Audio.Enabled })
	v.whole(u, "audio.volume", 0, 100, " %", func(c *config.Config) *int { return &c.Audio.Volume })
	v.duration(u, "audio.latency", 10*time.Millisecond, 500*time.Millisecond, 2*time.Millisecond,
		func(c *config.Config) *time.Duration { return &c.Audio.Latency })
	v.soundDevice(u)
}

// soundDevice is what plays the sound. One that is named and not there stays in the list.
func (v *View) soundDevice(u *widgets.UI) {
	const key = "audio.device"
	now := v.draft().Audio.Device
	values, names := []string{""}, []string{"What the system has chosen"}
	for _, device := range v.m.Sounds {
		values, names = append(values, device), append(names, device)
	}
	if !slices.Contains(values, now) {
		values, names = append(values, now), append(names, now+" (not there now)")
	}
	v.setting(u, key, func() {
		i := slices.Index(values, now)
		if u.Choice(widgets.Choice{Name: key, Options: names}, &i) && i >= 0 {
			v.m.Change(func(c *config.Config) { c.Audio.Device = values[i] })
		}
	})
}

func (v *View) setRecording(u *widgets.UI) {
	v.yesNo(u, "recording.enabled", func(c *config.Config) *bool { return &c.Recording.Enabled })
	v.text(u, "recording.folder", "the usual folder", 1000, func(c *config.Config) *string { return &c.Recording.Folder })
}
