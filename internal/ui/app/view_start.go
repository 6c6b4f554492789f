package app

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/kit"
	"github.com/nettplay/nettplay/internal/ui/library"
)

// The screens before a room.

func (v *View) home(u *kit.UI) {
	m := v.m
	r := v.place(u, 680)
	const high = 430
	if r.H > high {
		r = draw.R(r.X, r.Y+(r.H-high)/2, r.W, high)
	}
	u.In(r, func() {
		u.Text(draw.Style{Size: 34, Weight: draw.Bold}, kit.Normal, "nettplay", draw.Start)
		u.Soft("Nintendo DS games with friends, over the network.")
		u.Space(10)
		u.Row(kit.Cells(kit.Fill, kit.Fill), func() {
			if u.Button(kit.Button{Text: "Host", Sub: "Open a room for your friends", Icon: draw.IconHome, Kind: kit.Primary}) {
				m.GoHost()
			}
			if u.Button(kit.Button{Text: "Join", Sub: "Go into a friend's room", Icon: draw.IconPeople}) {
				m.GoJoin()
			}
		})
		u.Row(kit.Cells(kit.Fill, kit.Fill), func() {
			if u.Button(kit.Button{Text: "Play alone", Sub: "One console or more, offline", Icon: draw.IconConsole}) {
				m.GoAlone()
			}
			if u.Button(kit.Button{Text: "Recordings", Sub: "Watch a game again", Icon: draw.IconFilm}) {
				m.GoRecordings()
			}
		})
		u.Space(6)
		v.homeState(u)
		u.Row(kit.Cells(kit.Auto, kit.Auto, kit.Fill), func() {
			if u.Button(kit.Button{Text: "Settings", Icon: draw.IconSettings, Kind: kit.Quiet}) {
				m.GoSettings()
			}
			if u.Button(kit.Button{Text: "About", Icon: draw.IconInfo, Kind: kit.Quiet}) {
				m.GoAbout()
			}
			u.Text(kit.StyleSmall, kit.Normal, "", draw.End)
		})
	})
}

// homeState says who plays with what, and what is missing.
func (v *View) homeState(u *kit.UI) {
	m := v.m
	switch {
	case m.Core.Looking:
		u.Small("Looking for an emulator core …")
	case !m.Core.Found && m.Core.Trouble != nil:
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Message(kit.Warning, m.Core.Trouble.Title+". Without it no game can start.")
			if u.Button(kit.Button{Text: "What to do", Name: "core"}) {
				m.Trouble = m.Core.Trouble
			}
		})
	case len(m.Games.Games) == 0 && !m.Games.Scanning:
		u.Message(kit.Warning, "No games were found yet. Drop a .nds file, or a folder with some, onto this window.")
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

func (v *View) welcome(u *kit.UI) {
	m := v.m
	r := v.place(u, 600)
	foot := r.CutBottom(kit.Control)
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
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Small("All of this can be changed in the settings.")
			bad := m.Settings.Problems["player.nickname"] != ""
			if u.Button(kit.Button{Text: "Begin", Name: "begin", Kind: kit.Primary, Disabled: bad}) {
				m.FinishWelcome()
			}
		})
	})
}

