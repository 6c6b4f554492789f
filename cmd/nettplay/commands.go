package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/manual"
)

func commands() []command {
	return []command{
		hostCommand(), joinCommand(), onlineCommand(), matchCommand(), watchCommand(), localCommand(), replayCommand(), bisectCommand(),
		demoCommand(), coresCommand(), doctorCommand(), helpFriendsCommand(), traceCommand(), savesCommand(), configCommand(), manualCommand(), versionCommand(), windowCommand(),
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
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			usage(env.stdout)
			return exitOK
		}
		name, rest = rest[0], []string{"--help"}
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
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	fmt.Fprintf(env.stderr, "nettplay: there is no command %q%s\n\"nettplay --help\" lists them.\n", name, config.DidYouMean(name, names))
	return exitUsage
}

// usageWidth is the width of a command with its arguments in the list of all; a longer one has a line of its own.
const usageWidth = 16

func usage(w io.Writer) {
	fmt.Fprint(w, `nettplay plays Nintendo DS games with friends, over the internet.

Usage:

  nettplay [window]         open the window: host, join, play alone, settings
  nettplay nettplay://join/...
                            join by an invitation
  nettplay FILE             open a recording, a kept moment or a game
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
		summary: "print the manual, or completions for a shell",
		help: `Packages of nettplay install both: the manual as a page of "man", which is what
this writes into a file or to another program. Without a package, this shell
learns it by:

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
			if f, ok := c.env.stdout.(*os.File); ok && terminal(f) > 0 { // somebody wants to read it, no program to set it
				usage(f)
				for _, each := range commands() {
					var o options
					o.define(each)
					fmt.Fprintln(f)
					printHelp(f, each, o.set)
				}
				return nil
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
