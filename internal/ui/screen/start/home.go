package start

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Engine does what these screens want of the world outside; see [screen.Engine].
type Engine interface {
	Browse(on bool)                 // looks for rooms on the local network, or ends that; answers with Join.Rooms
	Seek(what Seek)                 // looks at the relays of the settings, or ends that; answers with Online.See, or Online.Failed
	AskRooms(rooms []online.Room)   // asks them for a quick match how far they are; answers with Online.Matched
	ListMoments()                   // reads the folder; answers with Moments.Listed
	RenameMoment(path, name string) // and lists anew
	DeleteMoment(path string)       // and lists anew
	OpenMoment(path string)         // reads one that is elsewhere; answers with Moments.Chosen
	// Examine looks for what would spoil play on this machine, and on the line to a friend by whose invitation, "" for none;
	// it answers with Check.Found and Check.Over. TryGame finds out whether a game works, which has been read; it answers with
	// Check.Tried, too. StopExamining ends either.
	Examine(invitation string)
	TryGame(rom *emucore.ROM)
	StopExamining()
}

// Home is the first screen:
//
//	nettplay  [ an invitation, a code or an address          ] [Paste]
//	[ Host again ] [ Host       ] [ Join       ] [ Back to Ann's room ]    where there was a game, a room
//	[ Play online ] [ Play alone  ] [ Continue  ] [ Recordings      ]
//	Settings  Saves  Cores  Self-test ...
//	[game] [game] [game] [game] [game]        | friends who are there
//	[game] [game] [game] [game] [game]        | rooms on this network
//	[game] [game] [game]                      | kept games
//
// In a small window all of it is one column that scrolls, with one row of games. The keyboard comes to the buttons
// first, then to the field, then to the rest from the top; it begins on the way back to a room.
type Home struct {
	screen.Base
	games      *Games
	moments    *Moments
	online     *Online
	invitation string // in the field
	password   screen.Naming
	asked      func(password string) // goes on once the player has given it
	shelf      shelf
	Words      string // that the player looks for among the games
	chosen     int    // of the games
	found      bool   // Enter was pressed in the search
}

// NewHome makes the screen.
func NewHome(games *Games, moments *Moments, friends *Online) *Home {
	return &Home{
		Base: screen.Base{Shared: games.Shared, ID: screen.Home}, games: games, moments: moments, online: friends,
		password: screen.Naming{Secret: true},
	}
}

// Back implements screen.Screen: there is nothing before it.
func (v *Home) Back() bool { return true }

// Build implements screen.Screen.
func (v *Home) Build(u *widgets.UI) {
	if to := v.Memory.Room; to != nil && to.Old(v.Now) {
		v.forget()
	}
	if r := v.Place(u, 1600); r.W >= screen.Wide && r.H >= 540 {
		u.In(r, func() { v.spread(u) })
	} else {
		r := v.Place(u, 760)
		u.In(r, func() { u.Scroll("home", 0, func() { v.column(u, r.H < 410) }) }) // what comes and goes below moves nothing above
	}
	if text := u.Pasted(); text != "" {
		v.games.join.Paste(text)
	}
	v.password.Build(u, "The room has a password", "Join", "password", func(password string) { v.asked(password) })
}

// large are the heights of the two kinds of buttons, in points.
const large = 76

