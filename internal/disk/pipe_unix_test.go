//go:build unix

package disk

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestPipeStays: root could replace even /dev/null.
func TestPipeStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	must.Succeed(t, syscall.Mkfifo(path, 0o600))
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // both ends: nobody waits
	must.Succeed(t, err)
	defer pipe.Close()
	must.Succeed(t, Write(path, []byte("report"), 0o600))
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
	must.Succeed(t, syscall.Mkfifo(path, 0o600))
	if err := Write(path, []byte("report"), 0o600); err == nil || !strings.Contains(err.Error(), "nobody reads") {
		t.Error(err)
	}
}
