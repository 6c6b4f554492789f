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

// playerFile is a file that the player named, and the folder of all saves.
func playerFile(t *testing.T, name string) (dir, file string) {
	t.Helper()
	return memory(t), filepath.Join(memory(t), name)
}

func TestNamedFileIsTheSave(t *testing.T) {
	dir, file := playerFile(t, "ann.sav")
	s := open(t, dir, Options{File: file})
	if n := current(t, s); n != 0 {
		t.Errorf("a new file is save %d", n)
	}
	p := prepare(t, s, 1)
	if _, err := os.Stat(file); err == nil {
		t.Error("preparing wrote the file")
	}
	must.Succeed(t, p.Commit())
	if n := which(t, must.Read(t, file)); n != 1 {
		t.Errorf("the file is save %d", n)
	}
	if _, err := os.Stat(file + ".bak"); err == nil {
		t.Error("there is a .bak of nothing")
	}
	save(t, s, 2)
	if a, b := which(t, must.Read(t, file)), which(t, must.Read(t, file+".bak")); a != 2 || b != 1 {
		t.Errorf("the file is save %d, .bak %d", a, b)
	}
	wantList(t, s, "2* 1")
	if len(files(t, filepath.Dir(file))) != 2 {
		t.Errorf("beside it: %v", files(t, filepath.Dir(file)))
	}
	k, err := Peek(dir, Game{}, Options{File: file})
	if err != nil || k == nil || k.File != file || k.Game != padGame {
		t.Errorf("found as %+v, %v", k, err)
	}
}

func TestNamedFileThatEndsBadlyStaysAsItWas(t *testing.T) {
	must.HaveLinux(t, "the mode of a file")
	dir, file := playerFile(t, "ann.sav")
	must.Succeed(t, os.WriteFile(file, sram(1), 0o640))
	s := open(t, dir, Options{File: file})
	prepare(t, s, 2)
	s.Close()
	s = open(t, dir, Options{File: file})
	wantFile(t, file, 1)
	wantList(t, s, "2? 1*")
	must.Succeed(t, s.Restore(numberOf(t, s, 2)))
	wantFile(t, file, 2)
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o640 {
		t.Errorf("its mode is now %v", info.Mode())
	}
	wantList(t, s, "2* 1")
}

// TestSomebodyElseWritesTheFile: another emulator, or the player, also during the
// game. Nothing of it is lost.
func TestSomebodyElseWritesTheFile(t *testing.T) {
	dir, file := playerFile(t, "ann.sav")
	s := open(t, dir, Options{File: file})
	save(t, s, 1)
	s.Close()
	must.Succeed(t, os.WriteFile(file, sram(10), 0o600))
	s = open(t, dir, Options{File: file})
	if b, m, err := s.Current(); err != nil || which(t, b) != 10 || m.Origin != Found {
		t.Errorf("save %d, %+v, %v", which(t, b), m, err)
	}
	wantList(t, s, "10* 1")
	p := prepare(t, s, 11)
	must.Succeed(t, os.WriteFile(file, sram(8), 0o600))
	must.Succeed(t, p.Commit())
	wantFile(t, file, 11)
	wantList(t, s, "11* 8 10 1")
	if which(t, must.Read(t, file+".bak")) != 8 {
		t.Error(".bak is not what was there before")
	}

	must.Succeed(t, os.Remove(file))
	if n := current(t, s); n != 0 {
		t.Errorf("without the file a game would start from %d", n)
	}
	must.Succeed(t, prepare(t, s, 11).Commit())
	wantFile(t, file, 11)
	wantList(t, s, "11* 8 10 1")
	must.Succeed(t, os.Truncate(file, 0))
	if n := current(t, s); n != 0 {
		t.Errorf("with an empty file a game would start from %d", n)
	}
}

