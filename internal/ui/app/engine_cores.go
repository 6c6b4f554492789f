package app

import (
	"context"
	"errors"
	"sync"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// findCore looks for the core of the settings, and for all others.
func (e *engine) findCore(cfg config.Core) {
	ctx := e.begin(&e.finding)
	e.jobs.Go(func() {
		e.cores.know(cfg)
		state := lookForCore(ctx, cfg)
		state.Kept, _ = e.store.List() // without it they are cores as all others
		e.during(ctx)(func(m *Shell) { m.CoreFound(state) })
	})
}

func lookForCore(ctx context.Context, cfg config.Core) (state screen.Core) {
	dirs, err := launch.CoreFolders(cfg)
	if err != nil {
		return screen.Core{Trouble: screen.Failed("No core could be looked for", err)}
	}
	state.Core, err = emucore.FindCore(ctx, cfg.Name, dirs)
	state.Found = err == nil
	var none *emucore.NoCoreError
	switch {
	case err == nil:
	case errors.As(err, &none):
		state.Trouble = screen.NoCore(none)
	default:
		state.Trouble = &screen.Trouble{Title: "The core cannot be used", Words: screen.Sentence(err.Error()), Hint: "Choose another in the settings, under Core."}
	}
	state.All, _ = emucore.FindCores(ctx, dirs)
	return state
}

// coreWatch tells when there are other cores than at the last search. Any goroutine may call
// its methods.
type coreWatch struct {
	mu    sync.Mutex // guards what follows
	watch emucore.Watch
	looks bool
}

// begin tells whether to look: not while that is being done.
func (w *coreWatch) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	begins := !w.looks
	w.looks = true
	return begins
}

// changed looks. It is to be called after begin.
func (w *coreWatch) changed(cfg config.Core) bool {
	p := printCores(cfg)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looks = false
	return w.watch.Changed(p)
}

// know takes note of the cores that are being searched now.
func (w *coreWatch) know(cfg config.Core) {
	p := printCores(cfg)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watch.Know(p)
}

func printCores(cfg config.Core) emucore.Print {
	dirs, err := launch.CoreFolders(cfg)
	if err != nil {
		return emucore.Print{}
	}
	return emucore.PrintCores(cfg.Name, dirs)
}
