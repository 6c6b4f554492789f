package app

import (
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// looking has the program look again and again until something is so.
func (d *desktop) looking(what string, ok func() bool) {
	d.t.Helper()
	late := time.After(time.Minute)
	for !ok() {
		d.e.Look()
		d.until("the look", func() bool { return true })
		select {
		case f := <-d.posted:
			f(d.m)
		case <-time.After(5 * time.Millisecond):
		case <-late:
			d.t.Fatalf("%s does not come: %+v, %+v", what, d.m.Games, d.m.Core)
		}
	}
}

// TestFilesThatCome: a game and a core that are copied into their folders while the program
// runs are there by themselves.
func TestFilesThatCome(t *testing.T) {
	d := newDesktop(t)
	games, cores := t.TempDir(), t.TempDir()
	d.m.Config.ROMs.Folders, d.m.Config.Core.Folders, d.m.Config.Core.Name = []string{games}, []string{cores}, "noods"
	d.e.ScanGames()
	d.m.LookForCore()
	d.until("an empty shelf", func() bool { return !d.m.Games.Scanning && len(d.m.Games.Games) == 0 && !d.m.Core.Looking })
	if _, err := romstest.WriteFiles(games, romstest.ROM{Name: "game.nds", Data: romstest.Pad}); err != nil {
		t.Fatal(err)
	}
	d.looking("the game", func() bool { return len(d.m.Games.Games) == 1 })
	must.Succeed(t, os.WriteFile(filepath.Join(cores, "noods"+emucore.CoreSuffix), []byte("no core"), 0o600))
	d.looking("another search for cores", func() bool { return d.m.Core.Looking })
}

// TestLooksWhileItShows: it is looked for games and cores every two seconds, but not while
// consoles run.
func TestLooksWhileItShows(t *testing.T) {
	m, _ := hosted(t)
	ui := plainUI(t)
	looks := func() (n int) {
		calls(m)
		for range 10 {
			m.Tick(m.Now.Add(time.Second))
			out := ui.Frame(widgets.Input{Size: image.Pt(640, 480), Scale: 1}, m.Build)
			if m.Current != screen.Playing && (out.Wake < 0 || out.Wake > lookEvery) {
				t.Errorf("the window sleeps for %v", out.Wake)
			}
		}
		for _, c := range calls(m) {
			if c.name == "Look" {
				n++
			}
		}
		return n
	}
	if n := looks(); n != 5 {
		t.Errorf("in the lobby it was looked %d times in ten seconds", n)
	}
	m.session.Notice(notice.Playing{Room: testRoom(room.PhasePlaying, playerIn(0, 0, "Ann", true))})
	if n := looks(); n != 0 {
		t.Errorf("in a game it was looked %d times", n)
	}
}

// TestCoreThatWasMissingComes: the box that says how to install one goes.
func TestCoreThatWasMissingComes(t *testing.T) {
	m := homeShell(t)
	found := m.Core
	m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{})})
	m.NeedCore()
	m.LookForCore()
	m.CoreFound(found)
	if m.Trouble != nil || len(m.Toasts) != 1 {
		t.Errorf("the trouble is %+v, the words %+v", m.Trouble, m.Toasts)
	}
}
