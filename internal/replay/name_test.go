package replay

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestNameAfterComingBack: who comes into the game later, or back into it, gives the recording no other name, and is named
// once.
func TestNameAfterComingBack(t *testing.T) {
	head := beginning(t, 2, nil).Head
	path, players := "/r/"+FileName(&head), head.Players()
	back, late := head.Seats[1], head.Seats[0]
	back.Plan.Seat, back.From = 2, 900
	late.Plan.Seat, late.From, late.Plan.Nickname = 3, 1200, "Zoe"
	head.Seats = append(head.Seats, back, late)
	if got := (Entry{Path: path, Head: &head}).Name(); got != "" {
		t.Errorf("it is called %q", got)
	}
	if got, want := head.Players(), append(players, "Zoe"); !slices.Equal(got, want) {
		t.Errorf("its players are %q, want %q", got, want)
	}
}

// TestNamesOfPlayers: a recording that nobody gave a name has none, wherever and whenever it was made;
// a name never takes the place of another recording's.
func TestNamesOfPlayers(t *testing.T) {
	head := beginning(t, 2, nil).Head
	usual := strings.TrimSuffix(FileName(&head), Extension)
	elsewhere := head
	elsewhere.Began = head.Began.In(time.FixedZone("", 9*3600))
	for name, want := range map[string]string{
		usual: "", usual + "-2": "", strings.TrimSuffix(FileName(&elsewhere), Extension): "",
		"the final": "the final", usual + " won": usual + " won", "": "", "2026": "2026",
	} {
		if got := (Entry{Path: "/r/" + name + Extension, Head: &head}).Name(); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"+Extension), filepath.Join(dir, "b"+Extension)
	for _, path := range []string{a, b} {
		must.Succeed(t, os.WriteFile(path, []byte(path), 0o600))
	}
	for _, name := range []string{"", " ", ".a", "../a", "a/b", "a\nb", "a\xff", strings.Repeat("x", 151)} {
		if _, err := Rename(a, name); err == nil {
			t.Errorf("it can be called %q", name)
		}
	}
	if _, err := Rename(a, "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("another one's name: %v", err)
	}
	for _, name := range []string{"one: two", "who?", `a\b`, "a|b"} {
		if nameable(name, false) != nil || nameable(name, true) == nil {
			t.Errorf("%q is a name: on Linux %v, on Windows %v", name, nameable(name, false), nameable(name, true))
		}
	}
	to, err := Rename(a, " the final, みんな ")
	if err != nil || to != filepath.Join(dir, "the final, みんな"+Extension) {
		t.Fatalf("%q, %v", to, err)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != a {
		t.Errorf("it holds %q, %v", b, err)
	}
}
