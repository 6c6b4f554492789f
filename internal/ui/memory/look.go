package memory

import (
	"cmp"
	"encoding/hex"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
)

// Look is how the consoles of one game are shown, where that differs from the settings: of each "" is what they say.
type Look struct {
	Rotation string `json:"rotation,omitempty"` // one of config.Rotations
	Layout   string `json:"layout,omitempty"`   // one of config.Layouts
	Emphasis string `json:"emphasis,omitempty"` // one of config.Emphases
	Filter   string `json:"filter,omitempty"`   // one of config.Filters
	At       int64  `json:"at"`                 // it was chosen, seconds since 1970
}

// Over is what shows of a game with settings of its own.
func (l Look) Over(v config.Video) config.Video {
	v.Rotation, v.Layout = cmp.Or(l.Rotation, v.Rotation), cmp.Or(l.Layout, v.Layout)
	v.Emphasis, v.Filter = cmp.Or(l.Emphasis, v.Emphasis), cmp.Or(l.Filter, v.Filter)
	return v
}

// LookOf is what of a picture is not as the settings say.
func LookOf(shown, settings config.Video) Look {
	own := func(shown, usual string) string {
		if shown == usual {
			return ""
		}
		return shown
	}
	return Look{
		Rotation: own(shown.Rotation, settings.Rotation), Layout: own(shown.Layout, settings.Layout),
		Emphasis: own(shown.Emphasis, settings.Emphasis), Filter: own(shown.Filter, settings.Filter),
	}
}

// Any reports whether a game has anything of its own.
func (l Look) Any() bool {
	l.At = 0
	return l != Look{}
}

// Look is the look of a game, by the SHA-256s that name it; the first one that has one counts.
func (m Memory) Look(names ...[32]byte) Look {
	for _, name := range names {
		if l, known := m.Looks[hex.EncodeToString(name[:])]; known {
			return l
		}
	}
	return Look{}
}

// SetLook remembers the look of a game, by the first of the SHA-256s that name it, and what was remembered by another one
// no more.
func (m *Memory) SetLook(l Look, now time.Time, names ...[32]byte) {
	for _, name := range names {
		delete(m.Looks, hex.EncodeToString(name[:]))
	}
	if !l.Any() || len(names) == 0 {
		return
	}
	if m.Looks == nil {
		m.Looks = map[string]Look{}
	}
	l.At = now.Unix()
	m.Looks[hex.EncodeToString(names[0][:])] = l
	m.boundLooks()
}

// boundLooks drops what is none, and the oldest looks beyond the bound.
func (m *Memory) boundLooks() {
	maps.DeleteFunc(m.Looks, func(key string, l Look) bool {
		_, ok := parseSHA(key)
		return !ok || !l.Any() || !l.known()
	})
	if over := len(m.Looks) - maxLooks; over > 0 {
		keys := slices.SortedFunc(maps.Keys(m.Looks), func(a, b string) int {
			return cmp.Or(cmp.Compare(m.Looks[a].At, m.Looks[b].At), cmp.Compare(a, b))
		})
		for _, key := range keys[:over] {
			delete(m.Looks, key)
		}
	}
}

// known reports whether all of a look are things that there are.
func (l Look) known() bool {
	is := func(value string, all []string) bool { return value == "" || slices.Contains(all, value) }
	return is(l.Rotation, config.Rotations()) && is(l.Layout, config.Layouts()) && is(l.Emphasis, config.Emphases()) && is(l.Filter, config.Filters())
}
