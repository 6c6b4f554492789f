package disk

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestWriteReplacesWithTheModeAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	for _, text := range []string{"first", "second, longer", "3"} {
		must.Succeed(t, Write(path, []byte(text), 0o600))
		if b, err := os.ReadFile(path); err != nil || string(b) != text {
			t.Errorf("read %q, %v, want %q", b, err, text)
		}
	}
	must.BePrivate(t, path)
}

func TestFailureChangesAndLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	must.Succeed(t, Write(path, []byte("old"), 0o644))
	broken := errors.New("broken")
	err := WriteFunc(path, 0o644, func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the file is now %q", b)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// TestSweep: what a killed program left goes, and nothing else: what is being written just now
// stays, and files that are not ours.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	for name, old := range map[string]bool{".nettplay-1.tmp": true, ".nettplay-2.tmp": false, "a.tmp": true, "a.npmoment": true} {
		path := filepath.Join(dir, name)
		must.Succeed(t, os.WriteFile(path, nil, 0o600))
		if at := time.Now().Add(-2 * leftAfter); old {
			must.Succeed(t, os.Chtimes(path, at, at))
		}
	}
	Sweep(dir)
	var left []string
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		left = append(left, f.Name())
	}
	if got := strings.Join(left, " "); got != ".nettplay-2.tmp a.npmoment a.tmp" {
		t.Errorf("left are %s", got)
	}
	Sweep(filepath.Join(dir, "none"))
}

// TestLinkStays: many keep their files in a folder of their own.
func TestLinkStays(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(t.TempDir(), "link")
	must.Succeed(t, os.WriteFile(file, []byte("old"), 0o600))
	must.Succeed(t, os.Symlink(file, link))
	if to, err := os.Readlink(link); to == "" {
		t.Skipf("NOT TESTED: links: %v", err) // Wine makes some that nobody can read
	}
	must.Succeed(t, Write(link, []byte("new"), 0o600))
	if to, err := os.Readlink(link); to != file {
		t.Errorf("the link points to %q, %v", to, err)
	}
	if b, err := os.ReadFile(file); string(b) != "new" {
		t.Errorf("read %q, %v", b, err)
	}
}
