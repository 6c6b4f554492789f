package app

import (
	"image"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/config"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

func TestChangeTakesEffectWhenAllowed(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Settings)
	calls(m)
	m.settings.Change(func(c *config.Config) { c.Player.Nickname = "" })
	if m.Config.Player.Nickname != "Ann" || m.settings.Problems["player.nickname"] == "" || kinds(calls(m)) != "" {
		t.Errorf("an empty nickname is taken: %+v", m.settings.Problems)
	}
	m.settings.Change(func(c *config.Config) { c.Player.Nickname = "アン" })
	if m.Config.Player.Nickname != "アン" || len(m.settings.Problems) != 0 || kinds(calls(m)) != "SaveSettings" {
		t.Error("a good nickname is not in effect at once")
	}
	games := t.TempDir()
	m.settings.Change(func(c *config.Config) { c.ROMs.Folders = append(c.ROMs.Folders, games) })
	if got := kinds(calls(m)); got != "SaveSettings ScanGames" {
		t.Errorf("a folder more wants %q", got)
	}
	m.settings.Change(func(c *config.Config) { c.Core.Name = "melonds" })
	if got := kinds(calls(m)); got != "SaveSettings FindCore" || !m.Core.Looking {
		t.Errorf("another core wants %q", got)
	}
}

// plainUI is a UI without a window.
func plainUI(t *testing.T) *widgets.UI {
	t.Helper()
	return widgets.New(fontsIn(t, fontStore()), nil)
}

// TestHotkeysAreKept: what a hotkey changes while one plays is in the settings, and how the game's screens stand is
// remembered for the game.
func TestHotkeysAreKept(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(notice.Playing{Room: testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true))})
	store := &draw.Store{}
	b := newHub(m.Config, store, func() {})
	defer b.view.Close()
	ui := plainUI(t)
	b.Begin([]gameview.Console{{Seat: 0, Name: "Ann"}}, []ds.Seat{0})
	press := func(name string) {
		in := widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true, Keys: []widgets.KeyPress{{Name: name}}}
		ui.Frame(in, func(u *widgets.UI) { b.draw(u, m) })
	}
	for _, key := range []string{"F8", "F2", "F5", "B", "F6", "F7", "F10", "F4"} {
		press(key)
	}
	if m.Question == nil || !m.Config.Recording.Enabled {
		t.Fatal("recording is switched off without a question")
	}
	m.Question.Do()
	v := m.Config.Video
	if !v.HUD || v.Layout != "vertical" || v.Emphasis != "even" || v.Rotation != "none" || !v.Swap || v.Others || m.Config.Recording.Enabled {
		t.Errorf("after all hotkeys: %+v, recording %v", v, m.Config.Recording.Enabled)
	}
	if v := m.Video(); v.Layout != "horizontal" || v.Emphasis != "top" || v.Rotation != "left" {
		t.Errorf("after all hotkeys the game shows as %+v", v)
	}
	m.settings.Set(func(c *config.Config) { c.Video.Emphasis, c.Video.Gap = "bottom", 12 })
	press("")
	if got := b.view.Preferences(); got.Emphasis != gameview.LargeDown || got.Gap != 12 || !got.Swap || got.Layout != gameview.Horizontal || got.Rotation != gameview.TurnedLeft {
		t.Errorf("the game view after a change in the settings: %+v", got.Options)
	}
}

// TestAnnouncedAtOnce: a room that is open is hidden from the network, and shown again,
// when that is switched.
func TestAnnouncedAtOnce(t *testing.T) {
	m, _ := hosted(t)
	calls(m)
	for _, on := range []bool{false, true} {
		m.Go(screen.Settings)
		m.settings.Change(func(c *config.Config) { c.Room.Announce = on })
		said := calls(m)
		i := slices.IndexFunc(said, func(c call) bool { return c.name == map[bool]string{true: "Announce", false: "StopAnnouncing"}[on] })
		if i < 0 {
			t.Errorf("announcing switched to %v wants %v", on, said)
		}
	}
}
