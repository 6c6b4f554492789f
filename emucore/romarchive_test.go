package emucore

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// packed are an archive of each form.
func packed(files ...fixture.File) map[string][]byte {
	return map[string][]byte{"a.zip": fixture.Zip(files...), "a.7z": fixture.Seven(files...)}
}

// A game in an archive is the same game: its image is what it is in a file of its own, and what a worker gets.
func TestGameInArchive(t *testing.T) {
	const used = 0x12345
	full := dump(used, "")
	for dumped, data := range map[string][]byte{"full": full, "trimmed": full[:used], "padded": append(bytes.Clone(full), bytes.Repeat([]byte{0xff}, 1000)...)} {
		for name, b := range packed(fixture.File{Name: "notes.txt", Data: []byte("hello")}, fixture.File{Name: "in/Game (E).nds", Data: data}) {
			file := writeFile(t, name, b)
			for _, path := range []string{file, file + "/in/Game (E).nds", file + "#in/Game (E).nds", file + "/IN/game (e).NDS"} {
				r, err := OpenROM(path)
				must.Succeed(t, err)
				if r.SHA256 != sha256.Sum256(full) || r.FileSHA256 != sha256.Sum256(data) || r.Path != file+"/in/Game (E).nds" || r.Archive != file || r.Title != "GAME" {
					t.Errorf("%s in %s: %+v", dumped, name, r)
				}
				for _, r := range []*ROM{r, r.AsFile()} {
					f, err := r.open(t.Context())
					must.Succeed(t, err)
					all, err := io.ReadAll(io.NewSectionReader(f, 0, r.Size+1))
					if err != nil || sha256.Sum256(all) != r.SHA256 {
						t.Errorf("%s in %s: a worker gets %d bytes, %v", dumped, name, len(all), err)
					}
					if _, err := f.WriteAt([]byte{1}, 0); err == nil {
						t.Errorf("%s in %s: what a worker gets can be changed", dumped, name)
					}
					must.Succeed(t, f.Close())
				}
			}
		}
	}
}

