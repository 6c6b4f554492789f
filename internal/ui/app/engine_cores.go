package app

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// FindCore implements screen.Engine.
func (e *engine) FindCore() {
	cfg := e.shell.Config.Core
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
	search, err := launch.Search(cfg)
	if err != nil {
		return screen.Core{Trouble: screen.Failed("The search for cores failed", err)}
	}
	all, problems := search.All(ctx)
	state.All = all
	state.Core, err = search.Among(ctx, cfg.Name, all, problems)
	state.Found = err == nil
	var none *emucore.NoCoreError
	switch {
	case err == nil:
	case errors.As(err, &none):
		state.Trouble = screen.NoCore(none)
	default:
		state.Trouble = &screen.Trouble{Title: "The core cannot be used", Words: screen.Sentence(err.Error()), Hint: "Choose another in the settings, under Core."}
	}
	return state
}

// untrusted is the trouble that the player must be asked about a core before any of it runs; nil of other errors. again is
// called on the main thread if they trust it.
func (e *engine) untrusted(err error, again func()) *screen.Trouble {
	asks, is := errors.AsType[*corecheck.UntrustedError](err)
	if !is {
		return nil
	}
	t := screen.Untrusted(asks)
	t.Yes, t.Do = "Trust this core", func() {
		e.shell.Trusted = append(e.shell.Trusted, asks.Core.SHA256)
		again()
	}
	return t
}

// printCores tells which cores there are, to be held against those of the last search.
func printCores(cfg config.Core) emucore.Print {
	dirs, err := launch.CoreFolders(cfg)
	if err != nil {
		return emucore.Print{}
	}
	return emucore.PrintCores(cfg.Name, dirs)
}

// coreWork does one thing for the screen of the cores, instead of what it did before. do returns the answer, or why there is
// none, and may post how far it is. Neither is wanted any more once something else is done.
func (e *engine) coreWork(do func(ctx context.Context, client *corestore.Client, post func(func(*cores.Screen))) (func(*cores.Screen), error)) {
	ctx := e.begin(&e.getting)
	during := e.during(ctx)
	post := func(do func(v *cores.Screen)) { during(func(m *Shell) { do(m.cores) }) }
	answer := func(well func(*cores.Screen), err error) {
		if err != nil {
			well = func(v *cores.Screen) { v.Failed(err) }
		}
		post(well)
	}
	client, err := corestore.NewClient(settings.Clone(e.shell.Config).Core, e.store, e.version)
	if err != nil {
		answer(nil, err)
		return
	}
	e.jobs.Go(func() { answer(do(ctx, client, post)) })
}

// chooseCore has the screen ask the player about the offer that find returns.
func (e *engine) chooseCore(find func(context.Context, *corestore.Client) (corestore.Offer, error)) {
	e.coreWork(func(ctx context.Context, client *corestore.Client, _ func(func(*cores.Screen))) (func(*cores.Screen), error) {
		o, err := find(ctx, client)
		if err == nil {
			o, err = client.Ask(ctx, o)
		}
		return func(v *cores.Screen) { v.Chosen(o) }, err
	})
}

// FindCores implements cores.Engine.
func (e *engine) FindCores() {
	e.coreWork(func(ctx context.Context, client *corestore.Client, _ func(func(*cores.Screen))) (func(*cores.Screen), error) {
		offers, problems := client.List(ctx)
		return func(v *cores.Screen) { v.Found(offers, problems) }, nil
	})
}

// FindWireless implements cores.Engine.
func (e *engine) FindWireless() { e.chooseCore(newestWireless) }

// FindBuild implements cores.Engine.
func (e *engine) FindBuild(used hostroom.UsedCore) {
	e.chooseCore(func(ctx context.Context, client *corestore.Client) (corestore.Offer, error) {
		return launch.RoomsOffer(ctx, client, used)
	})
}

// ChooseCore implements cores.Engine.
func (e *engine) ChooseCore(o corestore.Offer) {
	e.chooseCore(func(context.Context, *corestore.Client) (corestore.Offer, error) { return o, nil })
}

// GetCore implements cores.Engine.
func (e *engine) GetCore(o corestore.Offer, sum [32]byte) {
	e.coreWork(func(ctx context.Context, client *corestore.Client, post func(func(*cores.Screen))) (func(*cores.Screen), error) {
		b, err := client.Get(ctx, o, corestore.Want{SHA256: sum}, moved(post))
		return func(v *cores.Screen) { v.Got(b) }, err
	})
}

// StopCores implements cores.Engine.
func (e *engine) StopCores() { e.getting() }

// RemoveCore implements cores.Engine.
func (e *engine) RemoveCore(b corestore.Build) {
	e.coreWork(func(context.Context, *corestore.Client, func(func(*cores.Screen))) (func(*cores.Screen), error) {
		err := e.store.Remove(b)
		return func(v *cores.Screen) { v.Removed(b, err) }, nil
	})
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
