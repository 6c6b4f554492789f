package start

import (
	"fmt"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Home is the first screen.
type Home struct {
	screen.Base
	games *Games
}

// NewHome makes the screen.
func NewHome(games *Games) *Home {
	return &Home{Base: screen.Base{Shared: games.Shared, ID: screen.Home}, games: games}
}

// Back implements screen.Screen: there is nothing before it.
func (v *Home) Back() bool { return true }

// Build implements screen.Screen.
func (v *Home) Build(u *widgets.UI) {
	if text := u.Pasted(); text != "" {
		v.games.join.Paste(text)
	}
	r := v.Place(u, 680)
	const high = 430
	if r.H > high {
		r = draw.R(r.X, r.Y+(r.H-high)/2, r.W, high)
	}
	low := r.H < high-20
	u.In(r, func() { u.Scroll("home", r.H, func() { v.inside(u, low) }) })
}

// inside draws all of it; low leaves out what takes height and is not needed.
func (v *Home) inside(u *widgets.UI, low bool) {
	narrow := u.Area().W < 540
	u.Text(draw.Style{Size: 34, Weight: draw.Bold}, widgets.Normal, "nettplay", draw.Start)
	if !low {
		u.Soft("Nintendo DS games with friends, over the network.")
		u.Space(10)
	}
	icon := func(i draw.Icon) draw.Icon {
		if narrow {
			return draw.NoIcon
		}
		return i
	}
	screen.Across(u,
		widgets.Button{Text: "Host", Sub: "Open a room", Icon: icon(draw.IconHome), Kind: widgets.Primary, Do: func() { v.games.PickFor(ForHost) }},
		widgets.Button{Text: "Play online", Sub: "Find open rooms", Icon: icon(draw.IconSignal), Do: v.leads(screen.Online)},
		widgets.Button{Text: "Join", Sub: "An invitation", Icon: icon(draw.IconPeople), Do: v.leads(screen.Join)})
	screen.Across(u,
		widgets.Button{Text: "Play alone", Sub: "Here, offline", Icon: icon(draw.IconConsole), Do: func() { v.games.PickFor(ForAlone) }},
		widgets.Button{Text: "Continue", Sub: "A kept moment", Icon: icon(draw.IconClock), Do: v.leads(screen.Moments)},
		widgets.Button{Text: "Recordings", Sub: "Watch a game", Icon: icon(draw.IconFilm), Do: v.leads(screen.Recordings)})
	if !low {
		u.Space(6)
	}
	v.state(u)
	v.elsewhere(u)
}

// elsewhere leads to what one seldom needs. In a narrow window it does without icons.
func (v *Home) elsewhere(u *widgets.UI) {
	narrow := u.Area().W < 650
	u.Flow(func() {
		for _, b := range []widgets.Button{
			{Text: "Settings", Icon: draw.IconSettings, Do: v.leads(screen.Settings)},
			{Text: "Saves", Icon: draw.IconClock, Do: v.leads(screen.Saves)},
			{Text: "Cores", Icon: draw.IconScreen, Do: v.leads(screen.Cores)},
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
		screen.Offer(u, widgets.Warning, "No games were found yet. Drop a .nds file, or a folder with some, onto this window.",
			widgets.Button{Text: "Browse", Name: "browse", Icon: draw.IconFolder, Do: func() {
				ask := settings.FolderOfGames()
				ask.Take, ask.Key, ask.Do = "Use this folder", "roms.folders", v.games.host.settings.AddFolder
				v.AskPath(ask)
			}})
	default:
		u.Bar(func() {
			u.Small(fmt.Sprintf("You are %s · %s · core: %s", v.Config.Player.Nickname, settings.GamesWords(v.Games), v.Core.Core.Name))
		}, widgets.Button{Text: "Check", Icon: draw.IconSearch, Kind: widgets.Quiet, Tip: "Would something spoil play on this computer?", Do: v.leads(screen.Check)})
	}
}