func TestNamedFileOfDeSmuME(t *testing.T) {
	dir, file := playerFile(t, "ann.DSV")
	b, err := savefile.Encode(savefile.FormOf(file), sram(1), "")
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(file, b, 0o600))
	s := open(t, dir, Options{File: file})
	if n := current(t, s); n != 1 {
		t.Errorf("a game would start from %d", n)
	}
	save(t, s, 2)
	b = must.Read(t, file)
	if !bytes.HasSuffix(b, []byte("|-DESMUME SAVE-|")) || which(t, b[:testSize]) != 2 {
		t.Errorf("the file has %d bytes and ends in %q", len(b), b[max(0, len(b)-20):])
	}
	s.Close()
	s = open(t, dir, Options{File: file})
	wantList(t, s, "2* 1")

	// One of no size that chips have is padded, and is the same save still.
	p, err := s.Prepare(0, bytes.Repeat([]byte{1}, 600), About{})
	must.Succeed(t, err)
	must.Succeed(t, p.Commit())
	for range 2 {
		s.Close()
		s = open(t, dir, Options{File: file})
	}
	if all, _ := listOf(s.dir, blankSums{}); len(all) != 3 || all[0].Size != 600 || !all[0].Current {
		t.Errorf("saves: %+v", all)
	}
}

// A file keeps the form that another program gave it, whatever its name says.
func TestNamedFileKeepsItsForm(t *testing.T) {
	for _, form := range savefile.Forms() {
		dir, file := playerFile(t, "ann.sav")
		big := append(sram(1), bytes.Repeat([]byte{0xff}, 512<<10-testSize)...)
		b, err := savefile.Encode(form, big, "Game")
		must.Succeed(t, err)
		must.Succeed(t, os.WriteFile(file, b, 0o600))
		s := open(t, dir, Options{File: file})
		if got, _, err := s.Current(); err != nil || !bytes.Equal(got, big) {
			t.Errorf("%v: a game would start from %d bytes, %v", form, len(got), err)
		}
		save(t, s, 2) // of the chip's length
		s.Close()
		s = open(t, dir, Options{File: file})
		got, err := savefile.Decode(must.Read(t, file))
		if form == savefile.FlashCard {
			form = savefile.Raw
		}
		if err != nil || got.Form != form || !bytes.HasPrefix(got.SRAM, sram(2)) {
			t.Errorf("%v became %v, %d bytes, %v", form, got.Form, len(got.SRAM), err)
		}
		if all, _ := listOf(s.dir, blankSums{}); len(all) != 2 {
			t.Errorf("%v: %d saves: it was taken for another one", form, len(all))
		}
	}
}

// TestOneFileByTwoNames: a link and a way around lead to the same saves.
func TestOneFileByTwoNames(t *testing.T) {
	must.HaveLinux(t, "symbolic links")
	dir, file := playerFile(t, "ann.sav")
	link := filepath.Join(memory(t), "link.sav")
	must.Succeed(t, os.Symlink(file, link))
	must.Succeed(t, os.WriteFile(file, sram(1), 0o600))
	s := open(t, dir, Options{File: file})
	for _, name := range []string{link, filepath.Join(filepath.Dir(file), "..", filepath.Base(filepath.Dir(file)), "ann.sav")} {
		if _, err := Open(dir, padGame, Options{File: name}); !errors.As(err, new(*InUseError)) {
			t.Errorf("opening it as %s: %v", name, err)
		}
	}
	s.Close()
	s = open(t, dir, Options{File: link})
	save(t, s, 2)
	wantFile(t, file, 2)
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
}

func TestNamedFileRefused(t *testing.T) {
	dir, file := playerFile(t, "ann.sav")
	folder := filepath.Join(filepath.Dir(file), "folder.sav")
	must.Succeed(t, os.Mkdir(folder, 0o700))
	zip := filepath.Join(filepath.Dir(file), "zip.sav")
	must.Succeed(t, os.WriteFile(zip, []byte("PK\x03\x04and so on"), 0o600))
	large := filepath.Join(filepath.Dir(file), "large.sav")
	must.Succeed(t, errors.Join(os.WriteFile(large, nil, 0o600), os.Truncate(large, 1<<40)))
	for path, want := range map[string]string{
		folder:                         "not a regular file",
		"/dev/zero":                    "not a regular file",
		filepath.Join(file, "ann.sav"): "ann.sav",
		filepath.Join(zip, "ann.sav"):  "ann.sav",
		zip:                            "zip archive",
		large:                          "larger than any",
		file[:len(file)-7] + strings.Repeat("x", 252): "too long",
	} {
		before := len(files(t, filepath.Dir(file)))
		if _, err := Open(dir, padGame, Options{File: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want an error with %q", path, err, want)
		}
		if after := len(files(t, filepath.Dir(file))); before != after {
			t.Errorf("%.80s: %d files became %d", path, before, after)
		}
	}
	if b := must.Read(t, zip); len(b) != 13 {
		t.Error("a file that is no save was changed")
	}
}
