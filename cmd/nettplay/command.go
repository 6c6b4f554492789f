package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/launch"
)

// A command is one subcommand.
type command struct {
	name    string
	uses    uses   // its bit in the table of flags
	args    string // as shown in the usage line
	summary string
	help    string // more paragraphs, ending with an example
	// takes are its arguments in words, as in "one ROM", of which there are least to
	// most.
	takes       string
	least, most int
	preset      func(o *options) // flags with another default than the usual one
	check       func(c *call) error
	run         func(ctx context.Context, c *call) error
}

// call is one call of a command: its flags and arguments, and how it talks to the player.
type call struct {
	options
	env     *environment
	command command
	args    []string
	console *console
	log     *slog.Logger   // nil without --log
	events  *launch.Events // nil without --say
	// mistakesTold: the player knows of mistakes in the settings' file.
	mistakesTold bool
	// roomsCore is the core of the room to join; zero for the player's own core.
	roomsCore emucore.Core
}

// environment is a command's view of the outside, so that tests can run one without a process.
type environment struct {
	stdin          io.Reader // what the player types, or pipes; nil: nothing
	stdout, stderr io.Writer
	language       *language.Language // of notices; nil, such as in a pipe, is English
	columns        int                // of the terminal that stderr is: progress is redrawn in place; 0 for none
	// hide has the terminal not show what is typed, until show is called; nil: stdin is no terminal.
	hide func() (show func())
}

// start runs a command with the arguments behind its name.
func (c command) start(ctx context.Context, env *environment, args []string) (err error) {
	call := &call{env: env, command: c}
	call.define(c)
	call.set.Usage = func() { printHelp(env.stdout, c, call.set) }
	if call.args, err = parse(call.set, args); err != nil {
		return err
	}
	if n := len(call.args); n < c.least || n > c.most {
		return usagef("it takes %s, but got %s", c.takes, listed(call.args))
	}
	if err := call.checkFlags(); err != nil {
		return err
	}
	if c.check != nil {
		if err := c.check(call); err != nil {
			return err
		}
	}
	log, stop, err := call.diagnostics.Start(env.stderr)
	if err != nil {
		return usageError(err)
	}
	defer stop()
	if call.diagnostics.Log != "" {
		call.log = log
	}
	log.Info("nettplay", "version", version, "command", c.name)
	if path := call.out.say; path != "" {
		if call.events, err = launch.OpenEvents(path); err != nil {
			return usageError(err)
		}
		defer call.events.Close()
	}
	call.console = newConsole(env, call.verbose)
	return c.run(ctx, call)
}
