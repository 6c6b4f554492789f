package start

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Build implements screen.Screen.
func (v *Online) Build(u *widgets.UI) {
	enter := false
	v.SearchPage(u, "Play online", 760, &v.Search, len(v.view.Rooms)+len(v.There()), func() {
		u.Scroll("online", 0, func() {
			v.noRelay(u)
			v.match(u)
			enter = v.list(u)
			v.met(u)
		})
	}, func() {
		r := v.chosenRoom(u)
		host := widgets.Button{Text: "Host", Name: "host", Tip: "Open a room of your own", Do: func() { v.games.PickFor(ForHost) }}
		join := widgets.Button{Text: "Join", Name: "join", Kind: widgets.Primary, Disabled: r == nil || rank(*r) > 0, Do: func() { enter = true }}
		if len(v.view.Rooms) == 0 {
			host.Kind, join.Kind = widgets.Primary, widgets.Normal
		}
		screen.Foot(u, v.foot(r), host, join)
	})
	v.password.Build(u, v.asked.name+" has a password", "Join", "password", func(password string) { v.enter(v.asked, password) })
	if enter && v.chosenRoom(u) != nil {
		v.JoinRoom()
	}
	if v.trouble() == "" && !v.told() {
		u.Wake(patience)
	}
}

// noRelay says why no room can show, and leads to where that is changed.
func (v *Online) noRelay(u *widgets.UI) {
	if why := v.trouble(); why != "" {
		screen.Offer(u, widgets.Warning, why, widgets.Button{Text: "Relays", Icon: draw.IconSettings, Tip: "The relays in the settings", Do: func() {
			v.games.host.settings.At = settings.PageNetwork
			v.Go(screen.Settings)
		}})
	}
}

// match draws the quick match.
func (v *Online) match(u *widgets.UI) {
	list, at := v.Games.Games, -1
	g := v.matched()
	names := make([]string, len(list))
	for i := range list {
		if names[i] = list[i].Called(); g != nil && list[i].Key() == g.Key() {
			at = i
		}
	}
	if g == nil {
		return
	}
	u.Bar(func() {
		if u.Choice(widgets.Choice{Name: "game", Options: names, Tip: "The game of the quick match"}, &at) && at >= 0 {
			v.game = &list[at]
		}
	}, widgets.Button{Text: "Quick match", Name: "match", Icon: draw.IconPlay, Disabled: !v.told(), Tip: "Join the nearest open room that plays this game", Do: v.Match})
}

// list draws the open rooms, and tells whether the player joins one. Its height depends on the
// window alone: rooms come and go while the mouse is on its way.
func (v *Online) list(u *widgets.UI) (enter bool) {
	const low, rest = 116, 230 // two rooms, and what is to be seen above and below
	u.Heading("Open rooms")
	lit, _ := v.room()
	p := v.Draw(u, v.Look(u, v.openRooms(max(u.Area().H-rest, low))), &lit)
	if (p.Changed || p.Activated) && lit >= 0 && lit < len(v.view.Rooms) {
		v.Chosen = v.view.Rooms[lit].Key
	}
	return p.Activated
}

// openRooms is their list.
func (v *Online) openRooms(high float32) widgets.List {
	return widgets.List{Name: "rooms", Count: len(v.view.Rooms), Height: high, Empty: v.empty(), Blank: draw.IconGlobe, Item: v.item}
}

// chosenRoom is the chosen one, nil for none and for one that is not in sight, since the player looks for others.
func (v *Online) chosenRoom(u *widgets.UI) *online.Room {
	i, r := v.room()
	if !v.Look(u, v.openRooms(0)).Shows(i) {
		return nil
	}
	return r
}

func (v *Online) empty() string {
	switch {
	case v.trouble() != "":
		return "No rooms to show."
	case !v.told():
		return "Looking for open rooms …"
	}
	return "No room is open right now. Host one, and tick “Anyone can find this room”."
}

// item draws an open room.
func (v *Online) item(i int) widgets.Item {
	r := v.view.Rooms[i]
	item := widgets.Item{
		Title: r.Room, Icon: draw.IconHome, Faint: rank(r) > 0,
		Sub:   fmt.Sprintf("%s · %s · %s", r.Game, r.Host, r.Core),
		Right: fmt.Sprintf("%d of %d players%s", r.Seats-r.Free, r.Seats, pingWords(r.Ping)),
	}
	switch {
	case r.Mine:
		item.Badge = "yours"
	case r.Why != "":
		item.Badge, item.Kind = shortly(r.Why), widgets.Warning
	case r.Locked:
		item.Badge = "password"
	case r.Playing:
		item.Badge = "playing"
	}
	return item
}

// shortly returns the reason why a room cannot be joined, for a narrow place; the foot has the whole.
func shortly(why string) string {
	switch why {
	case online.WhyCore:
		return "another core"
	case online.WhyFull:
		return "full"
	}
	return why
}

func pingWords(ping time.Duration) string {
	if ping == 0 {
		return ""
	}
	return fmt.Sprintf(" · %d ms", max(1, ping.Milliseconds()))
}

// met draws the friends who are there.
func (v *Online) met(u *widgets.UI) {
	u.Heading("Friends")
	there := v.There()
	found := slices.DeleteFunc(slices.Clone(there), func(f online.Friend) bool { return !v.Has(u, f.Nickname, doing(f)) })
	switch {
	case !v.Config.Net.Friends:
		u.Bar(func() { u.Note("Players you have played with appear here if you both let friends see you.") },
			widgets.Button{Text: "Let friends see me", Name: "friends", Kind: widgets.Quiet, Do: func() {
				v.games.host.settings.Set(func(c *config.Config) { c.Net.Friends = true })
				v.engine.Seek(Seek{On: true, Rooms: true})
			}})
	case len(there) == 0:
		u.Note("None of your friends is online.")
	case len(found) == 0:
		u.Note(screen.NothingFound)
	}
	for i, f := range found {
		u.ScopeN(i, func() { v.friend(u, f) })
	}
}

// friend draws one, with the way into their room.
func (v *Online) friend(u *widgets.UI, f online.Friend) {
	u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
		u.Icon(draw.IconPerson, widgets.Good)
		u.Tight(func() {
			u.Label(widgets.Verbatim(f.Nickname))
			u.Small(doing(f))
		})
		join := widgets.Button{}
		if f.Invite != "" {
			join = widgets.Button{Text: "Join", Name: "join friend", Do: func() { v.enter(entrance{f.Nickname + "'s room", f.Invite}, "") }}
		}
		u.Buttons(join)
	})
}

// doing tells what a friend does.
func doing(f online.Friend) string {
	game := phrase.Shorten(f.Game, 60)
	switch {
	case f.State == online.There:
		return "online"
	case game == "":
		return "is in a room"
	case f.State == online.InLobby:
		return "is in a room for " + game
	}
	return "plays " + game
}

// OwnKeys implements screen.Keyed.
func (v *Online) OwnKeys() []screen.KeyRow { return screen.SearchKeys() }
