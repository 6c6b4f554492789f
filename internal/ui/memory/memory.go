// Package memory holds what the program remembers besides the settings.
package memory

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/nettplay/nettplay/internal/disk"
)

// Memory is all that the program remembers besides the settings: conveniences that nobody would miss
// for long. The zero value is a first start.
type Memory struct {
	Welcomed     bool             `json:"welcomed"`  // the first steps are done
	Addresses    []string         `json:"addresses"` // that were joined, the last one first
	Played       map[string]int64 `json:"played"`    // when each game was last played, seconds since 1970, by SHA-256 in hex
	LastGame     string           `json:"last_game"` // SHA-256 in hex of the game picked last
	LocalPlayers []string         `json:"beside"`    // the further players at this machine, last time
	ByPlayed     bool             `json:"by_played"` // the list of games begins with those played last
	// Folders are where the player looked last for files of each kind.
	Folders map[string]string `json:"folders,omitempty"`
	// Room is the last room, while the player may come back into it; nil for none. The file is the user's
	// own alone (see Save): the ways back are as good as invitations. A password is not in it.
	Room *Room `json:"room,omitempty"`
	// KeysTold is that the player was told, at the first game, which key shows all keys.
	KeysTold bool   `json:"keys_told,omitempty"`
	Window   Window `json:"window,omitzero"` // where it was last
	// Looks are how single games are shown where that differs from the settings, by SHA-256 in hex of the game's
	// image, or of its file.
	Looks map[string]Look `json:"looks,omitempty"`
	// Cheated are the cheats of games, by SHA-256 in hex of the game's image.
	Cheated map[string]Cheats `json:"cheats,omitempty"`
	// Controllers are those that can be told from others of their model, the last one that came last.
	Controllers []Controller `json:"controllers,omitempty"`
}

// Window is where the window was, in SDL's units; the zero value is nowhere.
type Window struct {
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	Maximized bool `json:"maximized,omitempty"`
}

// Room is a room that the player was in.
type Room struct {
	Name   string   `json:"name"`
	Game   string   `json:"game"`             // title
	Ways   []string `json:"ways"`             // invitations, codes and addresses that may lead there, the likeliest first
	At     int64    `json:"at"`               // the player was last there, seconds since 1970
	Silent bool     `json:"silent,omitempty"` // it did not answer when the player last tried
}

// RoomAge is for how long a room is worth going back to.
const RoomAge = 12 * time.Hour

// MaxWays is the limit of the ways back into a room.
const MaxWays = 4

// Controller is a game controller that was plugged in once. Serial or Port is not "".
type Controller struct {
	Name   string `json:"name"`   // as it calls itself
	Serial string `json:"serial"` // of this very piece; "" where it tells none
	Port   string `json:"port"`   // where it was plugged in; "" unknown
	Slot   int    `json:"slot"`   // "pad 1" of the settings has 1
}

// Whole reports whether a controller can be remembered: it has an identity, and is within bounds.
func (c Controller) Whole() bool {
	text := func(s string, least int) bool {
		return len(s) >= least && len(s) <= maxControllerText && utf8.ValidString(s)
	}
	return text(c.Name, 1) && text(c.Serial, 0) && text(c.Port, 0) && c.Serial+c.Port != "" && c.Slot >= 1 && c.Slot <= maxSlot
}

// MaxControllers is the most controllers that are remembered.
const MaxControllers = 32

// MaxLocalPlayers is the most further players at one machine: a screen has room for them.
const MaxLocalPlayers = 3

// The bounds of the memory.
const (
	maxMemory    = 512 << 10 // bytes of the file
	maxAddresses = 8
	maxAddress   = 255 // letters
	maxPlayed    = 1000
	maxLooks     = 500
	maxName      = 64 // bytes
	maxFolders   = 32
	maxFolder    = 4096    // bytes
	maxWay       = 1000    // bytes: an invitation has 600 at most
	maxDesktop   = 1 << 16 // units of all displays together, either way
	maxSlot      = 16      // "pad 16" is the last one that settings can name

	maxControllerText = 256 // bytes
)

