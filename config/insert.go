package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/nettplay/nettplay/internal/atomicfile"
)

// KeepCore writes into the settings of a file which core is to be used: the setting core.name.
// The rest of the file stays as it is, with all comments. A file that is not there is written as by
// [Init].
func KeepCore(path, name string) error {
	unlock, err := lock(path)
	if err != nil {
		return fmt.Errorf("keep the choice of a core: %w", err)
	}
	defer unlock()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := initLocked(path, false); err != nil {
			return fmt.Errorf("keep the choice of a core: %w", err)
		}
	}
	text, err := readFile(path)
	if err != nil {
		return fmt.Errorf("keep the choice of a core: %w", err)
	}
	c, err := Parse(path, text)
	if err != nil {
		return err
	}
	c.Core.Name = name
	if err := c.Validate(); err != nil {
		return err
	}
	text = insert(text, "core", "name", name)
	if again, err := Parse(path, text); err != nil || !reflect.DeepEqual(again, c) {
		return fmt.Errorf("keep the choice of a core: %s has its [core] section in a form that cannot be changed; write name = %s into it", path, quote(name))
	}
	if err := atomicfile.Write(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("keep the choice of a core: %w", err)
	}
	return nil
}

// insert puts a text setting into the text of a file: where it is set, else below the
// heading of its section, else next to a dotted key of the section, else at the end.
func insert(text, section, key, value string) string {
	for _, s := range statements(text) {
		if len(s.key) == 2 && s.key[0] == section && s.key[1] == key && !s.header {
			return text[:s.start] + quote(value) + text[s.end:]
		}
	}
	line := key + " = " + quote(value)
	for _, s := range statements(text) {
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
