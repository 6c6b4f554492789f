package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestWaitsForScanners: a file that somebody has open for a moment is replaced once they let go.
func TestWaitsForScanners(t *testing.T) {
	path := filepath.Join(t.TempDir(), "save")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	scanner, err := os.Open(path) // which shares no right to remove
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, func() { scanner.Close() })
	if err := Write(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
}
