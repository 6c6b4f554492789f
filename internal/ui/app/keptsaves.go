package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/saves"
)

// The player's saves: what is kept of each game, to go back to, to write to a file, or to
// be replaced by one.

// KeptGame is what is kept of one game, for one console of this machine.
type KeptGame struct {
	Title   string
	Game    saves.Game
	Options saves.Options
	Saves   []saves.Save // the newest first; none for a game that has no save yet
}

// SavesForm is the screen of saves.
type SavesForm struct {
	Games  []KeptGame
	At     int    // the game that is shown
	Lit    int    // the save that is lit
	Asking Asking // for a file
	Path   string // of that file
}

// Asking is what a file is asked for.
type Asking uint8

// What a file is asked for.
const (
	NotAsking Asking = iota
	ForExport
	ForImport
)

// Commands about saves. Each is answered with SavesListed, and a word.
type (
	ListSaves   struct{}
	RestoreSave struct {
		Of     KeptGame
		Number int
	}
	ExportSave struct {
		Of     KeptGame
		Number int
		Path   string
	}
	ImportSave struct {
		Of   KeptGame
		Path string
	}
)

// GoSaves shows the saves.
func (m *Model) GoSaves() {
	m.command(ListSaves{})
	m.goTo(ScreenSaves)
}

// SavesListed takes what is kept. Games of the list that have no save yet are there too:
// one can be imported.
func (m *Model) SavesListed(kept []KeptGame) {
	f := &m.Saves
	var shown saves.Game
	console := 0
	if f.At < len(f.Games) {
		shown, console = f.Games[f.At].Game, f.Games[f.At].Options.Console
	}
	f.Games = slices.Clone(kept)
	for _, g := range m.Games.Games {
		game := saves.GameOf(g.ROM)
		for i := range f.Games { // as the list of games calls it
			if k := &f.Games[i]; k.Game.SHA256 == game.SHA256 {
				k.Title = retitled(*k, g.Title)
			}
		}
		if !slices.ContainsFunc(kept, func(k KeptGame) bool { return k.Game.SHA256 == game.SHA256 }) {
			f.Games = append(f.Games, KeptGame{Title: g.Title, Game: game})
		}
	}
	f.At = max(slices.IndexFunc(f.Games, func(k KeptGame) bool {
		return k.Game.SHA256 == shown.SHA256 && k.Options.Console == console
	}), 0)
	f.Lit = 0
}

// Kept is the game that is shown, and the save that is lit; nil for none.
func (f *SavesForm) Kept() (k *KeptGame, s *saves.Save) {
	if f.At < 0 || f.At >= len(f.Games) {
		return nil, nil
	}
	k = &f.Games[f.At]
	if f.Lit >= 0 && f.Lit < len(k.Saves) {
		s = &k.Saves[f.Lit]
	}
	return k, s
}

// AskRestore asks before an older save takes the place of the present one.
func (m *Model) AskRestore() {
	k, s := m.Saves.Kept()
	if s == nil || s.Current || s.Damage != nil {
		return
	}
	command := RestoreSave{Of: *k, Number: s.Number}
	m.Question = &Question{
		Words: "Play on from the save of " + s.At.Local().Format("2 January 2006, 15:04") + "?",
		Hint:  "The one that you have now is kept: you can come back to it.", Yes: "Play on from it", No: "Cancel",
		Do: func() { m.command(command) },
	}
}

// AskFile asks for the file that a save goes to, or comes from.
func (m *Model) AskFile(what Asking) {
	f := &m.Saves
	k, s := f.Kept()
	if k == nil || what == ForExport && (s == nil || s.Damage != nil) {
		return
	}
	f.Asking, f.Path = what, ""
	if what == ForExport {
		f.Path = "~/" + fileTitle(k.Title) + ".sav"
	}
}

// retitled is what saves are called when their game is called something else now.
func retitled(k KeptGame, title string) string {
	if k.Game.Title == "" {
		return title
	}
	return strings.Replace(k.Title, k.Game.Title, title, 1)
}

// fileTitle is a title as part of a file's name.
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

