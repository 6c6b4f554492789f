package emucore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// romTree writes files below a new folder; names may have slashes.
func romTree(t *testing.T, files map[string][]byte) string {
	t.Helper()
	root := t.TempDir()
	for name, b := range files {
		path := filepath.Join(root, name)
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must.Succeed(t, os.WriteFile(path, b, 0o644))
	}
	return root
}

// titles are those of the ROMs of a list, in its order.
func titles(roms []*ROM) (out []string) {
	for _, r := range roms {
		out = append(out, r.Title)
	}
	return out
}

func TestLibraryFindsByContents(t *testing.T) {
	a, b := makeROM("AAA", nil), makeROM("BBB", nil)
	root := romTree(t, map[string][]byte{
		"x/y/misnamed.NDS": a,
		"b.srl":            b,
		"copy of b.nds":    b,
		"notes.txt":        makeROM("TXT", nil),
		".hidden/c.nds":    makeROM("HIDDEN", nil),
		"broken.nds":       []byte("PK\x03\x04"),
	})
	l := NewLibrary([]string{filepath.Join(root, "missing"), root, root})
	r, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(a)})
	if err != nil || filepath.Base(r.Path) != "misnamed.NDS" {
		t.Errorf("found %v, %v", r, err)
	}
	all, err := l.List(t.Context())
	if err != nil || !slices.Equal(titles(all), []string{"AAA", "BBB"}) {
		t.Errorf("list %q, %v", titles(all), err)
	}
	_, err = l.Find(t.Context(), Wanted{SHA256: [32]byte{1}})
	if !errors.Is(err, ErrROMNotFound) || !strings.Contains(err.Error(), "3 ROMs in 3 folders") {
		t.Errorf("missing: %v", err)
	}
}

// TestLibrarySeesChanges: the hashes it remembers are those of the files as they
// are, also when a file keeps its size.
func TestLibrarySeesChanges(t *testing.T) {
	old, now := makeROM("OLD", nil), makeROM("NEW", nil)
	root := romTree(t, map[string][]byte{"a.nds": old})
	path := filepath.Join(root, "a.nds")
	l := NewLibrary([]string{root})
	if _, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(old)}); err != nil {
		t.Fatal(err)
	}
	must.Succeed(t, os.WriteFile(path, now, 0o644))
	later := time.Now().Add(time.Minute)
	must.Succeed(t, os.Chtimes(path, later, later))
	if _, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(now)}); err != nil {
		t.Errorf("the new contents: %v", err)
	}
	if _, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(old)}); !errors.Is(err, ErrROMNotFound) {
		t.Errorf("the old contents: %v", err)
	}
}

// TestLibraryRemembers changes a file behind its back: same size, same time.
func TestLibraryRemembers(t *testing.T) {
	old := makeROM("OLD", nil)
	root := romTree(t, map[string][]byte{"a.nds": old})
	path := filepath.Join(root, "a.nds")
	l := NewLibrary([]string{root})
	first, err := l.List(t.Context())
	if err != nil || len(first) != 1 {
		t.Fatal(first, err)
	}
	st, err := os.Stat(path)
	must.Succeed(t, err)
	must.Succeed(t, os.WriteFile(path, makeROM("NEW", nil), 0o644))
	must.Succeed(t, os.Chtimes(path, st.ModTime(), st.ModTime()))
	first[0].Title = "changed by the caller"
	again, err := l.List(t.Context())
	if err != nil || !slices.Equal(titles(again), []string{"OLD"}) {
		t.Errorf("%q, %v: it has read the file again, or given out its own copy", titles(again), err)
	}
	if _, err := openSame("ROM", path, again[0].FileSize, again[0].FileSHA256, ErrROMChanged); !errors.Is(err, ErrROMChanged) {
		t.Errorf("the changed file: %v", err)
	}
}

func TestLibraryFollowsLinksOnce(t *testing.T) {
	must.HaveLinux(t, "links that an ordinary user may make")
	root := romTree(t, map[string][]byte{"games/a.nds": makeROM("AAA", nil)})
	other := romTree(t, map[string][]byte{"b.nds": makeROM("BBB", nil)})
	for link, to := range map[string]string{
		"games/up": root, "games/here": ".", "elsewhere": other, "dead": "nowhere", "self": "self",
	} {
		must.Succeed(t, os.Symlink(to, filepath.Join(root, link)))
	}
	l := NewLibrary([]string{root})
	all, err := l.List(t.Context())
	if err != nil || !slices.Equal(titles(all), []string{"AAA", "BBB"}) {
		t.Errorf("%q, %v", titles(all), err)
	}
	if _, err = l.Find(t.Context(), Wanted{SHA256: [32]byte{}}); !strings.Contains(err.Error(), "2 ROMs in 3 folders") {
		t.Errorf("it went in circles: %v", err)
	}
}

func TestLibraryDepth(t *testing.T) {
	in := strings.Repeat("d/", MaxLibraryDepth)
	root := romTree(t, map[string][]byte{
		in + "in.nds":     makeROM("IN", nil),
		in + "d/deep.nds": makeROM("DEEP", nil),
	})
	all, err := NewLibrary([]string{root}).List(t.Context())
	if err != nil || !slices.Equal(titles(all), []string{"IN"}) {
		t.Errorf("%q, %v", titles(all), err)
	}
	// The deepest folder given itself counts from there, though seen before.
	all, err = NewLibrary([]string{root, filepath.Join(root, in)}).List(t.Context())
	if err != nil || !slices.Equal(titles(all), []string{"DEEP", "IN"}) {
		t.Errorf("%q, %v", titles(all), err)
	}
}

func TestLibraryFileLimit(t *testing.T) {
	must.HaveLinux(t, "folders that cannot be read")
	root := t.TempDir()
	l := NewLibrary([]string{root, t.TempDir()})
	if l.most != MaxLibraryFiles {
		t.Errorf("a library looks at %d files", l.most)
	}
	l.most = 300 // so that the test need not make so many
	for i := range l.most + 10 {
		must.Succeed(t, os.Symlink("x", filepath.Join(root, fmt.Sprint(i))))
	}
	_, err := l.Find(t.Context(), Wanted{SHA256: [32]byte{}})
	if !errors.Is(err, ErrROMNotFound) || !strings.Contains(err.Error(), "stopped after 300 files") {
		t.Errorf("got %v", err)
	}
}

func TestLibraryCancel(t *testing.T) {
	root := romTree(t, map[string][]byte{"a.nds": makeROM("AAA", nil)})
	l := NewLibrary([]string{root})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("list: %v", err)
	}
	if _, err := l.Find(ctx, Wanted{SHA256: [32]byte{}}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrROMNotFound) {
		t.Errorf("find: %v", err)
	}
}

func TestLibraryConcurrent(t *testing.T) {
	a := makeROM("AAA", nil)
	l := NewLibrary([]string{romTree(t, map[string][]byte{"a.nds": a})})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(a)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
