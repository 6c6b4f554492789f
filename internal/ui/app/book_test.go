package app

import (
	"crypto/sha256"
	"image"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestHeldLikeABook: in the menu of a game the picture is turned, which counts for that game alone, in a room and in
// its recordings; the settings stay as they are, and can be had back.
func TestHeldLikeABook(t *testing.T) {
	var b *hub
	m := gameScene(longNames[:2], 1, func(_ *Shell, h *hub) { b = h })(t)
	if len(m.Shown()) == 0 {
		t.Fatal("no game shows")
	}
	h := newHand(t, m, image.Pt(1000, 700), 1)
	m.session.ToggleMenu()
	h.rest()
	h.rest()
	calls(m)
	choose := func(name, option string) {
		t.Helper()
		h.use(t, name)
		h.rest()
		h.clickText(option)
		h.rest()
		h.rest()
	}
	choose("rotation", "Turned right")
	if got := b.view.Preferences().Rotation; got != gameview.TurnedRight || m.Config.Video.Rotation != gameview.Unturned {
		t.Fatalf("turned in the menu, the picture is %q, the settings %q", got, m.Config.Video.Rotation)
	}
	if said := kinds(calls(m)); !strings.Contains(said, "SaveMemory") || strings.Contains(said, "SaveSettings") {
		t.Errorf("a turned game wants %q", said)
	}
	h.use(t, "screens")
	h.rest()
	choose("filter", "Soft")
	choose("emphasis", "Bottom")
	if v := b.view.Preferences(); v.Filter != "linear" || v.Emphasis != "bottom" || v.Rotation != "right" {
		t.Errorf("the game shows as %+v", v.Options)
	}
	names := m.Shown()
	if look := m.Memory.Look(names[0]); look.Filter != "linear" || look.Rotation != "right" || look.Layout != "" {
		t.Errorf("remembered is %+v", look)
	}

	// The game's recording, by the name that its file had in earlier versions, too.
	m.session.ToggleMenu()
	for _, rom := range append(names, sha256.Sum256([]byte("another game"))) {
		m.GoTo(screen.Recordings)
		m.viewer.Watch(viewer.Recording{GameFile: screen.GameFile{Path: "/r/b", Game: "Game"}})
		m.viewer.Watched(&fakeRemote{})
		m.viewer.Watching.ROM = rom
		m.viewer.Status(player.Status{Frame: 3000, Length: 45000, Playing: true, Speed: 1})
		h.rest()
		h.rest()
		want := gameview.Unturned
		if rom != sha256.Sum256([]byte("another game")) {
			want = gameview.TurnedRight
		}
		if got := b.view.Preferences().Rotation; got != want {
			t.Errorf("the recording of %x is turned %q, want %q", rom[:4], got, want)
		}
		m.viewer.Watching = nil
	}

	// As in the settings again, by a change there or by the button.
	m.GoTo(screen.Playing)
	m.settings.Set(func(c *config.Config) { c.Video.Filter = "linear" })
	m.settings.Set(func(c *config.Config) { c.Video.Filter = "nearest" })
	if look := m.Memory.Look(names[0]); look.Filter != "" || look.Rotation != "right" {
		t.Errorf("after another filter in the settings the game has %+v of its own", look)
	}
	m.session.ToggleMenu()
	h.rest()
	h.use(t, "screens")
	h.rest()
	h.use(t, "usual")
	h.rest()
	h.rest()
	if look := m.Memory.Look(names...); look.Any() || b.view.Preferences().Rotation != gameview.Unturned {
		t.Errorf("as in the settings, the game has %+v", look)
	}
}

// TestLookOfSettings: a game without a choice of its own is as the settings say, whatever they say.
func TestLookOfSettings(t *testing.T) {
	m := gameScene(longNames[:1], 1, nil)(t)
	h := newHand(t, m, image.Pt(640, 480), 1)
	for _, rotation := range config.Rotations() {
		m.settings.Set(func(c *config.Config) { c.Video.Rotation, c.Video.Layout = rotation, "horizontal" })
		h.frame(func(in *widgets.Input) { in.Keys = []widgets.KeyPress{{Name: "F6"}} }) // swaps, which is the settings'
		if m.Video() != m.Config.Video || len(m.Memory.Looks) > 0 {
			t.Errorf("turned %q in the settings the game shows as %+v, remembered is %v", rotation, m.Video(), m.Memory.Looks)
		}
	}
}

// TestShownHasBothNames: a game that a room or a recording calls by its file's hash has the look of its image.
func TestShownHasBothNames(t *testing.T) {
	m := homeShell(t)
	rom := *m.Games.Games[0].ROM
	rom.FileSHA256 = [32]byte{77}
	game := m.Games.Games[0]
	game.ROM = rom.AsFile()
	m.Games.Games = []library.Game{game}
	m.viewer.Watching = &viewer.Watching{ROM: rom.SHA256}
	want := [32]byte{77}
	if got := m.Shown(); len(got) != 2 || got[0] != want {
		t.Errorf("the game is called %x, want %x first", got, want)
	}
	m.Games = library.List{}
	if got := m.Shown(); len(got) != 1 || got[0] != m.viewer.Watching.ROM {
		t.Errorf("a game that is not here is called %x", got)
	}
}
