package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestChooseCheats: by whole names or a part that one has alone, from the game's folder, the player's and further files; and
// what is the matter is said.
func TestChooseCheats(t *testing.T) {
	rom := model.ROM(t, romstest.Pad)
	beside := strings.TrimSuffix(rom.Path, filepath.Ext(rom.Path)) + ".mch"
	must.Succeed(t, os.WriteFile(beside, []byte("CAT 1 Speed\nCODE 1 Slow\n02000000 00000001\nCODE 0 Fast\n02000000 00000002\nROOT\nCODE 0 Coins\n02000004 00000063\nCODE 0 Coins and lives\n02000004 00000063\n02000008 00000009\nCODE 0 Odd\nC4000000 00000000\n"), 0o600))
	file := filepath.Join(t.TempDir(), "more.dct")
	must.Succeed(t, os.WriteFile(file, []byte("AR 1 0200000C00000001 ;More\nAR 0 0200001000000001 ;Off\n"), 0o600))
	own := t.TempDir()
	m := Machine{Core: emucore.Core{Name: "DeSmuME"}, Places: config.Places{Cheats: own}}
	for _, c := range []struct {
		names, files []string
		want, err    string
	}{
		{},
		{names: []string{"coins"}, want: "Coins"}, // its whole name
		{names: []string{"lives"}, want: "Coins and lives"},
		{names: []string{"slow", "speed: fast"}, want: "Speed: Fast"}, // one at a time
		{names: []string{"Coins", "More"}, files: []string{file}, want: "Coins, More"},
		{files: []string{file}, want: "Speed: Slow, More"},
		{names: []string{"speed"}, err: `2 cheats go by "speed": Speed: Slow; Speed: Fast`},
		{names: []string{"wings"}, err: `no cheat of this game is called "wings"; there are: Speed: Slow; Speed: Fast; Coins`},
		{names: []string{"odd"}, err: `the cheat "Odd" cannot be used: line 1, C4000000`},
		{files: []string{file + "x"}, err: filepath.Base(file) + "x: "},
	} {
		got, err := m.ChooseCheats(rom, Cheats{Names: c.names, Files: c.files})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v of %v: %v, want %q", c.names, c.files, err, c.err)
			}
		case err != nil || got.Words() != c.want || c.want != "" && got.Game != rom.SHA256:
			t.Errorf("%v of %v: %q, %v, want %q", c.names, c.files, got.Words(), err, c.want)
		}
	}
	must.Succeed(t, os.Rename(beside, filepath.Join(own, filepath.Base(beside))))
	if got, err := m.ChooseCheats(rom, Cheats{Names: []string{"fast"}}); err != nil || got.Words() != "Speed: Fast" {
		t.Errorf("of the player's folder: %q, %v", got.Words(), err)
	}
	must.Succeed(t, os.Remove(filepath.Join(own, filepath.Base(beside))))
	if _, err := m.ChooseCheats(rom, Cheats{Names: []string{"fast"}}); err == nil || !strings.Contains(err.Error(), "no cheats of this game are on this computer") {
		t.Error(err)
	}
}
