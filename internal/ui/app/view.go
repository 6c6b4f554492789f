package app

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// View draws a model with widgets and tells the model what the player does. What
// only the screen needs to remember (which line of a list is lit, a line of chat
// that is being written) is here. One goroutine owns it.
type View struct {
	m     *Model
	store *draw.Store
	icons map[[32]byte]draw.Texture // of games, made when they are first seen

	room     int // lit in the list of rooms
	chat     string
	tab      int // of the lobby in a narrow window
	troubles bool

	mouse   draw.Point    // where it was last
	mouseAt time.Duration // when it was moved, while something is watched

	recording int                 // lit in the list of recordings
	typed     map[string]string   // what is being typed for a setting, by key
	play      func(u *widgets.UI) // draws the game that runs
	bare      bool                // the background is left out
	offered   func(key string)    // hears which settings a page has, for tests
}

// NewView makes a view of a model, whose pictures are kept in store.
func NewView(m *Model, store *draw.Store) *View {
	return &View{m: m, store: store, icons: map[[32]byte]draw.Texture{}, room: -1, typed: map[string]string{}, offered: func(string) {}}
}

// Build draws the model's screen. It is what widgets.UI.Frame calls.
func (v *View) Build(u *widgets.UI) {
	m := v.m
	theme := widgets.DarkTheme()
	if m.Config.Video.Theme == "light" {
		theme = widgets.LightTheme()
	}
	u.SetTheme(theme)
	v.ground(u)
	if !u.Settling() {
		v.hear(u)
	}
	u.Scope(m.Screen.String(), func() { v.screen(u) })
	v.boxes(u)
	if m.Screen != ScreenPlaying && u.Back() {
		m.Back() // in a game, the menu's hotkey does that: B is a button of the console
	}
}

// ground leaves the background out where consoles are drawn over all of it: it is as
// large as they are.
func (v *View) ground(u *widgets.UI) {
	bare := v.play != nil && (v.m.Screen == ScreenPlaying && v.m.Room != nil || v.m.Screen == ScreenWatching && v.m.Watching != nil && !v.m.Watching.waits())
	if v.bare && !bare {
		u.Canvas().Fill(u.Canvas().Bounds(), u.Theme().Back) // for this time, it was left out already
	}
	v.bare = bare
	u.SetBare(bare)
}

// hear takes what concerns the whole window.
func (v *View) hear(u *widgets.UI) {
	for _, t := range v.m.Toasts {
		kind := widgets.Normal
		if t.Good {
			kind = widgets.Good
		}
		u.Toast(kind, t.Text)
	}
	v.m.Toasts = nil
	in := u.Input()
	for _, path := range in.Dropped {
		v.m.Drop(path)
	}
	if in.Close {
		v.m.Close()
	}
}

func (v *View) screen(u *widgets.UI) {
	switch v.m.Screen {
	case ScreenWelcome:
		v.welcome(u)
	case ScreenHome:
		v.home(u)
	case ScreenGames:
		v.games(u)
	case ScreenHost:
		v.host(u)
	case ScreenJoin:
		v.join(u)
	case ScreenAlone:
		v.alone(u)
	case ScreenJoining, ScreenStarting:
		v.joining(u)
	case ScreenLobby:
		v.lobby(u)
	case ScreenPlaying:
		v.playing(u)
	case ScreenEnded:
		v.ended(u)
	case ScreenRecordings:
		v.recordings(u)
	case ScreenWatching:
		v.watching(u)
	case ScreenSaves:
		v.saves(u)
	case ScreenSettings:
		v.settings(u)
	case ScreenAbout:
		v.about(u)
	}
}

// boxes are the dialogs that can stand over every screen.
func (v *View) boxes(u *widgets.UI) {
	m := v.m
	if q := m.Question; q != nil {
		switch u.Ask(q.Words, q.Hint, q.Yes, q.No, widgets.Danger) {
		case widgets.Yes:
			m.Answer(true)
		case widgets.No:
			m.Answer(false)
		}
		return
	}
	if t := m.Trouble; t != nil {
		done := false
		closed := u.Modal(widgets.Modal{Name: "trouble", Title: t.Title, Width: 480}, func() {
			v.trouble(u, *t)
			u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
				u.Space(0)
				done = u.Button(widgets.Button{Text: "OK", Name: "close", Kind: widgets.Primary})
			})
		})
		if closed || done {
			m.Trouble = nil
		}
	}
}

