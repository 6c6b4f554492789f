package saves

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestImportAsks: what does not look like a save of the game is taken only when the player is sure. What a core said of
// the chip counts; before any was asked, the length of what the game has left.
func TestImportAsks(t *testing.T) {
	fresh, played, asked := t.TempDir(), t.TempDir(), t.TempDir()
	s, err := Open(played, padGame, Options{})
	must.Succeed(t, err)
	p, err := s.Prepare(60, bytes.Repeat([]byte{1, 0}, 4<<10), About{})
	must.Succeed(t, err)
	must.Succeed(t, p.Commit())
	must.Succeed(t, s.Close())
	OpenChips(asked).Put(padGame.SHA256, [32]byte{9}, savefile.Of(8<<10))

	random := bytes.Repeat([]byte{3, 1, 4, 1, 5}, 4000)
	for name, c := range map[string]struct {
		dir   string
		file  []byte
		asks  string // what the question says; "" for none
		bytes int    // that are taken in the end
	}{
		"too much, a core said so":      {asked, random, "20000 bytes, with data beyond the 8 KB", 20000},
		"too much, by what was played":  {played, random, "20000 bytes, with data beyond the 8 KB", 20000},
		"too much, nobody knows":        {fresh, random, "", 20000},
		"blank behind, by what is here": {played, erasedTo(bytes.Repeat([]byte{3}, 8<<10), 512<<10), "", 512 << 10},
		"a short text":                  {asked, []byte("rubbish\n"), "no cartridge holds less", 8 << 10},
		"a few bytes":                   {fresh, []byte{1, 2, 3}, "3 bytes, and no cartridge holds less than 512", 3},
		"a whole save":                  {played, bytes.Repeat([]byte{3}, 8<<10), "", 8 << 10},
	} {
		path := filepath.Join(t.TempDir(), "file.sav")
		must.Succeed(t, os.WriteFile(path, c.file, 0o600))
		in, err := ImportFor(c.dir, path, padGame.SHA256)
		must.Succeed(t, err)
		if (in.Loses != "") != (c.asks != "") || !strings.Contains(in.Loses, c.asks) {
			t.Errorf("%s: the question is %q", name, in.Loses)
		}
		if len(in.SRAM) != c.bytes {
			t.Errorf("%s: %d bytes are taken", name, len(in.SRAM))
		}
	}
}

// erasedTo fills a save up as flash cards do.
func erasedTo(b []byte, n int) []byte {
	return append(b, bytes.Repeat([]byte{0xff}, n-len(b))...)
}

// A blank cartridge is no save: it is not kept where there is none, and where an earlier version kept
// one, no game starts from it.
func TestBlankIsNoSave(t *testing.T) {
	for _, fill := range []byte{0, 0xff} {
		dir := memory(t)
		blank := bytes.Repeat([]byte{fill}, testSize)
		s := open(t, dir, Options{})
		commit := func() {
			t.Helper()
			p, err := s.Prepare(60, blank, About{})
			must.Succeed(t, err)
			must.Succeed(t, p.Commit())
		}
		commit()
		if list := must2(t, s); len(list) != 0 {
			t.Errorf("%x: a blank cartridge was kept: %+v", fill, list)
		}
		must.Succeed(t, s.disk.write(s.dir, 1, extCommitted, blank, s.meta(blank, Played, "")))
		commit()
		if n := current(t, s); n != 0 {
			t.Errorf("%x: a game would start from %d", fill, n)
		}
		list := must2(t, s)
		if len(list) != 1 || list[0].Current || !list[0].Blank {
			t.Errorf("%x: %+v", fill, list)
		}
		if k, err := Peek(dir, padGame, Options{}); err != nil || k.Current() != nil {
			t.Errorf("%x: %+v, %v", fill, k.Current(), err)
		}

		// A game that erases what was there has done something.
		save(t, s, 2)
		commit()
		if n := current(t, s); n != 0 {
			t.Errorf("%x: a game would start from %d after it was erased", fill, n)
		}
		must.Succeed(t, s.Restore(2))
		if n := current(t, s); n != 2 {
			t.Errorf("%x: restored is %d", fill, n)
		}
	}
}

func must2(t *testing.T, s *Store) []Save {
	t.Helper()
	list, err := listOf(s.dir, blankSums{})
	must.Succeed(t, err)
	return list
}

// What is deleted is among the older ones, and can be restored.
func TestDelete(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	if err := s.Delete(); !errors.Is(err, ErrNoSave) {
		t.Errorf("deleting nothing: %v", err)
	}
	save(t, s, 1)
	must.Succeed(t, s.Delete())
	if n := current(t, s); n != 0 {
		t.Errorf("a game would start from %d", n)
	}
	list := must2(t, s)
	if len(list) != 2 || list[0].Origin != Deleted || list[0].Current || list[1].Current {
		t.Errorf("%+v", list)
	}
	if err := s.Delete(); !errors.Is(err, ErrNoSave) {
		t.Errorf("deleting it twice: %v", err)
	}
	s.Close()
	s = open(t, dir, Options{})
	must.Succeed(t, s.Restore(1))
	if n := current(t, s); n != 1 {
		t.Errorf("restored is %d", n)
	}
}

