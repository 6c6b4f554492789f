package main

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// useConsole: a terminal is as it should be.
func useConsole([]string) {}

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
