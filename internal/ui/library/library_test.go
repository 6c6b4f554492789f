package library

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/fixture"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestMain: emucore's workers are this executable.
func TestMain(m *testing.M) { os.Exit(m.Run()) }

func write(t *testing.T, path string, data []byte) string {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Succeed(t, os.WriteFile(path, data, 0o600))
	return path
}

// titled is a test ROM with another English banner title, which makes it another
// game.
func titled(t *testing.T, data []byte, title string) []byte {
	t.Helper()
	b := bytes.Clone(data)
	at := int(binary.LittleEndian.Uint32(b[0x68:])) + 0x240 + 0x100
	clear(b[at-0x100 : at+0x100]) // the Japanese one too
	for i, u := range utf16.Encode([]rune(title)) {
		binary.LittleEndian.PutUint16(b[at+2*i:], u)
	}
	return b
}

// TestNamesOfGames: a game is called what its banner says, or what its file is called where
// that names nothing.
func TestNamesOfGames(t *testing.T) {
	for banner, want := range map[string][2]string{
		"The Game:\nPart 2\nMaker": {"The Game: Part 2", "Maker"},
		".":                        {"My homebrew", ""},
		"":                         {"My homebrew", ""},
		".\nMaker":                 {"Maker", ""},
	} {
		rom, err := emucore.OpenROM(write(t, filepath.Join(t.TempDir(), "My homebrew.nds"), titled(t, romstest.Pad, banner)))
		must.Succeed(t, err)
		if g := newGame(rom); g.Title != want[0] || g.More != want[1] {
			t.Errorf("%q is called %q, %q; want %q", banner, g.Title, g.More, want)
		}
	}
}

// scanned scans and waits for the end.
func scanned(t *testing.T, s *Shelf, changed chan struct{}, folders ...string) List {
	t.Helper()
	s.Scan(folders)
	deadline := time.After(3 * time.Minute)
	for {
		if l := s.List(); !l.Scanning {
			return l
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("the scan does not end: %+v", s.List())
		}
	}
}

func open(t *testing.T) (*Shelf, chan struct{}) {
	t.Helper()
	changed := make(chan struct{}, 1)
	s := Open(filepath.Join(t.TempDir(), "links"), func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	t.Cleanup(s.Close)
	return s, changed
}

func titles(games []Game) string {
	var s []string
	for _, g := range games {
		s = append(s, g.Title)
	}
	return strings.Join(s, "|")
}

func TestScan(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "b.nds"), titled(t, romstest.Pad, "Zebra"))
	write(t, filepath.Join(dir, "deep", "er", "a.NDS"), titled(t, romstest.Pad, "apple pie:\nThe Game\nBaker"))
	write(t, filepath.Join(dir, "copy.nds"), titled(t, romstest.Pad, "Zebra"))
	write(t, filepath.Join(dir, ".hidden", "c.nds"), romstest.Save)
	write(t, filepath.Join(dir, "broken.nds"), []byte("this is no game"))
	write(t, filepath.Join(dir, "readme.txt"), []byte("hello"))
	s, changed := open(t)
	l := scanned(t, s, changed, dir, filepath.Join(dir, "nowhere"))
	if got, want := titles(l.Games), "apple pie: The Game|Zebra"; got != want {
		t.Errorf("games %q, want %q", got, want)
	}
	if l.Games[0].More != "Baker" {
		t.Errorf("more is %q, want Baker", l.Games[0].More)
	}
	if l.Games[0].Icon == nil || l.Games[0].Icon.Bounds().Dx() != 32 {
		t.Error("a game has no icon")
	}
	if len(l.Troubles) != 1 || filepath.Base(l.Troubles[0].Path) != "broken.nds" || !strings.HasSuffix(l.Troubles[0].Why, ".") {
		t.Errorf("troubles %+v, want broken.nds alone, with a sentence", l.Troubles)
	}
	if len(l.Missing) != 1 || filepath.Base(l.Missing[0]) != "nowhere" {
		t.Errorf("missing folders %q", l.Missing)
	}
}

