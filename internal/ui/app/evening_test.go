package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// newComer is somebody who starts the program for the first time. Only what two programs on
// one machine must not share is settled.
func newComer(t *testing.T, name, core string) *desk {
	d := newDesk(t, name, map[string][]byte{
		".config/nettplay/config.toml": fmt.Appendf(nil, "[core]\nname = %q\n[net]\nport = %d\nbind = \"127.0.0.1\"\n[room]\nseats = 3\nauto_delay = \"off\"\n[video]\nscale = 1\n", core, freePort(t)),
		"games/pad.nds":                romstest.Pad,
		"games/save.nds":               romstest.Save,
		"bin/ffmpeg":                   []byte(encoder),
	})
	d.knows(core)
	must.Succeed(t, os.Chmod(filepath.Join(d.dir, "bin/ffmpeg"), 0o700))
	return d
}

// encoder stands in for ffmpeg, which the machine may lack: it takes all pictures, and writes a
// file.
const encoder = `#!/bin/sh
for last; do :; done
case "$*" in *" -i - "*) cat | wc -c >"$last";; *) echo joined >"$last";; esac
`

// evening is a whole evening of two players.
type evening struct {
	t        *testing.T
	ann, bob guest
	sit      func(*desk) guest // Ann
	beacons  string
}

// TestWholeEvening: everything can be done with a controller alone on one machine, and with a keyboard
// alone on the other.
func TestWholeEvening(t *testing.T) {
	spend(t, newPad, newKeys)
}

// The same with one kind of device on both machines. TestEveryWidgetByPad and TestScreensFit see without
// windows whether each widget of each scene is within reach of the cross, and of Tab.
func TestEveningByPad(t *testing.T)  { longEvening(t, newPad) }
func TestEveningByKeys(t *testing.T) { longEvening(t, newKeys) }

// TestEveningByMouse has what is written by keys.
func TestEveningByMouse(t *testing.T) { longEvening(t, newMouse) }

func longEvening(t *testing.T, sit func(*desk) guest) {
	t.Helper()
	if os.Getenv("NETTPLAY_LONG") == "" {
		t.Skip("TestWholeEvening has a pad and keys, and other tests click; NETTPLAY_LONG=1 does all of it with each")
	}
	spend(t, sit, sit)
}

func newKeys(d *desk) guest  { return byKeys{d} }
func newMouse(d *desk) guest { return byMouse{d} }

// spend has Ann and Bob sit down, each with a device of a kind, and do all there is to do.
func spend(t *testing.T, annSits, bobSits func(*desk) guest) {
	t.Parallel() // much of an evening is to wait
	uitest.NeedDisplay(t)
	core, beacons := testcore.Path(t), beaconPlace()
	ann, bob := newComer(t, "ann", core), newComer(t, "bob", core)
	ann.start(beacons)
	bob.start(beacons)
	e := &evening{t: t, ann: annSits(ann), bob: bobSits(bob), sit: annSits, beacons: beacons}
	e.welcome(e.ann, "Ann")
	e.welcome(e.bob, "Bob")
	e.settings()
	e.host()
	e.joinByList()
	e.chat()
	e.delay()
	e.changeGame()
	e.startGame()
	e.keep()
	e.leaveAndComeBack()
	e.joinByInvitation()
	e.joinByAddress()
	e.watch()
	e.joinRunning()
	e.close(e.ann)
	e.replay()
	e.recordings()
	e.saves()
	e.goOn()
	for _, d := range []*desk{ann, bob} {
		d.end()
		if left := d.workers(); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	}
}

// comes waits for a screen.
func comes(p guest, name string) {
	p.at().t.Helper()
	p.at().until("the screen "+name, func(s seen) bool { return s.Screen == name })
}

func (e *evening) welcome(p guest, name string) {
	e.t.Helper()
	defer journey(e.t, "first start", p)()
	p.write("player.nickname", name, false)
	p.press("browse roms.folders")
	comes(p, "files")
	p.open("entries", "games")
	p.at().until("the games in it", func(s seen) bool { return len(s.Items) == 3 })
	p.press("take")
	comes(p, "welcome")
	p.at().until("2 games", func(s seen) bool { return s.Games == 2 && s.Settled })
	p.press("begin")
	comes(p, "home")
}

