package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Path returns where the settings are: $XDG_CONFIG_HOME/nettplay/config.toml, or
// ~/.config/nettplay/config.toml where that is not set (XDG Base Directory
// Specification, which wants a relative one ignored too).
func Path() (string, error) { return xdg("XDG_CONFIG_HOME", ".config", "config.toml") }

// Data returns the folder of all that the program keeps but the settings.
func Data() (string, error) { return xdg("XDG_DATA_HOME", ".local/share", "") }

// State returns the folder of what the window remembers between starts.
func State() (string, error) { return xdg("XDG_STATE_HOME", ".local/state", "") }

// Dir returns the folder for recordings.
func (r Recording) Dir() (string, error) {
	if r.Folder != "" {
		return Expand(r.Folder)
	}
	return inData("recordings")
}

// Desyncs returns the folder of desync reports.
func Desyncs() (string, error) {
	return inData("desyncs")
}

// Moments returns the folder of kept moments.
func Moments() (string, error) {
	return inData("moments")
}

// Cores returns the folder of cores that were got from a source.
func Cores() (string, error) {
	return inData("cores")
}

// CoreVerdicts returns the file of what the checks of cores found.
func CoreVerdicts() (string, error) {
	return inData("core-verdicts")
}

// Games returns the folder of links to games that were opened by their path.
func Games() (string, error) {
	return inData("games")
}

func inData(name string) (string, error) {
	dir, err := Data()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, name), nil
}

// xdg returns a place of the program in a folder that a variable names, or in that folder's default
// in the home directory.
func xdg(variable, inHome, place string) (string, error) {
	dir := os.Getenv(variable)
	if !filepath.IsAbs(dir) {
		var err error
		if dir, err = Expand("~/" + inHome); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "nettplay", place), nil
}

// Expand returns a path with a leading ~/ replaced by the home directory. Other
// paths are returned as they are.
func Expand(path string) (string, error) {
	if path != "~" && !strings.HasPrefix(path, "~/") {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory for %s: %w", path, err)
	}
	return filepath.Join(home, path[1:]), nil
}

// ExpandAll is [Expand] of a list.
func ExpandAll(paths []string) ([]string, error) {
	full := make([]string, len(paths))
	for i, p := range paths {
		var err error
		if full[i], err = Expand(p); err != nil {
			return nil, err
		}
	}
	return full, nil
}
