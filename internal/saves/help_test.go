package saves

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestMain makes this test binary the programs of child_test.go too.
func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		child(what)
		return
	}
	os.Exit(m.Run())
}

var padGame = Game{SHA256: [32]byte{0x9f, 0x86, 0xd0, 0x81, 1, 2, 3, 4}, Title: "PAD TEST"}

const testSize = 512

// sram is backup memory that says which one it is.
func sram(n int) []byte {
	b := make([]byte, testSize)
	for i := 0; i < len(b); i += 8 {
		binary.LittleEndian.PutUint64(b[i:], uint64(n)*0x9e3779b97f4a7c15+uint64(i))
	}
	binary.LittleEndian.PutUint64(b, uint64(n))
	return b
}

// which tells which one it is, or that it is none.
func which(t *testing.T, b []byte) int {
	t.Helper()
	if b == nil {
		return 0
	}
	if len(b) != testSize {
		t.Fatalf("backup memory of %d bytes", len(b))
	}
	n := int(binary.LittleEndian.Uint64(b))
	if !bytes.Equal(b, sram(n)) {
		t.Fatalf("backup memory that begins as number %d is mixed up", n)
	}
	return n
}

func open(t *testing.T, dir string, o Options) *Store {
	t.Helper()
	s, err := Open(dir, padGame, o)
	must.Succeed(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func prepare(t *testing.T, s *Store, n int) *Pending {
	t.Helper()
	p, err := s.Prepare(int64(n)*60, sram(n), About{Room: "Evening", Players: []string{"Ann", "Bob"}})
	must.Succeed(t, err)
	return p
}

func save(t *testing.T, s *Store, n int) {
	t.Helper()
	must.Succeed(t, prepare(t, s, n).Commit())
}

// current is which save a game would start from, 0 for none.
func current(t *testing.T, s *Store) int {
	t.Helper()
	b, _, err := s.Current()
	must.Succeed(t, err)
	return which(t, b)
}

// list is what the saves are, the newest first: "3* 2 1?", the current one with a
// star, one that is not confirmed with a question mark, a damaged one as "!".
func list(t *testing.T, s *Store) string {
	t.Helper()
	all, err := listOf(s.dir, blankSums{})
	must.Succeed(t, err)
	var words []string
	for _, e := range all {
		word := "!"
		if b, err := s.Read(e.Number); err == nil {
			word = fmt.Sprint(which(t, b))
		} else if !errors.As(err, new(*DamagedError)) {
			t.Fatal(err)
		}
		if e.Current {
			word += "*"
		}
		if !e.Confirmed {
			word += "?"
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func wantList(t *testing.T, s *Store, want string) {
	t.Helper()
	if got := list(t, s); got != want {
		t.Errorf("saves are %q, want %q", got, want)
	}
}

// numberOf is the number in lists of the save that is n.
func numberOf(t *testing.T, s *Store, n int) int {
	t.Helper()
	all, err := listOf(s.dir, blankSums{})
	must.Succeed(t, err)
	for _, e := range all {
		if b, err := s.Read(e.Number); err == nil && which(t, b) == n {
			return e.Number
		}
	}
	t.Fatalf("there is no save %d", n)
	return 0
}

// memory is a folder in memory, for tests that would wait for the disk ten thousand
// times; where there is no such thing, any folder.
func memory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "nettplay-saves-")
	if err == nil {
		dir, err = filepath.Abs(dir) // under Wine there is one, without its drive
	}
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// files are the names below a folder, without the lock.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != lockName {
			names = append(names, d.Name())
		}
		return err
	})
	must.Succeed(t, err)
	return names
}

// clock is a wall clock that shows what it is told.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }
