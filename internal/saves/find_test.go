package saves

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestConsolesHaveSavesOfTheirOwn: several consoles on one machine play one game.
func TestConsolesHaveSavesOfTheirOwn(t *testing.T) {
	dir := memory(t)
	one, two := open(t, dir, Options{}), open(t, dir, Options{Console: 2})
	save(t, one, 1)
	save(t, two, 2)
	if a, b := current(t, one), current(t, two); a != 1 || b != 2 {
		t.Errorf("they start from %d and %d", a, b)
	}
	other, err := Open(dir, Game{SHA256: [32]byte{1}, Title: padGame.Title}, Options{})
	must.Succeed(t, err)
	defer other.Close()
	if b, _, err := other.Current(); b != nil || err != nil {
		t.Errorf("another game of that title has a save of %d bytes, %v", len(b), err)
	}
	if _, err := Open(dir, padGame, Options{Console: 17}); err == nil {
		t.Error("console 17 was taken")
	}
}

// TestTitleMayChange: the SHA-256 tells games apart, not what they are called.
func TestTitleMayChange(t *testing.T) {
	dir := memory(t)
	s := open(t, dir, Options{})
	save(t, s, 1)
	s.Close()
	s, err := Open(dir, Game{SHA256: padGame.SHA256, Title: "Another"}, Options{})
	must.Succeed(t, err)
	defer s.Close()
	if n := current(t, s); n != 1 {
		t.Errorf("a game would start from %d", n)
	}
}

func TestAllFindsEveryGame(t *testing.T) {
	dir := memory(t)
	for i, title := range []string{"b second", "A first", "c third"} {
		s, err := Open(dir, Game{SHA256: [32]byte{byte(i)}, Title: title}, Options{})
		must.Succeed(t, err)
		save(t, s, i+1)
		s.Close()
	}
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "something else"), 0o700))
	must.Succeed(t, os.WriteFile(filepath.Join(dir, "a file"), nil, 0o600))
	all, err := All(dir)
	must.Succeed(t, err)
	var got []string
	for _, k := range all {
		b, err := k.Read(k.Current().Number)
		must.Succeed(t, err)
		got = append(got, fmt.Sprint(k.Game.Title, which(t, b)))
	}
	if want := []string{"A first2", "b second1", "c third3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if k, err := Peek(dir, Game{SHA256: [32]byte{9}}, Options{}); k != nil || err != nil {
		t.Errorf("a game without saves: %v, %v", k, err)
	}
}

// TestNewFoldersLast: each folder that is made is in the one above before anything
// is kept in it.
func TestNewFoldersLast(t *testing.T) {
	dir := filepath.Join(memory(t), "share", "saves")
	f := &faults{}
	s := open(t, dir, Options{before: f.before})
	save(t, s, 1)
	game := filepath.Base(s.Folder())
	want := []string{"mkdir share", "syncdir " + filepath.Base(filepath.Dir(filepath.Dir(dir))), "mkdir saves", "syncdir share", "mkdir " + game, "syncdir saves"}
	if len(f.steps) < len(want) || !slices.Equal(f.steps[:len(want)], want) {
		t.Errorf("the steps are %q, want them to begin with %q", f.steps, want)
	}
}
