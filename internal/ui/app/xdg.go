package app

import (
	"os"
	"path/filepath"
	"strings"
)

// videosDir is the folder for videos of recordings: one in the user's folder of videos
// (xdg-user-dirs), or else another one.
func videosDir(otherwise string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return otherwise
	}
	dir := filepath.Join(home, "Videos")
	settings := os.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(settings) {
		settings = filepath.Join(home, ".config")
	}
	if text, err := os.ReadFile(filepath.Join(settings, "user-dirs.dirs")); err == nil {
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(strings.TrimSpace(line), "XDG_VIDEOS_DIR="); ok {
				dir = strings.Replace(strings.Trim(value, `"`), "$HOME", home, 1)
			}
		}
	}
	if !filepath.IsAbs(dir) || filepath.Clean(dir) == filepath.Clean(home) { // the user has none
		return otherwise
	}
	return filepath.Join(dir, "nettplay")
}
