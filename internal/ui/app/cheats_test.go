package app

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// search is a search for cheats.
type search struct {
	game  [32]byte
	files []string
}

// asked are the searches that the window has asked for since the last call.
func asked(m *Shell) (list []search) {
	for _, c := range calls(m) {
		if c.name == "FindCheats" {
			list = append(list, search{c.args[0].([32]byte), c.args[2].([]string)})
		}
	}
	return list
}

// TestCheatsAreChosenAndRemembered: the game host finds the cheats of the room's game, and switches them on; in the next
// room with that game they are on again, in one with another game they are not.
func TestCheatsAreChosenAndRemembered(t *testing.T) {
	m, c := hosted(t)
	c.settings = m.session.Room.Room.Settings
	game := m.session.Room.Room.Players[0].ROM.SHA256
	if list := asked(m); len(list) != 1 || list[0].game != game || len(list[0].files) != 0 {
		t.Fatalf("asked for %+v", list)
	}
	path := filepath.Join(t.TempDir(), "Pad test.mch")
	must.Succeed(t, os.WriteFile(path, []byte(someCheats), 0o600))
	m.Drop(path)
	if list := asked(m); len(list) != 1 || !slices.Equal(list[0].files, []string{path}) {
		t.Fatalf("a file that was dropped asks for %+v", list)
	}
	found := cheat.Find(cheat.Game{}, nil, path)
	m.session.CheatsFound(game, found)
	if len(c.settings.Cheats.List) != 0 {
		t.Errorf("what a file has on is on: %+v", c.settings.Cheats)
	}
	h := newHand(t, m, large, 1)
	told := func() {
		r := m.session.Room.Room
		r.Settings = c.settings
		m.session.Notice(notice.RoomNotice{Room: r})
		h.rest()
	}
	for _, name := range []string{"99 coins", "Slow", "The fastest of all karts that there ever were in this game"} {
		h.clickText(name)
		told()
	}
	if got := c.settings.Cheats; got.Game != game || got.Words() != "99 coins, Speed: The fastest of all karts that there ever were in this game" {
		t.Errorf("on are %q of %x", got.Words(), got.Game[:2])
	}
	h.clickText("Needs its own program") // which cannot be used
	told()
	h.clickText("99 coins")
	told()
	if got := c.settings.Cheats.Words(); got != "Speed: The fastest of all karts that there ever were in this game" {
		t.Errorf("on is %q", got)
	}
	again := func(of int) hostroom.Cheats {
		next, c := hosted(t)
		next.Memory = m.Memory.Clone()
		r := next.session.Room.Room
		r.Players[0].ROM.SHA256 = [32]byte{byte(of)}
		next.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhasePlaying, r.Players...)})
		calls(next)
		other := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))
		other.Players[0].ROM.SHA256 = [32]byte{9} // and back, so that it is looked for with this memory
		next.Games.Games = append(next.Games.Games, testGame("Nine", 9))
		next.session.Notice(notice.RoomNotice{Room: other})
		next.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, r.Players...)})
		if list := asked(next); len(list) != 2 || of == 1 && !slices.Equal(list[1].files, []string{path}) {
			t.Errorf("the next room asks for %+v", list)
		}
		next.session.CheatsFound([32]byte{byte(of)}, found)
		return c.settings.Cheats
	}
	if got := again(1); got.Game != game || got.Words() != "Speed: The fastest of all karts that there ever were in this game" {
		t.Errorf("in the next room %q is on", got.Words())
	}
	if got := again(2); len(got.List) != 0 {
		t.Errorf("with another game %q is on", got.Words())
	}
}

// TestCheatsAreTheGameHosts: a player who joined has no list, and a file is refused with a reason.
func TestCheatsAreTheGameHosts(t *testing.T) {
	m, _ := hosted(t)
	m.session.Room.Hosting = false
	calls(m)
	m.Drop("/x/usrcheat.dat")
	if list := asked(m); len(list) != 0 {
		t.Errorf("asked for %+v", list)
	}
	home := homeShell(t)
	home.Drop("/x/Game.mch")
	if got := kinds(calls(home)); got != "" {
		t.Errorf("at home a file of cheats does %s", got)
	}
	at(t, home, screen.Home)
}
