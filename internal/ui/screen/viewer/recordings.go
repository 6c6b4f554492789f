package viewer

import (
	"time"

	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Recording is one line of the list.
type Recording struct {
	Path    string
	Game    string
	Players string
	Began   time.Time
	Length  time.Duration
	Why     string // why it cannot be watched, in words; "" when it can
}

// Recordings is the list of recordings.
type Recordings struct {
	screen.Base
	List []Recording // the newest first

	viewer *Screen
	lit    int
}

// NewRecordings makes the screen.
func NewRecordings(v *Screen) *Recordings {
	return &Recordings{Base: screen.Base{Shared: v.Shared, ID: screen.Recordings}, viewer: v}
}

// Open implements screen.Screen.
func (v *Recordings) Open() {
	v.Do(ListReplays{})
	v.Base.Open()
}

// Build implements screen.Screen.
func (v *Recordings) Build(u *widgets.UI) {
	v.lit = min(max(v.lit, 0), len(v.List)-1)
	watch := false
	v.Page(u, "Recordings", 760, func() {
		empty := "There are no recordings yet. “Record every game” is in the settings."
		p := u.List(widgets.List{Name: "recordings", Count: len(v.List), Empty: empty, Item: func(i int) widgets.Item {
			return recordingItem(v.List[i])
		}}, &v.lit)
		watch = watch || p.Activated
	}, func() {
		u.Row(widgets.Cells(widgets.Fill, widgets.Auto), func() {
			u.Small("A recording is played by the consoles themselves, with all that was pressed.")
			if u.Button(widgets.Button{Text: "Watch", Name: "watch", Icon: draw.IconPlay, Kind: widgets.Primary, Disabled: v.lit < 0}) {
				watch = true
			}
		})
	})
	if watch && v.lit >= 0 && v.lit < len(v.List) {
		v.viewer.Watch(v.List[v.lit])
	}
}

func recordingItem(r Recording) widgets.Item {
	item := widgets.Item{Title: r.Game, Icon: draw.IconFilm}
	if r.Why != "" {
		item.Sub, item.Badge, item.Kind, item.Faint = r.Why, "cannot be read", widgets.Warning, true
		return item
	}
	item.Sub = r.Players
	item.Right = r.Began.Local().Format("2 Jan 2006 15:04") + " · " + minutes(r.Length)
	return item
}