// Load reads what was remembered. A file that is not there, or damaged, is
// a first start.
func Load(path string) Memory {
	b, err := disk.Read(path, maxMemory)
	if err != nil {
		return Memory{}
	}
	return parse(b)
}

// parse reads a memory and brings it into bounds.
func parse(b []byte) Memory {
	var m Memory
	if json.Unmarshal(b, &m) != nil {
		return Memory{}
	}
	m.bound()
	return m
}

// bound drops what is none, and what is beyond the bounds.
func (m *Memory) bound() {
	m.Addresses = slices.DeleteFunc(m.Addresses, func(a string) bool { return a == "" || len(a) > maxAddress })
	m.Addresses = m.Addresses[:min(len(m.Addresses), maxAddresses)]
	m.LocalPlayers = slices.DeleteFunc(m.LocalPlayers, func(n string) bool { return n == "" || len(n) > maxName || !utf8.ValidString(n) })
	m.LocalPlayers = m.LocalPlayers[:min(len(m.LocalPlayers), MaxLocalPlayers)]
	if _, ok := parseSHA(m.LastGame); !ok {
		m.LastGame = ""
	}
	maps.DeleteFunc(m.Played, func(key string, _ int64) bool {
		_, ok := parseSHA(key)
		return !ok
	})
	for key, path := range m.Folders {
		if len(m.Folders) > maxFolders || len(key) > maxName || len(path) > maxFolder {
			delete(m.Folders, key)
		}
	}
	if m.Room != nil && !m.Room.valid() {
		m.Room = nil
	}
	if w := m.Window; min(w.Width, w.Height) < 1 || min(w.X, w.Y) < -maxDesktop || max(w.Width, w.Height, w.X, w.Y) > maxDesktop {
		m.Window = Window{}
	}
	m.boundLooks()
	m.boundCheats()
	m.Controllers = slices.DeleteFunc(m.Controllers, func(c Controller) bool { return !c.Whole() })
	m.Controllers = m.Controllers[max(len(m.Controllers)-MaxControllers, 0):]
	m.forget()
}

// valid reports whether a room that was read is one, within bounds.
func (r *Room) valid() bool {
	for _, text := range []string{r.Name, r.Game} {
		if len(text) > maxAddress || !utf8.ValidString(text) {
			return false
		}
	}
	return r.Name != "" && len(r.Ways) > 0 && len(r.Ways) <= MaxWays && !slices.ContainsFunc(r.Ways, func(way string) bool {
		return way == "" || len(way) > maxWay || !utf8.ValidString(way)
	})
}

// Old reports whether it is so long ago that the player was in a room that nobody goes back there.
func (r *Room) Old(now time.Time) bool { return now.Sub(time.Unix(r.At, 0)).Abs() > RoomAge }

// Save writes what changed since the file was last read or written here, as was, over what it has now: the player's other
// windows write theirs.
func (m Memory) Save(path string, was Memory) error {
	err := disk.Changing(path, func() error {
		others := Load(path)
		if reflect.DeepEqual(others, Memory{}) { // the file is new or damaged
			was = others
		}
		b, err := json.MarshalIndent(merged(others, was, m), "", "  ")
		if err != nil {
			return err
		}
		return disk.WritePrivate(path, append(b, '\n'))
	})
	if err != nil {
		return fmt.Errorf("remember what was played: %w", err)
	}
	return nil
}

