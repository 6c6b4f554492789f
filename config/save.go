package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

// Save writes the settings to a file, in the commented form of [Config.Commented],
// and replaces what was there in one step: whatever happens, the file is the old
// one or the new one. A file that has lines that do not count, or that somebody wrote by hand, is
// kept first, see [CopyEnding]. Only the user may read the file. Settings that are not valid are not
// written. Settings without a MAC address, like [Defaults], do not take away that of the file.
func (c Config) Save(path string) error {
	const what = "save settings"
	if err := c.Validate(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return locked(path, what, func() error {
		before, err := Load(path)
		if c.Player.MAC == "" {
			c.Player.MAC = before.Player.MAC
		}
		if errors.Is(err, fs.ErrNotExist) {
			return disk.Write(path, []byte(c.Commented()), 0o600)
		}
		if text, unread := readFile(path); err != nil || unread != nil || !strings.HasPrefix(text, fileHead) {
			if _, err := keepCopy(path); err != nil {
				return err
			}
		}
		return disk.Write(path, []byte(c.Commented()), 0o600)
	})
}

// Init writes a file with the defaults, commented, and a MAC address of its own.
// A file that is there already is an error that wraps fs.ErrExist, unless force
// is set: then it is replaced, and of its settings only the MAC address is kept,
// for save files may depend on it. kept is the file that the one before became, see [CopyEnding];
// "" where there was none.
func Init(path string, force bool) (kept string, err error) {
	err = locked(path, "write default settings", func() (err error) {
		kept, err = initLocked(path, force)
		return err
	})
	return kept, err
}

func initLocked(path string, force bool) (kept string, err error) {
	c := Defaults()
	_, err = os.Lstat(path)
	switch {
	case err == nil && !force:
		return "", fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err == nil:
		before, _ := Load(path) // what can be read
		c.Player.MAC = before.Player.MAC
		if kept, err = keepCopy(path); err != nil {
			return "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if c.Player.MAC == "" {
		if c.Player.MAC, err = randomMAC(); err != nil {
			return "", err
		}
	}
	return kept, disk.Write(path, []byte(c.Commented()), 0o600)
}

// CopyEnding stands behind the name of a settings file in that of its copy, which is made before
// what somebody wrote into it is replaced. A second one has ".bak2" there, and so on.
const CopyEnding = ".bak"

// maxCopies of a file are kept: more than anybody makes.
const maxCopies = 100

// keepCopy keeps a file under another name beside it, and returns that.
func keepCopy(path string) (string, error) {
	file := path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		file = target
	}
	if st, err := os.Stat(file); err != nil || !st.Mode().IsRegular() {
		return "", nil // there is nothing to be kept
	}
	for n := 1; n <= maxCopies; n++ {
		name := path + CopyEnding
		if n > 1 {
			name += strconv.Itoa(n)
		}
		err := os.Link(file, name) // for the file itself is not written to: another takes its place
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = copyFile(file, name)
		}
		if !errors.Is(err, fs.ErrExist) {
			return name, err
		}
	}
	return "", fmt.Errorf("there are %d copies of %s already, and no more are kept", maxCopies, path)
}

// copyFile copies a file where the file system has no links, or another one has the file.
func copyFile(from, to string) (err error) {
	in, _, err := disk.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return err
}

// locked does something with a file that no other process changes meanwhile. An error says what was
// to be done.
func locked(path, what string, do func() error) error {
	if err := disk.Changing(path, do); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// KeepMAC returns the MAC address of the settings in a file. If there is none it
// makes one at random and writes it there, once and for all: the rest of the file
// stays as it is, with all comments. A file that is not there is written as by
// [Init]. Processes that start at the same time get the same address. With an error mac means nothing.
func KeepMAC(path string) (mac string, err error) {
	err = keep(path, "keep a MAC address", "player", "mac", func(c *Config) (string, error) {
		if c.Player.MAC == "" {
			c.Player.MAC, err = randomMAC()
		}
		mac = c.Player.MAC
		return mac, err
	})
	return mac, err
}

// KeepCore writes into the settings of a file which core is to be used: the setting core.name.
// The rest of the file stays as it is, with all comments. A file that is not there is written as by
// [Init].
func KeepCore(path, name string) error {
	return keep(path, "keep the choice of a core", "core", "name", func(c *Config) (string, error) {
		c.Core.Name = name
		return name, c.Validate()
	})
}

// keep changes a text setting of a file, unless it has that value already. change makes the
// change in the file's settings, and returns the setting's value then. What is wrong in the file
// stays as it is.
func keep(path, what, section, key string, change func(*Config) (value string, err error)) error {
	return locked(path, what, func() error {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if _, err := initLocked(path, false); err != nil {
				return err
			}
		}
		text, err := readFile(path)
		if err != nil {
			return err
		}
		c, list, mistakes := parse(path, text)
		before := c
		value, err := change(&c)
		if err != nil || reflect.DeepEqual(c, before) {
			return err
		}
		text = insert(text, list, section, key, value)
		if again, err := Parse(path, text); count(err) != count(mistakes) || !reflect.DeepEqual(again, c) {
			return fmt.Errorf("%s has its [%s] section in a form that cannot be changed; write %s = %s into it", path, section, key, quote(value))
		}
		return disk.Write(path, []byte(text), 0o600)
	})
}

// count returns how many mistakes an error of Parse names.
func count(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return len(e.Problems)
	}
	return 0
}

// insert puts a text setting into the text of a file, whose statements are given: where it is set, else below the
// heading of its section, else next to a dotted key of the section, else at the end.
func insert(text string, list []statement, section, key, value string) string {
	for _, s := range list {
		if len(s.key) == 2 && s.key[0] == section && s.key[1] == key && !s.header {
			return text[:s.start] + quote(value) + text[s.end:]
		}
	}
	line := key + " = " + quote(value)
	for _, s := range list {
		switch {
		case s.header && s.key.String() == section:
			head, rest, _ := strings.Cut(text[s.end:], "\n")
			return text[:s.end] + head + "\n" + line + "\n" + rest
		case !s.header && len(s.key) == 2 && s.key[0] == section:
			start := strings.LastIndex(text[:s.start], "\n") + 1
			return text[:start] + section + "." + line + "\n" + text[start:]
		}
	}
	return text + "\n[" + section + "]\n" + line + "\n"
}
