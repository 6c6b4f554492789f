// Package start has the screens before a room: home, first steps, the list of games, the
// forms to host and to join, and playing alone.
package start

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Purpose says for what the player picks a game.
type Purpose uint8

// The purposes.
const (
	ForHost Purpose = iota
	ForAlone
	ForJoin // a cartridge of one's own in somebody else's room
	ForRoom // the next game of our own room
)

// Games is the list of games, to pick one.
type Games struct {
	screen.Base
	Query    string // what is searched for
	Lit      int    // in the list, as it is shown
	Purpose  Purpose
	Troubles bool // the list of files that cannot be played is open

	waits [32]byte             // the key of a game that is being read, and
	then  func(g library.Game) // what is done with it; nil for none

	shelf shelf
	host  *Host
	alone *Alone
	join  *Join
	check *Check
}

// NewGames makes the screen. One of the other screens takes the picked game.
func NewGames(s *screen.Shared, host *Host, alone *Alone, join *Join, check *Check) *Games {
	v := &Games{Base: screen.Base{Shared: s, ID: screen.Games}, host: host, alone: alone, join: join, check: check}
	join.games = v
	return v
}

// PickFor shows the games.
func (v *Games) PickFor(p Purpose) {
	if v.NeedCore() {
		return
	}
	if p == ForRoom {
		v.Forget() // the way led into the room, perhaps by this very screen
	}
	v.show(p)
}

// show shows all games.
func (v *Games) show(p Purpose) {
	v.Purpose, v.Query = p, ""
	v.Lit = v.last(v.Shown()) // most play one game for weeks
	v.Base.Open()
}

// last is the place of the game that was picked last; 0 if it is not in the list.
func (v *Games) last(list []library.Game) int {
	sum, err := hex.DecodeString(v.Memory.LastGame)
	if err != nil || len(sum) != 32 {
		return 0
	}
	return max(0, slices.IndexFunc(list, func(g library.Game) bool { return g.Is([32]byte(sum)) }))
}

// PickOwn lets the player choose another game than the game host's.
func (v *Games) PickOwn() { v.show(ForJoin) }

// Need does something with a game whose contents must be known. One of which only the header is known is read first, or
// unpacked, while the player goes on; the last choice counts.
func (v *Games) Need(g library.Game, do func(library.Game)) {
	v.waits, v.then = [32]byte{}, nil
	if !g.ROM.Unread() {
		do(g)
		return
	}
	v.waits, v.then = g.Key(), do
	v.Engine.ReadGame(g.Key())
}

// HasRead takes a game that was read, or why it cannot be.
func (v *Games) HasRead(key [32]byte, g library.Game, trouble *screen.Trouble) {
	if v.then == nil || v.waits != key {
		return
	}
	do := v.then
	v.then = nil
	if trouble != nil {
		v.Trouble = trouble
		return
	}
	do(g)
}

// Pick takes a game of the list to the screen that it is for, once it has been read.
func (v *Games) Pick(g library.Game) { v.Need(g, v.picked) }

// picked takes a game to the screen that it is for.
func (v *Games) picked(g library.Game) {
	v.Memory.LastGame = hex.EncodeToString(g.ROM.SHA256[:])
	v.Engine.SaveMemory()
	switch v.Purpose {
	case ForHost:
		v.host.Game, v.host.Moment = &g, nil
		v.host.Fill()
		v.host.Open()
	case ForAlone:
		v.alone.Game = &g
		v.alone.Open()
	case ForJoin:
		v.join.Form.OwnGame = &g
		v.Pop()
	case ForRoom:
		v.join.session.ChooseGame(g.ROM)
		v.Pop()
	}
}

// Shown returns the list of games as it shows: searched and sorted.
func (v *Games) Shown() []library.Game {
	v.shelf.order(v.Games.Games, v.Memory, v.Memory.ByPlayed)
	return v.shelf.find(v.Query)
}

// SortByPlayed changes the order of the games.
func (v *Games) SortByPlayed(on bool) {
	if v.Memory.ByPlayed != on {
		v.Memory.ByPlayed = on
		v.Engine.SaveMemory()
	}
}

