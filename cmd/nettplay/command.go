package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/nettplay/nettplay/emucore"
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
	log     *slog.Logger // nil without --log
	// roomsCore is the core of the room to join; zero for the player's own core.
	roomsCore emucore.Core
}

// environment is a command's view of the outside, so that tests can run one without a process.
type environment struct {
	stdin          io.Reader // what the player types, or pipes; nil: nothing
	stdout, stderr io.Writer
	columns        int // of the terminal that stderr is: progress is redrawn in place; 0 for none
	// hide has the terminal not show what is typed, until show is called; nil: stdin is no terminal.
	hide func() (show func())
}

func commands() []command {
	return []command{
		hostCommand(), joinCommand(), onlineCommand(), matchCommand(), watchCommand(), localCommand(), replayCommand(), bisectCommand(),
		demoCommand(), coresCommand(), doctorCommand(), traceCommand(), savesCommand(), configCommand(), manualCommand(), versionCommand(), windowCommand(),
	}
}

// dispatch runs the command that args name and returns the exit code.
func dispatch(ctx context.Context, env *environment, args []string) int {
	if len(args) == 0 && !windowed() {
		usage(env.stderr)
		return exitUsage
	}
	if taken(args) {
		fmt.Fprintln(env.stderr, "The window that is open shows it.")
		return exitOK
	}
	args = completed(args)
	name, rest, shown := args[0], args[1:], env.stderr
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			usage(env.stdout)
			return exitOK
		}
		name, rest, shown = rest[0], []string{"--help"}, nil
	}
	for _, c := range commands() {
		if c.name == name {
			return conclude(env, c.name, c.start(ctx, env, rest))
		}
	}
	fmt.Fprintf(env.stderr, "nettplay: there is no command %q\n", name)
	if shown != nil {
		fmt.Fprintln(shown)
		usage(shown)
	}
	return exitUsage
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
		return usageError{err}
	}
	defer stop()
	if call.diagnostics.Log != "" {
		call.log = log
	}
	log.Info("nettplay", "version", version, "command", c.name)
	call.console = newConsole(env, call.verbose)
	return c.run(ctx, call)
}

func usage(w io.Writer) {
	fmt.Fprint(w, `nettplay plays Nintendo DS games with friends, over the internet.

Usage:

  nettplay [window]               open the window: host, join, play alone, settings
  nettplay nettplay://join/...    join by an invitation
  nettplay FILE                   open a recording, a kept moment or a game in the window
`)
	for _, c := range commands() {
		if c.name == "window" {
			continue
		}
		fmt.Fprintf(w, "  nettplay %-22s %s\n", strings.TrimSpace(c.name+" "+c.args), c.summary)
	}
	fmt.Fprintf(w, "\n\"nettplay COMMAND --help\" shows a command's flags and an example.\n\n%s\n", exitCodes)
}