// nickname is the field for the player's name.
func (v *View) nickname(u *kit.UI) {
	name := v.draft().Player.Nickname
	if e := u.Field(kit.Field{
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
func (v *View) coreState(u *kit.UI) {
	c := &v.m.Core
	switch {
	case c.Looking:
		u.Progress(kit.Progress{Value: -1, Text: "looking"})
	case c.Found:
		u.Message(kit.Good, coreWords(c.Core))
	case c.Trouble != nil:
		u.Message(kit.Warning, c.Trouble.Words)
		if c.Trouble.Hint != "" {
			u.Paragraph(c.Trouble.Hint)
		}
		v.copyLine(u, "core line", c.Trouble.Copy)
		u.Row(kit.Cells(kit.Auto, kit.Fill), func() {
			if u.Button(kit.Button{Text: "Look again", Name: "look"}) {
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
func (v *View) folders(u *kit.UI) {
	m := v.m
	u.Note("Drop a folder with .nds files onto this window, or type it here. ROMs are never sent to anybody: each player needs the game.")
	draft := v.draft()
	for i, folder := range draft.ROMs.Folders {
		u.ScopeN(i, func() {
			u.Row(kit.Cells(kit.Auto, kit.Fill, kit.Auto), func() {
				u.Icon(draw.IconFolder, kit.Normal)
				u.Label(folder)
				if u.Button(kit.Button{Icon: draw.IconTrash, Name: "remove", Kind: kit.Quiet, Tip: "Do not look there"}) {
					m.Change(func(c *config.Config) { c.ROMs.Folders = without(c.ROMs.Folders, folder) })
				}
			})
		})
	}
	v.addOne(u, "roms.folders", "a folder, such as ~/roms", func(c *config.Config, text string) {
		c.ROMs.Folders = append(c.ROMs.Folders, text)
	})
	for _, missing := range m.Games.Missing {
		u.Message(kit.Warning, missing+" is not there.")
	}
	u.Small(gamesWords(m.Games))
}

// addOne is a field for one more entry of a list.
func (v *View) addOne(u *kit.UI, key, hint string, add func(*config.Config, string)) {
	text := v.typed[key]
	u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
		e := u.Field(kit.Field{Name: key, Hint: hint, Max: 1000}, &text)
		v.typed[key] = text
		pressed := u.Button(kit.Button{Text: "Add", Name: "add " + key, Disabled: text == ""})
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

func (v *View) games(u *kit.UI) {
	m := v.m
	title := map[Purpose]string{ForHost: "Which game?", ForAlone: "Which game?", ForJoin: "Which game is in your console?"}[m.Purpose]
	shown := m.Shown()
	m.Lit = min(max(m.Lit, 0), len(shown)-1)
	pick := false
	v.page(u, title, 760, func() {
		u.Row(kit.Cells(kit.Fill, 220), func() {
			if e := u.Field(kit.Field{Name: "search", Hint: "Search", Icon: draw.IconSearch, Focus: true, Max: 80}, &m.Query); e.Changed {
				m.Lit = 0
			} else if e.Entered {
				pick = true
			}
			order := 0
			if m.Memory.ByPlayed {
				order = 1
			}
			if u.Radio(kit.Choice{Name: "order", Options: []string{"A to Z", "Played last"}}, &order) {
				m.SortByPlayed(order == 1)
			}
		})
		p := u.List(kit.List{Name: "games", Count: len(shown), Item: func(i int) kit.Item { return v.gameItem(shown[i]) }, Empty: v.noGames()}, &m.Lit)
		pick = pick || p.Activated
	}, func() {
		u.Row(kit.Cells(kit.Fill, kit.Auto, kit.Auto), func() {
			u.Small(v.gamesFoot(len(shown)))
			if n := len(m.Games.Troubles); n > 0 {
				if u.Button(kit.Button{Text: count(n, "file") + " cannot be played", Name: "troubles", Kind: kit.Quiet}) {
					v.troubles = true
				}
			} else {
				u.Space(0)
			}
			if u.Button(kit.Button{Text: "Next", Name: "next", Kind: kit.Primary, Disabled: m.Lit < 0}) {
				pick = true
			}
		})
	})
	v.troubleList(u)
	if pick && m.Lit >= 0 && m.Lit < len(shown) {
		m.Pick(shown[m.Lit])
	}
}

func (v *View) gamesFoot(shown int) string {
	l := v.m.Games
	switch {
	case l.Scanning && len(l.Names) > 0:
		return fmt.Sprintf("Reading %s …", count(len(l.Names), "more file"))
	case l.Scanning:
		return "Looking for games …"
	case shown < len(l.Games):
		return fmt.Sprintf("%d of %s", shown, count(len(l.Games), "game"))
	}
	return "Is one missing? Drop the file onto this window."
}

func (v *View) gameItem(g library.Game) kit.Item {
	item := kit.Item{Title: g.Title, Sub: g.More, Image: v.icon(&g), Right: agoWords(v.m.Memory.PlayedAt()[g.ROM.SHA256], v.m.now)}
	if item.Sub == "" {
		item.Sub = strings.TrimSpace(g.ROM.Code)
	}
	if item.Image == 0 {
		item.Icon = draw.IconConsole
	}
	return item
}

func (v *View) noGames() string {
	switch {
	case v.m.Query != "":
		return "No game is called that."
	case v.m.Games.Scanning:
		return "Looking for games …"
	}
	return "No games yet. Drop a .nds file, or a folder with some, onto this window."
}

// troubleList says why some files are no games.
func (v *View) troubleList(u *kit.UI) {
	if !v.troubles {
		return
	}
	done := false
	closed := u.Modal(kit.Modal{Title: "Files that cannot be played", Width: 560}, func() {
		u.Scroll("list", 240, func() {
			for i, t := range v.m.Games.Troubles {
				u.ScopeN(i, func() {
					u.Label(t.Path)
					u.Note(t.Why)
				})
			}
		})
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Space(0)
			done = u.Button(kit.Button{Text: "OK", Name: "close", Kind: kit.Primary})
		})
	})
	if closed || done {
		v.troubles = false
	}
}

func (v *View) host(u *kit.UI) {
	m := v.m
	f := &m.Host
	v.page(u, "Open a room", 620, func() {
		u.Scroll("form", 0, func() {
			v.gameCard(u, m.Picked)
			u.Card(func() {
				labelled(u, "Room name", "", func() {
					u.Field(kit.Field{Name: "name", Hint: m.Config.Player.Nickname + "'s room", Max: 40}, &f.Name)
				})
				labelled(u, "Password", "Who joins must know it. Leave it empty to let everybody in.", func() {
					u.Field(kit.Field{Name: "password", Hint: "none", Secret: true, Max: 64}, &f.Password)
				})
				labelled(u, "Players", "", func() { number(u, "players", &f.Players, 2, 16, "") })
				labelled(u, "Input delay", count(f.Delay, "frame")+". "+delayWords(f.Delay)+" In the room, nettplay measures the pings and suggests one.", func() {
					number(u, "delay", &f.Delay, 0, 30, "")
				})
			})
			public := !m.Memory.Private
			if u.Check(kit.Check{Text: "Show the room to others on the local network"}, &public) {
				m.SetPrivate(!public)
			}
		})
	}, func() {
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Small(fmt.Sprintf("UDP port %d", m.Config.Net.Port))
			if u.Button(kit.Button{Text: "Open the room", Name: "open", Kind: kit.Primary}) {
				m.OpenRoom()
			}
		})
	})
}

func (v *View) join(u *kit.UI) {
	m := v.m
	f := &m.Join
	enter := false
	v.page(u, "Join a room", 720, func() {
		u.Scroll("form", 0, func() {
			u.Heading("On your network")
			high := min(max(float32(len(m.Rooms))*54+8, 70), 180)
			p := u.List(kit.List{Name: "rooms", Count: len(m.Rooms), Height: high, Empty: v.noRooms(), Item: v.roomItem}, &v.room)
			if (p.Changed || p.Activated) && v.room >= 0 && v.room < len(m.Rooms) {
				m.ChooseRoom(m.Rooms[v.room])
				enter = p.Activated
			}
			u.Heading("Or by address")
			e := u.Field(kit.Field{Name: "address", Hint: "what your friend tells you, such as 203.0.113.7", Icon: draw.IconSignal, Max: 255}, &f.Address)
			if e.Changed {
				f.Room, v.room = nil, -1
			}
			enter = enter || e.Entered
			v.recent(u)
			e = u.Field(kit.Field{Name: "password", Hint: "password, if the room has one", Secret: true, Max: 64}, &f.Password)
			enter = enter || e.Entered
			v.ownGame(u)
		})
	}, func() {
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Small(v.joinFoot())
			if u.Button(kit.Button{Text: "Join", Name: "join", Kind: kit.Primary, Disabled: f.Address == ""}) {
				enter = true
			}
		})
	})
	if enter {
		m.EnterRoom()
	}
}

func (v *View) noRooms() string {
	if v.m.NoRooms != "" {
		return v.m.NoRooms
	}
	return "No room is open on your network at the moment."
}

func (v *View) joinFoot() string {
	if r := v.m.Join.Room; r != nil && r.Password && v.m.Join.Password == "" {
		return "That room needs a password."
	}
	return "You need the game too, in one of your ROM folders."
}

// roomItem is a room of the local network.
func (v *View) roomItem(i int) kit.Item {
	f := v.m.Rooms[i]
	item := kit.Item{
		Title: f.Room, Icon: draw.IconHome,
		Sub:   fmt.Sprintf("%s · %s · %s", f.Game, f.Host, f.Core),
		Right: fmt.Sprintf("%d of %d", f.Players, f.Seats),
	}
	switch {
	case f.Playing:
		item.Badge, item.Kind, item.Faint = "playing", kit.Warning, true
	case f.Players >= f.Seats:
		item.Badge, item.Kind, item.Faint = "full", kit.Warning, true
	case !v.haveGame(f.ROM):
		item.Badge, item.Kind = "you do not have this game", kit.Warning
	case f.Password:
		item.Badge = "password"
	}
	return item
}

// haveGame tells whether a game is among the player's own, by the start of its
// hash.
func (v *View) haveGame(rom [8]byte) bool {
	for _, g := range v.m.Games.Games {
		if [8]byte(g.ROM.SHA256[:8]) == rom {
			return true
		}
	}
	return false
}

// recent are the addresses that were joined before.
func (v *View) recent(u *kit.UI) {
	list := v.m.Memory.Addresses
	if len(list) == 0 {
		return
	}
	list = list[:min(len(list), 3)]
	u.Row(kit.Cells(kit.Auto, kit.Auto, kit.Auto, kit.Auto), func() {
		u.Small("Before:")
		for _, addr := range list {
			short := addr
			if r := []rune(short); len(r) > 24 {
				short = string(r[:23]) + "…"
			}
			if u.Button(kit.Button{Text: short, Name: "recent " + addr, Kind: kit.Quiet, Tip: addr}) {
				v.m.Join.Address, v.m.Join.Room, v.room = addr, nil, -1
			}
		}
	})
}

// ownGame lets a player bring another game than the game host's.
func (v *View) ownGame(u *kit.UI) {
	m := v.m
	if g := m.Join.OwnGame; g != nil {
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Label("Your game: " + g.Title)
			if u.Button(kit.Button{Text: "Play the game host's", Name: "same", Kind: kit.Quiet}) {
				m.PlaySame()
			}
		})
		return
	}
	u.Row(kit.Cells(kit.Auto, kit.Fill), func() {
		if u.Button(kit.Button{Text: "Bring another game", Name: "other", Kind: kit.Quiet, Tip: "To trade between two editions, for example. The game host must have it too."}) {
			m.PickOwn()
		}
		u.Small("otherwise you play the game host's")
	})
}

func (v *View) alone(u *kit.UI) {
	m := v.m
	start := false
	v.page(u, "Play alone", 560, func() {
		v.gameCard(u, m.Picked)
		u.Card(func() {
			n := m.Consoles - 1
			labelled(u, "Consoles", "", func() {
				if u.Radio(kit.Choice{Name: "consoles", Options: []string{"1", "2", "3", "4"}}, &n) {
					m.Consoles = n + 1
				}
			})
			u.Note(aloneWords(m.Consoles, m.Core.Core.Wireless))
		})
	}, func() {
		u.Row(kit.Cells(kit.Fill, kit.Auto), func() {
			u.Space(0)
			start = u.Button(kit.Button{Text: "Start", Name: "start", Icon: draw.IconPlay, Kind: kit.Primary})
		})
	})
	if start {
		m.PlayAlone()
	}
}

func aloneWords(n int, wireless bool) string {
	switch {
	case n == 1:
		return "One console, without a network. Your save is the one that you play with others."
	case wireless:
		return "They hear each other by local wireless. Each has a save of its own; who plays with what is in the settings, under Controller."
	}
	return "They run side by side. This core has no local wireless, so they do not hear each other. Each has a save of its own."
}

func (v *View) ended(u *kit.UI) {
	m := v.m
	e := &m.Ended
	r := v.place(u, 520)
	u.In(r, func() {
		u.Space(max((r.H-300)/2, 0))
		u.Card(func() {
			u.Row(kit.Cells(kit.Auto, kit.Fill), func() {
				u.Icon(draw.IconWarning, kit.Warning)
				u.Heading(e.Title)
			})
			v.trouble(u, e.Trouble)
			u.Row(kit.Cells(kit.Fill, kit.Auto, kit.Auto), func() {
				u.Space(0)
				if u.Button(kit.Button{Text: "Home", Name: "home"}) {
					m.home()
				}
				if u.Button(kit.Button{Text: "Try again", Name: "again", Kind: kit.Primary, Disabled: !e.Again}) {
					m.Retry()
				}
			})
		})
	})
}

func (v *View) about(u *kit.UI) {
	m := v.m
	v.page(u, "About nettplay", 600, func() {
		u.Scroll("about", 0, func() {
			u.Paragraph("Every player's computer runs one emulated Nintendo DS for each player. Only what is pressed crosses the network, and all computers stay alike, bit for bit. So every game with local wireless can be played far apart, on unmodified emulator cores.")
			u.Card(func() {
				labelled(u, "Version", "", func() { u.Label(m.Version) })
				labelled(u, "Core", "", func() { u.Label(v.aboutCore()) })
				labelled(u, "Core's SHA-256", "All players of a room need the same.", func() {
					u.Column(func() { v.mono(u, v.aboutSum()) })
				})
			})
			u.Note("nettplay is free software under the GNU General Public License, version 3 or later. It comes without any warranty.")
		})
	}, nil)
}

func (v *View) aboutCore() string {
	if !v.m.Core.Found {
		return "none"
	}
	return strings.TrimSpace(v.m.Core.Core.Name + " " + v.m.Core.Core.Version)
}

func (v *View) aboutSum() string {
	if !v.m.Core.Found {
		return "–"
	}
	return fmt.Sprintf("%x", v.m.Core.Core.SHA256)
}
