package online

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

func openKeys(t *testing.T, path string) *KnownKeys {
	t.Helper()
	b, err := OpenKnownKeys(path)
	must.Succeed(t, err)
	return b
}

func meetKey(t *testing.T, b *KnownKeys, nickname string, key byte, want Meeting) {
	t.Helper()
	if got, err := b.Meet(nickname, seal.Public{key}); got != want || err != nil {
		t.Errorf("%s with key %d: %v, %v, want %v", nickname, key, got, err, want)
	}
}

func TestAnotherKeyIsNoticedAfterARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "keys")
	b := openKeys(t, path)
	meetKey(t, b, "Ben", 1, FirstMet)
	meetKey(t, b, "Ben", 1, MetBefore)
	meetKey(t, b, "ボブ 2", 2, FirstMet)
	b = openKeys(t, path)
	meetKey(t, b, "Ben", 1, MetBefore)
	meetKey(t, b, "Ben", 3, KeyChanged)
	b = openKeys(t, path)
	meetKey(t, b, "Ben", 3, MetBefore)
	meetKey(t, b, "ボブ 2", 2, MetBefore)
	must.BePrivate(t, path)
}

func TestNobodyWithoutAKeyIsRemembered(t *testing.T) {
	b := openKeys(t, filepath.Join(t.TempDir(), "keys"))
	for range 2 {
		meetKey(t, b, "Ben", 0, FirstMet)
		meetKey(t, b, "", 1, FirstMet)
		meetKey(t, b, "Ben\nMax", 1, FirstMet)
		meetKey(t, b, strings.Repeat("x", 73), 1, FirstMet)
	}
}

func TestTheBookIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	text := ""
	for i := range 500 {
		text += fmt.Sprintf("%064x %d%s\n", i+1, i, strings.Repeat("é", 34))
	}
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	b := openKeys(t, path)
	meetKey(t, b, "Ben", 1, FirstMet)
	if b = openKeys(t, path); len(b.entries) != 500 || b.entries[499].Nickname != "Ben" {
		t.Errorf("%d players are known", len(b.entries))
	}
}

// TestAFileThatCannotBeReadStays: what is in it may be worth something.
func TestAFileThatCannotBeReadStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	large := strings.Repeat("x", maxFile+1)
	must.Succeed(t, os.WriteFile(path, []byte(large), 0o600))
	b, err := OpenKnownKeys(path)
	if err == nil {
		t.Error("a huge file is read")
	}
	meetKey(t, b, "Ben", 1, FirstMet)
	meetKey(t, b, "Ben", 2, KeyChanged)
	if now, _ := os.ReadFile(path); string(now) != large {
		t.Error("the file is another one now")
	}
}

func FuzzKnownKeys(f *testing.F) {
	f.Add(strings.Repeat("ab", 32) + " Ben\nnonsense\n" + strings.Repeat("cd", 32) + " Ben")
	f.Fuzz(func(t *testing.T, text string) { looksAtBook(t, []byte(text)) })
}

func looksAtBook(t *testing.T, b []byte) (well bool) {
	text := string(b)
	list := parseKeys(text)
	names := map[string]bool{}
	var again strings.Builder
	for _, e := range list {
		if names[e.Nickname] || !validKey(e.Nickname) {
			t.Fatalf("%q", list)
		}
		names[e.Nickname] = true
		fmt.Fprintf(&again, "%x %s\n", e.Key[:], e.Nickname)
	}
	if !reflect.DeepEqual(parseKeys(again.String()), list) {
		t.Fatalf("%q changes when it is written", list)
	}
	return len(list) > 0
}

// TestTwoProgramsRememberTogether: two that run at the same time know whom the other met, also where
// they began before, and an impostor is noticed by either.
func TestTwoProgramsRememberTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	a, b := openKeys(t, path), openKeys(t, path)
	meetKey(t, a, "Ben", 1, FirstMet)
	meetKey(t, b, "Max", 2, FirstMet)
	meetKey(t, b, "Ben", 3, KeyChanged)
	meetKey(t, a, "Max", 2, MetBefore)
	meetKey(t, a, "Ben", 3, MetBefore)
	a = openKeys(t, path)
	meetKey(t, a, "Ben", 3, MetBefore)
	meetKey(t, a, "Max", 2, MetBefore)
}

// TestWhatCannotBeWrittenIsKnown: without room on the disk a program knows whom it met, and writes it later.
func TestWhatCannotBeWrittenIsKnown(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "keys")
	b := openKeys(t, path)
	must.Succeed(t, os.WriteFile(dir, nil, 0o600)) // nothing can be made in it
	for key, want := range []Meeting{FirstMet, KeyChanged} {
		if got, err := b.Meet("Ben", seal.Public{byte(key), 1}); got != want || err == nil {
			t.Errorf("Ben with key %d: %v, %v", key, got, err)
		}
	}
	must.Succeed(t, os.Remove(dir))
	meetKey(t, b, "Max", 3, FirstMet)
	b = openKeys(t, path)
	if m, err := b.Meet("Ben", seal.Public{1, 1}); m != MetBefore || err != nil {
		t.Errorf("Ben is met again: %v, %v", m, err)
	}
	meetKey(t, b, "Max", 3, MetBefore)
}

// childKeys is the book of a process that a test starts, and childNumber which one it is.
const childKeys, childNumber = "NETTPLAY_TEST_BOOK", "NETTPLAY_TEST_NUMBER"

// each is how many players each of several programs meets.
const each = 8

// TestMain meets players in a process of its own where a test asks for that.
func TestMain(m *testing.M) {
	path := os.Getenv(childKeys)
	if path == "" {
		os.Exit(m.Run())
	}
	b, err := OpenKnownKeys(path)
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
				cmd.Env = append(os.Environ(), childKeys+"="+path, childNumber+"="+strconv.Itoa(n))
				if said, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, said)
				}
				return
			}
			b, err := OpenKnownKeys(path)
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
	if known := len(openKeys(t, path).Latest(maxEntries)); known != 6*each {
		t.Errorf("%d of %d players are known", known, 6*each)
	}
}

// TestManyKnownKeys is the fuzz target of the book with ten million inputs.
func TestManyKnownKeys(t *testing.T) {
	must.SurviveInputs(t, [][]byte{[]byte(strings.Repeat("ab", 32) + " Ben\nnonsense\n" + strings.Repeat("cd", 32) + " Ben")}, looksAtBook)
}
