package memory

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/internal/must"
)

func TestMemoryThereAndBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "app.json")
	if m := Load(path); !cmp.Equal(m, Memory{}) {
		t.Errorf("a first start remembers %+v", m)
	}
	m := Memory{Welcomed: true, ByPlayed: true}
	m.Joined("a.example")
	m.Joined("b.example:5000")
	m.Joined("a.example")
	m.Play([32]byte{7}, time.Unix(1234, 0))
	m.LookedIn("roms", "/games")
	must.Succeed(t, m.Save(path))
	got := Load(path)
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
	for i := range maxFolders + 5 {
		m.LookedIn(fmt.Sprint(i), strings.Repeat("x", maxFolder-2+i))
	}
	if len(m.Folders) != 3 {
		t.Errorf("%d folders are remembered", len(m.Folders))
	}
	if len(m.Addresses) != maxAddresses || m.Addresses[0] != "host19" {
		t.Errorf("addresses %q", m.Addresses)
	}
	if _, oldest := m.PlayedAt()[[32]byte{}]; len(m.Played) != maxPlayed || oldest {
		t.Errorf("%d games are remembered, the oldest: %v", len(m.Played), oldest)
	}
}

func FuzzParseMemory(f *testing.F) {
	f.Add([]byte(`{"welcomed":true,"addresses":["a"],"played":{"00":3},"by_played":1}`))
	f.Add([]byte(`{"addresses":["","","","","","","","","",""],"last_game":"zz"}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parse(b)
		if len(m.Addresses) > maxAddresses || len(m.Played) > maxPlayed || len(m.PlayedAt()) > len(m.Played) {
			t.Fatalf("out of bounds: %+v", m)
		}
	})
}
