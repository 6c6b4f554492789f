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

// ListSaves implements files.Engine.
func (e *engine) ListSaves() { e.jobs.Go(e.tellSaves) }

// RestoreSave implements files.Engine.
func (e *engine) RestoreSave(of files.Kept, number int) {
	e.changeSaves(of, "Restored: this is your save now", func(s *saves.Store) error { return s.Restore(number) })
}

// DeleteSave implements files.Engine.
func (e *engine) DeleteSave(of files.Kept) {
	e.changeSaves(of, "The save is deleted: the game starts from the beginning", (*saves.Store).Delete)
}

// DiscardSave implements files.Engine.
func (e *engine) DiscardSave(of files.Kept, number int, gone bool) {
	well := "Deleted. “Use this save” brings it back."
	if gone {
		well = "Deleted for good."
	}
	e.changeSaves(of, well, func(s *saves.Store) error { return s.Discard(number) })
}

// RetrySaves implements screen.Engine.
func (e *engine) RetrySaves() {
	e.jobs.Go(func() {
		_ = e.unwritten.Retry()
		e.tellUnwritten()
	})
}

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

// ExportSave implements files.Engine. The file is not there yet.
func (e *engine) ExportSave(of files.Kept, number int, path string, form savefile.Form) {
	e.changeSaves(of, "Saved to "+path, func(s *saves.Store) error {
		sram, err := s.Read(number)
		if err != nil {
			return err
		}
		b, err := savefile.Encode(form, sram, of.Game.Title)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(path); err == nil {
			return fmt.Errorf("write %s: %w", path, fs.ErrExist)
		}
		return disk.Write(path, b, 0o600)
	})
}

// ImportSave implements files.Engine. Where something of it would be lost the player is asked.
func (e *engine) ImportSave(of files.Kept, path string, anyway bool) {
	e.jobs.Go(func() {
		in, err := saves.ImportFor(e.places.Saves, path, of.Game.SHA256)
		switch {
		case err != nil:
			trouble := saveTrouble(err)
			e.post(func(m *Shell) { m.Trouble = trouble })
		case in.Loses != "" && !anyway:
			e.post(func(m *Shell) { m.saves.AskAnyway(of, path, in.Loses) })
		default:
			well := "Imported " + filepath.Base(path) + ": it is your save now."
			if in.Cut != "" {
				well += " " + in.Cut
			}
			e.changeSaves(of, well, func(s *saves.Store) error { return s.Import(in.SRAM, path) })
		}
	})
}