// merged is what another window has written, with what changed here. Of games, looks, cheats and folders each stands for itself, and so
// do addresses and controllers, which come after those of here; all else is one thing.
func merged(others, was, m Memory) Memory {
	now := others.Clone()
	here, before, out := reflect.ValueOf(m), reflect.ValueOf(was), reflect.ValueOf(&now).Elem()
	for i := range here.NumField() {
		a, b, c := here.Field(i), before.Field(i), out.Field(i)
		switch {
		case reflect.DeepEqual(a.Interface(), b.Interface()):
		case a.Kind() != reflect.Map:
			c.Set(a)
		default:
			if c.IsNil() {
				c.Set(reflect.MakeMap(c.Type()))
			}
			for _, key := range append(a.MapKeys(), b.MapKeys()...) {
				x, y := a.MapIndex(key), b.MapIndex(key)
				if !x.IsValid() || !y.IsValid() || !reflect.DeepEqual(x.Interface(), y.Interface()) {
					c.SetMapIndex(key, x) // which removes it if it is none
				}
			}
		}
	}
	fresh := func(a string) bool { return !slices.Contains(m.Addresses, a) && !slices.Contains(was.Addresses, a) }
	if !slices.Equal(m.Addresses, was.Addresses) {
		now.Addresses = append(slices.Clone(m.Addresses), only(others.Addresses, fresh)...)
	}
	if !slices.Equal(m.Controllers, was.Controllers) {
		now.Controllers = append(only(others.Controllers, func(x Controller) bool {
			same := func(y Controller) bool { return x.Name == y.Name && x.Serial == y.Serial && x.Port == y.Port }
			return !slices.ContainsFunc(m.Controllers, same) && !slices.ContainsFunc(was.Controllers, same)
		}), m.Controllers...)
	}
	now.bound()
	return now
}

// only are those of a list of which something is true.
func only[T any](list []T, is func(T) bool) (out []T) {
	for _, x := range list {
		if is(x) {
			out = append(out, x)
		}
	}
	return out
}

// Clone copies a memory with its lists.
func (m Memory) Clone() Memory {
	m.Addresses, m.LocalPlayers, m.Played = slices.Clone(m.Addresses), slices.Clone(m.LocalPlayers), maps.Clone(m.Played)
	m.Folders, m.Controllers, m.Looks = maps.Clone(m.Folders), slices.Clone(m.Controllers), maps.Clone(m.Looks)
	m.Cheated = maps.Clone(m.Cheated) // whose lists are never changed in place
	if m.Room != nil {
		room := *m.Room
		room.Ways = slices.Clone(room.Ways)
		m.Room = &room
	}
	return m
}

// Joined remembers an address.
func (m *Memory) Joined(addr string) {
	if addr == "" || len(addr) > maxAddress {
		return
	}
	list := slices.DeleteFunc(slices.Clone(m.Addresses), func(a string) bool { return a == addr })
	list = append([]string{addr}, list...)
	m.Addresses = list[:min(len(list), maxAddresses)]
}

// LookedIn remembers where the player looked for files of a kind.
func (m *Memory) LookedIn(key, folder string) {
	if m.Folders == nil {
		m.Folders = map[string]string{}
	}
	if _, known := m.Folders[key]; len(folder) <= maxFolder && (known || len(m.Folders) < maxFolders) {
		m.Folders[key] = folder
	}
}

// Play remembers that a game is played now.
func (m *Memory) Play(sha [32]byte, now time.Time) {
	if m.Played == nil {
		m.Played = map[string]int64{}
	}
	m.Played[hex.EncodeToString(sha[:])] = now.Unix()
	m.forget()
}

// forget drops the games that were not played for longest, beyond the bound.
func (m *Memory) forget() {
	if len(m.Played) <= maxPlayed {
		return
	}
	times := slices.Sorted(maps.Values(m.Played))
	oldest := times[len(times)-maxPlayed]
	maps.DeleteFunc(m.Played, func(_ string, at int64) bool { return at < oldest })
}

// PlayedAt returns the time at which each game was last played, by SHA-256.
func (m Memory) PlayedAt() map[[32]byte]time.Time {
	played := make(map[[32]byte]time.Time, len(m.Played))
	for key, at := range m.Played {
		if sha, ok := parseSHA(key); ok {
			played[sha] = time.Unix(at, 0)
		}
	}
	return played
}

func parseSHA(s string) (sha [32]byte, ok bool) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(sha) {
		return sha, false
	}
	return [32]byte(b), true
}
