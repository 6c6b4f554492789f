package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
)

// TestSettingsThatCannotBeRead: the usual settings take their place, but whoever
// made a slip of the pen is still the same player to their games.
func TestSettingsThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	must.Succeed(t, os.WriteFile(path, []byte("[player]\nmac = \"00:09:bf:12:34:56\"\nnickname = Ann\n"), 0o600))
	cfg, trouble := loadConfig(path)
	if trouble == nil || cfg.Player.MAC != "00:09:bf:12:34:56" {
		t.Errorf("%+v, address %q", trouble, cfg.Player.MAC)
	}
}
