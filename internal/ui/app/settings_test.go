package app

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
)

// fileKeys are all keys that the settings' file has.
func fileKeys() (keys []string) {
	section := ""
	for _, line := range strings.Split(config.Defaults().Commented(), "\n") {
		name, _, setting := strings.Cut(line, " = ")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case setting && !strings.HasPrefix(line, "#"):
			keys = append(keys, section+"."+name)
		}
	}
	return keys
}

// TestEverySettingHasLabelAndHelp: nothing of the file needs an editor.
func TestEverySettingHasLabelAndHelp(t *testing.T) {
	keys := fileKeys()
	if len(keys) < 60 {
		t.Fatalf("only %d settings were found", len(keys))
	}
	for _, key := range keys {
		if settingLabel(key) == key {
			t.Errorf("%s has no label", key)
		}
		if h := help(key); h == "" || strings.Contains(h, "Allowed:") {
			t.Errorf("%s: help %q", key, h)
		}
	}
	if got := help("room.password"); got != `Who wants to join must know it. Left empty, everybody may.` {
		t.Errorf("help of room.password: %q", got)
	}
}

func TestChangeTakesEffectWhenAllowed(t *testing.T) {
	m := homeModel(t)
	m.GoSettings()
	m.Commands()
	m.Change(func(c *config.Config) { c.Player.Nickname = "" })
	if m.Config.Player.Nickname != "Ann" || m.Settings.Problems["player.nickname"] == "" || kinds(m.Commands()) != "" {
		t.Errorf("an empty nickname is taken: %+v", m.Settings.Problems)
	}
	m.Change(func(c *config.Config) { c.Player.Nickname = "アン" })
	if m.Config.Player.Nickname != "アン" || len(m.Settings.Problems) != 0 || kinds(m.Commands()) != "SaveSettings" {
		t.Error("a good nickname is not in effect at once")
	}
	m.Change(func(c *config.Config) { c.ROMs.Folders = append(c.ROMs.Folders, "/games") })
	if got := kinds(m.Commands()); got != "SaveSettings ScanGames" {
		t.Errorf("a folder more wants %q", got)
	}
	m.Change(func(c *config.Config) { c.Core.Name = "melonds" })
	if got := kinds(m.Commands()); got != "SaveSettings FindCore" || !m.Core.Looking {
		t.Errorf("another core wants %q", got)
	}
}

// TestBindMovesAKey: a key does one thing, and the player is told of what it does
// no more.
func TestBindMovesAKey(t *testing.T) {
	m := homeModel(t)
	m.GoSettings()
	m.Bind("keys.a", "Z", true) // Z is B
	if fmt.Sprint(m.Config.Keys.A, m.Config.Keys.B) != "[Z] []" {
		t.Errorf("A is %q, B is %q", m.Config.Keys.A, m.Config.Keys.B)
	}
	if len(m.Toasts) != 1 || !strings.Contains(m.Toasts[0].Text, "“B”") {
		t.Errorf("said: %+v", m.Toasts)
	}
	m.Bind("keys.b", "X", false)
	m.Bind("keys.b", "C", false)
	m.Bind("hotkeys.hud", "C", true) // over sections
	if fmt.Sprint(m.Config.Keys.B, m.Config.Hotkeys.HUD) != "[X] [C]" {
		t.Errorf("B is %q, figures %q", m.Config.Keys.B, m.Config.Hotkeys.HUD)
	}
	m.Bind("pads.buttons.a", "x", true) // a controller's x is no key
	if fmt.Sprint(m.Config.Pads.Buttons.A, m.Config.Pads.Buttons.Y) != "[x] []" {
		t.Errorf("pad: A is %q, Y is %q", m.Config.Pads.Buttons.A, m.Config.Pads.Buttons.Y)
	}
	m.Bind("keys.a", "Volume Up", true)
	if fmt.Sprint(m.Config.Keys.A) != "[Z]" {
		t.Errorf("a key that has no name in the settings was taken: %q", m.Config.Keys.A)
	}
	m.Unbind("keys.a")
	if len(m.Config.Keys.A) != 0 {
		t.Error("A still has a key")
	}
	m.UsualBindings(false)
	m.UsualBindings(true)
	usual := config.Defaults()
	if fmt.Sprint(m.Config.Keys, m.Config.Hotkeys, m.Config.Pads) != fmt.Sprint(usual.Keys, usual.Hotkeys, usual.Pads) {
		t.Error("the usual keys are not back")
	}
	if err := m.Config.Validate(); err != nil {
		t.Error(err)
	}
}

// TestSettingsDoNotShareLists: what is tried in the form must not reach what is
// in effect, or the defaults.
func TestSettingsDoNotShareLists(t *testing.T) {
	c := config.Defaults()
	d := cloneConfig(c)
	for _, b := range bindings(&d) {
		*b.at = append((*b.at)[:0], "Q")
	}
	d.ROMs.Folders[0] = "/x"
	d.Core.Options["a"] = "b"
	if err := c.Validate(); err != nil || c.ROMs.Folders[0] != "~/roms" || len(c.Core.Options) != 0 {
		t.Errorf("the copy shares with its original: %v, %q", err, c.ROMs.Folders)
	}
}
