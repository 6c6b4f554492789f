package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/nettplay/nettplay/internal/manual"
)

// printHelp shows how a command is called, what it does, every flag and an example.
func printHelp(w io.Writer, c command, fs *flag.FlagSet) {
	usage := strings.TrimSpace("nettplay " + c.name + " [flags] " + c.args)
	fmt.Fprintf(w, "Usage: %s\n\n%s%s.\n\nFlags:\n", usage, strings.ToUpper(c.summary[:1]), c.summary[1:])
	manual.Flags(w, fs)
	if c.help != "" {
		fmt.Fprintf(w, "\n%s\n", c.help)
	}
}

// parse reads flags and plain arguments in any order, since people write
// "host game.nds --delay 4" as readily as the other way round.
func parse(fs *flag.FlagSet, args []string) ([]string, error) {
	help := fs.Usage
	fs.Usage = func() {} // package flag would show it after each mistake
	var plain []string
	for {
		err := fs.Parse(args)
		if errors.Is(err, flag.ErrHelp) {
			help()
			return nil, err
		}
		if err != nil {
			return nil, usageError(misuse(err))
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

// misuse says in our words what package flag says in its own.
func misuse(err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		return fmt.Errorf("there is no flag %s", manual.Dashes(name))
	}
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		return fmt.Errorf("%s needs a value", manual.Dashes(name))
	}
	var value, name string
	if _, scan := fmt.Sscanf(err.Error(), "invalid value %q for flag -%s", &value, &name); scan == nil {
		return fmt.Errorf("%s is %q, but must be a whole number", manual.Dashes(strings.TrimSuffix(name, ":")), value)
	}
	if _, scan := fmt.Sscanf(err.Error(), "invalid boolean value %q for -%s", &value, &name); scan == nil {
		return fmt.Errorf("%s takes no value, but got %q", manual.Dashes(strings.TrimSuffix(name, ":")), value)
	}
	return err
}

// listed is a list of arguments in words.
func listed(args []string) string {
	if len(args) == 0 {
		return "none"
	}
	quoted := make([]string, len(args))
	for i, a := range args {
		quoted[i] = fmt.Sprintf("%q", a)
	}
	return strings.Join(quoted, ", ")
}
