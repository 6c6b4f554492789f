package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/nettplay/nettplay/internal/atomicfile"
)

// KeepMAC returns the MAC address of the settings in a file. If there is none it
// makes one at random and writes it there, once and for all: the rest of the file
// stays as it is, with all comments. A file that is not there is written as by
// [Init]. Processes that start at the same time get the same address.
func KeepMAC(path string) (mac string, err error) {
	unlock, err := lock(path)
	if err != nil {
		return "", fmt.Errorf("keep a MAC address: %w", err)
	}
	defer unlock()
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := initLocked(path, false); err != nil {
			return "", fmt.Errorf("keep a MAC address: %w", err)
		}
	}
	text, err := readFile(path)
	if err != nil {
		return "", fmt.Errorf("keep a MAC address: %w", err)
	}
	c, err := Parse(path, text)
	if err != nil || c.Player.MAC != "" {
		return c.Player.MAC, err
	}
	if c.Player.MAC, err = randomMAC(); err != nil {
		return "", err
	}
	text = insert(text, "player", "mac", c.Player.MAC)
	if again, err := Parse(path, text); err != nil || !reflect.DeepEqual(again, c) {
		return "", fmt.Errorf("keep a MAC address: %s has its [player] section in a form that cannot be changed; write mac = %q into it", path, c.Player.MAC)
	}
	if err := atomicfile.Write(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("keep a MAC address: %w", err)
	}
	return c.Player.MAC, nil
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
