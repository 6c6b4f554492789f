package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/session"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/internal/testing/uitest"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestWatchInAWindow: somebody finds a room in whose game two people play, watches it in a
// window, and is told when there is nothing more to see.
func TestWatchInAWindow(t *testing.T) {
	t.Parallel()
	uitest.NeedDisplay(t)
	core := testcore.Path(t) // the barcodes of DeSmuME's pictures TestTwoWindows reads
	beacons, port := beaconPlace(), freePort(t)
	files := playerFilesOf(core, "Ann", port, romstest.Pad)
	const settings = ".config/nettplay/config.toml"
	files[settings] = append(files[settings], "[room]\nspectators = 1\nspectate_delay = \"1s\"\n"...)
	ann := newDesk(t, "ann", files)
	ann.knows(core)
	ann.start(beacons)
	ann.tile("Host")
	ann.until("the games", func(s seen) bool { return s.Screen == "games" })
	ann.press("Return")
	ann.until("the room's form", func(s seen) bool { return s.Screen == "host" })
	ann.forward(620)
	ann.until("the lobby", func(s seen) bool { return s.Screen == "lobby" })
	leave := joinWithout(t, core, fmt.Sprintf("127.0.0.1:%d", port))
	ann.until("Bob, who is ready", func(s seen) bool { return s.Present == 2 && len(s.Blocked) == 0 })
	ann.forward(1120) // Start
	ann.until("the game", func(s seen) bool { return s.Screen == "playing" && s.Frame > 60 })

	uma := newDesk(t, "uma", playerFilesOf(core, "Uma", freePort(t), romstest.Pad))
	uma.knows(core)
	uma.start(beacons)
	uma.until("Ann's room, for which the buttons make room", func(s seen) bool { return s.Rooms == 1 })
	uma.tile("Join")
	uma.until("Ann's room in the list", func(s seen) bool { return s.Screen == "join" && s.Rooms == 1 })
	uma.click(uma.frame.Dx()/2, 130)
	time.Sleep(300 * time.Millisecond) // a person looks before clicking on
	uma.save("join-running")
	uma.spectate()
	uma.until("two seconds of the game", func(s seen) bool { return s.Screen == "watching" && s.Live && s.Watched > 120 })
	ann.until("Uma's name", func(s seen) bool { return s.Spectators == 1 })
	uma.click(uma.frame.Dx()/2, 100) // out of the picture
	plays(t, uma, "Ann, watched by Uma")
	uma.save("watching")
	uma.press("space")
	at := uma.now().Watched
	uma.until("the game goes on", func(s seen) bool { return s.Watched > at+60 })

	leave()
	ann.end()
	uma.until("word that it is over", func(s seen) bool { return s.Screen == "join" && s.Trouble != "" })
	uma.save("over")
	uma.end()
	for _, d := range []*desk{ann, uma} {
		if left := d.workers(); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
	}
}

// spectate clicks the button beside that of the way forward.
func (d *desk) spectate() {
	d.t.Helper()
	margin := 24
	if d.frame.Dx() < 720 {
		margin = 16
	}
	wide := min(720, d.frame.Dx()-2*margin)
	d.click((d.frame.Dx()+wide)/2-126, d.frame.Dy()-margin-18)
}

// joinWithout joins a room as Bob, without a window, until leave is called.
func joinWithout(t *testing.T, library, addr string) (leave func()) {
	t.Helper()
	core, err := emucore.OpenCore(t.Context(), library)
	must.Succeed(t, err)
	path := filepath.Join(t.TempDir(), "pad.nds")
	must.Succeed(t, os.WriteFile(path, romstest.Pad, 0o600))
	rom, err := emucore.OpenROM(path)
	must.Succeed(t, err)
	line, err := udp.Listen(udp.Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := session.Run(ctx, session.Config{
			Core: core, ROM: rom, Library: emucore.NewLibrary(nil), Version: "test", Link: line,
			Firmware: ds.Firmware{Nickname: "Bob", MAC: [6]byte{0, 9, 0xbf, 0, 0, 77}, Language: 1, BirthMonth: 1, BirthDay: 1},
			Join:     &session.JoinRole{Addr: addr},
			Input:    func(int64) inputdelay.Input { return inputdelay.Input{} },
		})
		if err != nil && ctx.Err() == nil {
			t.Errorf("Bob: %v", err)
		}
	}()
	leave = func() { stop(); <-done }
	t.Cleanup(leave)
	return leave
}