// Build implements screen.Screen.
func (v *Games) Build(u *widgets.UI) {
	title := map[Purpose]string{ForHost: "Which game?", ForAlone: "Which game?", ForJoin: "Which game is in your console?", ForRoom: "Which game is next?"}[v.Purpose]
	shown := v.Shown()
	v.Lit = min(max(v.Lit, 0), len(shown)-1)
	pick := false
	v.Page(u, title, 760, func() {
		pick = v.search(u)
		if v.Purpose == ForHost {
			v.join.session.WarnDeaf(u)
		}
		if l := &v.Games; l.Scanning && l.Of > 0 {
			u.Progress(widgets.Progress{Value: float64(l.Read) / float64(l.Of)})
		}
		if len(v.Games.Games) == 0 && !v.Games.Scanning {
			v.noGames(u, widgets.Primary)
			return
		}
		p := u.List(widgets.List{Name: "games", Count: len(shown), Item: func(i int) widgets.Item { return v.item(shown[i]) }, Empty: v.empty(), Blank: draw.IconConsole, Focus: true, Pictures: true}, &v.Lit)
		pick = pick || p.Activated
	}, func() {
		troubles := widgets.Button{}
		if words := v.troubleWords(); words != "" {
			troubles = widgets.Button{Text: words, Name: "troubles", Kind: widgets.Quiet, Do: func() { v.Troubles = true }}
		}
		try := widgets.Button{}
		if v.Purpose != ForRoom { // whose consoles would take turns with those of the trial
			try = widgets.Button{Text: "Will it work?", Name: "try", Kind: widgets.Quiet, Disabled: v.Lit < 0, Tip: "Plays two consoles of the game for some seconds, and tells you how it went", Do: func() {
				if !v.NeedCore() {
					v.Need(shown[v.Lit], v.check.Try)
				}
			}}
		}
		screen.Foot(u, v.foot(len(shown)), troubles, try,
			widgets.Button{Text: "Next", Name: "next", Kind: widgets.Primary, Disabled: v.Lit < 0, Do: func() { pick = true }})
	})
	v.troubleList(u)
	if pick && v.Lit >= 0 && v.Lit < len(shown) {
		v.Pick(shown[v.Lit])
	}
}

// search draws what looks for a game: by name, in an order, again, or elsewhere. It tells
// whether the lit one was picked.
func (v *Games) search(u *widgets.UI) (pick bool) {
	const field = 180 // the least width of the search
	orders := []string{"A to Z", "Last played"}
	order, wide := u.Radio, u.RadioWidth(orders...)
	if u.Area().W < field+wide+2*widgets.Control+3*widgets.Gap {
		order, wide = u.Choice, widgets.Auto
	}
	u.Row(widgets.Cells(widgets.Fill, wide, widgets.Auto, widgets.Auto), func() {
		e := screen.SearchField(u, widgets.Field{Name: "search", Focus: !u.Pad(), Forward: len(v.Games.Games) == 0}, &v.Query)
		if pick = e.Entered; e.Changed {
			v.Lit = 0
		}
		n := 0
		if v.Memory.ByPlayed {
			n = 1
		}
		if order(widgets.Choice{Name: "order", Options: orders}, &n) {
			v.SortByPlayed(n == 1)
		}
		u.Buttons(
			widgets.Button{Icon: draw.IconAgain, Name: "again", Kind: widgets.Quiet, Disabled: v.Games.Scanning, Tip: "Look for games again", Do: v.Engine.ScanGames},
			widgets.Button{Icon: draw.IconFolder, Name: "open", Kind: widgets.Quiet, Tip: "Open a file from another folder", Do: func() { v.AskGame("Which game?") }})
	})
	return pick
}

func (v *Games) foot(shown int) string {
	l := v.Games
	switch {
	case len(l.Games) == 0 && !l.Scanning:
		return ""
	case l.Scanning && l.Of > 0:
		return fmt.Sprintf("Reading %d of %s …", l.Read, phrase.Count(l.Of, "file"))
	case l.Scanning && len(l.Games) > 0:
		return fmt.Sprintf("Looking for games … %d so far", len(l.Games))
	case l.Scanning:
		return "Looking for games …"
	case shown < len(l.Games):
		return fmt.Sprintf("%d of %s", shown, phrase.Count(len(l.Games), "game"))
	}
	if len(l.Skipped) > 0 {
		return "" // what was not looked at stands beside
	}
	return "Missing one? Drop its file here."
}

