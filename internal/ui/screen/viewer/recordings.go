package viewer

import (
	"fmt"
	"image"
	"path/filepath"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Recording is one line of the list.
type Recording struct {
	screen.GameFile
	ROM      [32]byte // SHA-256 of the game of the player who recorded it
	Consoles []gameview.Console
	Picture  image.Image // of the game; nil for none

	thumb draw.Texture // made when it is first seen
}

// RecordingAt is a recording of which only the place is known.
func RecordingAt(path string) Recording {
	return Recording{GameFile: screen.GameFile{Path: path, Game: filepath.Base(path)}}
}

// Job is something that plays a whole recording behind the screen. There is one at a time.
type Job struct {
	Words string // what is done, in words
	Done  float64
}

// Recordings is the list of recordings, and what can be done with them.
type Recordings struct {
	screen.Base
	screen.Picks[Recording]
	Job  *Job  // what is done now; nil: nothing
	Film *Film // the form for a video; nil while it is closed

	viewer   *Screen
	naming   screen.Naming
	reaching float32
}

// NewRecordings makes the screen.
func NewRecordings(v *Screen) *Recordings {
	return &Recordings{Base: screen.Base{Shared: v.Shared, ID: screen.Recordings}, viewer: v}
}

// Open implements screen.Screen.
func (v *Recordings) Open() {
	v.naming.Stop()
	v.Film = nil
	v.Reset()
	v.viewer.engine.ListReplays()
	v.Base.Open()
}

// Listed takes what is in the folder.
func (v *Recordings) Listed(list []Recording) {
	for _, r := range v.List {
		v.Store.Free(r.thumb)
	}
	v.List = list
}

// picture is that of a recording, or the icon of its game; 0 for neither.
func (v *Recordings) picture(r *Recording) draw.Texture {
	if r.Picture == nil {
		return v.IconOf(r.ROM)
	}
	if r.thumb == 0 {
		r.thumb = v.Store.NewImage(screen.Square(r.Picture, r.Picture.Bounds().Dy()), true)
	}
	return r.thumb
}

// Build implements screen.Screen.
func (v *Recordings) Build(u *widgets.UI) {
	watch := false
	r, found := v.Bound(u, widgets.List{
		Name: "recordings", Count: len(v.List), Blank: draw.IconFilm, Focus: true, Pictures: true,
		Empty: v.emptyWords(),
		Item: func(i int) widgets.Item {
			r := &v.List[i]
			return r.Item(draw.IconFilm, v.picture(r))
		},
	})
	v.SearchPage(u, "Recordings", 760, &v.Search, len(v.List), func() {
		area := u.Area()
		below := area.CutBottom(v.reaching)
		area.CutBottom(widgets.Gap)
		u.In(area, func() {
			watch = v.Draw(u, found, &v.At).Activated
		})
		u.In(below, func() { v.reaching = u.Flow(func() { v.actions(u, r) }) })
	}, func() {
		u.Bar(func() { v.jobLine(u) },
			widgets.Button{Text: "Watch", Name: "watch", Icon: draw.IconPlay, Kind: widgets.Primary, Disabled: r == nil, Do: func() { watch = true }})
	})
	if watch && r != nil {
		v.viewer.Watch(*r)
	}
	if r != nil {
		v.naming.Build(u, "Rename the recording", "Rename", r.Game, func(name string) { v.viewer.engine.RenameReplay(r.Path, name) })
	}
	v.filmBox(u)
}

// emptyWords says where recordings come from, while there is none.
func (v *Recordings) emptyWords() string {
	if v.Config.Recording.Enabled {
		return "There are no recordings yet. Every game you play is recorded."
	}
	return "There are no recordings yet, and none are made: “Record every game” is off."
}

// actions shows what can be done with a recording beside watching it.
func (v *Recordings) actions(u *widgets.UI, r *Recording) {
	busy, unreadable := r == nil || v.Job != nil, r == nil || r.Why != ""
	if u.Button(widgets.Button{Text: "Verify", Name: "verify", Icon: draw.IconCheck, Disabled: busy || unreadable, Tip: "Plays it as fast as this computer can, and checks that every console does the same again"}) && !v.NeedCore() {
		v.viewer.engine.VerifyReplay(*r)
	}
	if u.Button(widgets.Button{Text: "Video", Name: "film", Icon: draw.IconFilm, Disabled: busy || unreadable, Tip: "Writes a video of it"}) && !v.NeedCore() {
		v.Film = v.viewer.engine.NewFilm(*r)
	}
	u.Button(widgets.Button{Text: "Rename", Name: "rename", Disabled: r == nil, Do: func() { v.naming.Ask(r.Title()) }})
	if u.Button(widgets.Button{Text: "Delete", Name: "delete", Icon: draw.IconTrash, Disabled: busy}) || r != nil && !busy && u.Shortcut(0, widgets.KeyDelete) {
		v.AskDelete(*r)
	}
	u.Buttons(
		widgets.Button{Text: "Show in folder", Name: "folder", Icon: draw.IconFolder, Disabled: r == nil, Do: func() { v.Engine.ShowFile(r.Path) }},
		widgets.Button{Text: "Open a file", Name: "open", Icon: draw.IconFile, Tip: "Watches a recording that is in another folder", Do: v.askFile})
}

// askFile asks for a recording from elsewhere.
func (v *Recordings) askFile() {
	v.AskPath(screen.PathRequest{
		Want: screen.WantFile, Title: "Which recording?", Take: "Watch", Key: "recording",
		Fits: func(name string) bool { return strings.EqualFold(filepath.Ext(name), replay.Extension) },
		Do:   func(path string) { v.viewer.Watch(RecordingAt(path)) },
	})
}

// AskDelete asks before a recording is removed.
func (v *Recordings) AskDelete(r Recording) {
	v.Question = &screen.Question{
		Words: "Delete this recording?", Hint: recordedWords(&r) + " It cannot be brought back.", Yes: "Delete", No: "Cancel",
		Do: func() { v.viewer.engine.DeleteReplay(r.Path) },
	}
}

// Finished takes the end of a job: title and words say what came of it, and path is the file
// that was made, "" for none.
func (v *Recordings) Finished(title, words, path string) {
	v.Job = nil
	switch {
	case v.Current != screen.Recordings || v.Question != nil || v.Trouble != nil:
		v.Tell(title + ". " + words)
	case path == "":
		v.Trouble = &screen.Trouble{Title: title, Words: words}
	default:
		v.Question = &screen.Question{
			Words: title, Hint: words, Yes: "Show in folder", No: "Close", Do: func() { v.Engine.ShowFile(path) }, Harmless: true,
		}
	}
}

// Failed takes the end of a job that came to nothing; a nil trouble means that the player
// stopped it.
func (v *Recordings) Failed(t *screen.Trouble) {
	v.Job = nil
	switch {
	case t == nil:
	case v.Current == screen.Recordings:
		v.Trouble = t
	default:
		v.Say(t.Title + ": " + t.Words)
	}
}

// jobLine says what is done behind the screen.
func (v *Recordings) jobLine(u *widgets.UI) {
	if v.Job == nil && len(v.List) == 0 && !v.Config.Recording.Enabled {
		u.Start(widgets.Button{Text: "Record every game", Name: "record", Icon: draw.IconFilm, Do: func() {
			cfg := v.Config
			cfg.Recording.Enabled = true
			v.Apply(cfg)
		}})
		return
	}
	if v.Job == nil {
		u.Lines(2, "The consoles play the game again from the recorded button presses.")
		return
	}
	u.Bar(func() {
		u.Progress(widgets.Progress{Value: v.Job.Done, Text: fmt.Sprintf("%s · %.0f%%", v.Job.Words, 100*v.Job.Done)})
	}, widgets.Button{Text: "Stop", Name: "stop", Do: v.viewer.engine.StopJob})
}

// recordedWords says what a recording is of.
func recordedWords(r *Recording) string {
	if r.Why != "" {
		return r.Title() + "."
	}
	name := r.Game
	if r.Name != "" {
		name = "“" + r.Name + "”: " + name
	}
	return strings.Join([]string{name, strings.Join(r.Players, ", "), r.At.Local().Format("2 January 2006 15:04"), screen.Minutes(ds.FrameTime(r.Frames))}, " · ") + "."
}

// OwnKeys implements screen.Keyed.
func (v *Recordings) OwnKeys() []screen.KeyRow { return screen.ListKeys() }
