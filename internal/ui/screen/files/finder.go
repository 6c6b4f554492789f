// Package files is the screens of the player's files: [Finder], on which a file or a folder is found with mouse, keys or a
// controller, and [Saves], the saves of each game, to go back to one, delete one, write one to a file, or import one.
package files

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Entry is one file or folder.
type Entry struct {
	Name    string
	Folder  bool
	Size    int64 // bytes, of a file
	Changed time.Time
}

// Place is a folder to begin at.
type Place struct {
	Name, Path string
}

// Listing is the content of a folder.
type Listing struct {
	Dir     string // absolute
	Entries []Entry
	More    bool    // there are more than can be shown
	Lit     string  // name of the entry that is meant; "" for none
	Places  []Place // folders to begin at
	Why     string  // a sentence: why it cannot be looked into; "" when it can
}

// Finder lets the player find a file or a folder.
type Finder struct {
	screen.Base
	screen.Search
	Request screen.PathRequest
	At      Listing
	Lit     int    // in the list, as it is shown
	Path    string // as it is typed
	Name    string // of a new file
	Hidden  bool   // files whose names begin with a dot are shown

	engine Engine
	asked  int  // number of the last ListFiles
	heard  bool // it was answered
}

// NewFinder makes the screen.
func NewFinder(s *screen.Shared, engine Engine) *Finder {
	return &Finder{Base: screen.Base{Shared: s, ID: screen.Files}, engine: engine}
}

// Ask shows the screen with a request.
func (v *Finder) Ask(r screen.PathRequest) {
	v.Request, v.Name, v.Hidden = r, r.Name, false
	v.At = Listing{Places: v.At.Places}
	v.LookIn(v.Memory.Folders[r.Key])
	v.Base.Open()
}

// LookIn looks into a folder.
func (v *Finder) LookIn(path string) {
	v.asked, v.heard = v.asked+1, false
	v.engine.ListFiles(path, v.asked)
}

// LookAgain looks for what has come or gone meanwhile.
func (v *Finder) LookAgain() {
	if v.heard && v.At.Why == "" {
		v.heard = false
		v.engine.ListFiles(v.At.Dir, v.asked)
	}
}

// Up looks into the folder above.
func (v *Finder) Up() {
	if v.At.Dir != "" {
		v.LookIn(filepath.Dir(v.At.Dir))
	}
}

// Listed takes what is in a folder, unless the player has gone on.
func (v *Finder) Listed(number int, l Listing) {
	if number != v.asked {
		return
	}
	from, before, typed := v.At.Dir, v.Shown(), v.Path
	if l.Dir != from {
		v.Reset() // in each folder one looks for something else
	}
	switch {
	case l.Lit != "":
	case l.Dir == from && v.Lit >= 0 && v.Lit < len(before):
		l.Lit = before[v.Lit].Name
	case filepath.Dir(from) == l.Dir:
		l.Lit = filepath.Base(from) // the player comes from below
	}
	v.At, v.Path, v.Lit, v.heard = l, l.Dir, 0, true
	if l.Dir == from {
		v.Path = typed
	}
	v.Hidden = v.Hidden || strings.HasPrefix(l.Lit, ".")
	shown := v.Shown()
	if i := slices.IndexFunc(shown, func(e Entry) bool { return e.Name == l.Lit }); i >= 0 {
		v.Lit = i
	} else if len(shown) > 1 && shown[0].Name == up {
		v.Lit = 1
	}
}

// up is the entry that leads to the folder above.
const up = ".."

// Shown returns the entries that show: folders, and the files that fit.
func (v *Finder) Shown() (list []Entry) {
	if v.At.Dir != "" && filepath.Dir(v.At.Dir) != v.At.Dir {
		list = append(list, Entry{Name: up, Folder: true})
	}
	for _, e := range v.At.Entries {
		if (v.Hidden || !strings.HasPrefix(e.Name, ".")) && (e.Folder || v.fits(e.Name)) {
			list = append(list, e)
		}
	}
	return list
}

func (v *Finder) fits(name string) bool { return v.Request.Fits == nil || v.Request.Fits(name) }

// Choose takes an entry: it looks into a folder, and answers with a file.
func (v *Finder) Choose(e Entry) {
	switch {
	case e.Name == up:
		v.Up()
	case e.Folder:
		v.LookIn(filepath.Join(v.At.Dir, e.Name))
	case v.Request.Want == screen.WantFile:
		v.answer(filepath.Join(v.At.Dir, e.Name))
	case v.Request.Want == screen.WantNewFile:
		v.Name = e.Name
	}
}

// MayTake reports whether what shows can be the answer.
func (v *Finder) MayTake() bool {
	if v.At.Dir == "" || v.At.Why != "" {
		return false
	}
	switch v.Request.Want {
	case screen.WantFile:
		shown := v.Shown()
		return v.Lit >= 0 && v.Lit < len(shown) && !shown[v.Lit].Folder
	case screen.WantNewFile:
		name := strings.TrimSpace(v.Name)
		return name != "" && name != "." && name != up && filepath.Base(name) == name
	}
	return true
}

// Take answers with what shows.
func (v *Finder) Take() {
	if !v.MayTake() {
		return
	}
	switch v.Request.Want {
	case screen.WantFile:
		v.Choose(v.Shown()[v.Lit])
	case screen.WantNewFile:
		v.takeNew(strings.TrimSpace(v.Name))
	default:
		v.answer(v.At.Dir)
	}
}

// takeNew answers with a new file. One that is there already is never replaced.
func (v *Finder) takeNew(name string) {
	if slices.ContainsFunc(v.At.Entries, func(e Entry) bool { return e.Name == name }) {
		v.Say("A file or folder of that name already exists. Choose another name.")
		return
	}
	v.answer(filepath.Join(v.At.Dir, name))
}

// answer goes back to the screen that asked, with the answer.
func (v *Finder) answer(path string) {
	v.Memory.LookedIn(v.Request.Key, v.At.Dir)
	v.Engine.SaveMemory()
	v.Pop()
	v.Request.Do(path)
}
