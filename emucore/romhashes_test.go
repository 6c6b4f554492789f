package emucore

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// keeping is a new library, as after another start, that keeps the hashes in a file.
func keeping(file, dir string) *Library {
	l := NewLibrary([]string{dir})
	l.KeepHashes(file)
	l.hashes.rest = 0 // the files of a test are new
	return l
}

// sums are the hashes that a library gives its ROMs, by title.
func sums(t *testing.T, l *Library) map[string][32]byte {
	t.Helper()
	roms, err := l.List(t.Context())
	must.Succeed(t, err)
	all := map[string][32]byte{}
	for _, r := range roms {
		all[r.Title] = r.SHA256
	}
	return all
}

// TestHashesAreKept: the next start does not read a ROM again, unless its file has become
// another in any way.
func TestHashesAreKept(t *testing.T) {
	must.HaveLinux(t, "the time at which a file last changed in any way")
	a, b := makeROM("AAA", nil), makeROM("BBB", nil)
	dir, file := romTree(t, map[string][]byte{"a.nds": a, "b.nds": b}), filepath.Join(t.TempDir(), "cache", "rom-hashes")
	sums(t, keeping(file, dir))
	kept := must.Read(t, file)
	list, err := decodeHashes(kept)
	if err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for i := range list {
		list[i].contents.sum = [32]byte{byte(i + 1)} // by which one sees that the ROMs are not read
	}
	changed, err := encodeHashes(list)
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(file, changed, 0o600))
	if got := sums(t, keeping(file, dir)); got["AAA"] != ([32]byte{1}) || got["BBB"] != ([32]byte{2}) {
		t.Errorf("the ROMs were read again: %x", got)
	}
	// Another file of the same name, size and time.
	path := filepath.Join(dir, "b.nds")
	st, err := os.Stat(path)
	must.Succeed(t, err)
	other := bytes.Clone(b)
	other[len(other)-1] ^= 1
	must.Succeed(t, os.WriteFile(path, other, 0o644))
	must.Succeed(t, os.Chtimes(path, st.ModTime(), st.ModTime()))
	if got := sums(t, keeping(file, dir)); got["AAA"] != ([32]byte{1}) || got["BBB"] != sha256.Sum256(imageBytes(other)) {
		t.Errorf("after a change: %x", got)
	}
	must.Succeed(t, os.Remove(path))
	if got := sums(t, keeping(file, dir)); len(got) != 1 {
		t.Errorf("a ROM that is gone is there: %x", got)
	}
}

// A file that was written a moment ago may change again and look the same.
func TestNewFilesAreReadAgain(t *testing.T) {
	dir, file := romTree(t, map[string][]byte{"a.nds": makeROM("AAA", nil)}), filepath.Join(t.TempDir(), "rom-hashes")
	l := NewLibrary([]string{dir})
	l.KeepHashes(file)
	l.hashes.rest = 1 << 60
	sums(t, l)
	if _, err := os.Stat(file); err == nil {
		t.Error("the hash of a new file is kept")
	}
}

// TestHostileHashes: whatever there is in place of the hashes, ROMs are found.
func TestHostileHashes(t *testing.T) {
	rom := makeROM("AAA", nil)
	dir := romTree(t, map[string][]byte{"a.nds": rom})
	good := filepath.Join(t.TempDir(), "rom-hashes")
	sums(t, keeping(good, dir))
	b := must.Read(t, good)
	for name, b := range map[string][]byte{
		"nothing": {}, "cut off": b[:len(b)-1], "more": append(slices.Clone(b), 0), "another version": []byte("npromhash\x01"),
		"a long list": append([]byte(hashesMagic), 0xFF, 0xFF, 0x7F), "a long path": append([]byte(hashesMagic), 1, 0xFF, 0x7F),
	} {
		file := filepath.Join(t.TempDir(), "rom-hashes")
		must.Succeed(t, os.WriteFile(file, b, 0o600))
		if got := sums(t, keeping(file, dir)); got["AAA"] != sha256.Sum256(imageBytes(rom)) {
			t.Errorf("%s: %x", name, got)
		}
	}
	pipe := filepath.Join(t.TempDir(), "rom-hashes")
	makePipe(t, pipe)
	for _, file := range []string{pipe, t.TempDir(), "/dev/zero", "/proc/none/rom-hashes"} {
		if got := sums(t, keeping(file, dir)); got["AAA"] != sha256.Sum256(imageBytes(rom)) {
			t.Errorf("%s: %x", file, got)
		}
	}
}

func FuzzDecodeHashes(f *testing.F) {
	b, err := encodeHashes([]romHash{{path: "/a.nds", file: romFile{1, 2, 3, 4}, contents: romContents{romImage{6, 7}, [32]byte{5}, [32]byte{8}}}, {path: "/b\xff.nds"}})
	must.Succeed(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := decodeHashes(b)
		if err != nil {
			return
		}
		if again, err := encodeHashes(list); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%x becomes %x, %v", b, again, err)
		}
	})
}

// TestTwoProgramsKeepHashes: what one of the player's programs has hashed the other one does not forget.
func TestTwoProgramsKeepHashes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hashes")
	for _, rom := range []string{"/roms/b.nds", "/roms/a.nds", "/roms/b.nds"} {
		b, err := encodeHashes([]romHash{{path: rom}})
		must.Succeed(t, err)
		writeHashes(path, b)
	}
	list, err := decodeHashes(must.Read(t, path))
	if err != nil || len(list) != 2 || list[0].path != "/roms/a.nds" || list[1].path != "/roms/b.nds" {
		t.Errorf("%+v, %v", list, err)
	}
}
