package saves

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
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

// hostileTexts are titles that a ROM may have and that must not lead anywhere.
func hostileTexts() []string {
	return []string{
		"", " ", ".", "..", "../../etc/passwd", "/etc/passwd", `C:\Windows`, "a\x00b", "a\nb\r\tc",
		"-rf", "~", "$HOME", "`ls`", "con", "nul.sav", "ポケモン", "Pokémon Diamond", "e\u0301", "\u202eevas",
		"\xff\xfe\xfd", strings.Repeat("x", 5000), strings.Repeat("ポ", 5000), strings.Repeat("../", 500),
		"a\u200bb", "\ufeff", "\u2028", `"quoted" 'title'`, "lock", "000001.sav", "🎮", "%s%d%n", "name. ", "\ufffd",
	}
}

// wantHarmless wants a name that is one folder on every file system.
func wantHarmless(t *testing.T, name string) {
	t.Helper()
	if name == "" || len(name) > 120 || !utf8.ValidString(name) || filepath.Base(name) != name || name == "." || name == ".." ||
		strings.HasPrefix(name, "-") || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\x00/\\:*?\"<>|\n\r\t $`~%") {
		t.Errorf("a folder would be called %q", name)
	}
}

func TestFoldersStayWhereTheyBelong(t *testing.T) {
	seen := map[string]string{}
	for i, title := range hostileTexts() {
		g := Game{SHA256: [32]byte{byte(i)}, Title: title}
		for _, name := range []string{folderName(g, 1, ""), folderName(g, 2, ""), folderName(g, 1, "/x/"+title)} {
			wantHarmless(t, name)
			if before, ok := seen[name]; ok && before != title {
				t.Errorf("%q and %q have the same folder %s", before, title, name)
			}
			seen[name] = title
		}
	}
}

// TestHostileTitlesOnTheDisk makes saves of all of them side by side.
func TestHostileTitlesOnTheDisk(t *testing.T) {
	above := memory(t)
	dir := filepath.Join(above, "data", "saves")
	titles := hostileTexts()
	for i, title := range titles {
		s, err := Open(dir, Game{SHA256: [32]byte{1, byte(i)}, Title: title}, Options{})
		if err != nil {
			t.Fatalf("%.40q: %v", title, err)
		}
		save(t, s, i+1)
		s.Close()
	}
	all, err := All(dir)
	if err != nil || len(all) != len(titles) {
		t.Fatalf("%d games of %d, %v", len(all), len(titles), err)
	}
	for _, k := range all {
		b, err := k.Read(k.Current().Number)
		if err != nil || which(t, b) != int(k.Game.SHA256[1])+1 {
			t.Errorf("%q: save %d, %v", k.Game.Title, which(t, b), err)
		}
		if k.Game.Title == "" || strings.ContainsAny(k.Game.Title, "\n\x00\x1b\u202e") {
			t.Errorf("shown as %q", k.Game.Title)
		}
	}
	if list, _ := os.ReadDir(above); len(list) != 1 {
		t.Errorf("outside of the folder: %v", list)
	}
}

func TestGameOf(t *testing.T) {
	for _, tt := range []struct {
		rom  emucore.ROM
		want string
	}{
		{emucore.ROM{Title: "HEADER", Code: "ABCD", BannerTitle: "Of the menu"}, "Of the menu"},
		{emucore.ROM{Title: "HEADER", Code: "ABCD"}, "HEADER"},
		{emucore.ROM{Title: "HEADER", Code: "ABCD", BannerTitle: "\u200b"}, "HEADER"},
		{emucore.ROM{Title: ".", Code: "ABCD", BannerTitle: "."}, "ABCD"},
		{emucore.ROM{Code: "####"}, "####"},
	} {
		tt.rom.SHA256 = [32]byte{4}
		if g := GameOf(&tt.rom); g.Title != tt.want || g.SHA256 != tt.rom.SHA256 {
			t.Errorf("%+v is %+v", tt.rom, g)
		}
	}
}

// TestOtherName: saves that were kept under a game's other SHA-256, as earlier versions did for a trimmed dump, are this
// game's, and stay where they are; in whichever way the game is named.
func TestOtherName(t *testing.T) {
	dir := t.TempDir()
	image, file := [32]byte{1}, [32]byte{2}
	names := []Game{{SHA256: file, Title: "Earlier"}, {SHA256: image, Other: file, Title: "Now"}, {SHA256: file, Other: image, Title: "As its file"}}
	for i, g := range names {
		s, err := Open(dir, g, Options{})
		must.Succeed(t, err)
		if i > 0 {
			if got := current(t, s); got != i {
				t.Errorf("%s: begins with save %d, want %d", g.Title, got, i)
			}
		}
		save(t, s, i+1)
		must.Succeed(t, s.Close())
	}
	all, err := All(dir)
	if err != nil || len(all) != 1 || !names[1].Is(all[0].Game.SHA256) || !names[2].Is(all[0].Game.SHA256) {
		t.Fatalf("%+v, %v", all, err)
	}
	if s, err := Open(dir, all[0].Game, Options{}); err != nil || current(t, s) != 3 {
		t.Errorf("as it is listed: %v", err)
	} else {
		must.Succeed(t, s.Close())
	}
	if k, err := Peek(dir, names[1], Options{}); err != nil || k == nil || k.Dir != all[0].Dir {
		t.Errorf("%+v, %v", k, err)
	}
}

// TestErrorsNameTheGameAsPlayersDo: what goes wrong with saves is told of the game by the name that players have for it, not
// by all lines of its title.
func TestErrorsNameTheGameAsPlayersDo(t *testing.T) {
	list, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "game.nds", Data: romstest.Save})
	must.Succeed(t, err)
	rom, err := emucore.OpenROM(list[0])
	must.Succeed(t, err)
	file := filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	game := GameOf(rom)
	if game.Called == "" || game.Called == game.Title {
		t.Fatalf("the game is called %q, and its title is %q", game.Called, game.Title)
	}
	_, err = Open(file, game, Options{})
	if err == nil || !strings.HasPrefix(err.Error(), "opening the saves of "+game.Called+": ") {
		t.Errorf("a folder that is a file: %v", err)
	}
}
