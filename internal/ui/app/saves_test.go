package app

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// desktop is an engine with a model, without a window: what is posted is taken by step.
type desktop struct {
	t      *testing.T
	m      *Shell
	e      *engine
	posted chan func(*Shell)
}

func newDesktop(t *testing.T) *desktop {
	d := &desktop{t: t, m: homeShell(t), posted: make(chan func(*Shell), 100)}
	d.e = newEngine(Places{Places: config.Places{Saves: t.TempDir()}}, "test", nil, func(f func(*Shell)) { d.posted <- f })
	d.e.shell = d.m
	t.Cleanup(d.e.close)
	calls(d.m)
	return d
}

// until does what the screens want, and takes what comes of it.
func (d *desktop) until(what string, ok func() bool) {
	d.t.Helper()
	late := time.After(5 * time.Minute) // a pass over a recording goes last on a busy machine
	for {
		for _, c := range calls(d.m) {
			c.do(windowless{d.e})
		}
		if ok() {
			return
		}
		select {
		case f := <-d.posted:
			f(d.m)
		case <-late:
			d.t.Fatalf("%s does not come; the trouble is %+v, the question %+v, the job %+v, the toasts %+v", what, d.m.Trouble, d.m.Question, d.m.recordings.Job, d.m.Toasts)
		}
	}
}

// TestSavesScreen: a save of another emulator becomes the player's, an older one comes
// back, and one is written to a file.
func TestSavesScreen(t *testing.T) {
	d := newDesktop(t)
	m := d.m
	folder := t.TempDir()
	first, second := bytes.Repeat([]byte{1}, 8192), bytes.Repeat([]byte{2}, 8192)
	files := map[string][]byte{
		"a.sav": first, "b.SAV": second, "blank.sav": make([]byte, 8192), "no.sav": []byte("<html>"),
		"card.sav": append(bytes.Clone(second), bytes.Repeat([]byte{0xff}, 504<<10)...), "large.sav": bytes.Repeat([]byte{3}, 9000),
	}
	for name, b := range files {
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name), b, 0o600))
	}
	m.Go(screen.Saves)
	d.until("the games", func() bool { return len(m.saves.List) == 2 })
	m.saves.At = 1 // Zebra
	take := func(name string) {
		m.Drop(filepath.Join(folder, name))
		if m.saves.File != "" || m.Question != nil {
			t.Fatalf("it is asked whether %s is to be taken, and nothing would be lost", name)
		}
	}
	have := func() int {
		k, _ := m.saves.Shown()
		if k == nil || k.Game.SHA256 != [32]byte{2} {
			t.Fatalf("another game is shown: %+v", k)
		}
		return len(k.Saves)
	}
	take("a.sav")
	d.until("the first save", func() bool { return have() == 1 })
	take("b.SAV")
	d.until("the second save", func() bool { return have() == 2 })
	saves.OpenChips(d.e.places.Saves).Put([32]byte{2}, [32]byte{9}, savefile.Of(8192))
	m.Toasts = nil
	take("card.sav")
	d.until("word that it is the same", func() bool { return len(m.Toasts) > 0 })
	take("large.sav")
	d.until("a question", func() bool { return m.Question != nil })
	expectWords(t, "the question", m.Question.Hint, "9000 bytes", "8 KB", "another game's")
	m.Answer(false)
	for _, bad := range []string{"blank.sav", "no.sav", "none.sav"} {
		take(bad)
		d.until("trouble with "+bad, func() bool { return m.Trouble != nil })
		m.Trouble = nil
	}
	m.saves.Lit = 1
	m.saves.AskRestore()
	expectWords(t, "the question", m.Question.Words+" "+m.Question.Yes, "Use the save of", "Use this save")
	m.Answer(true)
	d.until("the first save again", func() bool { return have() == 3 })
	m.saves.Lit = 0
	if _, s := m.saves.Shown(); s == nil || !s.Current || s.Origin != saves.Restored {
		t.Errorf("the newest save is %+v", s)
	}
	m.saves.AskRestore()
	if m.Question != nil {
		t.Error("the present save may be restored")
	}
	m.saves.AskDelete()
	expectWords(t, "the question", m.Question.Words+" "+m.Question.Hint, "Delete your save?", "stays in this list")
	m.Answer(true)
	d.until("no save", func() bool { k, _ := m.saves.Shown(); return have() == 4 && k.Saves[0].Blank })
	m.saves.AskDelete()
	m.saves.AskExport()
	if m.Question != nil || m.Current != screen.Saves {
		t.Error("what is no save may be deleted, or exported")
	}
	m.saves.Lit = 1
	m.saves.AskRestore()
	m.Answer(true)
	d.until("the save again", func() bool { k, _ := m.saves.Shown(); return have() == 5 && k.Saves[0].Current })
	out := filepath.Join(folder, "out.dsv")
	for _, again := range []bool{false, true} {
		m.Toasts = nil
		m.saves.AskExport()
		if m.files.Name != "Zebra.sav" {
			t.Errorf("it is to be written to %q", m.files.Name)
		}
		m.Pop()
		m.files.Request.Do(out)
		d.until("the file", func() bool { return (m.Trouble != nil) == again && (again || len(m.Toasts) > 0) })
	}
	if !strings.Contains(m.Trouble.Hint, "not replaced") {
		t.Errorf("a file that is there: %+v", m.Trouble)
	}
	b, err := saves.ReadFile(out)
	if err != nil || !bytes.Equal(b.SRAM, first) || b.Form != savefile.DSV {
		t.Errorf("written are %d bytes as %v (%v)", len(b.SRAM), b.Form, err)
	}
}

