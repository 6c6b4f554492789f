package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
)

func coresCommand() command {
	return command{
		name: "cores", uses: onCores, takes: "no argument", summary: "list the Nintendo DS cores on this machine",
		help: `All players of a room need the same build of the same core: compare the
SHA-256. Games with local wireless need a core that has it.

Example: nettplay cores -v`,
		run: func(ctx context.Context, c *call) error {
			cfg, err := c.readSettings()
			if err != nil {
				return err
			}
			return listCores(ctx, c.env, cfg.Core, c.verbose)
		},
	}
}

func listCores(ctx context.Context, env *environment, cfg config.Core, verbose bool) error {
	dirs, err := config.ExpandAll(cfg.Folders)
	if err != nil {
		return err
	}
	cores, problems := emucore.FindCores(ctx, dirs)
	for _, c := range cores {
		t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
		wireless := "no"
		if c.Wireless {
			wireless = "yes"
		}
		fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Version)
		fmt.Fprintf(t, "  path\t%s\n", c.Path)
		fmt.Fprintf(t, "  local wireless\t%s\n", wireless)
		fmt.Fprintf(t, "  SHA-256\t%x\n\n", c.SHA256)
		t.Flush()
	}
	if verbose || len(cores) == 0 {
		for _, p := range problems {
			fmt.Fprintf(env.stdout, "not usable: %v\n", p)
		}
	}
	if verbose {
		fmt.Fprintln(env.stdout, "searched:")
		for _, d := range append(dirs, emucore.SearchDirs()...) {
			fmt.Fprintf(env.stdout, "  %s\n", d)
		}
	}
	listProtections(env, verbose)
	switch {
	case len(cores) == 0 && len(problems) > 0:
		return &exitError{code: exitCore, err: errors.New("no Nintendo DS core was found that can be used")}
	case len(cores) == 0:
		return &exitError{
			code: exitCore, err: errors.New("no Nintendo DS core was found"),
			hint: installCore,
		}
	}
	return nil
}

// listProtections says what a core can do to this machine; unless verbose, only where
// that is more than it should be.
func listProtections(env *environment, verbose bool) {
	all := slices.DeleteFunc(emucore.Protections(), func(p emucore.Protection) bool { return !verbose && p.Missing == "" })
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(env.stdout, "what a core can do to this machine:")
	t := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
	for _, p := range all {
		fmt.Fprintf(t, "  %s\t%s\n", p.Against, p.Text)
		if p.Missing != "" {
			fmt.Fprintf(t, "  \t%s\n", p.Missing)
		}
	}
	t.Flush()
}
