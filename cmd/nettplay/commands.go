package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/manual"
)

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
	if _, err := os.Stat(name); err == nil {
		fmt.Fprintf(env.stderr, "nettplay: %s is not a game, a recording or a kept moment\n", name)
		return exitUsage
	}
	fmt.Fprintf(env.stderr, "nettplay: there is no command %q\n", name)
	if shown != nil {
		fmt.Fprintln(shown)
		usage(shown)
	}
	return exitUsage
}

// usageWidth is the width of a command with its arguments in the list of all; a longer one has a line of its own.
const usageWidth = 22

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
		what := strings.TrimSpace(c.name + " " + c.args)
		if len(what) > usageWidth {
			what += fmt.Sprintf("\n%*s", len("  nettplay ")+usageWidth, "")
		}
		fmt.Fprintf(w, "  nettplay %-*s %s\n", usageWidth, what, c.summary)
	}
	fmt.Fprintf(w, "\n\"nettplay COMMAND --help\" shows a command's flags and an example.\n\n%s\n", exitCodes)
}

func manualCommand() command {
	return command{
		name: "manual", uses: onManual, args: "[bash|fish|zsh]", most: 1, takes: "at most the name of a shell",
		summary: "print the manual page, or what completes commands and flags in a shell",
		help: `Packages of nettplay install both. Without a package, this shell learns it by:

Example: source <(nettplay manual bash)`,
		check: func(c *call) error {
			if len(c.args) > 0 && !slices.Contains(manual.Shells, c.args[0]) {
				return usagef("%q is none of the shells %s", c.args[0], strings.Join(manual.Shells, ", "))
			}
			return nil
		},
		run: func(_ context.Context, c *call) error {
			if len(c.args) > 0 {
				return book().Completions(c.env.stdout, c.args[0])
			}
			return book().Page(c.env.stdout)
		},
	}
}

// book returns the content of nettplay's manual.
func book() manual.Program {
	b := manual.Program{
		Name: "nettplay", Version: version, Summary: "play Nintendo DS games with friends, over the internet",
		About: []string{
			"nettplay alone opens the window: host, join, play alone, recordings, settings.",
			"nettplay " + invite.Scheme + "join/... joins by an invitation, and nettplay FILE opens a recording, a kept moment or a game in the window.",
		},
		End: []string{exitCodes},
	}
	for _, c := range commands() {
		var o options
		o.define(c)
		b.Commands = append(b.Commands, manual.Command{Name: c.name, Args: c.args, Summary: c.summary, Help: c.help, Flags: o.set})
	}
	return b
}
