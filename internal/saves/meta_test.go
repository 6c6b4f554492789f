package saves

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// goldenMeta is a text as the first version wrote it: saves of today must be
// readable for ever.
const goldenMeta = `nettplay save 1
rom 9f86d08101020304000000000000000000000000000000000000000000000000
title "PAD TEST"
console 2
file "/home/ann/my \"best\".sav"
size 8192
sha256 0102030000000000000000000000000000000000000000000000000000000000
saved 2026-11-21T18:30:00Z
room "Abend ☕"
players "Ann" "Łukasz"
frame 8211
origin played
from ""
play 0011223344556677
sum 2264a2fe13d10c97b0c878a1a8b3869ba4f1c33785e4d2b16bd436146198a262
`

func goldenOf() Meta {
	return Meta{
		ROM: padGame.SHA256, Title: "PAD TEST", Console: 2, File: `/home/ann/my "best".sav`,
		Size: 8192, SHA256: [32]byte{1, 2, 3}, At: time.Date(2026, 11, 21, 18, 30, 0, 0, time.UTC),
		Room: "Abend ☕", Players: []string{"Ann", "Łukasz"}, Frame: 8211, Origin: Played,
		Play: [8]byte{0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77},
	}
}

func TestMetaGolden(t *testing.T) {
	if got := string(goldenOf().encode()); got != goldenMeta {
		t.Errorf("written:\n%s", got)
	}
	got, err := decodeMeta([]byte(goldenMeta))
	if err != nil || !reflect.DeepEqual(got, goldenOf()) {
		t.Errorf("read: %+v, %v", got, err)
	}
}

// resum gives a changed text a sum that is right, so that the field is what is
// refused.
func resum(text string) string {
	text = text[:strings.LastIndex(text, "sum ")]
	return fmt.Sprintf("%ssum %x\n", text, sha256.Sum256([]byte(text)))
}

func TestMetaRefuses(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"save 1", "save 2", "begins with"},
		{"rom 9f", "rom 9", `"rom"`},
		{"rom 9f", "rom zz", `"rom"`},
		{`title "PAD TEST"`, `title PAD TEST`, `"title"`},
		{"console 2", "console 0", "console 0"},
		{"console 2", "console 17", "console 17"},
		{"console 2", "console -1", "console -1"},
		{"size 8192", "size 0", "size 0"},
		{"size 8192", "size 16777217", "size 16777217"},
		{"size 8192", "size 99999999999999999999", `"size"`},
		{"2026-11-21T18", "2026-13-21T18", `"saved"`},
		{"18:30:00Z", "18:30:00+01:00", `"saved"`},
		{`"Ann" "Łukasz"`, `"Ann""Łukasz"`, `"players"`},
		{`"Ann" "Łukasz"`, `"Ann" "`, `"players"`},
		{`"Ann" "Łukasz"`, strings.TrimSpace(strings.Repeat(`"A" `, maxPlayers+1)), `"players"`},
		{"frame 8211", "frame -1", "frame -1"},
		{"origin played", "origin stolen", "origin"},
		{"play 0011", "play 001122", `"play"`},
		{"frame 8211\n", "", `"frame"`},
		{"room ", "room  ", `"room"`},
		{"room", "\nroom", `"room"`},
		{"play 0011223344556677\n", "play 0011223344556677\nmore\n", `"more`},
		{"/home/ann/my", strings.Repeat("x", maxPath), "path"},
	} {
		text := resum(strings.Replace(goldenMeta, tt.old, tt.new, 1))
		if _, err := decodeMeta([]byte(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q for %q: %v, want an error with %s", tt.new, tt.old, err, tt.want)
		}
	}
	for name, text := range map[string]string{
		"one letter changed": strings.Replace(goldenMeta, "8211", "8212", 1),
		"more after it":      goldenMeta + "x",
		"no end":             goldenMeta[:len(goldenMeta)-1],
		"nothing":            "",
		"too much":           goldenMeta + strings.Repeat("x", maxMeta),
		"carriage returns":   strings.ReplaceAll(goldenMeta, "\n", "\r\n"),
	} {
		if _, err := decodeMeta([]byte(text)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// TestMetaCleansWhatIsShown: a text with a right sum may be anybody's.
func TestMetaCleansWhatIsShown(t *testing.T) {
	text := resum(strings.NewReplacer(`"PAD TEST"`, `"\x1b[2J\nPAD"`, `"Ann"`, `"`+strings.Repeat("A", 200)+`"`).Replace(goldenMeta))
	m, err := decodeMeta([]byte(text))
	if err != nil || m.Title != "[2J PAD" || len(m.Players[0]) != maxText {
		t.Errorf("read as %+v, %v", m, err)
	}
}

// TestMetaOfAnyTexts: whatever a game, a room or a player is called, what is
// written can be read again.
func TestMetaOfAnyTexts(t *testing.T) {
	for _, text := range hostileTexts() {
		dir := memory(t)
		s, err := Open(dir, Game{SHA256: [32]byte{5}, Title: text}, Options{})
		if err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		players := make([]string, 40)
		for i := range players {
			players[i] = text
		}
		p, err := s.Prepare(-5, sram(1), About{Room: text, Players: players})
		if err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		if err := p.Commit(); err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		if n := current(t, s); n != 1 {
			t.Errorf("%.40q: the save is %d", text, n)
		}
		s.Close()
	}
}

func FuzzDecodeMeta(f *testing.F) {
	f.Add([]byte(goldenMeta))
	f.Add(Meta{Console: 1, Size: 512, Origin: Found}.encode())
	f.Add([]byte(resum(strings.Replace(goldenMeta, `"Ann"`, `"\u0041nn"`, 1))))
	f.Add([]byte(metaHead + "\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, text := range [][]byte{b, []byte(resum(string(b) + "sum "))} {
			m, err := decodeMeta(text)
			if err != nil {
				continue
			}
			must.Succeed(t, m.check())
			for _, shown := range append([]string{m.Title, m.Room, m.From}, m.Players...) {
				if len(shown) > maxText || strings.ContainsAny(shown, "\x00\x1b\n\r") {
					t.Fatalf("%q would be shown", shown)
				}
			}
			again, err := decodeMeta(m.encode())
			if err != nil || !reflect.DeepEqual(again, m) {
				t.Fatalf("%q is written and read again as %+v, %v", text, again, err)
			}
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, text := range hostileTexts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := clean(text, maxText)
		if len(c) > maxText || clean(c, maxText) != c {
			t.Fatalf("%q becomes %q and then %q", text, c, clean(c, maxText))
		}
		wantHarmless(t, folderName(Game{Title: text}, 1, ""))
	})
}
