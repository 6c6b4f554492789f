// Nettplay plays Nintendo DS games over the internet: every machine runs one
// emulated console per player, and only the players' inputs are sent.
//
// This package is the program's edge: subcommands, flags, exit codes and the
// words that a player reads. What a game is stands in internal/session.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// Exit codes, as `nettplay help` lists them.
const (
	exitOK     = 0
	exitUsage  = 2
	exitLost   = 3
	exitDesync = 4
	exitCore   = 5
)

// version is set by the Makefile.
var version = "unknown"

// command is one subcommand.
type command struct {
	name    string
	args    string // as shown in the usage line
	summary string
	help    string // more paragraphs, ending with an example
	run     func(ctx context.Context, env *environment, args []string) error
}

// environment is what a command knows of the outside, so that tests can run
// one without a process.
type environment struct {
	stdout, stderr io.Writer
	columns        int // of the terminal that stderr is: progress is redrawn in place; 0 for none
}

func commands() []command {
	return []command{hostCommand(), joinCommand(), watchCommand(), localCommand(), replayCommand(), bisectCommand(), demoCommand(), coresCommand(), traceCommand(), savesCommand(), configCommand(), versionCommand()}
}

func main() {
	// The first Ctrl-C leaves the game in good order, a second one ends at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	env := &environment{stdout: os.Stdout, stderr: os.Stderr, columns: terminal(os.Stderr)}
	os.Exit(dispatch(ctx, env, os.Args[1:]))
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

// dispatch runs the command that args name and returns the exit code.
func dispatch(ctx context.Context, env *environment, args []string) int {
	if len(args) == 0 && !windowed() {
		usage(env.stderr)
		return exitUsage
	}
	if len(args) == 0 {
		return conclude(env, command{name: "window"}, openWindow(ctx, "", nil))
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(env, args[1:])
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return conclude(env, c, c.run(ctx, env, args[1:]))
		}
	}
	fmt.Fprintf(env.stderr, "nettplay: there is no command %q\n\n", args[0])
	usage(env.stderr)
	return exitUsage
}

func help(env *environment, args []string) int {
	if len(args) == 0 {
		usage(env.stdout)
		return exitOK
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return conclude(env, c, c.run(context.Background(), env, []string{"--help"}))
		}
	}
	fmt.Fprintf(env.stderr, "nettplay: there is no command %q\n", args[0])
	return exitUsage
}

func usage(w io.Writer) {
	fmt.Fprint(w, `nettplay plays Nintendo DS games with friends, over the internet.

Usage:

  nettplay                        open the window: host, join, play alone, settings
`)
	for _, c := range commands() {
		fmt.Fprintf(w, "  nettplay %-22s %s\n", strings.TrimSpace(c.name+" "+c.args), c.summary)
	}
	fmt.Fprint(w, `
"nettplay COMMAND --help" shows a command's flags and an example.

Exit codes: 0 all well, 2 wrong usage, 3 could not connect or lost the room,
4 the machines disagreed (desync), 5 the core or a ROM failed, 1 anything else.
`)
}

// usageError is a mistake in how the program was called.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// exitError is a failure with an exit code of its own and, where there is one,
// a hint on what to do about it.
type exitError struct {
	code int
	err  error
	hint string
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// conclude says what went wrong, if anything did, and picks the exit code.
func conclude(env *environment, c command, err error) int {
	var misuse usageError
	var exit *exitError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &misuse):
		fmt.Fprintf(env.stderr, "nettplay %s: %v\n", c.name, err)
		fmt.Fprintf(env.stderr, "\"nettplay %s --help\" shows what it takes.\n", c.name)
		return exitUsage
	case errors.As(err, &exit):
		fmt.Fprintf(env.stderr, "nettplay %s: %v\n", c.name, err)
		if exit.hint != "" {
			fmt.Fprintln(env.stderr, sentence(exit.hint))
		}
		return exit.code
	}
	fmt.Fprintf(env.stderr, "nettplay %s: %v\n", c.name, err)
	return 1
}

// sentence begins with a capital and ends in a full stop, unless it ends in
// something to type.
func sentence(hint string) string {
	first, size := utf8.DecodeRuneInString(hint)
	s := string(unicode.ToUpper(first)) + hint[size:]
	if strings.Contains(s, "\n") || strings.ContainsAny(s[len(s)-1:], ".?!") {
		return s
	}
	return s + "."
}