// TakeFile does what a file was asked for.
func (m *Model) TakeFile() {
	f := &m.Saves
	k, s := f.Kept()
	path := strings.TrimSpace(f.Path)
	if k == nil || path == "" {
		return
	}
	switch {
	case f.Asking == ForImport:
		m.command(ImportSave{Of: *k, Path: path})
	case s != nil:
		m.command(ExportSave{Of: *k, Number: s.Number, Path: path})
	}
	f.Asking = NotAsking
}

// dropSave takes a save that was dropped on the window: for the game that is shown.
func (m *Model) dropSave(path string) {
	if m.Screen != ScreenSaves {
		m.GoSaves()
	}
	m.Saves.Asking, m.Saves.Path = ForImport, path
}

// isSaveName knows saves by the names that other programs give them.
func isSaveName(path string) bool {
	return slices.Contains([]string{".sav", ".srm", ".dsv"}, strings.ToLower(filepath.Ext(path)))
}

// listSaves reads what is kept.
func (e *engine) listSaves() {
	dir := e.places.Saves
	e.jobs.Go(func() { e.tellSaves(dir) })
}

func (e *engine) tellSaves(dir string) {
	all, err := saves.All(dir)
	if err != nil {
		e.complain("The saves could not be listed", err)
		return
	}
	var list []KeptGame
	for _, k := range all {
		title := k.Game.Title
		switch {
		case k.File != "":
			title += " (" + filepath.Base(k.File) + ")"
		case k.Console > 1:
			title += fmt.Sprintf(" (console %d)", k.Console)
		}
		list = append(list, KeptGame{Title: title, Game: k.Game, Options: k.Options(), Saves: k.Saves})
	}
	slices.SortFunc(list, func(a, b KeptGame) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) })
	e.post(func(m *Model) { m.SavesListed(list) })
}

// changeSaves does something to the saves of a game, and says what came of it.
func (e *engine) changeSaves(of KeptGame, well string, do func(*saves.Store) error) {
	dir := e.places.Saves
	e.jobs.Go(func() {
		options := of.Options
		options.Doing = "nettplay's window"
		store, err := saves.Open(dir, of.Game, options)
		if err == nil {
			err = errors.Join(do(store), store.Close())
		}
		trouble := saveTrouble(err)
		e.post(func(m *Model) {
			switch {
			case errors.Is(err, saves.ErrSame):
				m.Say("That is your save already.")
			case trouble != nil:
				m.Trouble = trouble
			default:
				m.Tell(well)
			}
		})
		e.tellSaves(dir)
	})
}

// saveTrouble says why something could not be done to a save, and what to do.
func saveTrouble(err error) *Trouble {
	if err == nil || errors.Is(err, saves.ErrSame) {
		return nil
	}
	t := &Trouble{Title: "Nothing was changed", Words: sentence(err.Error())}
	var used *saves.InUseError
	switch {
	case errors.As(err, &used):
		t.Hint = "End that game first: it would write over what you change."
	case errors.Is(err, fs.ErrExist):
		t.Hint = "Choose another name: files are not replaced."
	}
	return t
}

// exportSave writes a save to a file, which is not there yet.
func (e *engine) exportSave(c ExportSave) {
	path := homePath(c.Path)
	e.changeSaves(c.Of, "The save is in "+path, func(s *saves.Store) error {
		sram, err := s.Read(c.Number)
		if err != nil {
			return err
		}
		b, err := saves.Encode(path, sram)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("write %s: %w", path, fs.ErrExist)
		}
		return atomicfile.Write(path, b, 0o600)
	})
}

// importSave makes what is in a file the save.
func (e *engine) importSave(c ImportSave) {
	path := homePath(c.Path)
	e.changeSaves(c.Of, "What is in "+filepath.Base(path)+" is your save now", func(s *saves.Store) error {
		sram, err := saves.ReadFile(path)
		if err != nil {
			return err
		}
		if now, _, err := s.Current(); err == nil && len(now) > 0 && len(now) != len(sram) {
			return fmt.Errorf("your save has %d bytes and %s has %d: it looks like another game's", len(now), path, len(sram))
		}
		return s.Import(sram, path)
	})
}

// homePath is a path that may begin with ~/.
func homePath(path string) string {
	if list, err := config.ExpandAll([]string{path}); err == nil && len(list) == 1 {
		return list[0]
	}
	return path
}
