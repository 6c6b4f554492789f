package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nettplay/nettplay/internal/manual"
	"github.com/nettplay/nettplay/internal/phrase"
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

// form is one way in which the arguments of a command go on, such as "list [GAME]".
type form struct {
	usage string
	run   func(args []string) error // takes what follows the first word
}

// goOn runs the form that the arguments have.
func (c *call) goOn(forms ...form) error {
	var words []string
	for _, f := range forms {
		word, rest, _ := strings.Cut(f.usage, " ")
		words = append(words, word)
		if len(c.args) == 0 || c.args[0] != word {
			continue
		}
		args, most := c.args[1:], len(strings.Fields(rest))
		if len(args) < most-strings.Count(rest, "[") || len(args) > most {
			return usagef("it is \"%s %s\", but got %s after %s", c.command.name, f.usage, listed(args), word)
		}
		return f.run(args)
	}
	if len(c.args) == 0 {
		return usagef("it takes %s", either(words))
	}
	return usagef("there is no \"%s %s\": it takes %s", c.command.name, c.args[0], either(words))
}

// either is a list of words, one of which is wanted.
func either(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// checkFlags refuses values that make no sense, before anything is done.
func (o *options) checkFlags() error {
	for _, r := range o.rows {
		if !o.given(r.name) {
			continue
		}
		var err error
		switch into := r.into.(type) {
		case *int:
			err = r.inRange(int64(*into))
		case *int64:
			err = r.inRange(*into)
		case *time.Duration:
			if *into < 0 {
				err = usagef("--%s is %v, but must not be negative", r.name, *into)
			}
		case *string:
			if r.file {
				err = checkOutput(r.name, *into)
			} else if r.words != nil && !slices.Contains(r.words, *into) {
				err = usagef("--%s is %q, but must be %s", r.name, *into, either(r.words))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r row) inRange(n int64) error {
	switch {
	case r.hi > 0 && (n < r.lo || n > r.hi):
		return usagef("--%s is %d, but must be %d to %d", r.name, n, r.lo, r.hi)
	case n < r.lo && r.lo > 0:
		return usagef("--%s is %d, but must be at least %d", r.name, n, r.lo)
	case n < r.lo:
		return usagef("--%s is %d, but must not be negative", r.name, n)
	}
	return nil
}

// checkPlay refuses flags of host, join and local that do not go together.
func checkPlay(c *call) error {
	least := max(2, c.room.players, c.play.consoles)
	switch {
	case c.given("seats") && (c.room.seats < least || c.room.seats > 16):
		return usagef("--seats is %d, but must be %d to 16", c.room.seats, least)
	case c.given("players") && c.room.players < c.play.consoles:
		return usagef("--players is %d, but %s are here", c.room.players, phrase.Count(c.play.consoles, "console"))
	case len(c.play.inputs) > c.play.consoles:
		return usagef("--input is given %d times, for %s", len(c.play.inputs), phrase.Count(c.play.consoles, "console"))
	case c.out.record != "" && c.out.noRecord:
		return usagef("--record and --no-record do not go together")
	}
	if c.out.record != "" {
		if _, err := os.Lstat(c.out.record); err == nil {
			return usagef("--record %s: there is such a file already, and recordings never replace one", c.out.record)
		}
	}
	return nil
}

// checkOutput refuses a file that could not be written at the end, when a whole
// game would be lost with it.
func checkOutput(flag, path string) error {
	if path == "" {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return usagef("--%s %s is a folder, but must be a file", flag, path)
	case err == nil && !info.Mode().IsRegular() && writableFile(path):
		return nil // a pipe or /dev/stdout: it is written to, not replaced
	}
	dir := filepath.Dir(path)
	if !writable(dir) {
		return usagef("--%s %s: the folder %s is not there, or cannot be written to", flag, path, dir)
	}
	return nil
}