// column draws all of it below each other, in a small window; low leaves out what takes height and is not needed.
func (v *Home) column(u *widgets.UI, low bool) {
	narrow := u.Area().W < 540
	field := v.head(u, narrow)
	lead := v.waysOn(low)
	small := len(lead) == 2 && u.Area().H < 480 // the games are to be seen without scrolling
	if small {
		low, lead = true, v.waysOn(true)
	}
	if narrow {
		for i := range lead {
			lead[i].Icon = draw.NoIcon
		}
	}
	host, join := v.hostAndJoin(lead)
	if small {
		host.Sub, join.Sub = "", ""
	}
	if len(lead) == 1 && !narrow && !low {
		u.Row(widgets.Cells(widgets.Fill, widgets.Fill, widgets.Fill), func() {
			u.Scope("lead", func() { u.Button(lead[0]) })
			u.Buttons(host, join)
		})
	} else {
		u.Scope("lead", func() {
			for i, place := range leadPlaces(u, len(lead), narrow, low) {
				u.In(place, func() { u.Button(lead[i]) })
			}
		})
		screen.Across(u, host, join)
	}
	ways := v.ways()
	if narrow {
		for i := range ways {
			ways[i].Icon = draw.NoIcon
		}
		screen.Across(u, ways[:2]...)
		screen.Across(u, ways[2:]...)
	} else {
		screen.Across(u, ways...)
	}
	u.In(field, func() { v.invited(u, narrow) })
	v.elsewhere(u)
	if len(v.Games.Games) > 0 {
		u.Row(widgets.Cells(widgets.Fill, 200), func() {
			u.Small(v.words())
			v.searchField(u)
		})
		v.gamesGrid(u, 1)
	}
	v.friends(u)
	v.rooms(u)
	v.kept(u, narrow, map[bool]int{true: 1, false: 3}[narrow])
	v.state(u)
	v.games.host.settings.HelpLine(u)
}

// spread draws it over a window that has room: games at the left, as many as there is room for.
func (v *Home) spread(u *widgets.UI) {
	field := v.head(u, false)
	lead := v.waysOn(false)
	host, join := v.hostAndJoin(lead)
	row := u.Cell(0, large)
	wide := (row.W - widgets.Gap*float32(len(lead)+1)) / float32(len(lead)+2)
	if wide < 225 { // in two rows
		below := u.Cell(0, large)
		half := (row.W - widgets.Gap) / 2
		u.Scope("lead", func() {
			u.In(row.Left(half), func() { u.Button(lead[0]) })
			u.In(row.CutRight(half), func() { u.Button(lead[1]) })
		})
		u.In(below.Left(half), func() { u.Button(host) })
		u.In(below.CutRight(half), func() { u.Button(join) })
	} else {
		place := func(cut func(float32) draw.Rect, gap func(float32) draw.Rect) (r draw.Rect) {
			r = cut(wide)
			gap(widgets.Gap)
			return r
		}
		u.Scope("lead", func() {
			for _, b := range lead { // the way back to a room at the right, beside Join
				at := place(row.Left, row.Left)
				if b.Name == "back to room" {
					row = draw.R(at.X, row.Y, row.Right()-at.X, row.H)
					at = place(row.CutRight, row.CutRight)
				}
				u.In(at, func() { u.Button(b) })
			}
		})
		u.In(place(row.Left, row.Left), func() { u.Button(host) })
		u.In(row, func() { u.Button(join) })
	}
	screen.Across(u, v.ways()...)
	u.In(field, func() { v.invited(u, false) })
	v.elsewhere(u)
	v.warnings(u)
	v.games.host.settings.HelpLine(u)
	area := u.Area()
	if v.hasBeside() {
		side := area.CutRight(max(290, area.W*0.26))
		side.Top((widgets.Control - u.Canvas().LineHeight(widgets.StyleHead)) / 2) // its first heading is in line with that of the games
		area.CutRight(20)
		u.In(area, func() { v.gamesPart(u) })
		u.In(side, func() {
			u.Scroll("side", 0, func() {
				v.friends(u)
				v.rooms(u)
				v.kept(u, true, 3)
			})
		})
	} else {
		u.In(area, func() { v.gamesPart(u) })
	}
}

// gamesPart draws all games, or how to get some.
func (v *Home) gamesPart(u *widgets.UI) {
	switch {
	case len(v.Games.Games) > 0:
		field := float32(240)
		if u.Area().W < 760 {
			field = widgets.Fill
		}
		u.Row(widgets.Cells(widgets.Auto, field, widgets.Fill, widgets.Auto), func() {
			u.Text(widgets.StyleHead, widgets.Normal, "Your games", draw.Start)
			v.searchField(u)
			if field > 0 {
				u.Space(0)
			}
			u.Small(v.words())
		})
		v.gamesGrid(u, 0)
	case v.Games.Scanning:
		u.Centered("games", func() { u.Headline("Looking for games …") })
	default:
		u.Centered("games", func() {
			const high = 132
			r := u.Cell(0, high)
			screen.DrawConsole(u.Canvas(), r.Centered(high*0.9, high), u.Theme().Accent, u.Theme(), false)
			u.Space(6)
			v.games.noGames(u, widgets.Normal)
		})
	}
}

