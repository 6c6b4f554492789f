package memory

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/testing/must"
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
	m.Room = &Room{Name: "Ann's room", Game: "Pad test", Ways: []string{"nettplay://join/1"}, At: 1234}
	must.Succeed(t, m.Save(path, Memory{}))
	must.BePrivate(t, path)
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

// TestRoomIsBounded: a room that is too large, or is no room, is none. It gets old either way the clock goes.
func TestRoomIsBounded(t *testing.T) {
	good := func() *Room { return &Room{Name: "R", Game: "G", Ways: []string{"a", "b"}, At: 1_000_000} }
	for name, change := range map[string]func(*Room){
		"no name": func(r *Room) { r.Name = "" }, "long name": func(r *Room) { r.Name = strings.Repeat("x", maxAddress+1) },
		"no way": func(r *Room) { r.Ways = nil }, "empty way": func(r *Room) { r.Ways[1] = "" },
		"many ways": func(r *Room) { r.Ways = slices.Repeat(r.Ways, MaxWays) }, "long way": func(r *Room) { r.Ways[0] = strings.Repeat("x", maxWay+1) },
	} {
		room := good()
		change(room)
		b, err := json.Marshal(Memory{Room: room, Welcomed: true})
		must.Succeed(t, err)
		if m := parse(b); m.Room != nil || !m.Welcomed {
			t.Errorf("%s: %+v", name, m)
		}
	}
	for after, old := range map[time.Duration]bool{0: false, RoomAge - time.Second: false, RoomAge + time.Second: true, -RoomAge - time.Second: true} {
		if got := good().Old(time.Unix(1_000_000, 0).Add(after)); got != old {
			t.Errorf("after %v it is old: %v", after, got)
		}
	}
	m := Memory{Room: good()}
	copied := m.Clone()
	m.Room.Ways[0], m.Room.Silent = "x", true
	if copied.Room.Ways[0] != "a" || copied.Room.Silent {
		t.Error("a copy changes with the original")
	}
}

func FuzzParseMemory(f *testing.F) {
	f.Add([]byte(`{"room":{"name":"R","game":"G","ways":["nettplay://join/1"],"at":3}}`))
	f.Add([]byte(`{"welcomed":true,"addresses":["a"],"played":{"00":3},"by_played":1}`))
	f.Add([]byte(`{"addresses":["","","","","","","","","",""],"last_game":"zz"}`))
	f.Add([]byte("\x00"))
	f.Fuzz(func(t *testing.T, b []byte) { looksAtMemory(t, b) })
}

func looksAtMemory(t *testing.T, b []byte) (well bool) {
	m := parse(b)
	if len(m.Addresses) > maxAddresses || len(m.Played) > maxPlayed || len(m.PlayedAt()) > len(m.Played) || m.Room != nil && len(m.Room.Ways) > MaxWays {
		t.Fatalf("out of bounds: %+v", m)
	}
	return len(b) > 0 && b[0] == '{' && json.Valid(b)
}

// TestWindow: where the window was is kept, and what no desktop has is nowhere.
func TestWindow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.json")
	m := Memory{Window: Window{X: -300, Y: 40, Width: 1120, Height: 690, Maximized: true}}
	must.Succeed(t, m.Save(path, Memory{}))
	if got := Load(path).Window; got != m.Window {
		t.Errorf("it comes back as %+v", got)
	}
	for _, text := range []string{
		`{"window":{"x":0,"y":0,"width":0,"height":600}}`, `{"window":{"width":800,"height":-1}}`,
		`{"window":{"x":70000,"width":800,"height":600}}`, `{"window":{"y":-9223372036854775808,"width":800,"height":600}}`, `{}`,
	} {
		if got := parse([]byte(text)).Window; got != (Window{}) {
			t.Errorf("%s is %+v", text, got)
		}
	}
}

// TestManyInputs is the fuzz target of the memory with ten million inputs.
func TestManyInputs(t *testing.T) {
	must.SurviveInputs(t, [][]byte{
		[]byte(`{"room":{"name":"R","game":"G","ways":["nettplay://join/1"],"at":3}}`),
		[]byte(`{"welcomed":true,"addresses":["a"],"played":{"00":3},"by_played":1}`),
	}, looksAtMemory)
}

// Two windows that are open at once do not forget what the other one remembers.
func TestTwoWindowsRemember(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.json")
	first := Memory{Addresses: []string{"old"}, Played: map[string]int64{}, Welcomed: true}
	first.Play([32]byte{9}, time.Unix(1, 0))
	first.SetLook(Look{Rotation: config.Rotations()[0], Layout: config.Layouts()[0]}, time.Unix(1, 0), [32]byte{9})
	must.Succeed(t, first.Save(path, Memory{}))
	one, two := Load(path), Load(path)
	wasOne, wasTwo := one.Clone(), two.Clone()

	one.Joined("ann")
	one.Play([32]byte{1}, time.Unix(10, 0))
	one.LookedIn("games", "/one")
	one.Controllers = append(one.Controllers, Controller{Name: "a", Serial: "1", Slot: 1})
	one.Room = &Room{Name: "R", Ways: []string{"w"}, At: 7}
	must.Succeed(t, one.Save(path, wasOne))
	wasOne = one.Clone()

	two.Joined("ben")
	two.Play([32]byte{2}, time.Unix(20, 0))
	two.LookedIn("saves", "/two")
	two.SetLook(Look{}, time.Unix(20, 0), [32]byte{9}) // forgets it
	two.Controllers = append(two.Controllers, Controller{Name: "b", Port: "2", Slot: 2})
	two.ByPlayed = true
	must.Succeed(t, two.Save(path, wasTwo))

	one.Window = Window{Width: 800, Height: 600}
	must.Succeed(t, one.Save(path, wasOne))
	got := Load(path)
	if !slices.Equal(got.Addresses, []string{"ben", "old", "ann"}) || len(got.Controllers) != 2 || got.Controllers[1].Name != "b" {
		t.Errorf("addresses %q, controllers %+v", got.Addresses, got.Controllers)
	}
	if len(got.Played) != 3 || got.Folders["games"] != "/one" || got.Folders["saves"] != "/two" || len(got.Looks) != 0 {
		t.Errorf("played %v, folders %v, looks %v", got.Played, got.Folders, got.Looks)
	}
	if !got.Welcomed || !got.ByPlayed || got.Room == nil || got.Room.Name != "R" || got.Window.Width != 800 {
		t.Errorf("it remembers %+v", got)
	}
	wasOne = one.Clone()
	one.Room = nil
	must.Succeed(t, one.Save(path, wasOne))
	if Load(path).Room != nil {
		t.Error("a room that is forgotten comes back")
	}
	must.Succeed(t, os.WriteFile(path, []byte("damaged"), 0o600))
	must.Succeed(t, one.Save(path, one))
	if got := Load(path); len(got.Played) != 2 || !got.Welcomed {
		t.Errorf("over a file that is damaged it writes %+v", got)
	}
}

// What several windows write at the same time is there afterwards.
func TestManyWindowsWriteAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.json")
	var windows sync.WaitGroup
	for i := range 4 {
		windows.Go(func() {
			var m, was Memory
			for n := range 6 {
				m.Play([32]byte{byte(i + 1), byte(n + 1)}, time.Unix(int64(n), 0))
				if err := m.Save(path, was); err != nil {
					t.Error(err)
				}
				was = m.Clone()
			}
		})
	}
	windows.Wait()
	if n := len(Load(path).Played); n != 24 {
		t.Errorf("%d games of 24 are remembered", n)
	}
}
