package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// needCore skips a test, loudly, where the usual core is not installed.
func needCore(t *testing.T) {
	t.Helper()
	if _, err := (emucore.Search{}).Find(t.Context(), "desmume"); err != nil {
		t.Skipf("THE WINDOW IS NOT TESTED: %v (%s)", err, emucore.AptLine)
	}
}

// freePort is a UDP port that nobody has.
func freePort(t *testing.T) int {
	t.Helper()
	port, err := udp.FreePort()
	must.Succeed(t, err)
	return port
}

// beaconPlaces counts those of the tests.
var beaconPlaces atomic.Int64

// beaconPlace is an address for beacons that programs share, each of which gets all of them. It is none of the ports that
// [udp.FreePort] gives to sessions of the same evening, and another in each test.
func beaconPlace() string {
	return fmt.Sprintf("127.255.255.255:%d", 20000+(int64(os.Getpid())*7+beaconPlaces.Add(1))%1200)
}

// player's files: settings, first steps done, one game.
func playerFiles(name string, port int, rom []byte) map[string][]byte {
	return playerFilesOf("desmume", name, port, rom)
}

// playerFilesOf is playerFiles for a core by its name or its path.
func playerFilesOf(core, name string, port int, rom []byte) map[string][]byte {
	return map[string][]byte{
		".config/nettplay/config.toml": fmt.Appendf(nil, "[player]\nnickname = %q\nmac = \"00:09:bf:00:00:%02x\"\n[core]\nname = %q\n"+
			"[net]\nport = %d\nbind = \"127.0.0.1\"\n[video]\nscale = 1\n", name, len(name), core, port),
		".local/state/nettplay/app.json": []byte(`{"welcomed": true}`),
		"roms/game.nds":                  rom,
	}
}

// TestTwoWindows is a game of two people, from the start of the program to its
// end: one opens a room, the other finds it; they write to each other, start, play,
// and leave.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	needCore(t)
	beacons := beaconPlace()
	ann := newDesk(t, "ann", playerFiles("Ann", freePort(t), romstest.Pad))
	bob := newDesk(t, "bobby", playerFiles("Bobby", freePort(t), romstest.Pad))
	ann.start(beacons)
	bob.start(beacons)

	ann.tile("Host")
	ann.until("the games", func(s seen) bool { return s.Screen == "games" })
	ann.press("Return")
	ann.until("the room's form", func(s seen) bool { return s.Screen == "host" })
	ann.save("host")
	ann.forward(620)
	ann.until("the lobby", func(s seen) bool { return s.Screen == "lobby" })

	bob.tile("Join")
	bob.until("Ann's room in the list", func(s seen) bool { return s.Screen == "join" && s.Rooms == 1 })
	bob.save("join")
	bob.click(bob.frame.Dx()/2, 130)
	bob.forward(720)
	bob.until("the lobby", func(s seen) bool { return s.Screen == "lobby" && s.Present == 2 })
	ann.until("Bobby", func(s seen) bool { return s.Present == 2 && len(s.Blocked) > 0 })

	bob.chat("hello Ann")
	ann.until("Bobby's words", func(s seen) bool { return s.Chat == "Bobby: hello Ann" })
	ann.save("lobby")
	bob.forward(1120) // Ready
	ann.until("nothing in the way", func(s seen) bool { return len(s.Blocked) == 0 })
	ann.forward(1120) // Start
	ann.until("the game", func(s seen) bool { return s.Screen == "playing" })
	bob.until("the game", func(s seen) bool { return s.Screen == "playing" })

	for _, d := range []*desk{ann, bob} {
		d.until("an input delay that keeps itself, as it does at first", func(s seen) bool { return s.Auto == "party" })
	}
	ann.do("keydown", "x")
	ann.until("240 frames", func(s seen) bool { return s.Frame >= 240 })
	ann.do("keyup", "x")
	bob.until("240 frames", func(s seen) bool { return s.Frame >= 240 })
	ann.save("play")
	bob.save("play")
	plays(t, ann, "Ann")
	plays(t, bob, "Bobby")
	ann.until("agreement of all machines", func(s seen) bool { return s.Agreed >= 240 })
	bob.until("word of it", func(s seen) bool { return s.Agreed >= 240 })

	ann.press("Escape")
	ann.until("the menu", func(s seen) bool { return s.Menu })
	time.Sleep(300 * time.Millisecond) // for the picture that is kept
	ann.save("menu")
	ann.press("Escape")
	ann.until("the game without the menu", func(s seen) bool { return !s.Menu })

	bob.end()
	ann.until("Bobby is gone", func(s seen) bool { return s.Present == 1 && strings.Contains(s.Chat, "Bobby") })
	ann.save("alone")
	ann.end()
	for _, d := range []*desk{ann, bob} {
		if left := d.workers(); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	}
}

