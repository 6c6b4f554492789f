//go:build unix

package atomicfile

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipeStays: root could replace even /dev/null.
func TestPipeStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // both ends: nobody waits
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	if err := Write(path, []byte("report"), 0o600); err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		t.Fatalf("it is no pipe any more: %v, %v", st.Mode(), err)
	}
	b := make([]byte, 6)
	if _, err := io.ReadFull(pipe, b); err != nil || string(b) != "report" {
		t.Errorf("read %q, %v", b, err)
	}
}

// TestPipeWithoutReader: nobody waits for somebody who may never come.
func TestPipeWithoutReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("report"), 0o600); err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Error(err)
	}
}
