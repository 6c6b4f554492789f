package main

import (
	"context"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/manual"
)

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
