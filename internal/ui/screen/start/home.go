package start

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Home is the first screen:
//
//	nettplay  [ an invitation       ] [Paste]
//	[ Host again     ] [ Back to Ann's room ]    where there was a game, a room
//	[ Host ]  [ Play online ]  [ Join       ]
//	[ Play alone ] [ Continue ] [ Recordings ]
//	friends who are there, kept games            where there are some
//	You are Ann, 12 games ...
//	Saves  Settings  Cores  Self-test ...
//
// What leads back stands above its like, so that one press of an arrow leads from one to the other. The keyboard comes to
// the six large buttons first, whatever stands above them, except that it begins on the way back to a room.
type Home struct {
	screen.Base
	games      *Games
	moments    *Moments
	online     *Online
	invitation string // in the field
	password   screen.Naming
	asked      func(password string) // goes on once the player has given it
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
	r := v.Place(u, 760)
	low := r.H < 410
	u.In(r, func() { u.Centered("home", func() { v.inside(u, low) }) })
	if text := u.Pasted(); text != "" {
		v.games.join.Paste(text)
	}
	v.password.Build(u, "The room has a password", "Join", "password", func(password string) { v.asked(password) })
}

// inside draws all of it; low leaves out what takes height and is not needed.
func (v *Home) inside(u *widgets.UI, low bool) {
	narrow := u.Area().W < 540
	icon := func(i draw.Icon) draw.Icon {
		if narrow {
			return draw.NoIcon
		}
		return i
	}
	field := v.head(u, narrow)
	lead := v.waysOn(icon, low)
	if !low && len(lead) == 0 {
		u.Soft("Nintendo DS games with friends, over the network.")
	}
	u.Scope("lead", func() {
		for i, place := range leadPlaces(u, len(lead), narrow, low) {
			u.In(place, func() { u.Button(lead[i]) })
		}
	})
	host := widgets.Button{Text: "Host", Sub: "Open a room", Icon: icon(draw.IconHome), Kind: widgets.Primary, Do: func() { v.games.PickFor(ForHost) }}
	if slices.ContainsFunc(lead, func(b widgets.Button) bool { return b.Kind == widgets.Primary }) {
		host.Kind = widgets.Normal
	}
	screen.Across(u,
		host,
		widgets.Button{Text: "Play online", Sub: "Find open rooms", Icon: icon(draw.IconSignal), Do: v.leads(screen.Online)},
		widgets.Button{Text: "Join", Sub: "A friend's room", Icon: icon(draw.IconPeople), Do: v.leads(screen.Join)})
	screen.Across(u,
		widgets.Button{Text: "Play alone", Sub: "Here, offline", Icon: icon(draw.IconConsole), Do: func() { v.games.PickFor(ForAlone) }},
		widgets.Button{Text: "Continue", Sub: "A kept game", Icon: icon(draw.IconClock), Do: v.leads(screen.Moments)},
		widgets.Button{Text: "Recordings", Sub: "Watch a game", Icon: icon(draw.IconFilm), Do: v.leads(screen.Recordings)})
	u.In(field, func() { v.invited(u, narrow) })
	v.friends(u)
	v.kept(u, narrow)
	if !low {
		u.Space(2)
	}
	v.state(u)
	v.games.host.settings.HelpLine(u)
	v.elsewhere(u)
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
		e := u.Field(widgets.Field{Name: "invitation", Hint: hint, Icon: draw.IconSignal, Max: room.MaxPasted}, &v.invitation)
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

// friends shows those who are there, the first of them.
func (v *Home) friends(u *widgets.UI) {
	const most = 3
	there := v.online.There()
	for i, f := range there[:min(len(there), most)] {
		u.ScopeN(i, func() { v.online.friend(u, f) })
	}
	if more := len(there) - most; more > 0 {
		u.Start(widgets.Button{Text: "And " + phrase.Count(more, "more friend"), Name: "more friends", Kind: widgets.Quiet, Do: v.leads(screen.Online)})
	}
}

// kept shows the newest kept games, with their pictures.
func (v *Home) kept(u *widgets.UI, narrow bool) {
	most := 3
	if narrow {
		most = 1
	}
	var list []widgets.Button
	for i := range v.moments.List {
		m := &v.moments.List[i]
		if m.Why != "" || len(list) == most {
			continue
		}
		list = append(list, widgets.Button{
			Text: m.Title(), Sub: strings.Join(m.Players, ", "), Name: fmt.Sprint("kept ", i), Icon: draw.IconClock, Image: m.thumb,
			Tip: m.Title() + ", " + m.Played(), Do: func() { v.moments.Resume(*m) },
		})
	}
	if len(list) == 0 {
		return
	}
	u.Heading("Continue a kept game")
	for len(list) < most && !narrow {
		list = append(list, widgets.Button{}) // one alone is not as wide as three
	}
	screen.Across(u, list...)
}

// elsewhere leads to what one seldom needs. Down leads to the settings from the large buttons at the left. In a narrow window it does without icons.
func (v *Home) elsewhere(u *widgets.UI) {
	narrow := u.Area().W < 700
	u.Flow(func() {
		u.SetGap(4) // all of it in one line, where there is room
		for _, b := range []widgets.Button{
			{Text: "Saves", Icon: draw.IconClock, Do: v.leads(screen.Saves)},
			{Text: "Settings", Icon: draw.IconSettings, Tip: screen.SettingsTip, Do: v.leads(screen.Settings)},
			{Text: "Cores", Icon: draw.IconScreen, Do: v.leads(screen.Cores)},
			{Text: "Self-test", Name: "check", Icon: draw.IconSearch, Tip: "Checks whether anything on this computer would spoil play", Do: v.leads(screen.Check)},
			{Text: "About", Icon: draw.IconInfo, Do: v.leads(screen.About)},
			{Text: "Keys", Icon: draw.IconConsole, Do: func() { v.Keys = true }},
			{Text: "Quit", Icon: draw.IconLeave, Do: v.Shared.Quit},
		} {
			b.Kind = widgets.Quiet
			if narrow {
				b.Icon = draw.NoIcon
			}
			u.Button(b)
		}
	})
}

// leads returns the action of a button that leads to a screen.
func (v *Home) leads(to screen.ID) func() { return func() { v.Go(to) } }

// state shows the player's name, games and core, or the missing one.
func (v *Home) state(u *widgets.UI) {
	switch {
	case len(v.Unsaved) > 0:
		screen.Offer(u, widgets.Warning, "Your save of "+v.Unsaved[0].Name+" is not on the disk: "+v.Unsaved[0].Why.Error(),
			widgets.Button{Text: "Try again", Name: "unsaved", Do: func() { v.Do(screen.RetrySaves{}) }})
	case v.Core.Looking:
		u.Small("Looking for an emulator core …")
	case !v.Core.Found && v.Core.Trouble != nil:
		screen.Offer(u, widgets.Warning, v.Core.Trouble.Title+". Without it no game can start.",
			widgets.Button{Text: "How to fix it", Name: "core", Do: func() { v.Trouble = v.Core.Trouble }})
	case len(v.Games.Games) == 0 && !v.Games.Scanning:
		v.games.noGames(u, widgets.Normal)
	default:
		u.Small(fmt.Sprintf("You are %s · %s · core: %s", v.Config.Player.Nickname, settings.GamesWords(v.Games), v.Core.Core.Name))
	}
}

// There are the friends who are there.
func (v *Online) There() []online.Friend {
	return slices.DeleteFunc(slices.Clone(v.view.Friends), func(f online.Friend) bool { return f.State == online.Away })
}

// OwnKeys implements screen.Keyed.
func (v *Home) OwnKeys() []screen.KeyRow { return pasteKeys() }

// pasteKeys are those of a screen on which an invitation can be pasted anywhere.
func pasteKeys() []screen.KeyRow {
	return []screen.KeyRow{{Does: "Join by a copied invitation", Keys: []string{"Ctrl+V"}}}
}
