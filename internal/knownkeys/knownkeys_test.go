package knownkeys

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/must"
	"github.com/nettplay/nettplay/internal/seal"
)

func open(t *testing.T, path string) *Book {
	t.Helper()
	b, err := Open(path)
	must.Succeed(t, err)
	return b
}

func meet(t *testing.T, b *Book, nickname string, key byte, want Meeting) {
	t.Helper()
	if got := b.Meet(nickname, seal.Public{key}); got != want {
		t.Errorf("%s with key %d: %v, want %v", nickname, key, got, want)
	}
	if err := b.Save(); err != nil {
		t.Error(err)
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
	f.Fuzz(func(t *testing.T, text string) {
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
	})
}
