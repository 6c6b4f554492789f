package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/launch"
)

func configCommand() command {
	return command{
		name: "config", uses: onConfig, takes: "one of init, show, path and key", least: 1, most: 1,
		args: "init|show|path|key", summary: "write, show or find the settings; show your key",
		help: `init writes a settings file with every setting, its default and what it means,
unless there is one already: with --force it replaces that, and keeps a copy.
show prints the settings in effect, and names the lines that do not count; path
says where the file is. Flags of other commands override the file. key prints
the fingerprint of your key, by which friends know you: the lobby shows it
to whoever points at your name.

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
		kept, err := config.Init(path, c.force)
		switch {
		case errors.Is(err, fs.ErrExist):
			fmt.Fprintf(c.env.stdout, "%s is there already, and stays as it is. \"nettplay config show\" prints what is in effect; --force replaces the file.\n", path)
			return nil
		case err != nil:
			return err
		}
		fmt.Fprintf(c.env.stdout, "Wrote %s\n", path)
		if kept != "" {
			fmt.Fprintf(c.env.stdout, "The one before is kept as %s\n", kept)
		}
	case "show":
		cfg, err := c.readSettings()
		if err != nil {
			return err
		}
		fmt.Fprintf(c.env.stdout, "# %s\n%s", path, cfg.Show())
	case "path":
		fmt.Fprintln(c.env.stdout, path)
	case "key":
		key := launch.Fingerprint()
		if key == "" {
			return errors.New("this installation's key can be neither read nor created: check the folder ~/.local/share/nettplay")
		}
		fmt.Fprintln(c.env.stdout, key)
	default:
		return usagef("there is no \"config %s\": it takes init, show, path or key", what)
	}
	return nil
}
