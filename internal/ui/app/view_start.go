package app

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// The screens before a room.

func (v *View) host(u *widgets.UI) {
	m := v.m
	f := &m.Host
	v.page(u, "Open a room", 620, func() {
		u.Scroll("form", 0, func() {
			v.gameCard(u, m.Picked)
			u.Card(func() {
				labelled(u, "Room name", "", func() {
					u.Field(widgets.Field{Name: "name", Hint: m.Config.Player.Nickname + "'s room", Max: 40}, &f.Name)
				})
				labelled(u, "Password", "Who joins must know it. Leave it empty to let everybody in.", func() {
					u.Field(widgets.Field{Name: "password", Hint: "none", Secret: true, Max: 64}, &f.Password)
				})
				labelled(u, "Players", "", func() { number(u, "players", &f.Players, 2, 16, "") })
				labelled(u, "Input delay", count(f.Delay, "frame")+". "+delayWords(f.Delay)+" In the room, nettplay measures the pings and suggests one.", func() {
					number(u, "delay", &f.Delay, 0, 30, "")
				})
			})
			v.openness(u, f)
			v.beside(u)
			public := m.Config.Room.Announce
			if u.Check(widgets.Check{Text: "Show the room to others on the local network"}, &public) {
				m.SetAnnounced(public)
			}
		})
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Small(fmt.Sprintf("UDP port %d", m.Config.Net.Port))
			if u.Button(widgets.Button{Text: "Open the room", Name: "open", Kind: widgets.Primary}) {
				m.OpenRoom()
			}
		})
	})
}

func (v *View) join(u *widgets.UI) {
	m := v.m
	f := &m.Join
	enter, watch := false, false
	v.page(u, "Join a room", 720, func() {
		u.Scroll("form", 0, func() {
			u.Heading("On your network")
			high := min(max(float32(len(m.Rooms))*54+8, 70), 180)
			p := u.List(widgets.List{Name: "rooms", Count: len(m.Rooms), Height: high, Empty: v.noRooms(), Item: v.roomItem}, &v.room)
			if (p.Changed || p.Activated) && v.room >= 0 && v.room < len(m.Rooms) {
				m.ChooseRoom(m.Rooms[v.room])
				enter = p.Activated
			}
			u.Heading("Or by address")
			e := u.Field(widgets.Field{Name: "address", Hint: "what your friend tells you, such as 203.0.113.7", Icon: draw.IconSignal, Max: 255}, &f.Address)
			if e.Changed {
				f.Room, v.room = nil, -1
			}
			enter = enter || e.Entered
			v.recent(u)
			e = u.Field(widgets.Field{Name: "password", Hint: "password, if the room has one", Secret: true, Max: 64}, &f.Password)
			enter = enter || e.Entered
			v.ownGame(u)
			v.beside(u)
		})
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Small(v.joinFoot())
			watch = u.Button(widgets.Button{Text: "Watch", Name: "watch", Disabled: f.Address == "" || !m.mayWatch(), Tip: v.watchTip()})
			if u.Button(widgets.Button{Text: "Join", Name: "join", Kind: widgets.Primary, Disabled: f.Address == ""}) {
				enter = true
			}
		})
	})
	switch {
	case enter:
		m.EnterRoom()
	case watch:
		m.LookOn()
	}
}

func (v *View) noRooms() string {
	if v.m.NoRooms != "" {
		return v.m.NoRooms
	}
	return "No room is open on your network at the moment."
}

func (v *View) joinFoot() string {
	r := v.m.Join.Room
	switch {
	case r == nil:
	case r.Password && v.m.Join.Password == "":
		return "That room needs a password."
	case r.Playing && !r.Late && r.Watch:
		return "A game runs there. Until it is over you can only watch it."
	case r.Playing && !r.Late:
		return "A game runs there, and nobody can come in until it is over."
	case r.Players >= r.Seats && r.Watch:
		return "All seats are taken, but you can watch."
	case r.Playing:
		return "A game runs there. You can come into it."
	}
	return "You need the game too, in one of your ROM folders."
}

// watchTip says what watching is, or why it cannot be.
func (v *View) watchTip() string {
	if !v.m.mayWatch() {
		return "Nobody may watch in that room, or nobody more."
	}
	return "See all consoles of the room, a little later, without playing"
}

// roomItem is a room of the local network.
func (v *View) roomItem(i int) widgets.Item {
	f := v.m.Rooms[i]
	item := widgets.Item{
		Title: f.Room, Icon: draw.IconHome,
		Sub:   fmt.Sprintf("%s · %s · %s", f.Game, f.Host, f.Core),
		Right: fmt.Sprintf("%d of %d", f.Players, f.Seats),
	}
	switch {
	case f.Playing:
		item.Badge, item.Kind, item.Faint = "playing", widgets.Warning, !f.Watch && (!f.Late || f.Players >= f.Seats)
	case f.Players >= f.Seats:
		item.Badge, item.Kind, item.Faint = "full", widgets.Warning, !f.Watch
	case !v.haveGame(f.ROM):
		item.Badge, item.Kind = "you do not have this game", widgets.Warning
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
func (v *View) recent(u *widgets.UI) {
	list := v.m.Memory.Addresses
	if len(list) == 0 {
		return
	}
	list = list[:min(len(list), 3)]
	u.Row(widgets.Cells(widgets.Auto, widgets.Auto, widgets.Auto, widgets.Auto), func() {
		u.Small("Before:")
		for _, addr := range list {
			short := addr
			if r := []rune(short); len(r) > 24 {
				short = string(r[:23]) + "…"
			}
			if u.Button(widgets.Button{Text: short, Name: "recent " + addr, Kind: widgets.Quiet, Tip: addr}) {
				v.m.Join.Address, v.m.Join.Room, v.room = addr, nil, -1
			}
		}
	})
}

// ownGame lets a player bring another game than the game host's.
func (v *View) ownGame(u *widgets.UI) {
	m := v.m
	if g := m.Join.OwnGame; g != nil {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Label("Your game: " + g.Title)
			if u.Button(widgets.Button{Text: "Play the game host's", Name: "same", Kind: widgets.Quiet}) {
				m.PlaySame()
			}
		})
		return
	}
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
		if u.Button(widgets.Button{Text: "Bring another game", Name: "other", Kind: widgets.Quiet, Tip: "To trade between two editions, for example. The game host must have it too."}) {
			m.PickOwn()
		}
		u.Small("otherwise you play the game host's")
	})
}

func (v *View) alone(u *widgets.UI) {
	m := v.m
	start := false
	v.page(u, "Play alone", 560, func() {
		v.gameCard(u, m.Picked)
		u.Card(func() {
			n := m.Consoles - 1
			labelled(u, "Consoles", "", func() {
				if u.Radio(widgets.Choice{Name: "consoles", Options: []string{"1", "2", "3", "4"}}, &n) {
					m.Consoles = n + 1
				}
			})
			u.Note(aloneWords(m.Consoles, m.Core.Core.Wireless))
		})
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Space(0)
			start = u.Button(widgets.Button{Text: "Start", Name: "start", Icon: draw.IconPlay, Kind: widgets.Primary})
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
