package memory

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestCheatsThereAndBack: what was on is known by name and code; nothing on is nothing to remember.
func TestCheatsThereAndBack(t *testing.T) {
	one, two := cheat.Cheat{Name: "one", Code: []uint32{0x02000000, 1}}, cheat.Cheat{Name: "two", Code: []uint32{0x02000000, 1}}
	var m Memory
	m.SetCheats([32]byte{1}, []cheat.Cheat{one}, []string{"/a", "/b", "", "/c", "/d", "/e", strings.Repeat("x", 2000)}, time.Unix(5, 0))
	path := filepath.Join(t.TempDir(), "app.json")
	must.Succeed(t, m.Save(path, Memory{}))
	m = Load(path)
	got := m.Cheats([32]byte{1})
	if !got.Has(one) || got.Has(two) || !slices.Equal(got.Files, []string{"/b", "/c", "/d", "/e"}) {
		t.Errorf("remembered: %+v", got)
	}
	if m.Cheats([32]byte{2}).Has(one) {
		t.Error("another game has it, too")
	}
	copied := m.Clone()
	m.SetCheats([32]byte{1}, nil, nil, time.Unix(6, 0))
	if len(m.Cheated) != 0 || !copied.Cheats([32]byte{1}).Has(one) {
		t.Errorf("%v is left, a copy has %v", m.Cheated, copied.Cheated)
	}
}

// TestCheatsAreBounded: the games that were chosen for last stay, and a file that was changed is brought into bounds.
func TestCheatsAreBounded(t *testing.T) {
	var m Memory
	list := make([]cheat.Cheat, cheat.MaxAgreed)
	for i := range list {
		list[i] = cheat.Cheat{Name: "x", Code: []uint32{0x02000000, uint32(i)}}
	}
	long := slices.Repeat([]string{strings.Repeat("/", maxCheatFile)}, maxCheatFiles)
	for i := range maxCheated + 3 {
		m.SetCheats([32]byte{byte(i)}, list, long, time.Unix(int64(i), 0))
	}
	if len(m.Cheated) != maxCheated || m.Cheats([32]byte{2}).Has(list[0]) || !m.Cheats([32]byte{3}).Has(list[31]) {
		t.Errorf("%d games are remembered", len(m.Cheated))
	}
	path := filepath.Join(t.TempDir(), "app.json")
	must.Succeed(t, m.Save(path, Memory{}))
	if got := Load(path); len(got.Cheated) != maxCheated {
		t.Errorf("of the largest memory %d games are read", len(got.Cheated))
	}
	sha := strings.Repeat("ab", 32)
	for _, text := range []string{`{"cheats":{"x":{"on":["0123456789abcdef"]}}}`, `{"cheats":{"` + sha + `":{"on":["zz",""]}}}`} {
		if got := parse([]byte(text)).Cheated; len(got) != 0 {
			t.Errorf("%s is %v", text, got)
		}
	}
}
