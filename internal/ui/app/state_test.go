package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMemoryThereAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "app.json")
	if m := LoadMemory(path); !cmp.Equal(m, Memory{}) {
		t.Errorf("a first start remembers %+v", m)
	}
	m := Memory{Welcomed: true, Theme: "light", Private: true}
	m.Joined("a.example")
	m.Joined("b.example:5000")
	m.Joined("a.example")
	m.Play([32]byte{7}, time.Unix(1234, 0))
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	got := LoadMemory(path)
	if diff := cmp.Diff(m, got); diff != "" {
		t.Error(diff)
	}
	if fmt.Sprint(got.Addresses) != "[a.example b.example:5000]" || !got.PlayedAt()[[32]byte{7}].Equal(time.Unix(1234, 0)) {
		t.Errorf("%+v", got)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var m Memory
	for i := range 20 {
		m.Joined(fmt.Sprint("host", i))
	}
	for i := range maxPlayed + 50 {
		m.Play([32]byte{byte(i), byte(i >> 8)}, time.Unix(int64(i), 0))
	}
	m.Joined(strings.Repeat("x", 1000))
	if len(m.Addresses) != maxAddresses || m.Addresses[0] != "host19" {
		t.Errorf("addresses %q", m.Addresses)
	}
	if _, oldest := m.PlayedAt()[[32]byte{}]; len(m.Played) != maxPlayed || oldest {
		t.Errorf("%d games are remembered, the oldest: %v", len(m.Played), oldest)
	}
}

func FuzzParseMemory(f *testing.F) {
	f.Add([]byte(`{"welcomed":true,"addresses":["a"],"played":{"00":3},"theme":"pink"}`))
	f.Add([]byte(`{"addresses":["","","","","","","","","",""],"last_game":"zz"}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parseMemory(b)
		if len(m.Addresses) > maxAddresses || len(m.Played) > maxPlayed || len(m.PlayedAt()) > len(m.Played) {
			t.Fatalf("out of bounds: %+v", m)
		}
	})
}

func TestSaves(t *testing.T) {
	s := Saves{Dir: filepath.Join(t.TempDir(), "saves")}
	path := s.Path("Pokémon: Ein/Spiel\x00..", [32]byte{0xab, 1, 2, 3}, 0)
	if got := filepath.Base(path); got != "Pokémon EinSpiel-ab0102030000.sav" {
		t.Errorf("file name %q", got)
	}
	if got := filepath.Base(s.Path("x", [32]byte{0xab}, 1)); got != "x-ab0000000000.2.sav" {
		t.Errorf("file name of a second console %q", got)
	}
	if b, err := s.Read(path); b != nil || err != nil {
		t.Fatalf("a save that is not there: %v, %v", b, err)
	}
	for _, sram := range []string{"one", "two", "two", "three"} {
		if _, err := s.Keep(path, []byte(sram), true); err != nil {
			t.Fatal(err)
		}
	}
	if other := s.Path("Another title", [32]byte{0xab, 1, 2, 3}, 0); other != path {
		t.Errorf("under another title the save of the same game is %s", other)
	}
	for file, want := range map[string]string{path: "three", path + ".1": "two", path + ".2": "one"} {
		if b, err := s.Read(file); err != nil || string(b) != want {
			t.Errorf("%s holds %q (%v), want %q", filepath.Base(file), b, err, want)
		}
	}
	// A game that did not end well leaves the save alone.
	beside, err := s.Keep(path, []byte("bad"), false)
	if err != nil || beside != path+".unconfirmed" {
		t.Errorf("kept as %q (%v)", beside, err)
	}
	if b, _ := s.Read(path); string(b) != "three" {
		t.Errorf("the save is %q after a game that ended badly", b)
	}
	if wrote, _ := s.Keep(path, nil, true); wrote != "" {
		t.Errorf("a game without a save wrote %q", wrote)
	}
	for i := range 20 {
		if _, err := s.Keep(path, fmt.Append(nil, "more", i), true); err != nil {
			t.Fatal(err)
		}
	}
	entries, _ := os.ReadDir(s.Dir)
	if len(entries) != 2+generations {
		t.Errorf("%d files are left, want the save, the unconfirmed one and %d generations", len(entries), generations)
	}
}

func TestSaveNamesStayInTheFolder(t *testing.T) {
	s := Saves{Dir: "/saves"}
	for _, title := range []string{"", "../../etc/passwd", "...", "\x00\n", strings.Repeat("ながい", 100)} {
		path := s.Path(title, [32]byte{}, 0)
		if filepath.Dir(path) != "/saves" || len(filepath.Base(path)) > 120 {
			t.Errorf("%q gives %q", title, path)
		}
	}
}
