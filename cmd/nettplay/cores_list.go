package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/corestore"
	"github.com/nettplay/nettplay/internal/launch"
)

// list lists the cores that are here, those that were got and all others.
func (o *coresCall) list(ctx context.Context) error {
	env, cfg, verbose := o.env, o.settings.Core, o.verbose
	search, err := launch.Search(cfg)
	if err != nil {
		return err
	}
	cores, problems := search.All(ctx)
	chosen, _ := search.Find(ctx, cfg.Name) // none is no error of the list
	for _, c := range cores {
		t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Version)
		fmt.Fprintf(t, "  path\t%s\n", c.Path)
		fmt.Fprintf(t, "  local wireless\t%s\n", map[bool]string{true: "yes", false: "no"}[c.Wireless])
		fmt.Fprintf(t, "  check\t%s\n", checked(c))
		fmt.Fprintf(t, "  SHA-256\t%x\n", c.SHA256)
		if b, ours := o.store.Owns(c.Path); ours {
			fmt.Fprintf(t, "  got from\t%s\n", originWords(b))
		}
		if c.Path == chosen.Path {
			why := "by the settings"
			if cfg.Name == "" {
				why = "by default"
			}
			fmt.Fprintf(t, "  in use\t%s\n", why)
		}
		fmt.Fprintln(t)
		t.Flush()
	}
	if verbose || len(cores) == 0 {
		for _, p := range problems {
			fmt.Fprintf(env.stdout, "not usable: %v\n", p)
		}
	}
	if verbose {
		fmt.Fprintln(env.stdout, "searched:")
		for _, d := range slices.Concat(search.Folders, emucore.SearchDirs()) {
			fmt.Fprintf(env.stdout, "  %s\n", d)
		}
	}
	listProtections(env, verbose)
	if verbose {
		fmt.Fprintf(env.stdout, "snapshots of a console, for rooms with rollback: %s\n", snapshots(emucore.SnapshotWays()))
	}
	switch {
	case len(cores) == 0 && len(problems) > 0:
		return &exitError{code: exitCore, err: errors.New("no usable Nintendo DS core was found")}
	case len(cores) == 0:
		return &exitError{
			code: exitCore, err: errors.New("no Nintendo DS core was found"),
			hint: installCore(),
		}
	}
	return nil
}

// originWords says where a build was got.
func originWords(b corestore.Build) string {
	words := b.Origin.Host()
	if b.Origin.Version != "" {
		words += ", version " + b.Origin.Version
	}
	if !b.Origin.Date.IsZero() {
		words += ", of " + b.Origin.Date.Format(time.DateOnly)
	}
	return words + ", on " + b.Fetched.Local().Format(time.DateOnly)
}

// checked tells the result of a core's check.
func checked(core emucore.Core) string {
	places, err := config.Data()
	if err != nil {
		return err.Error()
	}
	if core.Unopened {
		return "not started yet, so its name is that of its file: nettplay asks you before; " + core.StandingWords()
	}
	core = launch.Fingerprinted(places, core)
	if _, proven := core.KnownFingerprint(); proven {
		return core.StandingWords()
	}
	v, known := corecheck.OpenBook(places.CoreVerdicts).Of(core.SHA256)
	switch {
	case !known:
		return "when it is first used; " + core.StandingWords()
	case v.Failed():
		return "failed. " + v.Words()
	}
	return "passed; " + core.StandingWords() + ". " + v.Words()
}

// snapshots says how consoles are put back.
func snapshots(ways []emucore.SnapshotWay) string {
	if len(ways) == 0 {
		return "none on this computer"
	}
	return ways[0].Words()
}

// listProtections prints a core's access to this computer; unless verbose, only where
// that is more than it should be.
func listProtections(env *environment, verbose bool) {
	all := slices.DeleteFunc(emucore.Protections(), func(p emucore.Protection) bool { return !verbose && p.Missing == "" })
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(env.stdout, "a core's access to this computer:")
	t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(t, "  %s\t%s\n", p.Against, p.Text)
		if p.Missing != "" {
			fmt.Fprintf(t, "  \t%s\n", p.Missing)
		}
	}
	t.Flush()
}
