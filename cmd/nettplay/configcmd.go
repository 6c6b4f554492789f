package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/nettplay/nettplay/config"
)

func configCommand() command {
	c := command{
		name: "config", args: "init|show|path", summary: "write, show or find the settings file",
		help: `init writes a settings file with every setting, its default and what it means.
show prints what is in effect; path says where the file is. Flags of other
commands go over the file.

Example: nettplay config init`,
	}
	c.run = func(_ context.Context, env *environment, args []string) error {
		o := &options{flags: flagSet(env, c)}
		force := o.flags.Bool("force", false, "init: replace a file that is there")
		o.flags.StringVar(&o.config, "config", "", "settings `file` instead of the usual one")
		rest, err := parse(o.flags, args)
		if err != nil {
			return err
		}
		if len(rest) != 1 {
			return usagef("it takes one of init, show and path")
		}
		return o.configure(env, rest[0], *force)
	}
	return c
}

func (o *options) configure(env *environment, what string, force bool) error {
	path, err := o.path()
	if err != nil {
		return err
	}
	switch what {
	case "init":
		if err := config.Init(path, force); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return usageError{fmt.Errorf("%s is there already; --force replaces it", path)}
			}
			return err
		}
		fmt.Fprintf(env.stdout, "Wrote %s\n", path)
	case "show":
		cfg, err := o.read()
		if err != nil {
			return err
		}
		fmt.Fprintf(env.stdout, "# %s\n%s", path, cfg.Show())
	case "path":
		fmt.Fprintln(env.stdout, path)
	default:
		return usagef("there is no \"config %s\": it takes init, show or path", what)
	}
	return nil
}