// TestScanAgain: a file that comes, and one that goes, while the program runs.
func TestScanAgain(t *testing.T) {
	dir := t.TempDir()
	first := write(t, filepath.Join(dir, "a.nds"), titled(t, romstest.Pad, "First"))
	s, changed := open(t)
	scanned(t, s, changed, dir)
	write(t, filepath.Join(dir, "b.nds"), titled(t, romstest.Pad, "Second"))
	must.Succeed(t, os.Remove(first))
	if got := titles(scanned(t, s, changed, dir).Games); got != "Second" {
		t.Errorf("games %q, want Second", got)
	}
}

// TestLook: a file that is copied into a folder while the program runs is on the shelf by itself,
// once it has come to rest; a look at folders that have not changed does nothing.
func TestLook(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.nds"), titled(t, romstest.Pad, "First"))
	s, changed := open(t)
	scanned(t, s, changed, dir)
	look := func() {
		t.Helper()
		s.rests = time.Time{}
		s.Look()
		s.jobs.Wait() // with the scan, if there is one
	}
	first := s.List().Games
	scannedAgain := func() bool { return &s.List().Games[0] != &first[0] } // each scan makes a list of its own
	for range 3 {
		look()
	}
	if scannedAgain() {
		t.Fatal("folders that have not changed were scanned again")
	}
	whole := titled(t, romstest.Pad, "Second")
	for _, part := range []int{len(whole) / 4, len(whole) / 2, len(whole)} {
		write(t, filepath.Join(dir, "b.nds"), whole[:part])
		look()
	}
	if scannedAgain() {
		t.Errorf("a file that was still being copied was read")
	}
	look()
	if got := titles(s.List().Games); got != "First|Second" || len(s.List().Troubles) != 0 {
		t.Errorf("games %q, troubles %v", got, s.List().Troubles)
	}
	must.Succeed(t, os.RemoveAll(dir))
	look()
	look()
	if l := s.List(); len(l.Games) != 0 || len(l.Missing) != 1 {
		t.Errorf("of a folder that is gone there is %+v", l)
	}
}

// TestFolderIsAdded: a session that looks for games already finds those of a folder that is added.
func TestFolderIsAdded(t *testing.T) {
	dir, more := t.TempDir(), t.TempDir()
	write(t, filepath.Join(more, "a.nds"), romstest.Pad)
	s, changed := open(t)
	games := s.Library()
	if l := scanned(t, s, changed, dir); len(l.Games) != 0 {
		t.Fatalf("games %q", titles(l.Games))
	}
	l := scanned(t, s, changed, dir, more)
	if len(l.Games) != 1 {
		t.Fatalf("games %q", titles(l.Games))
	}
	if _, err := games.Find(t.Context(), emucore.Wanted{SHA256: l.Games[0].ROM.SHA256}); err != nil {
		t.Error(err)
	}
}

