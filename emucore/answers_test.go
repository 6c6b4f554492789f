package emucore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// hanging is a library of folders of which what is below one hangs until it is released.
func hanging(t *testing.T, dead string, dirs ...string) (l *Library, release func()) {
	t.Helper()
	l = NewLibrary(dirs)
	gone := make(chan struct{})
	l.answers.limit = 500 * time.Millisecond
	l.answers.before = func(path string) {
		if path == dead || strings.HasPrefix(path, dead+"/") {
			<-gone
		}
	}
	return l, func() { close(gone) }
}

// A disk that does not answer is passed over, said, and looked at again when it answers.
func TestDeadDisk(t *testing.T) {
	dir := romTree(t, map[string][]byte{"a.nds": makeROM("AAA", nil), "nas/b.nds": makeROM("BBB", nil), "z.nds": makeROM("ZZZ", nil)})
	for name, tt := range map[string]struct {
		dead string
		dirs []string
		want []string
	}{
		"a folder in another": {filepath.Join(dir, "nas"), []string{dir}, []string{"AAA", "ZZZ"}},
		"a given folder":      {dir, []string{dir, romTree(t, map[string][]byte{"c.nds": makeROM("CCC", nil)})}, []string{"CCC"}},
		"a file":              {filepath.Join(dir, "a.nds"), []string{dir}, []string{"BBB", "ZZZ"}},
	} {
		l, release := hanging(t, tt.dead, tt.dirs...)
		for range 2 {
			var got []string
			w, err := l.Scan(t.Context(), func(f Scanned) bool {
				got = append(got, titles(f.ROMs)...)
				return true
			})
			must.Succeed(t, err)
			if !slices.Equal(got, tt.want) || !slices.Equal(w.Skipped, []Skipped{{tt.dead, "does not answer"}}) {
				t.Errorf("%s: %q, %+v", name, got, w.Skipped)
			}
		}
		before, err := l.Print(t.Context())
		must.Succeed(t, err)
		_, err = l.Find(t.Context(), Wanted{SHA256: [32]byte{1}})
		if !errors.Is(err, ErrROMNotFound) || !strings.Contains(err.Error(), "not looked at: "+tt.dead+" (does not answer)") {
			t.Errorf("%s: %v", name, err)
		}
		release()
		waitFor(t, func() bool { return !l.answers.hangs(tt.dead) })
		if now, err := l.Print(t.Context()); err != nil || now == before {
			t.Errorf("%s: a disk that answers again makes no difference, %v", name, err)
		}
		if _, err := l.Find(t.Context(), Wanted{SHA256: sha256.Sum256(makeROM("BBB", nil))}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// waitFor waits until something is so.
func waitFor(t *testing.T, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not happen")
		}
	}
}

// Where all files of a folder hang, two of them are waited for, and no more.
func TestDeadFolder(t *testing.T) {
	files := map[string][]byte{}
	for i := range 50 {
		files[fmt.Sprintf("nas/%d.nds", i)] = makeROM("A", nil)
	}
	dir := romTree(t, files)
	l, release := hanging(t, "", dir)
	defer release()
	nas := filepath.Join(dir, "nas")
	var asked atomic.Int32
	gone := make(chan struct{})
	defer close(gone)
	l.answers.before = func(path string) {
		if filepath.Dir(path) == nas {
			asked.Add(1)
			<-gone
		}
	}
	w, err := l.Scan(t.Context(), func(Scanned) bool { return true })
	if err != nil || asked.Load() != mostSilent || !slices.Equal(w.Skipped, []Skipped{{nas, "does not answer"}}) {
		t.Errorf("%d were asked, %+v, %v", asked.Load(), w.Skipped, err)
	}
}

// A disk that is slow, and answers, is waited for.
func TestSlowDisk(t *testing.T) {
	var a answers
	a.limit = 300 * time.Millisecond
	got, err := ask(t.Context(), &a, "/x", func(beat func()) (int, error) {
		for range 20 {
			time.Sleep(30 * time.Millisecond)
			beat()
		}
		return 7, nil
	})
	if got != 7 || err != nil {
		t.Error(got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	time.AfterFunc(time.Millisecond, cancel)
	if _, err := ask(ctx, &a, "/x", func(func()) (int, error) { <-gone; return 0, nil }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(gone)
}

// What may not be read is said; what is not there is.
func TestUnreadableFolder(t *testing.T) {
	must.HaveLinux(t, "folders that cannot be read")
	dir := romTree(t, map[string][]byte{"a.nds": makeROM("AAA", nil), "secret/b.nds": makeROM("BBB", nil)})
	w := NewLibrary(nil).newWalk(t.Context())
	w.file = func(string, fs.FileInfo) error { return nil }
	w.skip("/secret", &fs.PathError{Op: "open", Path: "/secret", Err: fs.ErrPermission})
	w.all([]string{filepath.Join(dir, "none"), dir})
	if !slices.Equal(w.Skipped, []Skipped{{"/secret", "you may not read it"}}) || len(w.Missing) != 1 {
		t.Errorf("%+v", w.Walk)
	}
	if os.Geteuid() == 0 {
		return // who may read everything
	}
	must.Succeed(t, os.Chmod(filepath.Join(dir, "secret"), 0))
	if w, err := NewLibrary([]string{dir}).Scan(t.Context(), func(Scanned) bool { return true }); err != nil || len(w.Skipped) != 1 {
		t.Errorf("%+v, %v", w, err)
	}
}
