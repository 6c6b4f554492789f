package corestore

import (
	"bytes"
	"debug/elf"
	"debug/pe"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// kept puts a build into a store without fetching it.
func kept(t *testing.T, s *Store, name, version string, d int, text string) Build {
	t.Helper()
	w, err := s.open()
	must.Succeed(t, err)
	defer w.close()
	must.Succeed(t, os.WriteFile(filepath.Join(w.dir, name+librarySuffix), []byte(text), 0o600))
	b := Build{
		Name: name, Fetched: date(22).Add(time.Duration(d) * time.Second),
		Origin: Origin{Source: releases.String(), URL: "https://github.com/a", Version: version, Date: date(d), CRC32: uint32(d)},
	}
	b.Core.Name, b.Core.Version, b.Core.Size, b.Core.Wireless = "Test "+name, version, int64(len(text)), true
	copy(b.Core.SHA256[:], text)
	b, err = s.keep(w, b)
	must.Succeed(t, err)
	return b
}

// names lists what is in a store's folder, hidden files too.
func names(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(s.dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(s.dir, path); rel != "." && !(runtime.GOOS == "windows" && strings.HasSuffix(rel, ".lock")) { // which stay there
			all = append(all, rel)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

// TestSeveralBuilds: builds of one core lie side by side, the newest first; each is found by its
// hash and by its path, and removed alone.
func TestSeveralBuilds(t *testing.T) {
	s := Open(filepath.Join(t.TempDir(), "a", "cores"))
	if all, err := s.List(); len(all) > 0 || err != nil {
		t.Fatalf("nothing is kept: %v, %v", all, err)
	}
	old := kept(t, s, "melondsds", "1.2.0", 1, "old")
	desmume := kept(t, s, "desmume", "", 5, "desmume")
	young := kept(t, s, "melondsds", "1.10.0", 2, "young")
	all, err := s.List()
	if want := []Build{desmume, young, old}; err != nil || !reflect.DeepEqual(all, want) {
		t.Fatalf("kept are %+v, %v", all, err)
	}
	for _, b := range all {
		if got, ok := s.ByHash(b.Core.SHA256); !ok || got != b {
			t.Errorf("by hash: %+v", got)
		}
		if got, ok := s.Owns(b.Core.Path); !ok || got != b {
			t.Errorf("by path: %+v", got)
		}
	}
	if got := s.Folders(); !reflect.DeepEqual(got, []string{filepath.Dir(desmume.Core.Path), filepath.Dir(young.Core.Path), filepath.Dir(old.Core.Path)}) {
		t.Errorf("folders are %v", got)
	}
	must.Succeed(t, s.Remove(young))
	if all, _ := s.List(); !reflect.DeepEqual(all, []Build{desmume, old}) {
		t.Errorf("left are %+v", all)
	}
	var f *Failure
	if err := s.Remove(young); !errors.As(err, &f) || f.Reason != NotKept {
		t.Errorf("removed twice: %v", err)
	}
	must.Succeed(t, s.Remove(old))
	must.Succeed(t, s.Remove(desmume))
	if left := names(t, s); left != "" {
		t.Errorf("left behind:\n%s", left)
	}
}

// TestRemoveOnlyItsOwn: whatever a caller hands in, files outside of the store stay.
func TestRemoveOnlyItsOwn(t *testing.T) {
	dir := t.TempDir()
	s := Open(filepath.Join(dir, "cores"))
	b := kept(t, s, "melondsds", "1", 1, "x")
	other := filepath.Join(dir, "melondsds"+librarySuffix)
	must.Succeed(t, os.WriteFile(other, nil, 0o600))
	for name, change := range map[string]func(b *Build){
		"a core of the system": func(b *Build) { b.Core.Path = other },
		"a name that is a way": func(b *Build) { b.Name, b.Core.Path = "..", filepath.Join(dir, "x") },
		"no name":              func(b *Build) { b.Name = "" },
		"another hash":         func(b *Build) { b.Core.SHA256[0]++ },
	} {
		c := b
		change(&c)
		var f *Failure
		if err := s.Remove(c); !errors.As(err, &f) || f.Reason != NotKept || f.Advice() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
	if got, ok := s.ByHash(b.Core.SHA256); !ok || got != b {
		t.Error("the build is gone")
	}
}

// TestListLeavesOutWhatIsNotWhole: no file that somebody put there, and no half build, is taken for one.
func TestListLeavesOutWhatIsNotWhole(t *testing.T) {
	for name, spoil := range map[string]func(dir string, b Build) error{
		"no record": func(dir string, b Build) error { return os.Remove(filepath.Join(dir, recordName)) },
		"damaged record": func(dir string, b Build) error {
			return os.WriteFile(filepath.Join(dir, recordName), []byte("{"), 0o600)
		},
		"no library":       func(dir string, b Build) error { return os.Remove(b.Core.Path) },
		"a shorter one":    func(dir string, b Build) error { return os.Truncate(b.Core.Path, 1) },
		"another's folder": func(dir string, b Build) error { return os.Rename(dir, dir[:len(dir)-2]+"ff") },
		"a link": func(dir string, b Build) error {
			return errors.Join(os.Rename(b.Core.Path, b.Core.Path+"x"), os.Symlink(b.Core.Path+"x", b.Core.Path))
		},
	} {
		s := Open(t.TempDir())
		b := kept(t, s, "melondsds", "1", 1, "text")
		must.Succeed(t, spoil(filepath.Dir(b.Core.Path), b))
		if all, err := s.List(); len(all) > 0 || err != nil {
			t.Errorf("%s: %+v, %v", name, all, err)
		}
	}
}

// TestDamagedIsReplaced: a build that is kept again repairs one whose library has changed.
func TestDamagedIsReplaced(t *testing.T) {
	s := Open(t.TempDir())
	b := kept(t, s, "melondsds", "1", 1, "text")
	must.Succeed(t, os.WriteFile(b.Core.Path, []byte("tExt"), 0o600))
	kept(t, s, "melondsds", "1", 1, "text")
	if text, err := os.ReadFile(b.Core.Path); err != nil || string(text) != "text" {
		t.Errorf("the library is %q, %v", text, err)
	}
	if n := strings.Count(names(t, s), unfinished); n > 0 {
		t.Errorf("left behind:\n%s", names(t, s))
	}
}

// TestSweep: what a killed program was getting goes with the next get; what another program is
// getting at the time stays.
func TestSweep(t *testing.T) {
	s := Open(t.TempDir())
	dead := filepath.Join(s.dir, unfinished+"dead")
	must.Succeed(t, os.MkdirAll(dead, 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(dead, "melondsds"+librarySuffix), []byte("half"), 0o600))
	alive, err := s.open()
	must.Succeed(t, err)
	second, err := s.open()
	must.Succeed(t, err)
	if got := names(t, s); got != filepath.Base(min(alive.dir, second.dir))+"\n"+filepath.Base(max(alive.dir, second.dir)) {
		t.Errorf("in the store are\n%s", got)
	}
	alive.close()
	second.close()
	if got := names(t, s); got != "" {
		t.Errorf("left behind:\n%s", got)
	}
}

func TestDiskFailures(t *testing.T) {
	for why, err := range map[string]error{
		"the disk is full":         &os.PathError{Op: "write", Path: "/x", Err: diskFull},
		"/cores cannot be written": &os.PathError{Op: "mkdir", Path: "/x", Err: readOnly},
	} {
		var f *Failure
		if err := diskFailure("getting it", "/cores", err); !errors.As(err, &f) || f.Reason != Disk || f.Why != why || f.Advice() == "" {
			t.Errorf("%v, want %q", err, why)
		}
	}
}

func TestRecord(t *testing.T) {
	sum := strings.Repeat("9f", 32)
	golden := `{
  "format": 1,
  "core": "melonDS DS",
  "version": "1.2.0",
  "wireless": true,
  "sha256": "` + sum + `",
  "size": 9437184,
  "source": "github-releases https://api.github.com/repos/JesseTG/melonds-ds/releases",
  "url": "https://github.com/a.zip",
  "release": "1.2.0",
  "date": "2026-11-20",
  "crc32": "0000abcd",
  "fetched": "2026-11-22T08:00:00Z"
}
`
	b, err := decodeRecord([]byte(golden))
	must.Succeed(t, err)
	if again, err := encodeRecord(b); err != nil || string(again) != golden {
		t.Errorf("written again it is\n%s, %v", again, err)
	}
	if b.Core.Name != "melonDS DS" || !b.Core.Wireless || hex.EncodeToString(b.Core.SHA256[:]) != sum || b.Origin.CRC32 != 0xabcd || !b.Origin.Date.Equal(date(20)) {
		t.Errorf("read %+v", b)
	}
	for change, want := range map[[2]string]string{
		{`"format": 1`, `"format": 2`}:                    "format 2 is not known",
		{`"melonDS DS"`, `""`}:                            "core is empty",
		{`"melonDS DS"`, `"a\u001b[31m"`}:                 "core has the letter U+001B",
		{`"1.2.0"`, `"` + strings.Repeat("x", 513) + `"`}: "version has more than 512 letters",
		{`9437184`, `0`}:                                  "size 0 is out of range",
		{`9437184`, `-5`}:                                 "size -5 is out of range",
		{sum, "9f"}:                                       "sha256 has 2 digits",
		{`"2026-11-20"`, `"20.11."`}:                      `"20.11." is not a date`,
		{`"0000abcd"`, `"abcd"`}:                          `crc32 "abcd" is not 8 digits`,
		{`{`, strings.Repeat(" ", maxRecord) + `{`}:       "bytes are too many",
	} {
		if _, err := decodeRecord([]byte(strings.Replace(golden, change[0], change[1], 1))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q for %q: %v, want %q", change[1], change[0], err, want)
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add([]byte(`{"format":1,"core":"a","sha256":"` + strings.Repeat("00", 32) + `","size":1,"fetched":"2026-11-22T08:00:00Z"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := decodeRecord(text)
		if err != nil {
			return
		}
		written, err := encodeRecord(b)
		if err != nil {
			return // a year beyond 9999
		}
		again, err := decodeRecord(written)
		if err != nil || again.Core != b.Core || again.Origin != b.Origin {
			t.Errorf("%+v is written and read as %+v, %v", b, again, err)
		}
	})
}

// TestMachines: each system takes libraries of its own kind, for its own processor.
func TestMachines(t *testing.T) {
	program := smallFor(Platform{"windows", "amd64"})
	binary.LittleEndian.PutUint16(program[86:], 0)
	narrow := smallFor(Platform{"linux", "amd64"})
	narrow[4] = byte(elf.ELFCLASS32)
	object := binary.LittleEndian.AppendUint16(nil, pe.IMAGE_FILE_MACHINE_AMD64)
	for _, c := range []struct {
		at   Platform
		file []byte
		want Reason
		ok   bool
	}{
		{Platform{"linux", "amd64"}, smallFor(Platform{"linux", "amd64"}), 0, true},
		{Platform{"windows", "amd64"}, smallFor(Platform{"windows", "amd64"}), 0, true},
		{Platform{"linux", "amd64"}, smallFor(Platform{"windows", "amd64"}), NotACore, false},
		{Platform{"windows", "amd64"}, smallFor(Platform{"linux", "amd64"}), NotACore, false},
		{Platform{"windows", "amd64"}, smallFor(Platform{"windows", "arm64"}), WrongMachine, false},
		{Platform{"linux", "arm64"}, smallFor(Platform{"linux", "amd64"}), WrongMachine, false},
		{Platform{"linux", "amd64"}, narrow, WrongMachine, false},
		{Platform{"windows", "amd64"}, program, NotACore, false},
		{Platform{"windows", "amd64"}, append(object, make([]byte, 100)...), NotACore, false},
		{Platform{"windows", "amd64"}, []byte("M"), NotACore, false},
	} {
		if got, err := c.at.check(bytes.NewReader(c.file)); (err == nil) != c.ok || got != c.want {
			t.Errorf("%v, %.4q: %v, %v", c.at, c.file, got, err)
		}
	}
}
