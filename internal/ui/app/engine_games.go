package app

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// scan looks through the ROM folders.
func (e *engine) scan(cfg config.ROMs) {
	folders, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		e.complain("The search for games failed", err)
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
		switch n, err := shelf.AddAll(path); {
		case err != nil:
			e.complain("The games could not be added to the list", err)
			return
		case n > 0:
			e.post(func(m *Shell) { m.addedAll(n, filepath.Base(path)) })
			return
		}
		g, err := shelf.Add(path)
		switch {
		case err != nil && g.ROM != nil:
			e.complain("The game could not be added to the list", err)
			fallthrough
		case err == nil:
			e.post(func(m *Shell) { m.Added(&g, "", nil) })
		default:
			t := &screen.Trouble{Title: "This is not a game", Words: filepath.Base(path) + ": " + library.Why(path, err)}
			e.post(func(m *Shell) { m.Added(nil, "", t) })
		}
	})
}

// patientRead is the time that reading a game may take before it is said that it is read.
const patientRead = 300 * time.Millisecond

// readGame reads all of a game of the list.
func (e *engine) readGame(m *Shell, key [32]byte) {
	i := slices.IndexFunc(m.Games.Games, func(g library.Game) bool { return g.Key() == key })
	if i < 0 {
		return
	}
	g := m.Games.Games[i]
	e.reading()
	life := e.begin(&e.reading)
	post := e.during(life)
	shelf := e.shelf
	e.jobs.Go(func() {
		slow := time.AfterFunc(patientRead, func() {
			post(func(m *Shell) { m.SayOf("reading", "Reading “"+g.Title+"” …") })
		})
		defer slow.Stop()
		read, err := shelf.Read(life, g)
		var t *screen.Trouble
		if err != nil {
			t = &screen.Trouble{Title: "This game cannot be played", Words: filepath.Base(g.ROM.Path) + ": " + library.Why(g.ROM.Path, err)}
		}
		post(func(m *Shell) { m.games.HasRead(key, read, t) })
	})
}
