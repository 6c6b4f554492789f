package session

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

var updateDumps = flag.Bool("update-dumps", false, "write the table of docs/compatibility.md again")

// A dumped is a file in which somebody has a game, save.nds, which looks like one that was sold: with a game code,
// a secure area, and here a logo and a signature for Download Play.
type dumped struct {
	words, name string
	file        []byte
	same        bool // it is the very game of the full dump
}

const (
	dumpUsed  = 0xbc00 // bytes of the game
	dumpSigns = 136    // of the signature behind them

	madeAt = 1_256_409_000 // on the consoles' clocks: melonDS DS's begin with 2000
)

// changed is a dump with something else in its header, whose checksum goes with it.
func changed(dump []byte, change func(h []byte)) []byte {
	b := bytes.Clone(dump)
	change(b)
	binary.LittleEndian.PutUint16(b[0x15e:], banner.CRC16(b[:0x15e]))
	return b
}

// encrypted moves the program to where cartridges have it, with a secure area that begins as theirs does.
func encrypted(dump []byte) {
	copy(dump[0x4000:], dump[0x8000:dumpUsed])
	binary.LittleEndian.PutUint32(dump[0x20:], 0x4000)
	copy(dump[0x4000:], "\x12\x34\x56\x78\x9a\xbc\xde\xf0")
}

// dumps are the forms in which players have a game.
func dumps() []dumped {
	full := bytes.Repeat([]byte{0xff}, 128<<10)
	copy(full, romstest.Save)
	logo := full[0xc0:0x15c]
	for v := 0; banner.CRC16(logo) != 0xcf56; v++ {
		binary.LittleEndian.PutUint16(logo[len(logo)-2:], uint16(v))
	}
	copy(full[dumpUsed:], append([]byte("ac"), bytes.Repeat([]byte{0xa5}, dumpSigns-2)...))
	full = changed(full, func([]byte) {})
	end := dumpUsed + dumpSigns
	zeros := bytes.Clone(full)
	clear(zeros[end:])
	behind, damaged := bytes.Clone(full), bytes.Clone(full)
	behind[end+5000] = 7
	damaged[0x9000] ^= 1
	packed := fixture.File{Name: "Game (Europe).nds", Data: full[:end]}
	return []dumped{
		{"full", "a.nds", full, true},
		{"trimmed behind the signature for Download Play", "a.nds", full[:end], true},
		{"trimmed to a round size", "a.nds", full[:0xc000], true},
		{"trimmed where the game ends: the signature is lost", "a.nds", full[:dumpUsed], false},
		{"padded with 00", "a.nds", zeros, true},
		{"padded to twice the cartridge", "a.nds", append(bytes.Clone(full), bytes.Repeat([]byte{0xff}, len(full))...), true},
		{"trimmed, in a .zip", "a.zip", fixture.Zip(packed), true},
		{"trimmed, in a .7z", "a.7z", fixture.Seven(packed), true},
		{"in a .rar", "a.rar", []byte("Rar!\x1a\x07\x01\x00 and so on"), false},
		{"secure area encrypted", "a.nds", changed(full, encrypted), false},
		{"patched: the header's checksum does not fit", "a.nds", append([]byte("NETTPLAYED"), full[10:]...), false},
		{"something else behind the game", "a.nds", behind, false},
		{"damaged: a byte differs", "a.nds", damaged, false},
		{"another region", "a.nds", changed(full, func(h []byte) { h[0x0f] = 'P' }), false},
		{"another revision", "a.nds", changed(full, func(h []byte) { h[0x1e] = 1 }), false},
		{"for the DSi only", "a.nds", changed(full, func(h []byte) { h[0x12] = 3 }), false},
		{"another game", "a.nds", romstest.Pad, false},
		{"no game", "a.nds", []byte("hello"), false},
	}
}

// opensWith says what becomes of a dump on a machine that opens a room with it, and returns the game where it can be played.
func opensWith(core, path string) (*emucore.ROM, string) {
	r, err := emucore.OpenROM(path)
	if err == nil {
		err = emucore.ProfileFor(core).Reads(r)
	}
	switch {
	case err != nil:
		_, why, _ := strings.Cut(strings.ReplaceAll(err.Error(), filepath.Dir(path)+"/", ""), filepath.Base(path))
		return nil, strings.TrimLeft(why, ": ")
	case r.Unsigned:
		return r, "plays; Download Play may need a full dump, which is said"
	}
	return r, "plays"
}

// joinsWith says what becomes of a dump on a machine that joins a room with the full one.
func joinsWith(t *testing.T, core string, full room.ROMID, path string) string {
	found := roms.Search{Library: emucore.NewLibrary([]string{filepath.Dir(path)})}.Find(t.Context(), []room.ROMID{full})
	switch game := found.ROMs[full.SHA256]; {
	case found.Problem != "":
		return found.Problem
	case game != nil:
		if err := emucore.ProfileFor(core).Reads(game); err != nil {
			return err.Error()
		}
		return "plays"
	case len(found.Near) > 0:
		return room.DiffersWords("yours", found.Near[0].Game, full)
	}
	return "the machine does not have the game"
}

