package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/nettplay/nettplay/config"
)

func configCommand() command {
	return command{
		name: "config", uses: onConfig, takes: "one of init, show and path", least: 1, most: 1,
		args: "init|show|path", summary: "write, show or find the settings file",
		help: `init writes a settings file with every setting, its default and what it means.
show prints the settings in effect; path says where the file is. Flags of other
commands override the file.

Example: nettplay config init`,
		run: func(_ context.Context, c *call) error { return c.configure() },
	}
}

func (c *call) configure() error {
	path, err := c.settingsPath()
	if err != nil {
		return err
	}
	switch what := c.args[0]; what {
	case "init":
		if err := config.Init(path, c.force); err != nil {
			if errors.Is(err, fs.ErrExist) {
				return usageError{fmt.Errorf("%s is there already; --force replaces it", path)}
			}
			return err
		}
		fmt.Fprintf(c.env.stdout, "Wrote %s\n", path)
	case "show":
		cfg, err := c.readSettings()
		if err != nil {
			return err
		}
		fmt.Fprintf(c.env.stdout, "# %s\n%s", path, cfg.Show())
	case "path":
		fmt.Fprintln(c.env.stdout, path)
	default:
		return usagef("there is no \"config %s\": it takes init, show or path", what)
	}
	return nil
}
