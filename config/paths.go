package config

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns where the settings are: $XDG_CONFIG_HOME/nettplay/config.toml, or
// ~/.config/nettplay/config.toml where that is not set (XDG Base Directory
// Specification, which wants a relative one ignored too); on Windows %APPDATA%\nettplay\config.toml.
func Path() (string, error) {
	dir, err := XDG("XDG_CONFIG_HOME", ".config")
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "config.toml"), nil
}

// Places are the files and folders of all that the program keeps but the settings.
type Places struct {
	Recordings string // folder of recordings, unless the settings name another
	Saves      string // folder of the saves of all games
	Desyncs    string // folder of desync reports
	Moments    string // folder of kept moments
	Games      string // folder of links to games that were opened by their path
	Cores      string // folder of cores that were got from a source
	Cheats     string // folder in which cheats are looked for, besides that of each game
	Screens    string // folder of pictures of the window
	Videos     string // folder of videos of recordings, where the user has none

	CoreVerdicts string // file of what the checks of cores found
	Key          string // file of this installation's key
	KnownKeys    string // file of the keys of players met before
}

// Data returns the places, which are in one folder.
func Data() (Places, error) {
	dir, err := XDG("XDG_DATA_HOME", ".local/share")
	if err != nil {
		return Places{}, err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	return Places{
		Recordings: in("recordings"), Saves: in("saves"), Desyncs: in("desyncs"), Moments: in("moments"), Games: in("games"),
		Cores: in("cores"), Cheats: in("cheats"), Screens: in("screenshots"), Videos: in("videos"),
		CoreVerdicts: in("core-verdicts"), Key: in("key"), KnownKeys: in("known-keys"),
	}, nil
}

// Dir returns the folder for recordings.
func (r Recording) Dir() (string, error) {
	if r.Folder != "" {
		return Expand(r.Folder)
	}
	places, err := Data()
	return places.Recordings, err
}

// XDG returns the program's folder in the one that a variable names, or in its default in
// the home directory. Windows has variables of its own for the default.
func XDG(variable, inHome string) (string, error) {
	for _, name := range []string{variable, systemVariable(variable)} {
		if dir := os.Getenv(name); name != "" && filepath.IsAbs(dir) {
			return filepath.Join(dir, "nettplay"), nil
		}
	}
	return Expand("~/" + inHome + "/nettplay")
}

// systemVariable is the one in whose place a variable of XDG stands on this system, "" for none.
func systemVariable(variable string) string {
	switch {
	case runtime.GOOS != "windows":
		return ""
	case variable == "XDG_STATE_HOME":
		return "LOCALAPPDATA"
	}
	return "APPDATA"
}

// Expand returns a path with a leading ~/ replaced by the home directory. Other
// paths are returned as they are.
func Expand(path string) (string, error) {
	if !inHome(path) {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the home directory for %s: %w", path, err)
	}
	return filepath.Join(home, path[1:]), nil
}

// inHome tells whether a path is one in the home directory.
func inHome(path string) bool {
	return path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "~"+string(filepath.Separator))
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