// What is in an archive and cannot be played is said, by archive and name.
func TestArchiveRefused(t *testing.T) {
	game := func(name string) fixture.File { return fixture.File{Name: name, Data: makeROM(name, nil)} }
	huge := fixture.Zip(game("a.nds"))
	at := bytes.Index(huge, []byte("PK\x01\x02"))
	copy(huge[at+24:], "\x01\x00\x00\x20") // 512 MiB and a byte
	for _, tt := range []struct {
		b          []byte
		name, want string
	}{
		{fixture.Zip(fixture.File{Name: "a.txt"}), "", "there is no DS game (.nds) in it"},
		{fixture.Zip(fixture.File{Name: "b.rar"}), "", "but another archive, b.rar: unpack it"},
		{fixture.Zip(game("a.nds"), game("b.nds")), "", `2 games in it, a.nds, b.nds: name one of them, as in "x.zip/a.nds"`},
		{fixture.Zip(game("a.nds"), game("b.nds")), "/c.nds", "there is no c.nds in it, but a.nds, b.nds"},
		{fixture.Zip(fixture.File{Name: "a.nds", Data: []byte("hello")}), "", "x.zip/a.nds: not a DS ROM: 5 bytes"},
		{fixture.Zip(game("../a.nds")), "", "leads out of the archive"},
		{fixture.Zip(fixture.File{Name: "a.nds"}, fixture.File{Name: "b.nds"}), "", "none of the 2 games in it can be played; a.nds:"},
		{huge, "", "536870913 bytes are too many"},
		{makeROM("A", nil), "/a.nds", "it is no archive"},
	} {
		_, err := OpenROM(writeFile(t, "x.zip", tt.b) + tt.name)
		if _, is := errors.AsType[*NotROMError](err); !is || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "x.zip") {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// An archive that changed since is not played.
func TestChangedArchive(t *testing.T) {
	for name, b := range packed(fixture.File{Name: "a.nds", Data: makeROM("AAA", nil)}) {
		path := writeFile(t, name, b)
		r, err := OpenROM(path)
		must.Succeed(t, err)
		other := makeROM("AAA", nil)
		other[len(other)-1] = 9
		must.Succeed(t, os.WriteFile(path, packed(fixture.File{Name: "a.nds", Data: other})[name], 0o644))
		if _, err := r.open(t.Context()); !errors.Is(err, ErrROMChanged) {
			t.Errorf("%s: %v", name, err)
		}
		must.Succeed(t, os.WriteFile(path, packed(fixture.File{Name: "a.nds", Data: []byte("short")})[name], 0o644))
		if _, err := r.open(t.Context()); !errors.Is(err, ErrROMChanged) {
			t.Errorf("%s, shorter: %v", name, err)
		}
	}
}

// The consoles of a game share one image in memory, which goes with the last of them.
func TestSharedImage(t *testing.T) {
	r, err := OpenROM(writeFile(t, "a.zip", fixture.Zip(fixture.File{Name: "a.nds", Data: dump(0x12345, "")})))
	must.Succeed(t, err)
	var wg sync.WaitGroup
	files, errs := make([]*imageFile, 8), make([]error, 8)
	for i := range files {
		wg.Go(func() { files[i], errs[i] = r.open(t.Context()) })
	}
	wg.Wait()
	must.Succeed(t, errors.Join(errs...))
	shared := files[0].File
	for _, f := range files {
		if f.File != shared {
			t.Error("a console has an image of its own")
		}
	}
	for _, f := range files[1:] {
		must.Succeed(t, f.Close())
		must.Succeed(t, f.Close())
	}
	if _, err := shared.Stat(); err != nil {
		t.Errorf("the image is gone while a console has it: %v", err)
	}
	must.Succeed(t, files[0].Close())
	if _, err := shared.Stat(); err == nil || len(images.by) != 0 {
		t.Errorf("the image is still there: %v", images.by)
	}
}

// A library lists the games in archives by their headers, and finds them by their contents; what it unpacked it knows
// when it starts again.
func TestLibraryOfArchives(t *testing.T) {
	games := map[string][]byte{}
	for name, b := range packed(fixture.File{Name: "one.nds", Data: makeROM("ONE", nil)}, fixture.File{Name: "two.nds", Data: makeROM("TWO", nil)}) {
		games[name] = b
		games["not/"+name] = b[:len(b)/2]
	}
	dir, file := romTree(t, games), filepath.Join(t.TempDir(), "hashes")
	l := keeping(file, dir)
	all, err := l.List(t.Context())
	if err != nil || !slices.Equal(titles(all), []string{"ONE", "ONE", "TWO", "TWO"}) || slices.ContainsFunc(all, func(r *ROM) bool { return !r.Unread() }) {
		t.Errorf("%q, %v", titles(all), err)
	}
	want := Wanted{SHA256: sha256.Sum256(imageBytes(makeROM("TWO", nil))), Size: capacityUnit, Like: func(r *ROM) bool { return r.Title == "TWO" }, Quick: true}
	r, err := l.Find(t.Context(), want)
	if err != nil || r.Title != "TWO" || r.SHA256 != want.SHA256 {
		t.Errorf("%+v, %v", r, err)
	}
	all, err = keeping(file, dir).List(t.Context())
	must.Succeed(t, err)
	read := 0
	for _, r := range all {
		if !r.Unread() {
			read++
		}
	}
	if read != 1 {
		t.Errorf("after another start %d games are known, want the one that was unpacked", read)
	}
	// Without a title all of them may be it.
	one := Wanted{SHA256: sha256.Sum256(makeROM("ONE", nil))}
	if r, err := l.Find(t.Context(), one); err != nil || r.SHA256 != one.SHA256 {
		t.Errorf("by the hash of the file: %+v, %v", r, err)
	}
}

// bytesRead is how many bytes this process has read of files.
func bytesRead(t *testing.T) (n int64) {
	t.Helper()
	for line := range strings.Lines(string(must.Read(t, "/proc/self/io"))) {
		if _, err := fmt.Sscanf(line, "rchar: %d", &n); err == nil {
			return n
		}
	}
	t.Skip("the system does not count what is read")
	return 0
}

// sparse makes games of so many bytes each, nearly all of which are holes.
func sparse(t testing.TB, dir string, n int, size int64) {
	t.Helper()
	for i := range n {
		path := filepath.Join(dir, fmt.Sprintf("%05d.nds", i))
		head := makeROM(fmt.Sprintf("GAME %05d", i), func(h []byte) { h[capacityAt] = 9 })
		head[len(head)-1] = 1
		must.Succeed(t, os.WriteFile(path, head, 0o644))
		must.Succeed(t, os.Truncate(path, size))
	}
}

// Of many large games one is found by its header: none other is read.
func TestFindReadsOneGame(t *testing.T) {
	const n, size = 300, 64 << 20
	dir := t.TempDir()
	sparse(t, dir, n, size)
	wanted, err := OpenROM(filepath.Join(dir, "00222.nds"))
	must.Succeed(t, err)
	l := NewLibrary([]string{dir})
	before := bytesRead(t)
	seen := 0
	_, err = l.Scan(t.Context(), func(f Scanned) bool {
		seen += len(f.ROMs)
		return true
	})
	must.Succeed(t, err)
	if listed := bytesRead(t) - before; seen != n || listed > n*8<<10 {
		t.Errorf("the list of %d games took %d bytes", seen, listed)
	}
	before = bytesRead(t)
	want := Wanted{SHA256: wanted.SHA256, Size: wanted.Size, Like: func(r *ROM) bool { return r.Title == wanted.Title }, Quick: true}
	r, err := l.Find(t.Context(), want)
	if err != nil || r.Path != wanted.Path {
		t.Fatal(r, err)
	}
	if took := bytesRead(t) - before; took > 3*size {
		t.Errorf("finding one of %d games of %d bytes took %d", n, int64(size), took)
	}
	before = bytesRead(t)
	want.SHA256[0]++
	if _, err := l.Find(t.Context(), want); !errors.Is(err, ErrROMNotFound) {
		t.Error(err)
	}
	if took := bytesRead(t) - before; took > 1<<20 {
		t.Errorf("finding out that one is not there took %d bytes", took)
	}
}
