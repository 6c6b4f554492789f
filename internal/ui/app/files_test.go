package app

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// padPlayer uses screens by a controller alone.
type padPlayer struct {
	t  *testing.T
	m  *Shell
	ui *widgets.UI
}

func (p *padPlayer) press(moves ...widgets.Nav) {
	for _, nav := range moves {
		p.ui.Frame(widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true, Nav: nav}, p.m.Build)
		p.answer()
	}
}

// answer looks into folders, as the engine does.
func (p *padPlayer) answer() {
	for _, c := range calls(p.m) {
		if c.name == "ListFiles" {
			p.m.files.Listed(c.args[1].(int), listing(c.args[0].(string)))
		}
	}
	p.ui.Frame(widgets.Input{Size: image.Pt(640, 480), Scale: 1, Focused: true}, p.m.Build)
}

// TestFindFolderByPad: a player with nothing but a controller adds a folder with games, goes up
// and down on the way, and may change their mind.
func TestFindFolderByPad(t *testing.T) {
	must.HaveLinux(t, "folders of Linux")
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, dir := range []string{"music", "roms/ds"} {
		must.Succeed(t, os.MkdirAll(filepath.Join(home, dir), 0o700))
	}
	m := homeShell(t)
	p := &padPlayer{t, m, plainUI(t)}
	m.Go(screen.Settings)
	m.settings.At = settings.PageGames
	ask := settings.FolderOfGames()
	ask.Take, ask.Key, ask.Do = "Use this folder", "roms.folders", m.settings.AddFolder
	m.AskPath(ask)
	p.answer()
	at(t, m, screen.Files)
	p.press(widgets.NavAccept)
	if m.files.At.Dir != filepath.Join(home, "music") {
		t.Fatalf("A on a folder leads to %q", m.files.At.Dir)
	}
	p.press(widgets.NavPrevious)
	if m.files.At.Dir != home {
		t.Fatalf("L leads to %q", m.files.At.Dir)
	}
	p.press(widgets.NavDown, widgets.NavAccept, widgets.NavAccept) // from music, where the player was, to roms and on
	if m.files.At.Dir != filepath.Join(home, "roms", "ds") {
		t.Fatalf("two folders on it is %q", m.files.At.Dir)
	}
	if _, texts := spots(p.ui); !slices.ContainsFunc(texts, func(s spot) bool { return s.Name == "Use “ds”" }) {
		t.Errorf("the button does not say which folder it takes: %v", texts)
	}
	p.press(widgets.NavDown, widgets.NavAccept) // out of the list, to the button
	at(t, m, screen.Settings)
	if got := m.Config.ROMs.Folders; got[len(got)-1] != filepath.Join(home, "roms", "ds") {
		t.Errorf("the folders are %q", got)
	}
	m.AskPath(ask)
	p.answer()
	if m.files.At.Dir != filepath.Join(home, "roms", "ds") {
		t.Errorf("the next time it begins at %q", m.files.At.Dir)
	}
	p.press(widgets.NavBack)
	at(t, m, screen.Settings)
	if len(m.Config.ROMs.Folders) != 2 {
		t.Errorf("who went back has the folders %q", m.Config.ROMs.Folders)
	}
}

// TestFindFile: only files that fit are shown and taken; what came too late is dropped; a new
// file has a name that nothing has.
func TestFindFile(t *testing.T) {
	must.HaveLinux(t, "paths of Linux")
	m := homeShell(t)
	took := ""
	m.AskPath(screen.PathRequest{Want: screen.WantFile, Fits: emucore.IsGameName, Do: func(path string) { took = path }})
	m.files.LookIn("/b")
	entries := []files.Entry{{Name: "deep", Folder: true}, {Name: ".x.nds"}, {Name: "a.nds"}, {Name: "b.txt"}}
	m.files.Listed(1, files.Listing{Dir: "/late", Entries: entries})
	if m.files.At.Dir != "" {
		t.Error("a folder that was left shows")
	}
	m.files.Listed(2, files.Listing{Dir: "/b", Entries: entries})
	if got := fmt.Sprint(m.files.Shown()); strings.Contains(got, "b.txt") || strings.Contains(got, ".x.nds") || !strings.Contains(got, "a.nds") {
		t.Errorf("shown are %s", got)
	}
	if m.files.MayTake() {
		t.Error("a folder is taken for a file")
	}
	m.files.Lit = 2
	m.files.Take()
	if took != "/b/a.nds" || m.Memory.Folders[""] != "/b" {
		t.Errorf("taken is %q", took)
	}

	took = ""
	m.AskPath(screen.PathRequest{Want: screen.WantNewFile, Name: "deep", Do: func(path string) { took = path }})
	m.files.Listed(3, files.Listing{Dir: "/b", Entries: entries})
	for _, name := range []string{"deep", "a.nds", "", ".", "..", "x/y"} {
		m.files.Name = name
		if m.files.Take(); took != "" {
			t.Fatalf("%q is taken for a new file", name)
		}
	}
	m.files.Name = " new.sav "
	if m.files.Take(); took != "/b/new.sav" {
		t.Errorf("the new file is %q", took)
	}
}

// TestFolderIsLookedAtAgain: a file that comes while the player looks into its folder shows, and
// takes away neither what was chosen nor what was typed.
func TestFolderIsLookedAtAgain(t *testing.T) {
	dir := t.TempDir()
	m := homeShell(t)
	p := &padPlayer{t, m, plainUI(t)}
	add := func(name string) {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	add("m.nds")
	m.AskPath(screen.PathRequest{Want: screen.WantFile, Do: func(string) {}})
	m.files.LookIn(dir)
	p.answer()
	m.files.Path = "~/half"
	add("a.nds")
	m.Tick(m.Now.Add(lookEvery))
	p.answer()
	p.answer()
	if shown := m.files.Shown(); len(shown) != 3 || shown[m.files.Lit].Name != "m.nds" || m.files.Path != "~/half" {
		t.Errorf("shown are %v, of which %d is lit; typed is %q", shown, m.files.Lit, m.files.Path)
	}
}