// TestSavesInUse: what a game has open is not changed under it.
func TestSavesInUse(t *testing.T) {
	d := newDesktop(t)
	game := saves.GameOf(d.m.Games.Games[0].ROM)
	store, err := saves.Open(d.e.places.Saves, game, saves.Options{Doing: "a game"})
	must.Succeed(t, err)
	defer store.Close()
	path := filepath.Join(t.TempDir(), "a.sav")
	must.Succeed(t, os.WriteFile(path, bytes.Repeat([]byte{1}, 8192), 0o600))
	d.m.Go(screen.Saves)
	d.until("the games", func() bool { return len(d.m.saves.List) == 2 })
	d.m.Drop(path)
	d.until("trouble", func() bool { return d.m.Trouble != nil })
	if !strings.Contains(d.m.Trouble.Hint, "End that game first") {
		t.Errorf("said is %+v", d.m.Trouble)
	}
}

// TestDropRecording: a recording from anywhere is watched at once.
func TestDropRecording(t *testing.T) {
	m := homeShell(t)
	m.Drop("/somewhere/Game of Friday.nplog")
	at(t, m, screen.Watching)
	if list := calls(m); !wants(list, "WatchReplay", "/somewhere/Game of Friday.nplog") {
		t.Errorf("wanted is %v", list)
	}
	m.Drop("/roms/other.nds")
	if got := kinds(calls(m)); got != "" {
		t.Errorf("in the middle of a recording: %s", got)
	}
}

// TestOpenFile: a file that the desktop opens with nettplay does what it does when it is
// dropped, at the first start too.
func TestOpenFile(t *testing.T) {
	m := newShell(config.Defaults(), memory.Memory{}, "test", fontStore())
	OpenFile("/somewhere/Game of Friday.nplog")(m)
	calls(m)
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME"}})
	at(t, m, screen.Watching)
	if list := calls(m); !wants(list, "WatchReplay", "/somewhere/Game of Friday.nplog") {
		t.Errorf("wanted is %v", list)
	}
}

// TestPortInUse: when a room's port is taken, a free one is offered, and is the room's
// from then on.
func TestPortInUse(t *testing.T) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	must.Succeed(t, err)
	defer c.Close()
	taken := c.LocalAddr().(*net.UDPAddr).Port
	cfg := config.Defaults()
	cfg.Net.Bind = "127.0.0.1"
	s, err := launch.Machine{Settings: cfg}.Play(t.Context(), launch.Play{Host: &launch.Host{}, Port: taken})
	var port *launch.PortError
	if s.Config.Link != nil || !errors.As(err, &port) || !errors.Is(err, link.ErrPortInUse) || port.Free <= taken {
		t.Fatalf("listening at a port that is taken: %v", err)
	}
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	m.session.Over(notice.Report{}, err)
	at(t, m, screen.Ended)
	if m.session.Ending.Port != port.Free {
		t.Errorf("offered is port %d, free is %d", m.session.Ending.Port, port.Free)
	}
	calls(m)
	m.session.RetryAt(m.session.Ending.Port)
	if got := kinds(calls(m)); !strings.Contains(got, "OpenSession") || m.Config.Net.Port != port.Free || m.session.Room.Port != port.Free {
		t.Errorf("wanted is %s, at port %d", got, m.Config.Net.Port)
	}
}

// TestUnwrittenSaveIsOffered: a save that the disk did not take is offered until it is
// there, and the window does not close over it without a word.
func TestUnwrittenSaveIsOffered(t *testing.T) {
	d := newDesktop(t)
	m, dir := d.m, d.e.places.Saves
	game, options := saves.Game{SHA256: [32]byte{7}, Title: "Trading Post"}, saves.Options{}
	store, err := saves.Open(dir, game, options)
	must.Succeed(t, err)
	away := store.Folder() + ".away"
	must.Succeed(t, os.Rename(store.Folder(), away))
	sram := bytes.Repeat([]byte{7}, 512)
	d.e.unwritten.Keep(store, 9, sram, saves.About{}, true, errors.New("no space left on device"))
	store.Close()
	if err := os.WriteFile(store.Folder(), nil, 0o600); err != nil { // nothing can be written there
		t.Fatal(err)
	}
	d.e.tellUnwritten()
	asked := func() bool { return m.Question != nil }
	d.until("the offer", asked)
	if q := m.Question; !strings.Contains(q.Words, "Trading Post") || !strings.Contains(q.Hint, "No space left") {
		t.Errorf("it says %q, %q", q.Words, q.Hint)
	}
	m.Answer(true)
	d.until("the offer, again", asked)
	m.Answer(false)

	m.session.AskClose()
	if m.Question == nil || !strings.Contains(m.Question.Words, "lose your save of Trading Post") || wants(calls(m), "Quit") {
		t.Fatalf("the window closes over it: %+v", m.Question)
	}
	m.Answer(false)

	must.Succeed(t, errors.Join(os.Remove(store.Folder()), os.Rename(away, store.Folder())))
	d.e.RetrySaves()
	d.until("the save", func() bool { return len(m.Unsaved) == 0 })
	kept, err := saves.Peek(dir, game, options)
	if err != nil || kept == nil {
		t.Fatal(kept, err)
	}
	if b, err := kept.Read(kept.Current().Number); err != nil || !bytes.Equal(b, sram) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	m.session.AskClose()
	if m.Question != nil || !wants(calls(m), "Quit") {
		t.Error("the window does not close")
	}
}
