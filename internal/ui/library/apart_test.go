package library

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/emucore"
)

// TestTellApart: games of one title are told apart by their region, by the beginning of their hash where they are of one
// region or of none, and by their file where that was not read. Others say nothing.
func TestTellApart(t *testing.T) {
	rom := func(title, code string, sum byte, path string) Game {
		return Game{Title: title, ROM: &emucore.ROM{Code: code, SHA256: [32]byte{sum, 0xab, 0xcd, 0xef}, Path: path}}
	}
	unread := func(title, code, path string) Game {
		return Game{Title: title, ROM: &emucore.ROM{Code: code, Path: path}}
	}
	games := []Game{
		rom("Racer", "ARCE", 1, ""), rom("racer", "ARCP", 2, ""),
		rom("Tennis", "ATNP", 3, ""), rom("Tennis", "ATNP", 4, ""), rom("Tennis", "ATNJ", 5, ""),
		rom("Home brew", "####", 6, ""), rom("Home brew", "####", 7, ""),
		unread("Zipped", "AZPE", "/r/zipped 1.zip"), unread("Zipped", "AZPE", "/r/zipped 2.zip"),
		rom("Alone", "ALOE", 8, ""), rom("Odd", "AOD", 9, ""), rom("Odd", "AODE", 10, ""),
	}
	want := []string{
		"USA", "Europe", "Europe · 03abcd", "Europe · 04abcd", "Japan", "06abcd", "07abcd", "USA · zipped 1.zip", "USA · zipped 2.zip",
		"", "09abcd", "USA",
	}
	list := once(games)
	got := make([]string, len(games))
	for i, g := range games {
		j := slices.IndexFunc(list, func(l Game) bool { return l.ROM == g.ROM })
		got[i] = list[j].Apart
	}
	if !slices.Equal(got, want) {
		t.Errorf("apart are %q", got)
	}
	if g := (&Game{Title: "Racer", Apart: "USA", More: "Somebody"}); g.Called() != "Racer (USA)" || g.About() != "USA · Somebody" {
		t.Errorf("%q, %q", g.Called(), g.About())
	}
	if found := Find(list, "tennis europe 04"); len(found) != 1 || found[0].ROM.SHA256[0] != 4 {
		t.Errorf("found: %+v", found)
	}
}
