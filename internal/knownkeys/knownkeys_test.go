package knownkeys

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
)

func open(t *testing.T, path string) *Book {
	t.Helper()
	b, err := Open(path)
	must.Succeed(t, err)
	return b
}

func meet(t *testing.T, b *Book, nickname string, key byte, want Meeting) {
	t.Helper()
	if got, err := b.Meet(nickname, seal.Public{key}); got != want || err != nil {
		t.Errorf("%s with key %d: %v, %v, want %v", nickname, key, got, err, want)
	}
}

func TestAnotherKeyIsNoticedAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "keys")
	b := open(t, path)
	meet(t, b, "Ben", 1, New)
	meet(t, b, "Ben", 1, Same)
	meet(t, b, "ボブ 2", 2, New)
	b = open(t, path)
	meet(t, b, "Ben", 1, Same)
	meet(t, b, "Ben", 3, Changed)
	b = open(t, path)
	meet(t, b, "Ben", 3, Same)
	meet(t, b, "ボブ 2", 2, Same)
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", st.Mode(), err)
	}
}

func TestNobodyWithoutAKeyIsRemembered(t *testing.T) {
	b := open(t, filepath.Join(t.TempDir(), "keys"))
	for range 2 {
		meet(t, b, "Ben", 0, New)
		meet(t, b, "", 1, New)
		meet(t, b, "Ben\nMax", 1, New)
		meet(t, b, strings.Repeat("x", 73), 1, New)
	}
}

func TestTheBookIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	text := ""
	for i := range 500 {
		text += fmt.Sprintf("%064x %d%s\n", i+1, i, strings.Repeat("é", 34))
	}
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	b := open(t, path)
	meet(t, b, "Ben", 1, New)
	if b = open(t, path); len(b.entries) != 500 || b.entries[499].Nickname != "Ben" {
		t.Errorf("%d players are known", len(b.entries))
	}
}

// TestAFileThatCannotBeReadStays: what is in it may be worth something.
func TestAFileThatCannotBeReadStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	large := strings.Repeat("x", maxFile+1)
	must.Succeed(t, os.WriteFile(path, []byte(large), 0o600))
	b, err := Open(path)
	if err == nil {
		t.Error("a huge file is read")
	}
	meet(t, b, "Ben", 1, New)
	meet(t, b, "Ben", 2, Changed)
	if now, _ := os.ReadFile(path); string(now) != large {
		t.Error("the file is another one now")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(strings.Repeat("ab", 32) + " Ben\nnonsense\n" + strings.Repeat("cd", 32) + " Ben")
	f.Fuzz(func(t *testing.T, text string) { looksAtBook(t, []byte(text)) })
}

func looksAtBook(t *testing.T, b []byte) (well bool) {
	text := string(b)
	list := parse(text)
	names := map[string]bool{}
	var again strings.Builder
	for _, e := range list {
		if names[e.Nickname] || !valid(e.Nickname) {
			t.Fatalf("%q", list)
		}
		names[e.Nickname] = true
		fmt.Fprintf(&again, "%x %s\n", e.Key[:], e.Nickname)
	}
	if !reflect.DeepEqual(parse(again.String()), list) {
		t.Fatalf("%q changes when it is written", list)
	}
	return len(list) > 0
}

// TestTwoProgramsRememberTogether: two that run at the same time know whom the other met, also where
// they began before, and an impostor is noticed by either.
func TestTwoProgramsRememberTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	a, b := open(t, path), open(t, path)
	meet(t, a, "Ben", 1, New)
	meet(t, b, "Max", 2, New)
	meet(t, b, "Ben", 3, Changed)
	meet(t, a, "Max", 2, Same)
	meet(t, a, "Ben", 3, Same)
	a = open(t, path)
	meet(t, a, "Ben", 3, Same)
	meet(t, a, "Max", 2, Same)
}

// TestWhatCannotBeWrittenIsKnown: without room on the disk a program knows whom it met, and writes it later.
func TestWhatCannotBeWrittenIsKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "keys")
	b := open(t, path)
	must.Succeed(t, os.WriteFile(dir, nil, 0o600)) // nothing can be made in it
	for key, want := range []Meeting{New, Changed} {
		if got, err := b.Meet("Ben", seal.Public{byte(key), 1}); got != want || err == nil {
			t.Errorf("Ben with key %d: %v, %v", key, got, err)
		}
	}
	must.Succeed(t, os.Remove(dir))
	meet(t, b, "Max", 3, New)
	b = open(t, path)
	if m, err := b.Meet("Ben", seal.Public{1, 1}); m != Same || err != nil {
		t.Errorf("Ben is met again: %v, %v", m, err)
	}
	meet(t, b, "Max", 3, Same)
}

// childBook is the book of a process that a test starts, and childNumber which one it is.
const childBook, childNumber = "NETTPLAY_TEST_BOOK", "NETTPLAY_TEST_NUMBER"

// each is how many players each of several programs meets.
const each = 8

// TestMain meets players in a process of its own where a test asks for that.
func TestMain(m *testing.M) {
	path := os.Getenv(childBook)
	if path == "" {
		os.Exit(m.Run())
	}
	b, err := Open(path)
	for i := range each {
		if err == nil {
			_, err = b.Meet(os.Getenv(childNumber)+" "+strconv.Itoa(i), seal.Public{1})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestManyProgramsForgetNobody: processes and goroutines, each with a book of its own, all at once.
func TestManyProgramsForgetNobody(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "keys")
	var jobs sync.WaitGroup
	for n := range 6 {
		jobs.Go(func() {
			if n%2 == 0 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), childBook+"="+path, childNumber+"="+strconv.Itoa(n))
				if said, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, said)
				}
				return
			}
			b, err := Open(path)
			for i := range each {
				if err == nil {
					_, err = b.Meet(strconv.Itoa(n)+" "+strconv.Itoa(i), seal.Public{1})
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	jobs.Wait()
	if known := len(open(t, path).Latest(maxEntries)); known != 6*each {
		t.Errorf("%d of %d players are known", known, 6*each)
	}
}

// TestManyInputs is the fuzz target of the book with ten million inputs.
func TestManyInputs(t *testing.T) {
	must.SurviveInputs(t, [][]byte{[]byte(strings.Repeat("ab", 32) + " Ben\nnonsense\n" + strings.Repeat("cd", 32) + " Ben")}, looksAtBook)
}