// TestAdd: a file dropped on the window is there the next time as well, and
// sessions find it for other players' consoles.
func TestAdd(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	changed := make(chan struct{}, 1)
	links := filepath.Join(t.TempDir(), "links")
	s := Open(links, func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer s.Close()
	one := write(t, filepath.Join(elsewhere, "game.nds"), titled(t, romstest.Pad, "One"))
	two := write(t, filepath.Join(elsewhere, "2", "game.nds"), titled(t, romstest.Pad, "Two"))
	for _, path := range []string{one, two, one} {
		if _, err := s.Add(path); err != nil {
			t.Fatal(err)
		}
	}
	if got := titles(s.List().Games); got != "One|Two" {
		t.Errorf("just after adding: games %q", got)
	}
	s.Close()

	s = Open(links, func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	defer s.Close()
	l := scanned(t, s, changed, dir)
	if got := titles(l.Games); got != "One|Two" || len(l.Troubles) != 0 {
		t.Fatalf("the next time: games %q, troubles %v", got, l.Troubles)
	}
	if _, err := s.Library().Find(t.Context(), emucore.Wanted{SHA256: l.Games[1].ROM.SHA256}); err != nil {
		t.Errorf("a session does not find it: %v", err)
	}
	// A disk that is not there any more is no trouble: it may come back.
	if _, err := os.Readlink(filepath.Join(links, "game.nds")); err != nil {
		return // a hard link is the file itself
	}
	must.Succeed(t, os.RemoveAll(elsewhere))
	if l := scanned(t, s, changed, dir); len(l.Games)+len(l.Troubles) != 0 {
		t.Errorf("of files that are gone there is %+v", l)
	}
}

func TestAddRefuses(t *testing.T) {
	s, _ := open(t)
	for name, want := range map[string]string{
		"notes.txt": "", "packed.rar": "Unpack it", "packed.zip": "no", "game.sav": "save, not a game",
	} {
		path := write(t, filepath.Join(t.TempDir(), name), bytes.Repeat([]byte("x"), 2000))
		_, err := s.Add(path)
		if err == nil {
			t.Fatalf("%s was taken for a game", name)
		}
		if why := Why(path, err); !strings.Contains(why, want) || !strings.HasSuffix(why, ".") {
			t.Errorf("%s: %q, want a sentence with %q", name, why, want)
		}
	}
	if _, err := s.Add(filepath.Join(t.TempDir(), "gone.nds")); err == nil || Why("gone.nds", err) != "The file is gone." {
		t.Errorf("a file that is not there: %v", err)
	}
}

// Games in archives are on the shelf without being unpacked, each of several by itself; what was played goes by its contents.
func TestArchives(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	one, two := titled(t, romstest.Pad, "One"), titled(t, romstest.Pad, "Two")
	write(t, filepath.Join(dir, "games.zip"), fixture.Zip(fixture.File{Name: "1.nds", Data: one}, fixture.File{Name: "2.nds", Data: two}, fixture.File{Name: "bad.nds", Data: []byte("bad")}))
	s, changed := open(t)
	l := scanned(t, s, changed, dir)
	if got := titles(l.Games); got != "One|Two" || !l.Games[0].ROM.Unread() || l.Games[0].Key() == l.Games[1].Key() {
		t.Errorf("games %q, %+v", got, l.Games)
	}
	if len(l.Troubles) != 1 || filepath.Base(l.Troubles[0].Path) != "bad.nds" {
		t.Errorf("troubles %+v", l.Troubles)
	}
	g, err := s.Read(t.Context(), l.Games[1])
	if err != nil || g.Title != "Two" || g.ROM.Unread() || !s.List().Has(g.ROM.SHA256) {
		t.Errorf("read as %+v, %v, and the list does not know it", g, err)
	}
	if !s.List().MayHave(make([]byte, 8), "One") || s.List().MayHave(make([]byte, 8), "Two") {
		t.Error("a game that was not read goes by its title, and no other")
	}
	// A file of its own is the same game, and the one that is shown.
	write(t, filepath.Join(dir, "two.nds"), append(bytes.Clone(two), bytes.Repeat([]byte{0xff}, 1000)...))
	l = scanned(t, s, changed, dir)
	if got := titles(l.Games); got != "One|Two" || l.Games[1].ROM.Archive != "" {
		t.Errorf("games %q", got)
	}
	// Dropped: one with several games, and one with one.
	path := write(t, filepath.Join(elsewhere, "more.7z"), fixture.Seven(fixture.File{Name: "3.nds", Data: titled(t, romstest.Pad, "Three")}, fixture.File{Name: "4.nds", Data: titled(t, romstest.Pad, "Four")}))
	if n, err := s.AddAll(path); n != 2 || err != nil {
		t.Errorf("%d games, %v", n, err)
	}
	if got := titles(scanned(t, s, changed, dir).Games); got != "Four|One|Three|Two" {
		t.Errorf("games %q", got)
	}
	path = write(t, filepath.Join(elsewhere, "five.zip"), fixture.Zip(fixture.File{Name: "5.nds", Data: titled(t, romstest.Pad, "Five")}))
	if n, err := s.AddAll(path); n != 0 || err != nil {
		t.Errorf("%d games, %v", n, err)
	}
	if g, err := s.Add(path); err != nil || g.Title != "Five" {
		t.Errorf("%+v, %v", g, err)
	}
}

// A trimmed dump that an earlier version remembered by its file's hash is remembered by it still.
func TestPlayedByEarlierVersions(t *testing.T) {
	rom, err := emucore.OpenROM(write(t, filepath.Join(t.TempDir(), "a.nds"), romstest.Pad))
	must.Succeed(t, err)
	g := Game{ROM: rom}
	if rom.SHA256 == rom.FileSHA256 {
		t.Fatal("the dump is a full one")
	}
	for _, sum := range [][32]byte{rom.SHA256, rom.FileSHA256} {
		if at := g.Played(map[[32]byte]time.Time{sum: time.Unix(5, 0)}); !at.Equal(time.Unix(5, 0)) || !g.Is(sum) {
			t.Errorf("%x: played at %v", sum[:4], at)
		}
	}
	list := []Game{{ROM: &emucore.ROM{SHA256: [32]byte{1}}, Title: "A"}, {ROM: rom, Title: "B"}, {ROM: &emucore.ROM{Path: "/c.zip/c.nds"}, Title: "C"}}
	Sort(list, map[[32]byte]time.Time{rom.FileSHA256: time.Unix(5, 0)})
	if got := titles(list); got != "B|A|C" {
		t.Errorf("sorted as %q", got)
	}
	if (Game{ROM: &emucore.ROM{}}).Is([32]byte{}) {
		t.Error("an unread game is one without a hash")
	}
}

func TestFindAndSort(t *testing.T) {
	game := func(title, more, path string, n byte) Game {
		return Game{ROM: &emucore.ROM{Path: path, SHA256: [32]byte{n}}, Title: title, More: more}
	}
	all := []Game{game("Mario Kart", "Nintendo", "/r/mk.nds", 1), game("advance", "", "/r/Kart Two.nds", 2), game("ポケモン", "", "/r/p.nds", 3)}
	for query, want := range map[string]string{
		"": "Mario Kart|advance|ポケモン", "kart": "Mario Kart|advance", "KART nint": "Mario Kart", "ポケ": "ポケモン", "zelda": "",
	} {
		if got := titles(Find(all, query)); got != want {
			t.Errorf("looking for %q gives %q, want %q", query, got, want)
		}
	}
	Sort(all, nil)
	if got := titles(all); got != "advance|Mario Kart|ポケモン" {
		t.Errorf("by title: %q", got)
	}
	Sort(all, map[[32]byte]time.Time{{3}: time.Unix(5, 0), {1}: time.Unix(9, 0)})
	if got := titles(all); got != "Mario Kart|ポケモン|advance" {
		t.Errorf("by last played: %q", got)
	}
}

// TestNumbersInTitles: they are in the order of what they count.
func TestNumbersInTitles(t *testing.T) {
	var list []Game
	for _, title := range []string{"Chef 10", "Chef 2", "Chef", "Chef 02b", "Chef 18446744073709551617", "Chef 9"} {
		list = append(list, Game{Title: title, ROM: &emucore.ROM{Path: title}})
	}
	Sort(list, nil)
	if got, want := titles(list), "Chef|Chef 2|Chef 02b|Chef 9|Chef 10|Chef 18446744073709551617"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAddWhatTheSearchHasSeen: a file that the search knows by its header, and has not read, is not there twice.
func TestAddWhatTheSearchHasSeen(t *testing.T) {
	path := write(t, filepath.Join(t.TempDir(), "game.nds"), titled(t, romstest.Pad, "One"))
	s := Open(filepath.Join(t.TempDir(), "links"), func() {})
	defer s.Close()
	r, err := emucore.OpenROM(path)
	must.Succeed(t, err)
	r.SHA256 = [32]byte{}
	s.mu.Lock()
	s.walked = []Game{newGame(r)}
	s.mu.Unlock()
	if _, err := s.Add(path); err != nil {
		t.Fatal(err)
	}
	if got := titles(s.List().Games); got != "One" {
		t.Errorf("games %q", got)
	}
}
