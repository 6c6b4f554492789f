package app

import (
	"fmt"
	"strings"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func (v *View) games(u *widgets.UI) {
	m := v.m
	title := map[Purpose]string{ForHost: "Which game?", ForAlone: "Which game?", ForJoin: "Which game is in your console?"}[m.Purpose]
	shown := m.Shown()
	m.Lit = min(max(m.Lit, 0), len(shown)-1)
	pick := false
	v.page(u, title, 760, func() {
		u.Row(widgets.Cells(widgets.Fill, 220), func() {
			if e := u.Field(widgets.Field{Name: "search", Hint: "Search", Icon: draw.IconSearch, Focus: true, Max: 80}, &m.Query); e.Changed {
				m.Lit = 0
			} else if e.Entered {
				pick = true
			}
			order := 0
			if m.Memory.ByPlayed {
				order = 1
			}
			if u.Radio(widgets.Choice{Name: "order", Options: []string{"A to Z", "Played last"}}, &order) {
				m.SortByPlayed(order == 1)
			}
		})
		if l := &m.Games; l.Scanning && l.Of > 0 {
			u.Progress(widgets.Progress{Value: float64(l.Read) / float64(l.Of)})
		}
		p := u.List(widgets.List{Name: "games", Count: len(shown), Item: func(i int) widgets.Item { return v.gameItem(shown[i]) }, Empty: v.noGames()}, &m.Lit)
		pick = pick || p.Activated
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto, widgets.Auto), func() {
			u.Small(v.gamesFoot(len(shown)))
			if n := len(m.Games.Troubles); n > 0 {
				if u.Button(widgets.Button{Text: count(n, "file") + " cannot be played", Name: "troubles", Kind: widgets.Quiet}) {
					v.troubles = true
				}
			} else {
				u.Space(0)
			}
			if u.Button(widgets.Button{Text: "Next", Name: "next", Kind: widgets.Primary, Disabled: m.Lit < 0}) {
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
	case l.Scanning && l.Of > 0:
		return fmt.Sprintf("Reading %d of %s …", l.Read, count(l.Of, "file"))
	case l.Scanning && len(l.Names) > 0:
		return fmt.Sprintf("Reading %s …", count(len(l.Names), "more file"))
	case l.Scanning:
		return "Looking for games …"
	case shown < len(l.Games):
		return fmt.Sprintf("%d of %s", shown, count(len(l.Games), "game"))
	}
	return "Is one missing? Drop the file onto this window."
}

func (v *View) gameItem(g library.Game) widgets.Item {
	item := widgets.Item{Title: g.Title, Sub: g.More, Image: v.icon(&g), Right: agoWords(v.m.Memory.PlayedAt()[g.ROM.SHA256], v.m.now)}
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
func (v *View) troubleList(u *widgets.UI) {
	if !v.troubles {
		return
	}
	done := false
	closed := u.Modal(widgets.Modal{Title: "Files that cannot be played", Width: 560}, func() {
		u.Scroll("list", 240, func() {
			for i, t := range v.m.Games.Troubles {
				u.ScopeN(i, func() {
					u.Label(t.Path)
					u.Note(t.Why)
				})
			}
		})
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Space(0)
			done = u.Button(widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary})
		})
	})
	if closed || done {
		v.troubles = false
	}
}
