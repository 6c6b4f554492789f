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

// ScanGames implements screen.Engine.
func (e *engine) ScanGames() {
	folders, err := config.ExpandAll(e.shell.Config.ROMs.Folders)
	if err != nil {
		e.complain("The search for games failed", err)
		return
	}
	e.shelf.Scan(folders)
}

// Look implements screen.Engine: it searches again where there are other games or cores than at the last search.
func (e *engine) Look() {
	m := e.shell
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

// AddGame implements screen.Engine, also for a folder.
func (e *engine) AddGame(path string) {
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

// ReadGame implements screen.Engine.
func (e *engine) ReadGame(key [32]byte) {
	list := e.shell.Games.Games
	i := slices.IndexFunc(list, func(g library.Game) bool { return g.Key() == key })
	if i < 0 {
		return
	}
	g := list[i]
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
