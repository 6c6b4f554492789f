package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/nettplay/nettplay/internal/atomicfile"
	"github.com/nettplay/nettplay/internal/filelock"
)

// Save writes the settings to a file, in the commented form of [Config.Commented],
// and replaces what was there in one step: whatever happens, the file is the old
// one or the new one. Comments that somebody wrote into it are lost. Only the
// user may read the file. Settings that are not valid are not written. Settings
// without a MAC address, like [Defaults], do not take away that of the file.
func (c Config) Save(path string) error {
	const what = "save settings"
	if err := c.Validate(); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return locked(path, what, func() error {
		if c.Player.MAC == "" {
			c.Player.MAC = FindMAC(path)
		}
		return atomicfile.Write(path, []byte(c.Commented()), 0o600)
	})
}

// Init writes a file with the defaults, commented, and a MAC address of its own.
// A file that is there already is an error that wraps fs.ErrExist, unless force
// is set: then it is replaced, and of its settings only the MAC address is kept,
// for save files may depend on it.
func Init(path string, force bool) error {
	return locked(path, "write default settings", func() error { return initLocked(path, force) })
}

func initLocked(path string, force bool) error {
	c := Defaults()
	_, err := os.Lstat(path)
	switch {
	case err == nil && !force:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	case err == nil:
		c.Player.MAC = FindMAC(path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if c.Player.MAC == "" {
		if c.Player.MAC, err = randomMAC(); err != nil {
			return err
		}
	}
	return atomicfile.Write(path, []byte(c.Commented()), 0o600)
}

// locked does something with a file that no other process changes meanwhile, and makes its
// folder. Where the file system cannot lock, it does not. An error says what was to be done.
func locked(path, what string, do func() error) error {
	dir := filepath.Dir(path)
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		if unlock, err := filelock.Folder(dir); err == nil {
			defer unlock()
		}
		err = do()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// FindMAC returns the MAC address that a file has, which may be wrong in every
// other way, and not even TOML; "" if it has none. A typing
// error is easily set right, but not the save of a game that has seen another
// address.
func FindMAC(path string) string {
	text, err := readFile(path)
	if err != nil {
		return ""
	}
	var tree struct{ Player struct{ MAC string } }
	if _, err := toml.Decode(text, &tree); err == nil {
		if whyMAC(tree.Player.MAC) == "" {
			return tree.Player.MAC
		}
		return ""
	}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(line, "=")
		value, _, _ = strings.Cut(value, "#")
		mac := strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.TrimSpace(key) {
		case "mac", "player.mac":
			if mac != "" && whyMAC(mac) == "" {
				return mac
			}
		}
	}
	return ""
}
