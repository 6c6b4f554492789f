package app

import (
	"context"
	"errors"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// findCore looks for the core of the settings, and for all others.
func (e *engine) findCore(cfg config.Core) {
	ctx := e.begin(&e.finding)
	e.jobs.Go(func() {
		e.cores.Know(printCores(cfg))
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

// printCores tells which cores there are, to be held against those of the last search.
func printCores(cfg config.Core) emucore.Print {
	dirs, err := launch.CoreFolders(cfg)
	if err != nil {
		return emucore.Print{}
	}
	return emucore.PrintCores(cfg.Name, dirs)
}
