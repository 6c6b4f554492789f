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
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/game"
)

func main() {
	useTemporaryFolder()
	game.MakeRoom()
	// The first Ctrl-C leaves the game in good order, a second one ends at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	env := &environment{stdin: typed(os.Stdin), stdout: os.Stdout, stderr: os.Stderr, columns: terminal(os.Stderr), hide: hidden(os.Stdin)}
	os.Exit(dispatch(ctx, env, os.Args[1:]))
}

// typed returns what a player may type or pipe, nil for anything else: a file is not meant for
// us. A program in the background must not stop because it reads.
func typed(f *os.File) io.Reader {
	st, err := f.Stat()
	if _, none := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS); none != nil && (err != nil || st.Mode()&os.ModeNamedPipe == 0) {
		return nil
	}
	signal.Ignore(syscall.SIGTTIN)
	return f
}

// hidden has a terminal not show what is typed; nil for a file that is no terminal.
func hidden(f *os.File) func() (show func()) {
	if _, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS); err != nil {
		return nil
	}
	return func() (show func()) {
		before, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
		if err != nil {
			return func() {}
		}
		silent := *before
		silent.Lflag &^= unix.ECHO
		_ = unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, &silent)
		return func() { _ = unix.IoctlSetTermios(int(f.Fd()), unix.TCSETS, before) }
	}
}

// terminal returns how many letters fit in a line of the terminal that a file
// is, 0 if it is none, or one that cannot redraw a line.
func terminal(f *os.File) (columns int) {
	if os.Getenv("TERM") == "dumb" {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	switch {
	case err != nil:
		return 0
	case size.Col == 0:
		return 80 // one that does not say
	}
	return int(size.Col)
}
