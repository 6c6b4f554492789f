package session

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

var updateTable = flag.Bool("update-saves", false, "write the table of docs/saves.md again")

// saveFiles are files that players bring to a game whose cartridge holds 8 KB.
func saveFiles(t *testing.T) (list []struct {
	name string
	file []byte
},
) {
	add := func(name string, file []byte) {
		list = append(list, struct {
			name string
			file []byte
		}{name, file})
	}
	encode := func(f savefile.Form) []byte {
		b, err := savefile.Encode(f, data(), "Game")
		must.Succeed(t, err)
		return b
	}
	dsv := encode(savefile.DSV)
	laid := append([]byte("ARDS000000000001"), bytes.Repeat([]byte{7}, 8<<10-16)...)
	add(".sav or .srm, as long as the chip", data())
	add(".sav or .srm, 512 KB, FF behind", encode(savefile.FlashCard))
	add(".sav or .srm, 512 KB, 00 behind", append(data(), make([]byte, 504<<10)...))
	add(".sav or .srm, a byte too many", append(data(), 0))
	add(".sav or .srm, its erased tail cut off", data()[:5000])
	add(".sav or .srm, 512 KB, data behind", append(erased(data(), 504<<10-1), 1))
	add(".sav or .srm, all FF or all 00", make([]byte, 8<<10))
	add(".dsv of DeSmuME", dsv)
	add(".dsv of DraStic, more memory than chip", slices.Concat(erased(data(), 504<<10), dsv[8<<10:]))
	add(".dsv without its footer", dsv[:8<<10])
	add(".duc, header of 500 bytes", encode(savefile.ActionReplay))
	add(".duc, header of 164 bytes", encode(savefile.ActionReplayEZ))
	add(".duc, header over the save", laid)
	add("no$gba, stored", encode(savefile.NoGBA))
	add("no$gba, run lengths", encode(savefile.NoGBACompressed))
	add("YSMenu, 512 KB with its flags", encode(savefile.YSMenu))
	add(".zip", []byte("PK\x03\x04 and so on"))
	return list
}

// The table of docs/saves.md says what becomes of each form of save: in rooms, on the host's machine and on
// a guest's, with a core that has a chip for the game and with one that has none.
func TestSaveTable(t *testing.T) {
	game, chip := rom(t, romstest.Pad), savefile.Of(8<<10)
	var table strings.Builder
	fmt.Fprintln(&table, "| file | when it is imported | in a game | on a core that has no backup memory for the game |\n|---|---|---|---|")
	for _, f := range saveFiles(t) {
		path := filepath.Join(t.TempDir(), "file")
		must.Succeed(t, os.WriteFile(path, f.file, 0o600))
		in, err := saves.ReadImport(path, chip)
		if err != nil {
			fmt.Fprintf(&table, "| %s | refused: %s | | |\n", f.name, strings.TrimPrefix(err.Error(), path+": "))
			continue
		}
		whole, err := saves.ReadImport(path, savefile.Chip{}) // before a core was asked
		must.Succeed(t, err)
		imported := "taken"
		switch {
		case in.Loses != "":
			imported = "asks: " + in.Loses
		case in.Cut != "":
			imported = "taken. " + in.Cut
		}
		var came [3]string
		for i := range came {
			t.Run(fmt.Sprint(f.name, i), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					switch {
					case i < 2:
						came[i] = comesOf(t, game, whole.SRAM, i, chip, in.SRAM)
					default:
						came[i] = comesOf(t, game, whole.SRAM, 1, savefile.Of(0), erased(nil, 8<<10))
					}
				})
			})
		}
		if came[0] != came[1] {
			t.Errorf("%s: %q as host, %q as guest", f.name, came[0], came[1])
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", f.name, imported, came[0], came[2])
	}
	inDocs(t, "docs/saves.md", "TestSaveTable -update-saves", table.String(), *updateTable)
}

// comesOf plays a short game in which a player, the host or the guest, has a save, and says what came of it.
// Want is what the cartridge holds then, if the save is used or there is no chip.
func comesOf(t *testing.T, game *emucore.ROM, sram []byte, role int, chip savefile.Chip, want []byte) string {
	dirs := []string{t.TempDir(), t.TempDir()}
	imported(t, dirs[role], game, sram)
	tb := newTable(t, modelCore(), game, 2)
	tb.settings.Frames = 60
	controls := []*Control{NewControl(), NewControl()}
	for i, dir := range dirs {
		tb.sit(func(c *Config) {
			untouched(dir, chip)(c)
			c.Control = controls[i]
		})
	}
	p := tb.machines[role]
	var asked bool
	p.until("the game or a question", func(n notice.Notice) bool {
		_, misfit := n.(notice.SaveMisfit)
		_, plays := n.(notice.Playing)
		asked = asked || misfit
		return misfit || plays
	})
	if asked {
		controls[role].WithoutSave()
		want = erased(nil, 8<<10)
	}
	sameHashes(t, 60, tb.machines...)
	if got := p.report.SRAM; !bytes.Equal(got, want) {
		t.Errorf("the cartridge held %d bytes, % x", len(got), got[:min(16, len(got))])
	}
	if now, err := kept(t, dirs[role], game).Read(1); err != nil || !bytes.Equal(now, sram) {
		t.Errorf("the save is not as it was: %d bytes, %v", len(now), err)
	}
	switch {
	case asked:
		return "its player is asked: play without it, or choose another"
	case p.heardOf("has no backup memory for"):
		return "plays without it, and it waits"
	case p.heardOf("the rest is blank, and left out"):
		return "plays with it; what is blank behind the chip is left out"
	}
	return "plays with it"
}
