package savefile

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// melonState is a state of the given sections.
func melonState(sections ...[]byte) []byte {
	b := append([]byte("MELN"), 12, 0, 1, 0)
	b = append(le32(b, 0, 0), bytes.Join(sections, nil)...)
	binary.LittleEndian.PutUint32(b[8:], uint32(len(b)))
	return b
}

// melonSection is a section of n bytes of data.
func melonSection(magic string, n int) []byte {
	return append(le32([]byte(magic), uint32(16+n), 0, 0), make([]byte, n)...)
}

func TestMelonState(t *testing.T) {
	good := melonState(melonSection("NDSG", 100), melonSection("RTC.", 0))
	must.Succeed(t, CheckMelonDS(good))
	change := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] = v
		return b
	}
	for name, tt := range map[string]struct {
		state []byte
		want  string
	}{
		"nothing":            {nil, "begin with MELN"},
		"other magic":        {change(0, 'X'), "begin with MELN"},
		"cut":                {good[:len(good)-1], "length field"},
		"longer":             {append(bytes.Clone(good), 0), "length field"},
		"section of no size": {change(20, 0), "length 0"}, // would keep the core looking for ever
		"section too long":   {change(20, 255), "length 255"},
		"a few bytes left":   {melonState(melonSection("NDSG", 1), []byte("RTC.")), "too few"},
	} {
		if err := CheckMelonDS(tt.state); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want an error with %q", name, err, tt.want)
		}
	}
}

func FuzzMelonState(f *testing.F) {
	f.Add(melonState(melonSection("NDSG", 100), melonSection("RTC.", 0)))
	f.Add(melonState())
	f.Add([]byte("MELN"))
	f.Fuzz(func(t *testing.T, state []byte) {
		if CheckMelonDS(state) != nil {
			return
		}
		if n := binary.LittleEndian.Uint32(state[8:]); int(n) != len(state) {
			t.Fatalf("a state of %d bytes that says %d passed", len(state), n)
		}
	})
}
