//go:build unix

package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestListing: folders and files are told, also behind links; nothing is opened that could wait
// or never end; what cannot be looked into has a sentence.
func TestListing(t *testing.T) {
	dir := t.TempDir()
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, name := range []string{"b.nds", "A.nds", ".hidden", "line\nbreak", "\xff.sav"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("12345"), 0o600))
	}
	for _, err := range []error{
		os.Mkdir(filepath.Join(dir, "zoo"), 0o700), os.Symlink(dir, filepath.Join(dir, "circle")),
		os.Symlink("/nowhere", filepath.Join(dir, "dead")), syscall.Mkfifo(filepath.Join(dir, "pipe.nds"), 0o600),
		os.Mkdir(filepath.Join(home, "mine"), 0o700),
	} {
		must.Succeed(t, err)
	}
	l := listing(dir)
	var got []string
	for _, e := range l.Entries {
		got = append(got, fmt.Sprintf("%q %v %d", e.Name, e.Folder, e.Size*int64(len(l.Why)+1)))
		if e.Folder {
			got[len(got)-1] = fmt.Sprintf("%q folder", e.Name)
		}
	}
	want := `"circle" folder|"zoo" folder|".hidden" false 5|"A.nds" false 5|"b.nds" false 5|"line\nbreak" false 5|"\xff.sav" false 5`
	if s := strings.Join(got, "|"); s != want || l.Dir != dir || l.Why != "" || l.More {
		t.Errorf("in the folder is %s, want %s; %+v", s, want, l)
	}
	if l := listing(filepath.Join(dir, "b.nds")); l.Dir != dir || l.Lit != "b.nds" {
		t.Errorf("beside a file: %q, lit is %q", l.Dir, l.Lit)
	}
	for _, path := range []string{"", "~"} {
		if l := listing(path); l.Dir != home || len(l.Entries) != 1 {
			t.Errorf("%q leads to %+v", path, l)
		}
	}
	if l := listing("mine"); l.Dir != filepath.Join(home, "mine") {
		t.Errorf("a path without a beginning leads to %q", l.Dir)
	}
	if l := listing(filepath.Join(dir, "none", "deeper")); l.Why != "There is no such folder." || l.Dir != filepath.Join(dir, "none", "deeper") {
		t.Errorf("a folder that is not there: %+v", l)
	}
}