// The table of docs/compatibility.md says for each form of dump what becomes of it on both cores, for who opens a room and
// for who joins one with a full dump. What plays is played on the cores that are here, and does what the full dump does.
func TestDumpTable(t *testing.T) {
	files := dumps()
	write := func(d dumped) string {
		path := filepath.Join(t.TempDir(), d.name)
		must.Succeed(t, os.WriteFile(path, d.file, 0o600))
		return path
	}
	full, err := emucore.OpenROM(write(files[0]))
	must.Succeed(t, err)
	cores := realCores(t)
	want := map[string]string{}
	var table strings.Builder
	fmt.Fprintln(&table, "| dump | DeSmuME, opens a room | melonDS DS, opens a room | joins a room with the full dump, on either core |\n|---|---|---|---|")
	for _, d := range files {
		path := write(d)
		var opens, guest [2]string
		for i, name := range []string{"DeSmuME", "melonDS DS"} {
			var game *emucore.ROM
			game, opens[i] = opensWith(name, path)
			guest[i] = joinsWith(t, name, roms.ID(full), path)
			if (guest[i] == "plays") != d.same {
				t.Errorf("%s, %s: %q as a guest", d.words, name, guest[i])
			}
			if core, here := cores[name]; here && game != nil && (d.same || i == 1) {
				got := played(t, core, game)
				if want[name] == "" {
					want[name] = got
				}
				if d.same && got != want[name] {
					t.Errorf("%s on %s does not do what the full dump does", d.words, name)
				}
			}
		}
		if guest[0] != guest[1] {
			t.Errorf("%s: %q as a guest with DeSmuME, %q with melonDS DS", d.words, guest[0], guest[1])
		}
		fmt.Fprintf(&table, "| %s | %s | %s | %s |\n", d.words, opens[0], opens[1], guest[0])
	}
	inDocs(t, "docs/compatibility.md", "TestDumpTable -update-dumps", table.String(), *updateDumps)
}

// inDocs holds the table on a page between two marks, or writes it there.
func inDocs(t *testing.T, page, command, table string, write bool) {
	t.Helper()
	begin, end := "<!-- table: go test ./internal/session -run "+command+" -->\n\n", "\n<!-- end of the table -->"
	path := filepath.Join(testcore.Root(), page)
	text := string(must.Read(t, path))
	before, rest, found := strings.Cut(text, begin)
	old, after, ended := strings.Cut(rest, end)
	switch {
	case !found || !ended:
		t.Fatalf("%s has no place for the table", page)
	case write:
		must.Succeed(t, os.WriteFile(path, []byte(before+begin+table+end+after), 0o644))
	case old != table:
		t.Errorf("%s does not say what happens; %s writes\n%s", page, command, table)
	}
}

// realCores are those of the two cores that are here.
func realCores(t *testing.T) map[string]emucore.Core {
	t.Helper()
	cores := map[string]emucore.Core{}
	if path := os.Getenv("NETTPLAY_TEST_CORE"); path != "" {
		core := model.Core(t, path)
		cores[core.Name] = core
	} else {
		t.Log("NOT PLAYED on melonDS DS: NETTPLAY_TEST_CORE is not set")
	}
	if core, err := (emucore.Search{}).Find(t.Context(), "desmume"); err == nil {
		cores[core.Name] = core
	} else {
		t.Logf("NOT PLAYED on DeSmuME: %v", err)
	}
	return cores
}

// played plays some frames of a game and returns what the console is like then.
func played(t *testing.T, core emucore.Core, game *emucore.ROM) string {
	t.Helper()
	c, err := emucore.Start(t.Context(), emucore.Config{Core: core, ROM: game, RTC: madeAt})
	must.Succeed(t, err)
	defer c.Close()
	_, err = c.Skip(emucore.Input{}, 20)
	must.Succeed(t, err)
	h, err := c.Hash()
	must.Succeed(t, err)
	return fmt.Sprint(h)
}

// TestSavesOnCores: each form of save, made as long as the chip that a core finds in the cartridge, is what the cartridge
// holds in a console of that core.
func TestSavesOnCores(t *testing.T) {
	game := rom(t, romstest.Save)
	for name, core := range realCores(t) {
		chip, err := emucore.FindChip(t.Context(), emucore.Config{Core: core, ROM: game, RTC: madeAt})
		if err != nil || !chip.Known || chip.Min != 8<<10 {
			t.Errorf("%s: the chip is %+v, %v", name, chip, err)
			continue
		}
		seen := map[string]bool{}
		for _, f := range saveFiles(t) {
			path := filepath.Join(t.TempDir(), "file")
			must.Succeed(t, os.WriteFile(path, f.file, 0o600))
			in, err := saves.ReadImport(path, chip)
			if err != nil || in.Loses != "" || seen[string(in.SRAM)] {
				continue // it is in the table of docs/saves.md
			}
			seen[string(in.SRAM)] = true
			sram, err := savefile.Fit(in.SRAM, chip)
			must.Succeed(t, err)
			c, err := emucore.Start(t.Context(), emucore.Config{Core: core, ROM: game, RTC: madeAt, SRAM: sram})
			must.Succeed(t, err)
			got, err := c.SRAM()
			if err != nil || !bytes.Equal(got, sram) && !(savefile.Blank(sram) && savefile.Blank(got)) {
				t.Errorf("%s, %s: the cartridge holds %d bytes, %v", name, f.name, len(got), err)
			}
			must.Succeed(t, c.Close())
		}
	}
}
