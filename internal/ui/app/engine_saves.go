package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/disk"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
)

// The player's saves: what is kept of each game, to go back to, to write to a file, or to
// be replaced by one.

// tellSaves reads what is kept, and shows that.
func (e *engine) tellSaves() {
	all, err := saves.All(e.places.Saves)
	if err != nil {
		e.complain("The saves could not be listed", err)
		return
	}
	var list []files.Kept
	for _, k := range all {
		title := k.Game.Title
		switch {
		case k.File != "":
			title += " (" + filepath.Base(k.File) + ")"
		case k.Console > 1:
			title += fmt.Sprintf(" (console %d)", k.Console)
		}
		list = append(list, files.Kept{Title: title, Game: k.Game, Options: k.Options(), Saves: k.Saves})
	}
	slices.SortFunc(list, func(a, b files.Kept) int {
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	e.post(func(m *Shell) { m.saves.Listed(list) })
}

// changeSaves does something to the saves of a game, and says what came of it.
func (e *engine) changeSaves(of files.Kept, well string, do func(*saves.Store) error) {
	e.jobs.Go(func() {
		options := of.Options
		options.Doing = "nettplay's window"
		store, err := saves.Open(e.places.Saves, of.Game, options)
		if err == nil {
			err = errors.Join(do(store), store.Close())
		}
		trouble := saveTrouble(err)
		e.post(func(m *Shell) {
			switch {
			case errors.Is(err, saves.ErrSame):
				m.Say("It is your save already.")
			case trouble != nil:
				m.Trouble = trouble
			default:
				m.Tell(well)
				m.session.SavesChanged()
			}
		})
		e.tellSaves()
	})
}

// tellUnwritten says which saves are in memory only.
func (e *engine) tellUnwritten() {
	list := e.unwritten.List()
	e.post(func(m *Shell) { m.SetUnsaved(list) })
}

// saveTrouble says why something could not be done to a save, and what to do.
func saveTrouble(err error) *screen.Trouble {
	if err == nil || errors.Is(err, saves.ErrSame) {
		return nil
	}
	t := &screen.Trouble{Title: "Nothing was changed", Words: screen.Sentence(err.Error())}
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
func (e *engine) exportSave(c files.ExportSave) {
	path := c.Path
	e.changeSaves(c.Of, "Saved to "+path, func(s *saves.Store) error {
		sram, err := s.Read(c.Number)
		if err != nil {
			return err
		}
		b, err := savefile.Encode(c.Form, sram, c.Of.Game.Title)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("write %s: %w", path, fs.ErrExist)
		}
		return disk.Write(path, b, 0o600)
	})
}

// importSave makes what is in a file the save. Where something of it would be lost the player is asked.
func (e *engine) importSave(c files.ImportSave) {
	e.jobs.Go(func() {
		in, err := saves.ImportFor(e.places.Saves, c.Path, c.Of.Game.SHA256)
		switch {
		case err != nil:
			trouble := saveTrouble(err)
			e.post(func(m *Shell) { m.Trouble = trouble })
		case in.Loses != "" && !c.Anyway:
			e.post(func(m *Shell) { m.saves.AskAnyway(c, in.Loses) })
		default:
			well := "Imported " + filepath.Base(c.Path) + ": it is your save now."
			if in.Cut != "" {
				well += " " + in.Cut
			}
			e.changeSaves(c.Of, well, func(s *saves.Store) error { return s.Import(in.SRAM, c.Path) })
		}
	})
}