func TestDeleteInANamedFile(t *testing.T) {
	dir, file := playerFile(t, "ann.sav")
	must.Succeed(t, os.WriteFile(file, sram(1), 0o600))
	s := open(t, dir, Options{File: file})
	must.Succeed(t, s.Delete())
	if b := must.Read(t, file); !savefile.Blank(b) || len(b) != testSize {
		t.Errorf("the file has %d bytes", len(b))
	}
	if n := which(t, must.Read(t, file+".bak")); n != 1 {
		t.Errorf("the file before is save %d", n)
	}
	for range 2 {
		if n := current(t, s); n != 0 {
			t.Errorf("a game would start from %d", n)
		}
		s.Close()
		s = open(t, dir, Options{File: file})
	}
	must.Succeed(t, s.Restore(1))
	wantFile(t, file, 1)
}

// What cores said of chips is remembered for the game and the core, and what is damaged in the file is
// asked once more.
func TestChips(t *testing.T) {
	dir := filepath.Join(memory(t), "saves")
	game, other, melon, desmume := [32]byte{1}, [32]byte{2}, [32]byte{3}, [32]byte{4}
	class := savefile.Chip{Known: true, Min: 8 << 10, Max: 64 << 10}
	c := OpenChips(dir)
	c.Put(game, desmume, class)
	c.Put(game, melon, savefile.Of(8<<10))
	c.Put(other, melon, savefile.Of(0))
	c.Put(other, desmume, savefile.Chip{})
	for range 2 {
		if c.Get(game, desmume) != class || c.Get(game, melon) != savefile.Of(8<<10) || c.Of(game) != savefile.Of(8<<10) {
			t.Errorf("%+v, %+v, %+v", c.Get(game, desmume), c.Get(game, melon), c.Of(game))
		}
		if !c.Get(other, melon).None() || c.Of(other).Known || !c.Asked(other, desmume) || c.Get(other, desmume).Known || c.Asked([32]byte{9}, melon) {
			t.Errorf("%+v, %+v", c.Get(other, melon), c.Of(other))
		}
		c = OpenChips(dir)
	}
	if all, err := All(dir); err != nil || len(all) != 0 {
		t.Errorf("it was taken for saves: %v, %v", all, err)
	}
	path := filepath.Join(dir, chipsName)
	text := string(must.Read(t, path))
	for name, damaged := range map[string]string{
		"another version": strings.Replace(text, "chips 1", "chips 2", 1),
		"a size":          strings.ReplaceAll(strings.ReplaceAll(text, "8192", "8193"), " 0 0", " 0 1"),
		"cut":             text[:100],
		"junk":            strings.ReplaceAll(text, "0", "zz"),
	} {
		must.Succeed(t, os.WriteFile(path, []byte(damaged), 0o600))
		c := OpenChips(dir)
		if c.Get(game, melon).Known || c.Of(game).Known {
			t.Errorf("%s: %+v", name, c.known)
		}
		c.Put(game, melon, savefile.Of(512))
		if OpenChips(dir).Get(game, melon) != savefile.Of(512) {
			t.Errorf("%s: nothing is remembered after it", name)
		}
	}
	nowhere := OpenChips("")
	nowhere.Put(game, melon, class)
	if nowhere.Get(game, melon) != class {
		t.Error("nothing is remembered without a folder")
	}
}

func FuzzChips(f *testing.F) {
	f.Add([]byte("nettplay chips 1\n" + strings.Repeat("01", 32) + " " + strings.Repeat("02", 32) + " 512 512\n"))
	f.Add([]byte("nettplay chips 1\n" + strings.Repeat("01", 32) + " " + strings.Repeat("02", 32) + " -1 -1\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		list := decodeChips(b)
		again := decodeChips(encodeChips(list))
		if len(again) != len(list) {
			t.Fatalf("%d became %d", len(list), len(again))
		}
		for i := range list {
			if !list[i].chip.Valid() || list[i] != again[i] {
				t.Fatalf("%+v", list[i])
			}
		}
	})
}

// Reading a flash card's save, making it fit and writing it to the disk is done before anybody notices.
func BenchmarkImport(b *testing.B) {
	dir := b.TempDir()
	s, err := Open(dir, padGame, Options{})
	must.Succeed(b, err)
	defer s.Close()
	path := filepath.Join(b.TempDir(), "card.sav")
	save := bytes.Repeat([]byte{1, 2, 3, 4}, 128<<10)
	for n := 0; b.Loop(); n++ {
		save[0]++
		save[1] = byte(n >> 8)
		must.Succeed(b, os.WriteFile(path, save, 0o600))
		in, err := ReadImport(path, savefile.Of(512<<10))
		must.Succeed(b, err)
		must.Succeed(b, s.Import(in.SRAM, path))
	}
}
