package app

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/widgets"
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

// TestEverySettingIsOnAPage: whatever the file has can be changed on a screen.
func TestEverySettingIsOnAPage(t *testing.T) {
	m := homeModel(t)
	m.GoSettings()
	v, ui := viewOf(m), plainUI(t)
	on := map[string]bool{}
	v.offered = func(key string) { on[key] = true }
	for page := range Pages() {
		m.Settings.Page = Page(page)
		ui.Frame(widgets.Input{Size: image.Pt(1000, 700), Scale: 1, Focused: true}, v.Build)
	}
	for _, key := range fileKeys() {
		if !on[key] {
			t.Errorf("%s is on no page of the settings", key)
		}
	}
}

// plainUI is a UI without a window.
func plainUI(t *testing.T) *widgets.UI {
	t.Helper()
	fonts, err := draw.NewFonts(&draw.Store{}, draw.FontConfig{System: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	return widgets.New(fonts, nil)
}

// TestHotkeysAreKept: what a hotkey changes while one plays is in the settings.
func TestHotkeysAreKept(t *testing.T) {
	m, _ := hosted(t)
	m.Notice(session.Playing{Room: room(host.PhasePlaying, player(0, 0, "Ann", true))})
	store := &draw.Store{}
	b := newBoard(m.Config, store, func() {})
	defer b.stage.Close()
	ui := plainUI(t)
	b.Begin([]gameview.Seat{{Number: 0, Name: "Ann"}}, []int{0})
	press := func(name string) {
		in := widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true, Keys: []widgets.KeyPress{{Name: name}}}
		ui.Frame(in, func(u *widgets.UI) { b.draw(u, m) })
	}
	for _, key := range []string{"F1", "F2", "F5", "F6", "F7", "F10", "F4"} {
		press(key)
	}
	v := m.Config.Video
	if v.HUD || v.Layout != "horizontal" || v.Emphasis != "top" || !v.Swap || v.Others || m.Config.Recording.Enabled {
		t.Errorf("after all hotkeys: %+v, recording %v", v, m.Config.Recording.Enabled)
	}
	m.set(func(c *config.Config) { c.Video.Emphasis, c.Video.Gap = "even", 12 })
	b.stage.SetView(b.view(m.Config))
	if got := b.stage.View(); got.Emphasis != gameview.Even || got.Gap != 12 || !got.Swap {
		t.Errorf("the stage after a change in the settings: %+v", got.Options)
	}
}

// TestAnnouncedAtOnce: a room that is open is hidden from the network, and shown again,
// when that is switched.
func TestAnnouncedAtOnce(t *testing.T) {
	m, _ := hosted(t)
	m.Commands()
	for _, on := range []bool{false, true} {
		m.GoSettings()
		m.Change(func(c *config.Config) { c.Room.Announce = on })
		said := m.Commands()
		i := slices.IndexFunc(said, func(c Command) bool { a, ok := c.(Announce); return ok && a.On == on })
		if i < 0 {
			t.Errorf("announcing switched to %v wants %v", on, said)
		}
	}
}

// TestStickThatDoesTwoThings: what the stick of the stylus presses beside is said.
func TestStickThatDoesTwoThings(t *testing.T) {
	m := homeModel(t)
	m.GoSettings()
	if got := m.stickConflicts(); len(got) != 0 {
		t.Errorf("with the usual settings: %q", got)
	}
	m.Change(func(c *config.Config) { c.Pads.Stylus = "left" })
	got := m.stickConflicts()
	if len(got) != 4 || !strings.HasPrefix(got[0], "“-lefty” moves the stylus, and is also “Up”.") {
		t.Errorf("with the stick that is the cross: %q", got)
	}
}