func (v *Games) item(g library.Game) widgets.Item {
	item := widgets.Item{Title: g.Title, Sub: g.About(), Image: v.Icon(&g), Right: agoWords(g.Played(v.shelf.at), v.Now)}
	if item.Sub == "" {
		item.Sub = strings.TrimSpace(g.ROM.Code)
	}
	if item.Image == 0 {
		item.Color = screen.PlateColor(g.Title)
	}
	return item
}

func (v *Games) empty() string {
	if v.Query != "" {
		return "No game has that name."
	}
	return "Looking for games …"
}

// noGames invites the player to add the first games.
func (v *Games) noGames(u *widgets.UI, kind widgets.Kind) {
	u.Card(func() {
		u.Bar(func() {
			u.Tight(func() {
				u.Heading("Add your games")
				u.Note(v.nothingIn() + "Drop games (.nds, .zip or .7z), or a folder with some, onto this window. Or choose the folder they are in.")
			})
		}, widgets.Button{Text: "Choose a folder", Name: "browse", Icon: draw.IconFolder, Kind: kind, Do: func() {
			ask := settings.FolderOfGames()
			ask.Take, ask.Key, ask.Do = "Use this folder", "roms.folders", v.host.settings.AddFolder
			v.AskPath(ask)
		}})
	})
}

// nothingIn says which folders were looked through for games, and have none; "" where there are none.
func (v *Games) nothingIn() string {
	folders := v.Config.ROMs.Folders
	switch len(folders) {
	case 0:
		return ""
	case 1:
		return "There is no game in " + screen.Printable(phrase.Shorten(folders[0], 40)) + ". "
	}
	return "There is no game in the folders of your settings. "
}

// troubleWords say how many files are no games, or that something was not looked at.
func (v *Games) troubleWords() string {
	n, skipped := len(v.Games.Troubles), v.Games.Skipped
	switch {
	case len(skipped) > 0 && n == 0 && len(skipped) == 1:
		return "Not looked at: " + phrase.Shorten(skipped[0].Path, 24) + " (" + phrase.Shorten(skipped[0].Why, 24) + ")"
	case len(skipped) > 0 && n == 0:
		return "Not looked at: " + phrase.Count(len(skipped), "place")
	case len(skipped) > 0:
		return fmt.Sprintf("%s cannot be played, %d not looked at", phrase.Count(n, "file"), len(skipped))
	case n > 0:
		return phrase.Count(n, "file") + " cannot be played"
	}
	return ""
}

// troubleList says why some files are no games, and what was not looked at.
func (v *Games) troubleList(u *widgets.UI) {
	if !v.Troubles {
		return
	}
	screen.Dialog(u, widgets.Modal{Title: "Files that cannot be played", Width: 560}, func() { v.Troubles = false }, func() {
		for i, t := range v.Games.Skipped {
			u.ScopeN(i, func() {
				u.Label("Not looked at: " + screen.Printable(t.Path))
				u.Note(screen.Sentence(t.Why))
			})
		}
		for i, t := range v.Games.Troubles {
			u.ScopeN(len(v.Games.Skipped)+i, func() {
				u.Label(t.Path)
				u.Note(t.Why)
			})
		}
	}, widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary})
}

// agoWords says how long ago something was.
func agoWords(at, now time.Time) string {
	switch d := now.Sub(at); {
	case at.IsZero():
		return ""
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return phrase.Count(int(d.Minutes()), "minute") + " ago"
	case d < 24*time.Hour:
		return phrase.Count(int(d.Hours()), "hour") + " ago"
	case d < 48*time.Hour:
		return "yesterday"
	case d < 60*24*time.Hour:
		return phrase.Count(int(d.Hours()/24), "day") + " ago"
	}
	return at.Format("January 2006")
}

// OwnKeys implements screen.Keyed.
func (v *Games) OwnKeys() []screen.KeyRow {
	return append(screen.SearchKeys(), screen.ListKeys()[2:]...)
}
