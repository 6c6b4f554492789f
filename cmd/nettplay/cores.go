package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
)

func coresCommand() command {
	c := command{
		name: "cores", summary: "list the Nintendo DS cores on this machine",
		help: `All players of a room need the same build of the same core: compare the
SHA-256. Games with local wireless need a core that has it.

Example: nettplay cores -v`,
	}
	c.run = func(ctx context.Context, env *environment, args []string) error {
		o := &options{flags: flagSet(env, c)}
		o.flags.StringVar(&o.config, "config", "", "settings `file` instead of the usual one")
		o.flags.BoolVar(&o.verbose, "v", false, "also list the folders that are searched, and files that are no cores")
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) > 0 {
			return usagef("it takes no argument, but got %q", rest[0])
		}
		cfg, err := o.read()
		if err != nil {
			return err
		}
		return listCores(ctx, env, cfg.Core, o.verbose)
	}
	return c
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
	switch {
	case len(cores) == 0 && len(problems) > 0:
		return &exitError{code: exitCore, err: errors.New("no Nintendo DS core was found that can be used")}
	case len(cores) == 0:
		return &exitError{
			code: exitCore, err: errors.New("no Nintendo DS core was found"),
			hint: "To install the default one, type:\n\n  " + emucore.AptLine,
		}
	}
	return nil
}