// trouble is what went wrong, below its title.
func (v *View) trouble(u *widgets.UI, t Trouble) {
	u.Paragraph(t.Words)
	if t.Hint != "" {
		u.Message(widgets.Primary, t.Hint)
	}
	v.copyLine(u, "copy", t.Copy)
}

// copyLine is something to type elsewhere, with a button that copies it.
func (v *View) copyLine(u *widgets.UI, name, text string) {
	if text == "" {
		return
	}
	u.Scope(name, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Column(func() { v.mono(u, text) })
			if u.Button(widgets.Button{Text: "Copy", Icon: draw.IconCopy}) {
				v.m.Copy(text)
				v.m.Tell("Copied.")
			}
		})
	})
}

// mono is something to type, on a ground of its own; it is broken into lines
// rather than cut, since all of it counts.
func (v *View) mono(u *widgets.UI, text string) {
	c := u.Canvas()
	line, width := c.LineHeight(widgets.StyleMono), u.Area().W
	lines := c.Wrap(widgets.StyleMono, text, width-24, nil)
	r := u.Cell(0, max(float32(lines)*line+14, widgets.Control))
	c.FillRound(r, 8, u.Theme().Field)
	y := r.Y + (r.H-float32(lines)*line)/2
	c.Wrap(widgets.StyleMono, text, width-24, func(s string) {
		c.Text(draw.Pt(r.X+12, y), widgets.StyleMono, s, u.Theme().Text)
		y += line
	})
}

// page is a screen with a title, a way back, a body that scrolls and a foot that
// does not. It is at most width points wide.
func (v *View) page(u *widgets.UI, title string, width float32, body, foot func()) {
	r := v.place(u, width)
	u.In(r.Top(40), func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			if u.Button(widgets.Button{Icon: draw.IconLeft, Name: "back", Kind: widgets.Quiet, Tip: "Back (Escape)"}) {
				v.m.Back()
			}
			u.Title(title)
		})
	})
	r.Top(12)
	if foot == nil {
		u.In(r, body)
		return
	}
	f := r.CutBottom(widgets.Control)
	r.CutBottom(14)
	u.In(r, body) // first, as Tab goes
	u.In(f, foot)
}

// place is the middle of the window, at most width points wide.
func (v *View) place(u *widgets.UI, width float32) draw.Rect {
	b := u.Canvas().Bounds()
	margin := float32(24)
	if b.W < 720 {
		margin = 16
	}
	b = b.Inset(margin)
	if b.W > width {
		b.X += (b.W - width) / 2
		b.W = width
	}
	return b
}

// icon is the texture of a game's icon, 0 if it has none.
func (v *View) icon(g *library.Game) draw.Texture {
	if g == nil || g.Icon == nil {
		return 0
	}
	t, ok := v.icons[g.ROM.SHA256]
	if !ok {
		t = v.store.NewImage(g.Icon, false)
		v.icons[g.ROM.SHA256] = t
	}
	return t
}

// gameCard shows the game that something is about.
func (v *View) gameCard(u *widgets.UI, g *library.Game) {
	if g == nil {
		return
	}
	u.Card(func() {
		u.Row(widgets.Cells(widgets.Auto, widgets.Fill), func() {
			if t := v.icon(g); t != 0 {
				u.Image(t, 48, 48)
			} else {
				u.Icon(draw.IconConsole, widgets.Normal)
			}
			u.Tight(func() {
				u.Heading(g.Title)
				u.Small(g.More)
			})
		})
	})
}

// labelled is a widget with its label at the left and a note below.
func labelled(u *widgets.UI, label, note string, build func()) {
	u.Row(widgets.Cells(150, widgets.Fill), func() {
		u.Label(label)
		build()
	})
	if note != "" {
		u.Row(widgets.Cells(150, widgets.Fill), func() {
			u.Space(0)
			u.Note(note)
		})
	}
}

// number is a whole number between two others, with a slider.
func number(u *widgets.UI, name string, value *int, lo, hi int, unit string) bool {
	f := float64(*value)
	changed := u.Slider(widgets.Slider{
		Name: name, Min: float64(lo), Max: float64(hi), Step: 1,
		Format: func(f float64) string { return fmt.Sprintf("%d%s", int(f), unit) },
	}, &f)
	*value = int(f)
	return changed
}
