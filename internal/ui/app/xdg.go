package app

import (
	"fmt"
	"os"
	"path/filepath"
)

// stateDir, dataDir are the folders of the program for what it remembers and for
// what belongs to the user (XDG Base Directory Specification).
func stateDir() (string, error) { return xdg("XDG_STATE_HOME", ".local", "state") }

func dataDir() (string, error) { return xdg("XDG_DATA_HOME", ".local", "share") }

func xdg(variable string, inHome ...string) (string, error) {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "nettplay"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory: %w", err)
	}
	return filepath.Join(append(append([]string{home}, inHome...), "nettplay")...), nil
}
