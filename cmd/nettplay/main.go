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
	"os"
	"os/signal"
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
