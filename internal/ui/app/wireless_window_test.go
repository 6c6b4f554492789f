package app

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestFirstStartOnRetroArchsCore: melonDS DS that RetroArch has installed is used at once, beside any other core:
// from the first start to a game on it are four actions. The test core stands in for it.
func TestFirstStartOnRetroArchsCore(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	core := testcore.Wireless(t)
	for folder, sits := range map[string]func(*desk) guest{
		".config/retroarch/cores":                                newMouse,
		".var/app/org.libretro.RetroArch/config/retroarch/cores": newKeys, // its Flatpak
	} {
		d := newDesk(t, "ann", map[string][]byte{
			".config/nettplay/config.toml":    fmt.Appendf(nil, "[net]\nport = %d\nbind = \"127.0.0.1\"\n[video]\nscale = 1\n", freePort(t)),
			folder + "/melondsds_libretro.so": must.Read(t, core),
			"roms/multiplay.nds":              romstest.Multiplay,
		})
		d.knows(core)
		d.start(beaconPlace())
		p := sits(d)
		if s := d.until("the core", func(s seen) bool { return s.Settled }); s.Core != "melonDS DS" || s.says("cannot find each other") {
			t.Errorf("in %s: the core is %q, of %+v", folder, s.Core, s.Texts)
		}
		d.save("wireless-welcome")
		p.press("begin")
		comes(p, "home")
		p.press("Play alone")
		comes(p, "games")
		p.open("games", "nettplay multiplay")
		comes(p, "alone")
		p.press("start")
		d.until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 })
		d.save("wireless-plays")
		if _, mouse := p.(byMouse); mouse && d.presses > 4 {
			t.Errorf("from the first start to a game: %d presses", d.presses)
		}
		d.end()
	}
}

// TestReopenedRoomKeepsItsInvitation: a room that opens again with a core that has local wireless is on that core,
// and the invitation that was sent before leads there.
func TestReopenedRoomKeepsItsInvitation(t *testing.T) {
	cores := t.TempDir()
	needCore(t) // DeSmuME
	must.Succeed(t, os.WriteFile(filepath.Join(cores, "melondsds_libretro.so"), must.Read(t, testcore.Wireless(t)), 0o700))
	ann := newMachine(t, "Ann", freePort(t))
	ann.m.Config.Core.Folders = []string{cores}
	ann.m.Config.Net.Forward, ann.m.Config.Net.STUN = false, nil
	ann.m.LookForCore()
	all := []*machine{ann}
	await(t, "cores and games", all, func() bool {
		return ann.m.Core.Found && !ann.m.Core.Looking && len(ann.m.Core.All) > 1 && len(ann.m.Games.Games) > 0 && !ann.m.Games.Scanning
	})
	ann.m.games.PickFor(start.ForHost)
	ann.m.games.Pick(ann.m.Games.Games[0])
	ann.m.host.OpenRoom()
	inLobby := func() bool {
		return ann.m.Current == screen.Lobby && ann.m.session.Room != nil && ann.m.session.Room.Invited.Text != ""
	}
	await(t, "the lobby", all, inLobby)
	first := ann.m.session.Room
	h := newHand(t, ann.m, large, 1)
	h.use(t, "use wireless")
	await(t, "the lobby of the same room on the other core", all, func() bool { return inLobby() && ann.m.session.Room != first })
	again := ann.m.session.Room
	if name := again.Room.Settings.Core.Name; name != "melonDS DS" || first.Room.Settings.Core.Name == name {
		t.Errorf("the room was on %s, and is on %s", first.Room.Settings.Core.Name, name)
	}
	if again.Invited.Text != first.Invited.Text {
		t.Errorf("the invitation was %s, and is %s", first.Invited.Text, again.Invited.Text)
	}
	if h.says("cannot find each other") {
		t.Errorf("the lobby says %q", h.texts())
	}
}