// searchField looks for a game. Enter leads to the first one that is found.
func (v *Home) searchField(u *widgets.UI) {
	e := screen.SearchField(u, widgets.Field{Name: "search"}, &v.Words)
	if e.Changed {
		v.chosen = 0
	}
	v.found = e.Entered
}

// ordered returns the games, the last one played first.
func (v *Home) ordered() []library.Game { return v.shelf.order(v.Games.Games, v.Memory, true) }

// gamesGrid draws the games as tiles; rows 0 is all of them. One that is pressed is to be hosted.
func (v *Home) gamesGrid(u *widgets.UI, rows int) {
	v.ordered()
	list := v.shelf.find(v.Words)
	if len(list) == 0 {
		u.Note(screen.NothingFound)
		return
	}
	g := widgets.Grid{Name: "shelf", Take: v.found, Count: len(list), Wide: 132, Side: 64, Lines: 3 - rows, Rows: rows, Tile: func(i int) widgets.Tile { return v.tile(&list[i]) }}
	if u.Area().W >= 1000 {
		g.Wide, g.Side = 168, 96
	}
	if rows == 0 {
		for _, side := range []float32{160, 128, 96} { // as large as all of them have room, by whole pixels of their icons
			if larger := (widgets.Grid{Count: g.Count, Wide: side + 72, Side: side, Lines: g.Lines}); larger.Fits(u) {
				g.Wide, g.Side = larger.Wide, larger.Side
				break
			}
		}
	}
	if p := u.Grid(g, &v.chosen); p.Activated && !v.NeedCore() {
		v.games.Purpose = ForHost
		v.Words = ""
		v.games.Pick(list[v.chosen])
	}
}

func (v *Home) tile(g *library.Game) widgets.Tile {
	t := widgets.Tile{Title: g.Title, Image: v.Icon(g), Sub: cmp.Or(g.Apart, agoWords(g.Played(v.shelf.at), v.Now))}
	if t.Image == 0 {
		t.Color = screen.PlateColor(g.Title)
	}
	return t
}

// hostAndJoin are the two large buttons. Host is the way forward, unless one leads back into a room.
func (v *Home) hostAndJoin(lead []widgets.Button) (host, join widgets.Button) {
	host = widgets.Button{Text: "Host", Sub: "Open a room", Icon: draw.IconHome, Kind: widgets.Primary, Do: func() { v.games.PickFor(ForHost) }}
	if slices.ContainsFunc(lead, func(b widgets.Button) bool { return b.Kind == widgets.Primary }) {
		host.Kind = widgets.Normal
	}
	return host, widgets.Button{Text: "Join", Sub: "A friend's room", Icon: draw.IconPeople, Do: v.leads(screen.Join)}
}

// ways are the other ways to play.
func (v *Home) ways() []widgets.Button {
	return []widgets.Button{
		{Text: "Play online", Icon: draw.IconGlobe, Tip: "Find open rooms", Do: v.leads(screen.Online)},
		{Text: "Play alone", Icon: draw.IconConsole, Tip: "Here, offline", Do: func() { v.games.PickFor(ForAlone) }},
		{Text: "Continue", Icon: draw.IconClock, Tip: "A kept game", Do: v.leads(screen.Moments)},
		{Text: "Recordings", Icon: draw.IconFilm, Tip: "Watch a game", Do: v.leads(screen.Recordings)},
	}
}

// head draws the name of the program, and returns the place beside it for the field.
func (v *Home) head(u *widgets.UI, narrow bool) (field draw.Rect) {
	const name, high = 170, 52
	r := u.Cell(0, high)
	style := draw.Style{Size: 34, Weight: draw.Bold}
	if narrow {
		style.Size = 27
	}
	wide := min(name, u.Canvas().Width(style, "nettplay")+20)
	u.Canvas().TextIn(r.Left(wide), style, "nettplay", u.Theme().Text, draw.Start)
	return r.Inset2(0, (high-widgets.Control)/2)
}

