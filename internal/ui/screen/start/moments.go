package start

import (
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Moment is a kept moment of a game, from which it can go on.
type Moment struct {
	screen.GameFile
	Picture image.Image // of a console; nil for none

	thumb, shot draw.Texture
}

// Moments is the list of kept moments.
type Moments struct {
	screen.Base
	screen.Picks[Moment]
	Password string // of the next room; "" for none

	engine   Engine
	host     *Host
	naming   screen.Naming
	asked    *Moment // the player was not in its game: whose place is it to be?
	instead  int
	reaching float32
}

// NewMoments makes the screen.
func NewMoments(host *Host, engine Engine) *Moments {
	return &Moments{Base: screen.Base{Shared: host.Shared, ID: screen.Moments}, engine: engine, host: host}
}

// Open implements screen.Screen.
func (v *Moments) Open() {
	v.naming.Stop()
	v.asked = nil
	v.Reset()
	v.engine.ListMoments()
	v.Base.Open()
}

// Listed takes what is in the folder.
func (v *Moments) Listed(list []Moment) {
	for _, m := range v.List {
		v.Store.Free(m.thumb)
		v.Store.Free(m.shot)
	}
	if v.host.Moment != nil {
		v.host.Moment.thumb, v.host.Moment.shot = 0, 0
	}
	for i := range list {
		m := &list[i]
		if m.Picture == nil {
			continue
		}
		m.shot, m.thumb = v.Store.NewImage(m.Picture, true), v.Store.NewImage(screen.Square(m.Picture, m.Picture.Bounds().Dy()/2), true)
	}
	v.List = list
}

// Chosen goes on with a moment: to the form of its room. A player who was not in the game says
// whose place they take.
func (v *Moments) Chosen(m Moment) {
	switch {
	case m.Why != "":
		v.Trouble = &screen.Trouble{Title: "This moment cannot be read", Words: m.Why}
	case v.NeedCore():
	case slices.Contains(m.Players, v.Config.Player.Nickname):
		v.goOn(m, "")
	default:
		v.asked, v.instead = &m, 0
	}
}

// Resume goes on with a moment of another screen.
func (v *Moments) Resume(m Moment) {
	v.Go(screen.Moments)
	v.Chosen(m)
}

func (v *Moments) goOn(m Moment, instead string) {
	v.host.GoOn(m, instead)
	v.host.Form.Password = v.Password
}

// shotWide is the least width, in points, of a window that has room for the picture beside the list.
const shotWide = 700

// Build implements screen.Screen.
func (v *Moments) Build(u *widgets.UI) {
	goOn := false
	m, found := v.Bound(u, widgets.List{
		Name: "moments", Count: len(v.List), Blank: draw.IconClock, Focus: true, Pictures: true,
		Empty: "No game is kept yet. During a game, the game host can choose “Save to continue later” in the menu.",
		Item:  func(i int) widgets.Item { return v.List[i].Item(draw.IconClock, v.List[i].thumb) },
	})
	v.SearchPage(u, "Continue another day", 860, &v.Search, len(v.List), func() {
		area := u.Area()
		below := area.CutBottom(v.reaching)
		area.CutBottom(widgets.Gap)
		if m != nil && m.shot != 0 && area.W >= shotWide {
			side := area.CutRight(200)
			area.CutRight(16)
			u.In(side, func() {
				u.Image(m.shot, 192, 192*float32(m.Picture.Bounds().Dy())/float32(max(m.Picture.Bounds().Dx(), 1)))
			})
		}
		u.In(area, func() {
			goOn = v.Draw(u, found, &v.At).Activated
		})
		u.In(below, func() { v.reaching = u.Flow(func() { v.actions(u, m) }) })
	}, func() {
		words := ""
		if len(v.List) > 0 {
			words = "Any of its players can host. Everybody continues with the saves kept in it."
		}
		screen.Foot(u, words,
			widgets.Button{Text: "Continue", Name: "go on", Icon: draw.IconPlay, Kind: widgets.Primary, Disabled: m == nil || m.Why != "", Do: func() { goOn = true }})
	})
	if goOn && m != nil {
		v.Chosen(*m)
	}
	if m != nil {
		v.naming.Build(u, "Rename the moment", "Rename", m.Game, func(name string) { v.engine.RenameMoment(m.Path, name) })
	}
	v.placeBox(u)
}

// actions shows what can be done with a moment beside going on.
func (v *Moments) actions(u *widgets.UI, m *Moment) {
	u.Button(widgets.Button{Text: "Rename", Name: "rename", Disabled: m == nil, Do: func() { v.naming.Ask(m.Title()) }})
	if u.Button(widgets.Button{Text: "Delete", Name: "delete", Icon: draw.IconTrash, Disabled: m == nil}) || m != nil && u.Shortcut(0, widgets.KeyDelete) {
		path := m.Path
		v.Question = &screen.Question{
			Words: "Delete this moment?", Hint: "“" + m.Title() + "”, " + m.Played() + ". The other players keep theirs.", Yes: "Delete", No: "Cancel",
			Do: func() { v.engine.DeleteMoment(path) },
		}
	}
	u.Buttons(
		widgets.Button{Text: "Show in folder", Name: "folder", Icon: draw.IconFolder, Disabled: m == nil, Do: func() { v.Engine.ShowFile(m.Path) }},
		widgets.Button{Text: "Open a file", Name: "open", Icon: draw.IconFile, Tip: "Continue a moment from another folder", Do: func() {
			v.AskPath(screen.PathRequest{
				Want: screen.WantFile, Title: "Which moment?", Take: "Open", Key: "moment",
				Fits: func(name string) bool { return strings.EqualFold(filepath.Ext(name), replay.MomentExtension) },
				Do:   v.engine.OpenMoment,
			})
		}})
}

// placeBox asks a player who was not in the game whose console they play.
func (v *Moments) placeBox(u *widgets.UI) {
	m := v.asked
	if m == nil {
		return
	}
	screen.Dialog(u, widgets.Modal{Name: "place", Title: "Whose place will you take?", Width: 480}, func() { v.asked = nil }, func() {
		u.Paragraph("Nobody in this game was called “" + v.Config.Player.Nickname + "”. You play the console of the player you choose, with that player's name and save.")
		u.Choice(widgets.Choice{Name: "player", Options: m.Players}, &v.instead)
	}, widgets.Button{Text: "Cancel", Name: "cancel"}, widgets.Button{Text: "Continue", Name: "take", Kind: widgets.Primary, Default: true, Do: func() {
		if v.instead < len(m.Players) {
			v.goOn(*m, m.Players[v.instead])
		}
	}})
}

// OwnKeys implements screen.Keyed.
func (v *Moments) OwnKeys() []screen.KeyRow { return screen.ListKeys() }
