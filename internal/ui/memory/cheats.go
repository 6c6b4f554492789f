package memory

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/cheat"
)

// Cheats are those of one game that were on in the player's last room with it.
type Cheats struct {
	On    []string `json:"on"`              // an ID of each, see cheatID
	Files []string `json:"files,omitempty"` // with cheats, that the player named
	At    int64    `json:"at"`              // they were chosen, seconds since 1970
}

const (
	maxCheated    = 50 // games
	maxCheatFiles = 4
	maxCheatFile  = 1000 // bytes of a path
	cheatIDSize   = 8    // bytes
)

// cheatID tells cheats apart, by name and code.
func cheatID(c cheat.Cheat) string {
	sum := cheat.Sum([]cheat.Cheat{c})
	return hex.EncodeToString(sum[:cheatIDSize])
}

// Has reports whether a cheat was on.
func (c Cheats) Has(x cheat.Cheat) bool { return len(c.On) > 0 && slices.Contains(c.On, cheatID(x)) }

// Cheats are those of a game, by the SHA-256 that names it.
func (m Memory) Cheats(game [32]byte) Cheats { return m.Cheated[hex.EncodeToString(game[:])] }

// SetCheats remembers which cheats of a game are on, and the newest of the files that the player named.
func (m *Memory) SetCheats(game [32]byte, on []cheat.Cheat, files []string, now time.Time) {
	key := hex.EncodeToString(game[:])
	c := Cheats{At: now.Unix(), Files: slices.Clone(files)}
	for _, x := range on {
		c.On = append(c.On, cheatID(x))
	}
	if m.Cheated == nil {
		m.Cheated = map[string]Cheats{}
	}
	m.Cheated[key] = c
	m.boundCheats()
}

// boundCheats drops what is none, and the oldest games beyond the bound.
func (m *Memory) boundCheats() {
	for key, c := range m.Cheated {
		c.On = slices.DeleteFunc(slices.Clone(c.On), func(id string) bool { b, err := hex.DecodeString(id); return err != nil || len(b) != cheatIDSize })
		c.On = c.On[:min(len(c.On), cheat.MaxAgreed)]
		c.Files = slices.DeleteFunc(slices.Clone(c.Files), func(f string) bool { return f == "" || len(f) > maxCheatFile })
		c.Files = c.Files[max(0, len(c.Files)-maxCheatFiles):]
		m.Cheated[key] = c
	}
	maps.DeleteFunc(m.Cheated, func(key string, c Cheats) bool {
		_, ok := parseSHA(key)
		return !ok || len(c.On) == 0 && len(c.Files) == 0
	})
	if over := len(m.Cheated) - maxCheated; over > 0 {
		keys := slices.SortedFunc(maps.Keys(m.Cheated), func(a, b string) int {
			return cmp.Or(cmp.Compare(m.Cheated[a].At, m.Cheated[b].At), cmp.Compare(a, b))
		})
		for _, key := range keys[:over] {
			delete(m.Cheated, key)
		}
	}
}
