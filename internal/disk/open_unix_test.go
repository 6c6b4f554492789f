//go:build unix

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func TestOnlyFiles(t *testing.T) {
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	must.Succeed(t, syscall.Mkfifo(pipe, 0o600))
	must.Succeed(t, os.Symlink(pipe, link))
	must.Succeed(t, os.WriteFile(file, []byte("12345"), 0o600))
	for path, kind := range map[string]string{pipe: "a named pipe", link: "a named pipe", "/dev/zero": "a device", dir: "a folder"} {
		if _, _, err := Open(path); !errors.Is(err, ErrNotRegular) || !strings.Contains(err.Error(), kind) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
		if err := CheckRegular(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	f, size, err := Open(file)
	if err != nil || size != 5 {
		t.Fatal(size, err)
	}
	f.Close()
	if b, err := Read(file, 5); err != nil || string(b) != "12345" {
		t.Errorf("%q, %v", b, err)
	}
	if _, err := Read(file, 4); err == nil || !strings.Contains(err.Error(), "larger than 4 bytes") {
		t.Error(err)
	}
}
