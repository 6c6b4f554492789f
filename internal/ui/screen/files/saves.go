package files

import (
	"cmp"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Kept is the saves of one game, for one console of this machine.
type Kept struct {
	Title   string
	Game    saves.Game
	Options saves.Options
	Saves   []saves.Save // the newest first; none for a game that has no save yet
}

// Saves is the list of games and the saves of one of them.
type Saves struct {
	screen.Base
	screen.Search
	List   []Kept
	At     int    // the game that is shown
	Sought int    // that is lit among those that are looked for
	Lit    int    // the save that is lit
	File   string // a save that was dropped elsewhere, until the player says for which game; "" for none

	engine Engine
}

// NewSaves makes the screen.
func NewSaves(s *screen.Shared, engine Engine) *Saves {
	return &Saves{Base: screen.Base{Shared: s, ID: screen.Saves}, engine: engine}
}

// Engine does what these screens want of the world outside; see [screen.Engine].
type Engine interface {
	// ListFiles reads what is in a folder, or of a file's path what is beside it; "" and what begins with "~" are in the home
	// folder. It answers with Finder.Listed, with the number.
	ListFiles(path string, number int)

	// What follows answers with Saves.Listed, and all but the first with a word.
	ListSaves()
	RestoreSave(of Kept, number int)
	DeleteSave(of Kept)                         // the one that games begin with
	DiscardSave(of Kept, number int, gone bool) // another one; gone: it was deleted before
	ExportSave(of Kept, number int, path string, form savefile.Form)
	ImportSave(of Kept, path string, anyway bool) // anyway: although something of it would be lost
}

// Open implements screen.Screen.
func (v *Saves) Open() {
	v.File = ""
	v.Reset()
	v.engine.ListSaves()
	v.Base.Open()
}

// Listed takes the saves. It adds the games that have none yet: the player can import one.
func (v *Saves) Listed(kept []Kept) {
	var shown saves.Game
	console := 0
	if v.At < len(v.List) {
		shown, console = v.List[v.At].Game, v.List[v.At].Options.Console
	}
	v.List = slices.Clone(kept)
	for _, g := range v.Games.Games {
		if g.ROM.Unread() {
			continue // it has saves once it has been played
		}
		game := saves.GameOf(g.ROM)
		for i := range v.List { // as the list of games calls it
			if k := &v.List[i]; game.Is(k.Game.SHA256) {
				k.Title = retitled(*k, g.Called())
			}
		}
		if !slices.ContainsFunc(kept, func(k Kept) bool { return game.Is(k.Game.SHA256) }) {
			v.List = append(v.List, Kept{Title: g.Called(), Game: game})
		}
	}
	for i := range v.List { // deleted ones come last
		slices.SortStableFunc(v.List[i].Saves, func(a, b saves.Save) int {
			return cmp.Compare(bit(a.Deleted), bit(b.Deleted))
		})
	}
	v.At = max(slices.IndexFunc(v.List, func(k Kept) bool {
		return k.Game.SHA256 == shown.SHA256 && k.Options.Console == console
	}), 0)
	v.Lit = 0
}

// Shown returns the game that shows, and the selected save; nil for none.
func (v *Saves) Shown() (k *Kept, s *saves.Save) {
	if k = screen.At(v.List, v.At); k != nil {
		s = screen.At(k.Saves, v.Lit)
	}
	return k, s
}

// AskRestore asks before an older save takes the place of the present one.
func (v *Saves) AskRestore() {
	k, s := v.Shown()
	if s == nil || s.Current || s.Blank || s.Damage != nil {
		return
	}
	of, number := *k, s.Number
	v.Question = &screen.Question{
		Words: "Use the save of " + timeOf(k.Saves, s) + "?",
		Hint:  "The one you have now is kept: you can come back to it.", Yes: "Use this save", No: "Cancel",
		Do: func() { v.engine.RestoreSave(of, number) }, Harmless: true,
	}
}

// deletable tells whether a save can be deleted: all but the blank one with which a game begins.
func deletable(k *Kept, s *saves.Save) bool {
	return s != nil && (s.Current || s != saves.Began(k.Saves))
}

// AskDelete asks before the save that is lit goes: the one that games begin with, or an older one.
func (v *Saves) AskDelete() {
	k, s := v.Shown()
	if !deletable(k, s) {
		return
	}
	of := *k
	if !s.Current {
		number, gone := s.Number, s.Deleted
		v.Question = &screen.Question{
			Words: "Delete the save of " + timeOf(k.Saves, s) + "?", Hint: "It stays at the end of this list, and “Use this save” brings it back.",
			Yes: "Delete", No: "Cancel", Do: func() { v.engine.DiscardSave(of, number, gone) },
		}
		if s.Deleted {
			v.Question.Words, v.Question.Hint = "Delete this save for good?", "It is deleted already. After this it cannot be brought back."
		}
		return
	}
	v.Question = &screen.Question{
		Words: "Delete your save?", Hint: "The game starts from the beginning. The save stays in this list, and “Use this save” brings it back.",
		Yes: "Delete", No: "Cancel", Do: func() { v.engine.DeleteSave(of) },
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// AskImport asks for the file of a save that becomes the player's.
func (v *Saves) AskImport() {
	v.AskPath(Importing(func(path string) { v.TakeFile(path) }))
}

// Importing is the question for the file of a save.
func Importing(do func(path string)) screen.PathRequest {
	return screen.PathRequest{
		Want: screen.WantFile, Title: "Import a save", Take: "Import", Key: "save", Fits: savefile.IsName, Do: do,
		Note: "A save of melonDS, RetroArch, DeSmuME, DraStic, no$gba, a flash card or an Action Replay, of any length.",
	}
}

// AskAnyway asks whether a save becomes the player's although something of it would be lost.
func (v *Saves) AskAnyway(of Kept, path, why string) {
	v.Question = &screen.Question{
		Words: "Import this save anyway?", Hint: why, Yes: "Import", No: "Cancel", Do: func() { v.engine.ImportSave(of, path, true) },
	}
}

// AskExport asks for the file that a save goes to, and its form.
func (v *Saves) AskExport() {
	k, s := v.Shown()
	if s == nil || s.Damage != nil || s.Blank {
		return
	}
	of, number, kind := *k, s.Number, new(int)
	r := screen.PathRequest{
		Want: screen.WantNewFile, Title: "Export the save", Take: "Export", Key: "save", Fits: savefile.IsName,
		Name: fileTitle(k.Title) + savefile.Raw.Extension(), Kind: kind,
	}
	for _, f := range savefile.Forms() {
		r.Kinds, r.Extensions = append(r.Kinds, f.Words()), append(r.Extensions, f.Extension())
	}
	r.Do = func(path string) {
		form := savefile.Form(*kind)
		if form == savefile.Raw {
			form = savefile.FormOf(path)
		}
		v.engine.ExportSave(of, number, path, form)
	}
	v.AskPath(r)
}

// retitled returns the title of saves whose game has another title now.
func retitled(k Kept, title string) string {
	if k.Game.Title == "" {
		return title
	}
	return strings.Replace(k.Title, k.Game.Title, title, 1)
}

// fileTitle makes a title part of a file's name.
func fileTitle(title string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return -1
		}
		return r
	}, title))
	if letters := []rune(name); len(letters) > 60 {
		name = strings.TrimSpace(string(letters[:60]))
	}
	if name == "" || name[0] == '.' {
		return "save"
	}
	return name
}

// TakeFile imports a file for the game that shows.
func (v *Saves) TakeFile(path string) {
	v.File = ""
	if k, _ := v.Shown(); k != nil {
		v.engine.ImportSave(*k, path, false)
	}
}

// Drop imports a save that was dropped on the window. Where no game shows, the player chooses it first.
func (v *Saves) Drop(path string) {
	if v.Current == screen.Saves && v.File == "" {
		v.TakeFile(path)
		return
	}
	if v.Current != screen.Saves {
		v.Open()
	}
	v.File = path
}

// OwnKeys implements screen.Keyed.
func (v *Saves) OwnKeys() []screen.KeyRow { return screen.ListKeys()[:2] }
