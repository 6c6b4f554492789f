package roms

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// A game that was opened by its path is found by its contents afterwards, also beside another of
// the same name; opening it again makes no second link.
func TestKeptGamesAreFound(t *testing.T) {
	links := Links(filepath.Join(t.TempDir(), "data", "games"))
	var want []*emucore.ROM
	for _, data := range [][]byte{romstest.Pad, romstest.Save} {
		rom := model.ROM(t, data)
		want = append(want, rom, rom)
	}
	for _, rom := range want {
		must.Succeed(t, links.Keep(rom.Path))
	}
	library := emucore.NewLibrary([]string{string(links)})
	for _, rom := range want {
		if _, err := library.Find(t.Context(), emucore.Wanted{SHA256: rom.SHA256}); err != nil {
			t.Error(err)
		}
	}
	if list, err := os.ReadDir(string(links)); err != nil || len(list) != 2 {
		t.Errorf("the links are %v, %v", list, err)
	}
}

// TestHardLink: where there are no symbolic links, the game has another name in the folder.
func TestHardLink(t *testing.T) {
	links := Links(t.TempDir())
	rom := model.ROM(t, romstest.Pad)
	name := links.at("pad.nds")
	must.Succeed(t, os.Link(rom.Path, name))
	must.Succeed(t, links.Keep(rom.Path))
	if list, err := os.ReadDir(string(links)); err != nil || len(list) != 1 {
		t.Errorf("the links are %v, %v", list, err)
	}
	if err := point(links.at("other.nds"), filepath.Join(t.TempDir(), "gone.nds")); err != nil && runtime.GOOS != "windows" {
		t.Error(err)
	}
}
