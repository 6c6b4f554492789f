package config

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPaths: settings are where Windows wants those that follow their user, and what the window remembers where it wants
// what stays on this computer.
func TestPaths(t *testing.T) {
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(v, "")
	}
	t.Setenv("APPDATA", `C:\Users\ada\OneDrive\Bücher`)
	t.Setenv("LOCALAPPDATA", `C:\Users\ada\Local`)
	if got, err := Path(); err != nil || got != `C:\Users\ada\OneDrive\Bücher\nettplay\config.toml` {
		t.Errorf("settings: %q, %v", got, err)
	}
	if got, err := Data(); err != nil || got.Saves != `C:\Users\ada\OneDrive\Bücher\nettplay\saves` {
		t.Errorf("saves: %q, %v", got.Saves, err)
	}
	if got, err := XDG("XDG_STATE_HOME", ".local/state"); err != nil || got != `C:\Users\ada\Local\nettplay` {
		t.Errorf("state: %q, %v", got, err)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, written := range []string{"~/a/b", `~\a\b`, "~/a\\b"} {
		if got, err := Expand(written); err != nil || got != filepath.Join(home, "a", "b") {
			t.Errorf("%s: %q, %v", written, got, err)
		}
	}
}
