package app

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// findCore looks for the core of the settings, and for all others.
func (e *engine) findCore(cfg config.Core) {
	ctx := e.begin(&e.finding)
	e.jobs.Go(func() {
		e.cores.Know(printCores(cfg))
		state := lookForCore(ctx, cfg)
		state.NoRollback = state.Found && !launch.Rollback(e.places.Places, state.Core)
		state.Kept, _ = e.store.List() // without it they are cores as all others
		e.during(ctx)(func(m *Shell) { m.CoreFound(state) })
	})
}

func lookForCore(ctx context.Context, cfg config.Core) (state screen.Core) {
	dirs, err := launch.CoreFolders(cfg)
	if err != nil {
		return screen.Core{Trouble: screen.Failed("The search for cores failed", err)}
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

// doCores does what the screen of the cores wants: one thing at a time.
func (e *engine) doCores(m *Shell, c screen.Command) {
	e.getting()
	if _, over := c.(cores.Stop); over {
		return
	}
	ctx := e.begin(&e.getting)
	during := e.during(ctx) // an answer that comes too late is not wanted any more
	post := func(do func(v *cores.Screen)) { during(func(m *Shell) { do(m.cores) }) }
	client, err := corestore.NewClient(settings.Clone(m.Config).Core, e.store, e.version)
	if err != nil {
		post(func(v *cores.Screen) { v.Failed(err) })
		return
	}
	e.jobs.Go(func() { getCores(ctx, client, e.store, c, post) })
}

// getCores does one command and posts its answer.
func getCores(ctx context.Context, client *corestore.Client, store *corestore.Store, c screen.Command, post func(func(*cores.Screen))) {
	answer := func(err error, well func(v *cores.Screen)) {
		if err != nil {
			well = func(v *cores.Screen) { v.Failed(err) }
		}
		post(well)
	}
	chosen := func(o corestore.Offer, err error) {
		if err == nil {
			o, err = client.Ask(ctx, o)
		}
		answer(err, func(v *cores.Screen) { v.Chosen(o) })
	}
	switch c := c.(type) {
	case cores.Find:
		offers, problems := client.List(ctx)
		post(func(v *cores.Screen) { v.Found(offers, problems) })
	case cores.FindWireless:
		chosen(newestWireless(ctx, client))
	case cores.FindBuild:
		chosen(launch.RoomsOffer(ctx, client, c.Used))
	case cores.Choose:
		chosen(c.Offer, nil)
	case cores.Get:
		b, err := client.Get(ctx, c.Offer, corestore.Want{SHA256: c.SHA256}, moved(post))
		answer(err, func(v *cores.Screen) { v.Got(b) })
	case cores.Remove:
		err := store.Remove(c.Build)
		post(func(v *cores.Screen) { v.Removed(c.Build, err) })
	}
}

// moved posts how far a core has come, each time that the screen has taken the last.
func moved(post func(func(*cores.Screen))) func(corestore.Progress) {
	var waits atomic.Bool
	return func(p corestore.Progress) {
		if p.Stage == corestore.Checking || !waits.Swap(true) {
			post(func(v *cores.Screen) {
				waits.Store(false)
				v.Moved(p)
			})
		}
	}
}

// newestWireless is the newest core with local wireless that any source has.
func newestWireless(ctx context.Context, client *corestore.Client) (corestore.Offer, error) {
	offers, problems := client.List(ctx)
	if o, found := corestore.Newest(offers, ""); found {
		return o, nil
	}
	if len(problems) > 0 {
		return corestore.Offer{}, problems[0]
	}
	return corestore.Offer{}, errors.New("no source of your settings has a core with local wireless for this computer")
}
