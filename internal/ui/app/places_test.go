package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestMistakesInTheSettings: each is named with its line and what would be right, all else counts, and
// the file is kept before it is replaced. Whoever made a slip of the pen is still the same player to
// their games.
func TestMistakesInTheSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	text := "[player]\nmac = \"00:09:bf:12:34:56\"\nnickname = Ann\nlanguage = \"it\"\n[room]\ndelay = 99\nseats = 3\n"
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	cfg, trouble := loadConfig(path)
	if trouble == nil || cfg.Player.MAC != "00:09:bf:12:34:56" || cfg.Player.Language != "it" || cfg.Room.Seats != 3 {
		t.Fatalf("%+v, settings %+v %+v", trouble, cfg.Player, cfg.Room)
	}
	for _, want := range []string{"Line 3: player.nickname: not valid TOML: write nickname = \"Ann\"", "Line 6: room.delay: 99 is out of range; allowed: 0 to 30."} {
		if !strings.Contains(trouble.Words, want) {
			t.Errorf("%q lacks %q", trouble.Words, want)
		}
	}
	if !strings.Contains(trouble.Hint, "config.toml.bak") || trouble.Title != "2 lines of the settings file are ignored" {
		t.Errorf("%+v", trouble)
	}
	must.Succeed(t, cfg.Save(path))
	if kept := must.Read(t, path+".bak"); string(kept) != text {
		t.Errorf("kept is %q", kept)
	}
	if again, trouble := loadConfig(path); trouble != nil || again.Room.Seats != 3 {
		t.Errorf("what was saved is read as %+v, %+v", again.Room, trouble)
	}
}

// TestSettingsThatAreNoText: a file of the wrong kind is said to be one, and its lines are not all shown.
func TestSettingsThatAreNoText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	must.Succeed(t, os.WriteFile(path, []byte(strings.Repeat("<html>\x00\n", 500)), 0o600))
	_, trouble := loadConfig(path)
	if trouble == nil || strings.Count(trouble.Words, "\n") != 4 || !strings.Contains(trouble.Words, "And 496 more mistakes") {
		t.Errorf("%+v", trouble)
	}
	must.Succeed(t, os.Remove(path))
	must.Succeed(t, os.Mkdir(path, 0o700))
	cfg, trouble := loadConfig(path)
	if trouble == nil || trouble.Title != "The settings cannot be read" || cfg.Validate() != nil {
		t.Errorf("%+v", trouble)
	}
}
