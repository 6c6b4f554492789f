package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestTemporaryFolder: temporary files go where the user's session keeps its own.
// The one that the user names comes first.
func TestTemporaryFolder(t *testing.T) {
	dir := t.TempDir()
	home, nowhere := filepath.Join(dir, "home"), filepath.Join(dir, "nowhere")
	must.Succeed(t, os.Mkdir(home, 0o700))
	for _, c := range []struct{ named, session, want string }{
		{"/named", home, "/named"},
		{"", home, home},
		{"", nowhere, ""},
		{"", "relative", ""},
	} {
		t.Setenv("TMPDIR", c.named)
		t.Setenv("XDG_RUNTIME_DIR", c.session)
		useTemporaryFolder()
		if got := os.Getenv("TMPDIR"); got != c.want {
			t.Errorf("with %q in the session %q: %q, want %q", c.named, c.session, got, c.want)
		}
	}
}
