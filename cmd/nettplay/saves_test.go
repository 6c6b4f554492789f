package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// runSaves runs "nettplay saves" in this process: what it prints, and its exit code
// and words on a failure.
func runSaves(t *testing.T, args ...string) (out, complaint string, code int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := &environment{stdout: &stdout, stderr: &stderr}
	c := savesCommand()
	code = conclude(env, c.name, c.start(context.Background(), env, args))
	return stdout.String(), stderr.String(), code
}

// openSaves opens the saves of a game as a session does. The folder for all is one
// of the test's.
func openSaves(t *testing.T, g saves.Game, o saves.Options) *saves.Store {
	t.Helper()
	places, err := config.Data()
	must.Succeed(t, err)
	s, err := saves.Open(places.Saves, g, o)
	must.Succeed(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

func prepareSave(t *testing.T, s *saves.Store, frame int64, fill byte) *saves.Pending {
	t.Helper()
	p, err := s.Prepare(frame, bytes.Repeat([]byte{fill}, 8192), saves.About{Room: "Evening", Players: []string{"Ann", "Bob"}})
	must.Succeed(t, err)
	return p
}

func wantMatch(t *testing.T, text, pattern string) {
	t.Helper()
	if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
		t.Errorf("no %q in:\n%s", pattern, text)
	}
}

// TestSavesOfGames looks at what games have left: one save that all agreed on, one
// of a game that ended badly, and a game that still runs.
func TestSavesOfGames(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	game := saves.Game{SHA256: [32]byte{0xab, 0xcd, 0xef}, Title: "Pokémon Test"}
	s := openSaves(t, game, saves.Options{Doing: "nettplay host"})
	must.Succeed(t, prepareSave(t, s, 600, 1).Commit())
	prepareSave(t, s, 900, 2)

	out, _, _ := runSaves(t, "list", "abcdef")
	wantMatch(t, out, `^2 .* 8 KB +not confirmed +room "Evening"; with Ann, Bob; frame 900$`)
	wantMatch(t, out, `^1 .* 8 KB +your save +room "Evening"; with Ann, Bob; frame 600$`)
	wantMatch(t, out, fmt.Sprintf(`^The saves of Pokémon Test are in use by "nettplay host" \(process %d\) since `, os.Getpid()))
	out, complaint, code := runSaves(t, "restore", "pokémon", "2")
	if code != 1 || out != "" {
		t.Errorf("restoring under a running game: code %d, %s", code, out)
	}
	wantMatch(t, complaint, `^nettplay saves: the saves of Pokémon Test are in use by "nettplay host"`)
	wantMatch(t, complaint, `^End that game first`)

	s.Close()
	out, _, _ = runSaves(t, "list")
	wantMatch(t, out, `^Pokémon Test .* 8 KB +2, 1 not confirmed +abcdef00$`)
	if out, complaint, code = runSaves(t, "restore", "POKÉMON", "2"); code != 0 {
		t.Fatalf("code %d: %s", code, complaint)
	}
	wantMatch(t, out, `^Save 2 of Pokémon Test, of .*, is your save again. The one before is kept as save 1.$`)
	s = openSaves(t, game, saves.Options{})
	if b, _, err := s.Current(); err != nil || len(b) != 8192 || b[0] != 2 {
		t.Errorf("a game would start from %d bytes, %v", len(b), err)
	}
}

// TestSavesOfNamedFile: what --sram keeps is found by its file.
func TestSavesOfNamedFile(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "a\x1b[31mnn.sav")
	s := openSaves(t, saves.Game{SHA256: [32]byte{1}, Title: "Game"}, saves.Options{File: file})
	for i := range 2 {
		must.Succeed(t, prepareSave(t, s, 60, byte(i+1)).Commit())
	}
	s.Close()
	for _, args := range [][]string{{"list"}, {"list", file}} {
		out, complaint, code := runSaves(t, args...)
		if code != 0 || strings.Contains(out, "\x1b") {
			t.Errorf("%q: code %d, %q, %s", args, code, out, complaint)
		}
		wantMatch(t, out, `a\\x1b\[31mnn.sav" \(Game\)`)
	}
	if _, complaint, code := runSaves(t, "restore", file, "1"); code != 0 {
		t.Fatalf("code %d: %s", code, complaint)
	}
	if b, err := os.ReadFile(file); err != nil || len(b) != 8192 || b[0] != 1 {
		t.Errorf("the file has %d bytes, %v", len(b), err)
	}
	if _, complaint, code := runSaves(t, "list", "Game"); code != exitUsage || !strings.Contains(complaint, "there are no saves yet") {
		t.Errorf("by title: code %d, %s", code, complaint)
	}
}

// TestSavesThatCannotBeWritten: the words name the folder.
func TestSavesThatCannotBeWritten(t *testing.T) {
	data := filepath.Join(t.TempDir(), "file")
	save := filepath.Join(t.TempDir(), "new.sav")
	must.Succeed(t, errors.Join(os.WriteFile(data, nil, 0o600), os.WriteFile(save, bytes.Repeat([]byte{1, 2}, 256), 0o600)))
	t.Setenv("XDG_DATA_HOME", data)
	for _, args := range [][]string{{"list"}, {"import", "x", save}} {
		if _, complaint, code := runSaves(t, args...); code == 0 || !strings.Contains(complaint, data) {
			t.Errorf("%q: code %d, %s", args, code, complaint)
		}
	}
}