func (e *evening) host() {
	e.t.Helper()
	defer journey(e.t, "host", e.ann)()
	e.ann.press("Host")
	e.ann.open("games", "nettplay pad")
	comes(e.ann, "host")
	e.ann.press("open")
	comes(e.ann, "lobby")
}

func (e *evening) joinByList() {
	e.t.Helper()
	defer journey(e.t, "join by list", e.bob)()
	e.bob.press("Join")
	e.bob.open("rooms", "Ann's room")
	comes(e.bob, "lobby")
	e.ann.at().until("Bob", func(s seen) bool { return s.Present == 2 })
}

func (e *evening) chat() {
	e.t.Helper()
	defer journey(e.t, "chat", e.bob)()
	e.bob.turn("side", 1)
	e.bob.write("say", "hello Ann", true)
	e.ann.at().until("Bob's words", func(s seen) bool { return s.Chat == "Bob: hello Ann" })
}

// settings changes one.
func (e *evening) settings() {
	e.t.Helper()
	defer journey(e.t, "a setting", e.ann)()
	e.ann.settings()
	comes(e.ann, "settings")
	e.ann.turn("Sound", 6)
	e.ann.press("audio.chime")
	e.ann.back()
	comes(e.ann, "home")
}

func (e *evening) delay() {
	e.t.Helper()
	defer journey(e.t, "delay", e.ann)()
	was := e.bob.at().now().Delay
	e.ann.press("delay more")
	e.bob.at().until("another delay", func(s seen) bool { return s.Delay == was+1 })
}

func (e *evening) changeGame() {
	e.t.Helper()
	defer journey(e.t, "change the game", e.ann)()
	e.ann.press("change game")
	e.ann.open("games", "nettplay save")
	comes(e.ann, "lobby")
	e.bob.at().until("the other game", func(s seen) bool { return s.Game == "nettplay save" })
}

// startGame starts the game, and each presses a button of the console.
func (e *evening) startGame() {
	e.t.Helper()
	defer journey(e.t, "ready and start", e.ann, e.bob)()
	e.bob.turn("Room", -1)
	e.bob.press("ready")
	e.ann.at().until("nothing in the way", func(s seen) bool { return len(s.Blocked) == 0 })
	e.ann.press("start")
	for _, p := range []guest{e.ann, e.bob} {
		p.at().until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 30 })
		p.play()
		plays(e.t, p.at(), "a player")
	}
	e.ann.at().until("agreement of all machines", func(s seen) bool { return s.Agreed > 60 })
}

func (e *evening) leaveAndComeBack() {
	e.t.Helper()
	end := journey(e.t, "leave", e.bob)
	e.bob.menu()
	e.bob.press("leave")
	e.bob.press("no")
	e.bob.press("leave")
	e.bob.press("yes")
	comes(e.bob, "home")
	end()
	comes(e.ann, "lobby")
	e.joinByList()
}

// watch has Bob watch a game of two at Ann's machine.
func (e *evening) watch() {
	e.t.Helper()
	e.bob.press("leave")
	comes(e.bob, "home")
	end := journey(e.t, "one more player here", e.ann)
	e.ann.press("add player")
	e.ann.at().until("nothing in the way", func(s seen) bool { return s.Present == 2 && len(s.Blocked) == 0 })
	e.ann.press("start")
	e.ann.at().until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 })
	end()
	defer journey(e.t, "watch", e.bob)()
	e.bob.press("Join")
	e.bob.choose("rooms", "Ann's room")
	e.bob.press("watch")
	e.bob.at().until("the game", func(s seen) bool { return s.Screen == "watching" && s.Live && s.Watched > 60 })
	e.bob.back()
	if s := e.bob.at().until("the rooms, or a question", func(s seen) bool { return s.Screen == "join" || s.Asked != "" }); s.Asked != "" {
		e.bob.press("yes") // Escape and B ask, the button does not
	}
	comes(e.bob, "join")
	e.bob.back()
	comes(e.bob, "home")
}

// close closes the window amid a game, and thinks again before.
func (e *evening) close(p guest) {
	e.t.Helper()
	defer journey(e.t, "close the window", p)()
	d := p.at()
	d.order("close")
	d.until("a question", func(s seen) bool { return s.Asked != "" })
	p.press("no")
	d.until("no question", func(s seen) bool { return s.Asked == "" })
	d.order("close")
	p.press("yes")
	d.ended()
}