// chat writes a line, in the lobby of a narrow window.
func (d *desk) chat(text string) {
	d.t.Helper()
	margin := 16
	if d.frame.Dx() >= 720 {
		margin = 24
	}
	d.click(d.frame.Dx()-margin-50, margin+20)
	time.Sleep(300 * time.Millisecond) // a person looks before clicking on
	d.click(200, d.frame.Dy()-margin-36-12-21-10-18)
	d.write(text)
	d.press("Return")
	d.save("chat")
}

// plays checks by the program's own barcode that the window shows a console that
// runs and agrees with itself.
func plays(t *testing.T, d *desk, name string) {
	t.Helper()
	hashes, err := map[uint32]bool{}, error(nil)
	for range 100 { // a picture may be taken while it is being drawn
		hash, e := romstest.ReadBarcode(d.console())
		if e != nil {
			err = e
		} else if hashes[hash] = true; len(hashes) >= 3 {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	d.save("barcode")
	t.Errorf("%s's window shows %d hashes of a console that runs: %v", name, len(hashes), err)
}

// TestWindowKeepsTheSave: a save made alone is there after the window is closed in
// the middle of the game, and so is the recording, which can be watched.
func TestWindowKeepsTheSave(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	needCore(t)
	files := playerFiles("Ann", freePort(t), romstest.Save)
	const settings = ".config/nettplay/config.toml"
	files[settings] = append(files[settings], "[recording]\nenabled = true\n"...)
	d := newDesk(t, "ann", files)
	beacons := beaconPlace()
	d.start(beacons)
	d.tile("Play alone")
	d.until("the games", func(s seen) bool { return s.Screen == "games" })
	d.press("Return")
	d.until("how many consoles", func(s seen) bool { return s.Screen == "alone" })
	d.forward(560)
	d.until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 })
	for range 3 {
		d.press("x")
		from := d.now().Frame
		d.until("some frames more", func(s seen) bool { return s.Frame > from+30 })
	}
	d.save("save")
	d.end()
	dir := filepath.Join(d.dir, ".local/share/nettplay/saves")
	all, err := saves.All(dir)
	if err != nil || len(all) != 1 {
		t.Fatalf("saves of %d games (%v)", len(all), err)
	}
	b, err := all[0].Read(all[0].Current().Number)
	must.Succeed(t, err)
	save, err := romstest.ReadSave(b)
	if err != nil || save.Steps != 3 {
		t.Fatalf("%d key presses in the save (%v), want the 3 that were made", save.Steps, err)
	}

	d.start(beacons)
	d.tile("Recordings")
	d.until("the recordings", func(s seen) bool { return s.Screen == "recordings" })
	time.Sleep(300 * time.Millisecond) // the list is read
	d.forward(760)
	d.until("the recording", func(s seen) bool { return s.Screen == "watching" && s.Watched > 60 })
	d.save("watch")
	d.press("Escape")
	d.until("the list again", func(s seen) bool { return s.Screen == "recordings" })
	d.end()
	if left := d.workers(); len(left) > 0 {
		t.Errorf("processes are left: %v", left)
	}
}

// TestSecondWindowIsSaid: a second window of a player opens with a word about what both have in common; the first has none.
func TestSecondWindowIsSaid(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	core, beacons := testcore.Path(t), beaconPlace()
	first := newComer(t, "ann", core)
	first.start(beacons)
	if first.now().says("another window") {
		t.Error("the first window tells of another")
	}
	second := newDesk(t, "ann again", nil)
	second.dir = first.dir
	second.start(beacons)
	second.until("word of the other window", func(s seen) bool {
		return s.says("nettplay is already open in another window.") && s.says("saves") && s.says("settings")
	})
	second.end()
	first.end()
}
