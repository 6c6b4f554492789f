package emucore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// backup is what a cartridge of 8 KB might hold.
func backup() []byte {
	b := make([]byte, 8192)
	for i := range b {
		b[i] = byte(i * 7)
	}
	return b
}

// TestSRAMInMemory: backup memory is there before the first frame, changes with
// the game, and comes out again.
func TestSRAMInMemory(t *testing.T) {
	cfg := worldConfig(t)
	cfg.SRAM = backup()
	c, err := Start(t.Context(), cfg)
	must.Succeed(t, err)
	defer c.Close()
	got, err := c.SRAM()
	if err != nil || !bytes.Equal(got, backup()) {
		t.Errorf("before the first frame: %d bytes, %v", len(got), err)
	}
	before, err := c.Hash()
	if err != nil || before.SRAM == 0 {
		t.Errorf("%+v, %v", before, err)
	}
	stepWith(t, c, 0, 6)
	after, err := c.SRAM()
	want := backup()
	want[0] = 5
	if err != nil || !bytes.Equal(after, want) {
		t.Errorf("after six frames: %d bytes, the first %d, %v", len(after), after[0], err)
	}
	if !bytes.Equal(got, backup()) {
		t.Error("what was returned first has changed")
	}
	if h, err := c.Hash(); err != nil || h.SRAM == before.SRAM {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestSRAMMustFit: a save of another size is of another game.
func TestSRAMMustFit(t *testing.T) {
	for _, n := range []int{1, 8191, 8193, sramMax + 1} {
		checkLeaks(t)
		cfg := worldConfig(t)
		cfg.SRAM = make([]byte, n)
		_, err := Start(t.Context(), cfg)
		var start *StartError
		if err == nil || n <= sramMax && !errors.As(err, &start) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	cfg := worldConfig(t)
	cfg.Core = needDesmume(t)
	cfg.TestOptions = nil
	cfg.SRAM = make([]byte, sramMax+1)
	if _, err := Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "save") {
		t.Error(err)
	}
}

// TestSRAMInAFile: a core that keeps a save file has it as long as it lives,
// although the file has no name any more, also when it opens it again.
func TestSRAMInAFile(t *testing.T) {
	checkLeaks(t)
	core := needDesmume(t)
	c := startCore(t, core, func(cfg *Config) { cfg.SRAM = backup() })
	check := func(when string) {
		t.Helper()
		if got, err := c.SRAM(); err != nil || !bytes.Equal(got, backup()) {
			t.Errorf("%s: %d bytes, %v", when, len(got), err)
		}
		if h, err := c.Hash(); err != nil || h.SRAM != hashOf(backup()) {
			t.Errorf("%s: %+v, %v", when, h, err)
		}
	}
	check("before the first frame")
	stepWith(t, c, 0, 60)
	check("after a second")
	s, err := c.Save()
	must.Succeed(t, err)
	for range 50 { // as many descriptors as it may have, if it forgot to close them
		must.Succeed(t, c.Load(s))
	}
	check("after loading")
	stepWith(t, c, 0, 60)
	check("at the end")
	c.Close()
	if leftovers().dirs != 0 {
		t.Error("a directory is left")
	}
}

// saver starts save.nds with a save, and runs it until it takes keys.
func saver(t *testing.T, core Core, sram []byte) *Console {
	t.Helper()
	path := filepath.Join(t.TempDir(), "save.nds")
	must.Succeed(t, os.WriteFile(path, romstest.Save, 0o600))
	rom, err := OpenROM(path)
	must.Succeed(t, err)
	c := startCore(t, core, func(cfg *Config) { cfg.ROM, cfg.SRAM = rom, sram })
	stepWith(t, c, 0, 90)
	return c
}

// tap presses and releases a key n times.
func tap(t *testing.T, c *Console, n int) {
	t.Helper()
	for range n {
		stepWith(t, c, inputdelay.KeyA, 6)
		stepWith(t, c, 0, 6)
	}
}

// steps reads how many steps save.nds has in the backup memory of a console.
func steps(t *testing.T, c *Console) uint32 {
	t.Helper()
	sram, err := c.SRAM()
	must.Succeed(t, err)
	log, err := romstest.ReadSave(sram)
	must.Succeed(t, err)
	return log.Steps
}

// TestGameSaves: what a game writes comes out, goes into another console, and
// goes on there.
func TestGameSaves(t *testing.T) { onCores(t, gameSaves) }

func gameSaves(t *testing.T, core Core) {
	checkLeaks(t)
	a := saver(t, core, nil)
	tap(t, a, 3)
	if n := steps(t, a); n != 3 {
		t.Fatalf("%d steps", n)
	}
	sram, err := a.SRAM()
	must.Succeed(t, err)
	a.Close()

	b := saver(t, core, sram)
	if n := steps(t, b); n != 3 {
		t.Errorf("in another console: %d steps", n)
	}
	tap(t, b, 2)
	if n := steps(t, b); n != 5 {
		t.Errorf("and two more: %d steps", n)
	}
	b.Close()
}

// TestSavesGoWithTheState: backup memory is part of a state. A console with
// another save that loads it has the state's, and so has the one that has
// written more since.
func TestSavesGoWithTheState(t *testing.T) { onCores(t, savesGoWithTheState) }

func savesGoWithTheState(t *testing.T, core Core) {
	a := saver(t, core, nil)
	tap(t, a, 3)
	s, err := a.Save()
	must.Succeed(t, err)
	sram, err := a.SRAM()
	must.Succeed(t, err)
	tap(t, a, 1)
	for name, c := range map[string]*Console{"the same": a, "a blank": saver(t, core, nil), "another": saver(t, core, sram)} {
		must.Succeed(t, c.Load(s))
		if n := steps(t, c); n != 3 {
			t.Errorf("%s console has %d steps", name, n)
		}
		tap(t, c, 2)
		if n := steps(t, c); n != 5 {
			t.Errorf("%s console has %d steps after two more", name, n)
		}
	}
}

// TestFindChip: what a core knows of the cartridge's chip, from its list of games or from how the
// game uses it.
func TestFindChip(t *testing.T) { onCores(t, findChip) }

func findChip(t *testing.T, core Core) {
	checkLeaks(t)
	find := func(data []byte) savefile.Chip {
		path := filepath.Join(t.TempDir(), "game.nds")
		must.Succeed(t, os.WriteFile(path, data, 0o600))
		rom, err := OpenROM(path)
		must.Succeed(t, err)
		chip, err := FindChip(t.Context(), Config{Core: core, ROM: rom, RTC: 1_000_000_000})
		must.Succeed(t, err)
		return chip
	}
	with, without := find(romstest.Save), find(romstest.Pad)
	if core.Name == "DeSmuME" {
		if want := (savefile.Chip{Known: true, Min: 8 << 10, Max: 64 << 10}); with != want || without.Known {
			t.Errorf("%+v, and %+v for a game that does not save", with, without)
		}
		return
	}
	if with != savefile.Of(8<<10) || !without.None() {
		t.Errorf("%+v, and %+v for a game that does not save", with, without)
	}
}

// TestSavesOfAnyLength: with what FindChip says, a flash card's save of 512 KB is read by the game,
// and so is one whose erased end was cut off.
func TestSavesOfAnyLength(t *testing.T) { onCores(t, savesOfAnyLength) }

func savesOfAnyLength(t *testing.T, core Core) {
	checkLeaks(t)
	a := saver(t, core, nil)
	tap(t, a, 3)
	sram, err := a.SRAM()
	must.Succeed(t, err)
	chip, err := a.Chip()
	must.Succeed(t, err)
	a.Close()
	for name, save := range map[string][]byte{
		"a flash card's": append(bytes.Clone(sram), bytes.Repeat([]byte{0xff}, 512<<10-len(sram))...),
		"a dumper's":     bytes.TrimRight(sram, "\xff"),
		"as it is":       sram,
	} {
		image, err := savefile.Fit(save, chip)
		must.Succeed(t, err)
		b := saver(t, core, image)
		tap(t, b, 1)
		if n := steps(t, b); n != 4 {
			t.Errorf("%s: %d steps", name, n)
		}
		b.Close()
	}
}
