package main

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/phrase"
)

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
