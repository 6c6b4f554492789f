package app

import (
	"os"
	"path/filepath"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// scan looks through the ROM folders.
func (e *engine) scan(cfg config.ROMs) {
	folders, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		e.complain("The games could not be looked for", err)
		return
	}
	e.shelf.Scan(folders)
}

// look finds out whether there are other games or cores than at the last search, and searches
// again then.
func (e *engine) look(m *Shell) {
	e.shelf.Look()
	if m.InRoom || m.Core.Looking || e.cores.looks.Swap(true) {
		return // a room keeps its core
	}
	cfg := m.Config.Core
	e.jobs.Go(func() {
		changed := e.cores.Changed(printCores(cfg))
		e.cores.looks.Store(false)
		if changed {
			e.post(func(m *Shell) { m.LookForCore() })
		}
	})
}

// add takes a file or folder that was dropped on the window.
func (e *engine) add(path string) {
	shelf := e.shelf
	e.jobs.Go(func() {
		if st, err := os.Stat(path); err == nil && st.IsDir() {
			e.post(func(m *Shell) { m.Added(nil, path, nil) })
			return
		}
		g, err := shelf.Add(path)
		switch {
		case err != nil && g.ROM != nil:
			e.complain("The game cannot be kept in the list", err)
			fallthrough
		case err == nil:
			e.post(func(m *Shell) { m.Added(&g, "", nil) })
		default:
			t := &screen.Trouble{Title: "This is no game", Words: filepath.Base(path) + ": " + library.Why(path, err)}
			e.post(func(m *Shell) { m.Added(nil, "", t) })
		}
	})
}
