package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// flagSet makes the flags of a command with a help text that shows how it is
// called, what it does, every flag and an example.
func flagSet(env *environment, c command) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed once, by conclude
	fs.Usage = func() {
		fmt.Fprintf(env.stdout, "Usage: nettplay %s [flags] %s\n\n%s.\n", c.name, c.args, c.summary)
		any := false
		fs.VisitAll(func(*flag.Flag) { any = true })
		if any {
			fmt.Fprint(env.stdout, "\nFlags:\n")
		}
		fs.VisitAll(func(f *flag.Flag) { printFlag(env.stdout, f) })
		if c.help != "" {
			fmt.Fprintf(env.stdout, "\n%s\n", c.help)
		}
	}
	return fs
}

func printFlag(w io.Writer, f *flag.Flag) {
	value, text := flag.UnquoteUsage(f)
	name := "--" + f.Name
	if len(f.Name) == 1 {
		name = "-" + f.Name
	}
	if value != "" {
		name += " " + value
	}
	if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "0" {
		text += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(w, "  %-20s %s\n", name, text)
}

// parse reads flags and plain arguments in any order, since people write
// "host game.nds --delay 4" as readily as the other way round.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	var plain []string
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			return nil, err
		}
		if err != nil {
			return nil, usageError{err}
		}
		rest := fs.Args()
		if len(rest) == 0 {
			return plain, nil
		}
		// After "--" all is plain.
		if n := len(args) - len(rest); n > 0 && args[n-1] == "--" {
			return append(plain, rest...), nil
		}
		plain, args = append(plain, rest[0]), rest[1:]
	}
}

// given tells which flags were set on the command line: only those override
// the config file.
func given(fs *flag.FlagSet) map[string]bool {
	set := map[string]bool{}
	fs.Visit(func(f *flag.Flag) { set[f.Name] = true })
	return set
}