func (e *evening) replay() {
	e.t.Helper()
	d := e.ann.at()
	d.start(e.beacons)
	e.ann = e.sit(d)
	defer journey(e.t, "replay and seek", e.ann)()
	e.ann.press("Recordings")
	d.until("three recordings", func(s seen) bool { return len(s.Items) == 3 })
	e.ann.open("recordings", d.now().Items[0])
	at := d.until("the recording", func(s seen) bool { return s.Screen == "watching" && s.Watched > 0 }).Watched
	e.ann.seek()
	d.until("a later place", func(s seen) bool { return s.Watched > at+60 })
	e.ann.back()
	comes(e.ann, "recordings")
}

func (e *evening) recordings() {
	e.t.Helper()
	d := e.ann.at()
	end := journey(e.t, "verify a recording", e.ann)
	e.ann.press("verify")
	d.until("its end", func(s seen) bool { return s.Trouble != "" || s.Asked != "" })
	e.ann.press("close")
	end()
	end = journey(e.t, "make a video", e.ann)
	e.ann.press("film")
	e.ann.press("take")
	d.until("the video", func(s seen) bool { return s.Asked == "The video is ready" })
	e.ann.press("no")
	end()
	if videos, err := filepath.Glob(filepath.Join(d.dir, "Videos", "nettplay", "*.mp4")); len(videos) != 1 {
		e.t.Errorf("the videos are %q, %v", videos, err)
	}
	end = journey(e.t, "rename a recording", e.ann)
	e.ann.press("rename")
	e.ann.write("name", "final", true)
	d.until("its name", func(s seen) bool { return slices.Contains(s.Items, "final") })
	end()
	end = journey(e.t, "delete a recording", e.ann)
	e.ann.press("delete")
	e.ann.press("no")
	e.ann.press("delete")
	e.ann.press("yes")
	d.until("two recordings", func(s seen) bool { return len(s.Items) == 2 })
	end()
	e.ann.back()
	comes(e.ann, "home")
}

func (e *evening) saves() {
	e.t.Helper()
	d := e.ann.at()
	e.ann.press("Saves")
	d.until("a save", func(s seen) bool { return s.Screen == "saves" && len(s.Items) > 0 })
	end := journey(e.t, "export a save", e.ann)
	e.ann.press("export")
	comes(e.ann, "files")
	e.ann.press("take")
	comes(e.ann, "saves")
	end()
	end = journey(e.t, "import a save", e.ann)
	e.ann.press("import")
	comes(e.ann, "files")
	e.ann.open("entries", "nettplay save.sav")
	d.until("word that it is the same", func(s seen) bool { return s.says("It is your save already.") })
	end()
	e.restore()
	e.ann.back()
	comes(e.ann, "home")
}

// currentSave returns the save with which a game would begin.
func (e *evening) currentSave(d *desk) []byte {
	e.t.Helper()
	rom, err := emucore.OpenROM(filepath.Join(d.dir, "games/save.nds"))
	must.Succeed(e.t, err)
	store, err := saves.Open(filepath.Join(d.dir, ".local/share/nettplay/saves"), saves.GameOf(rom), saves.Options{})
	must.Succeed(e.t, err)
	sram, _, err := store.Current()
	must.Succeed(e.t, errors.Join(err, store.Close()))
	return sram
}

// restore has Ann take another's save for her own, and come back to the one of before.
func (e *evening) restore() {
	e.t.Helper()
	d := e.ann.at()
	save := must.Read(e.t, filepath.Join(d.dir, "nettplay save.sav"))
	save[0]++
	must.Succeed(e.t, os.WriteFile(filepath.Join(d.dir, "other.sav"), save, 0o600))
	older := d.now().Items[0]
	e.ann.press("import")
	comes(e.ann, "files")
	e.ann.open("entries", "other.sav")
	d.until("another save", func(s seen) bool { return len(s.Items) > 1 && s.Items[1] == older })
	defer journey(e.t, "restore an older save", e.ann)()
	e.ann.choose("saves", older)
	e.ann.press("restore")
	e.ann.press("yes")
	d.until("a third that is as the first", func(s seen) bool { return len(s.Items) > 2 && s.Items[2] == older })
	save[0]--
	if now := e.currentSave(d); !bytes.Equal(now, save) {
		e.t.Error("the save is not the one of before")
	}
}