// leadPlaces takes the places of the n buttons that lead back: half of the width each, all of it for one alone and in
// a narrow window.
func leadPlaces(u *widgets.UI, n int, narrow, low bool) (places []draw.Rect) {
	high := float32(76)
	if low {
		high = widgets.Control
	}
	if narrow || n < 2 {
		for range n {
			places = append(places, u.Cell(0, high))
		}
		return places
	}
	r := u.Cell(0, high)
	half := (r.W - widgets.Gap) / 2
	return []draw.Rect{r.Left(half), r.CutRight(half)}
}

// invited draws the field for an invitation. One that is whole needs no other press.
func (v *Home) invited(u *widgets.UI, narrow bool) {
	hint := "An invitation, a code or an address"
	if narrow {
		hint = "Invitation or address"
	}
	take := widgets.Button{Text: "Paste", Name: "paste", Tip: "Join by the invitation that you copied", Do: func() { v.games.join.Paste(u.Clipboard()) }}
	if v.invitation != "" {
		take = widgets.Button{Text: "Join", Name: "paste", Tip: "Join this room", Do: v.enter}
	}
	u.Bar(func() {
		e := u.Field(widgets.Field{Name: "invitation", Hint: hint, Icon: draw.IconLink, Max: room.MaxPasted, Secret: v.Config.Video.Streamer}, &v.invitation)
		_, whole, err := invite.Find(v.invitation)
		if e.Entered && v.invitation != "" || e.Changed && whole && err == nil {
			v.enter()
		}
	}, take)
}

// enter joins by what is in the field: an invitation, a code, or an address. It is a secret, and does not stay
// there.
func (v *Home) enter() {
	text := v.invitation
	v.invitation = ""
	v.games.join.Take(text)
}

// hasBeside reports whether there is anything beside the games.
func (v *Home) hasBeside() bool {
	return len(v.online.There()) > 0 || len(v.games.join.Rooms) > 0 || slices.ContainsFunc(v.moments.List, func(m Moment) bool { return m.Why == "" })
}

// rooms shows the open rooms of this network, the first of them.
func (v *Home) rooms(u *widgets.UI) {
	const most = 3
	list := v.games.join.Rooms
	if len(list) == 0 {
		return
	}
	u.Heading("Rooms on your network")
	for i, f := range list[:min(len(list), most)] {
		u.ScopeN(i, func() {
			u.Row(widgets.Cells(widgets.Auto, widgets.Fill, widgets.Auto), func() {
				u.Icon(draw.IconHome, widgets.Normal)
				u.Tight(func() {
					u.Label(f.Room)
					u.Small(f.Game + " · " + playersWords(f))
				})
				u.Button(widgets.Button{Text: "Join", Name: "join room", Do: func() {
					if !v.NeedCore() {
						v.Go(screen.Join)
						v.games.join.ChooseRoom(f)
						v.games.join.EnterRoom()
					}
				}})
			})
		})
	}
}

// friends shows those who are there, the first of them.
func (v *Home) friends(u *widgets.UI) {
	const most = 3
	there := v.online.There()
	if len(there) > 0 {
		u.Heading("Friends")
	}
	for i, f := range there[:min(len(there), most)] {
		u.ScopeN(i, func() { v.online.friend(u, f) })
	}
	if more := len(there) - most; more > 0 {
		u.Start(widgets.Button{Text: "And " + phrase.Count(more, "more friend"), Name: "more friends", Kind: widgets.Quiet, Do: v.leads(screen.Online)})
	}
}

// kept shows the newest kept games, so many at most, with their pictures; slim puts them below each other.
func (v *Home) kept(u *widgets.UI, slim bool, most int) {
	var list []widgets.Button
	for i := range v.moments.List {
		m := &v.moments.List[i]
		if m.Why != "" || len(list) == most {
			continue
		}
		list = append(list, widgets.Button{
			Text: m.Title(), Sub: strings.Join(m.Players, ", "), Name: fmt.Sprint("kept ", i), Icon: draw.IconClock, Image: m.thumb, Pictured: true,
			Tip: m.Title() + ", " + m.Played(), Do: func() { v.moments.Resume(*m) },
		})
	}
	if len(list) == 0 {
		return
	}
	u.Heading("Continue a kept game")
	if slim {
		for _, b := range list {
			u.Button(b)
		}
		return
	}
	for len(list) < most {
		list = append(list, widgets.Button{}) // one alone is not as wide as three
	}
	screen.Across(u, list...)
}

