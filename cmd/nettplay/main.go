// Nettplay plays Nintendo DS games over the internet: every machine runs one
// emulated console per player, and only the players' inputs are sent.
//
// This package is the program's edge: subcommands, flags, exit codes and the
// words that a player reads in a terminal. Each command is a value of type command; its
// flags stand in one table, in flagtable.go. Package internal/launch turns a start into a
// session, and internal/session runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/nettplay/nettplay/internal/game"
)

func main() {
	useConsole(os.Args[1:])
	useTemporaryFolder()
	game.MakeRoom()
	// The first Ctrl-C leaves the game in good order, a second one ends at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	env := &environment{stdin: typed(os.Stdin), stdout: os.Stdout, stderr: os.Stderr, columns: terminal(os.Stderr), hide: hidden(os.Stdin)}
	os.Exit(dispatch(ctx, env, os.Args[1:]))
}

// version is set by the Makefile.
var version = "unknown"

func versionCommand() command {
	return command{
		name: "version", uses: onVersion, takes: "no argument", summary: "say which nettplay this is",
		help: `All players of a room need the same version of the protocol. A room that refuses
you says which side must update. "nettplay --version" does the same.

Example: nettplay version`,
		run: func(_ context.Context, c *call) error {
			_, err := fmt.Fprintf(c.env.stdout, "nettplay %s (%s, %s/%s)\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
