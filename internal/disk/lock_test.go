package disk

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func TestOneAloneOrSeveralTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	a, b, c := open(t, path), open(t, path), open(t, path)
	must.Succeed(t, TryShared(a))
	if err := TryShared(b); err != nil {
		t.Errorf("two that share: %v", err)
	}
	if err := TryExclusive(c); !errors.Is(err, ErrLocked) {
		t.Errorf("alone beside two: %v", err)
	}
	a.Close()
	b.Close()
	if err := TryExclusive(c); err != nil {
		t.Errorf("alone, once the others are gone: %v", err)
	}
	if err := TryShared(open(t, path)); !errors.Is(err, ErrLocked) {
		t.Errorf("shared with one that has it alone: %v", err)
	}
	if _, err := c.WriteString("content"); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "content" {
		t.Errorf("others read %q, %v", b, err)
	}
}

func TestFolderIsWaitedFor(t *testing.T) {
	dir := t.TempDir()
	unlock, err := LockFolder(dir)
	must.Succeed(t, err)
	var ours atomic.Bool
	ours.Store(true)
	second := make(chan error)
	go func() {
		unlock, err := LockFolder(dir)
		if err == nil {
			if ours.Load() {
				err = errors.New("two have the folder")
			}
			unlock()
		}
		second <- err
	}()
	ours.Store(false)
	unlock()
	if err := <-second; err != nil {
		t.Error(err)
	}
	if _, err := LockFolder(filepath.Join(dir, "none")); err == nil {
		t.Error("locked a folder that is not there")
	}
}
