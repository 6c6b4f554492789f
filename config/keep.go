package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/nettplay/nettplay/internal/disk"
)

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