// elsewhere leads to what one seldom needs: the settings first, to which Down leads from the large buttons at the left. In a
// narrow window it does without icons.
func (v *Home) elsewhere(u *widgets.UI) {
	list := []widgets.Button{
		{Text: "Settings", Icon: draw.IconSettings, Tip: screen.SettingsTip, Do: v.leads(screen.Settings)},
		{Text: "Saves", Icon: draw.IconSave, Do: v.leads(screen.Saves)},
		{Text: "Cores", Icon: draw.IconChip, Do: v.leads(screen.Cores)},
		{Text: "Self-test", Name: "check", Icon: draw.IconSearch, Tip: "Checks whether anything on this computer would spoil play", Do: v.leads(screen.Check)},
		{Text: "About", Icon: draw.IconInfo, Do: v.leads(screen.About)},
		{Text: "Keys", Icon: draw.IconKeys, Do: func() { v.Keys = true }},
		{Text: "Quit", Icon: draw.IconLeave, Do: v.Shared.Quit},
	}
	for i := range list {
		list[i].Kind = widgets.Quiet
		if u.Area().W < 700 {
			list[i].Icon = draw.NoIcon
		}
	}
	gap := float32(4)
	all := float32(len(list)-1) * gap
	for _, b := range list {
		all += u.ButtonWidth(b)
	}
	rest := append(slices.Clone(list[4:]), widgets.Button{}) // as long as the row above
	switch wide := u.Area().W; {
	case wide >= screen.Wide && screen.Fit(u, list...):
		screen.Across(u, list...)
		return
	case wide >= screen.Wide && all < wide:
		gap += (wide-all)/float32(len(list)-1) - 0.01
	case all > wide && screen.Fit(u, list[:4]...) && screen.Fit(u, rest...):
		u.Tight(func() {
			screen.Across(u, list[:4]...)
			screen.Across(u, rest...)
		})
		return
	}
	u.Flow(func() {
		u.SetGap(gap) // all of it in one line, where there is room
		u.Buttons(list...)
	})
}

// leads returns the action of a button that leads to a screen.
func (v *Home) leads(to screen.ID) func() { return func() { v.Go(to) } }

// state shows what is missing.
func (v *Home) state(u *widgets.UI) {
	switch {
	case v.warnings(u):
	case len(v.Games.Games) == 0 && !v.Games.Scanning:
		v.games.noGames(u, widgets.Normal)
	}
}

func (v *Home) words() string {
	return fmt.Sprintf("You are %s · %s · core: %s", v.Config.Player.Nickname, settings.GamesWords(v.Games), v.Core.Core.Name)
}

// warnings says what is in the way of playing, and tells whether anything is.
func (v *Home) warnings(u *widgets.UI) bool {
	switch {
	case len(v.Unsaved) > 0:
		screen.Offer(u, widgets.Warning, "Your save of "+v.Unsaved[0].Name+" is not on the disk: "+v.Unsaved[0].Why.Error(),
			widgets.Button{Text: "Try again", Name: "unsaved", Do: v.Engine.RetrySaves})
	case v.Core.Looking:
		u.Small("Looking for an emulator core …")
	case !v.Core.Found && v.Core.Trouble != nil:
		screen.Offer(u, widgets.Warning, v.Core.Trouble.Title+". Without it no game can start.",
			widgets.Button{Text: "How to fix it", Name: "core", Do: func() { v.Trouble = v.Core.Trouble }})
	default:
		v.games.join.session.WarnDeaf(u)
		return false
	}
	return true
}

// There are the friends who are there.
func (v *Online) There() []online.Friend {
	return slices.DeleteFunc(slices.Clone(v.view.Friends), func(f online.Friend) bool { return f.State == online.Away })
}

// OwnKeys implements screen.Keyed.
func (v *Home) OwnKeys() []screen.KeyRow { return append(pasteKeys(), screen.SearchKeys()...) }

// pasteKeys are those of a screen on which an invitation can be pasted anywhere.
func pasteKeys() []screen.KeyRow {
	return []screen.KeyRow{{Does: "Join by a copied invitation", Keys: []string{"Ctrl+V"}}}
}
