package room

import (
	"reflect"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/wire"
)

// TestWhoMustChange: of two versions of a core the older one is to change, and each side reads
// so in words for it.
func TestWhoMustChange(t *testing.T) {
	desmume := func(core string) string {
		if core == "DeSmuME" {
			return "libretro-desmume"
		}
		return ""
	}
	known := CoreSource{Name: "nightly", Version: "2026-11-20"}
	for _, tt := range []struct {
		room, theirs string // name and version
		source       CoreSource
		you, others  string // the hint, and what it is about somebody else
	}{
		{"melonDS DS/1.3.1", "melonDS DS/1.2.0", known, `you must update melonDS DS to 1.3.1 ("nettplay cores update")`, "Bob must update melonDS DS to 1.3.1"},
		{"melonDS DS/1.2.0", "melonDS DS/v1.10", known, `the game host must update melonDS DS to v1.10 ("nettplay cores update")`, "the game host must update"},
		{"melonDS DS/1.2", "melonDS DS/1.2.0", known, "you must get the game host's build, from nightly, version 2026-11-20", "Bob must get the game host's build"},
		{"melonDS DS/1.2.0", "melonDS DS/1.2.0", CoreSource{}, `both of you must get it from the same place ("nettplay cores update")`, "from the same place"},
		{"SkyEmu/git", "SkyEmu/1.0", CoreSource{}, "from the same place", "from the same place"},
		{"DeSmuME/0.9.11", "DeSmuME/0.9.9", CoreSource{}, `you must update DeSmuME to 0.9.11 ("sudo apt install libretro-desmume")`, "Bob must update"},
		{"DeSmuME/0.9.11", "melonDS DS/1.2.0", CoreSource{}, `choose DeSmuME on your machine ("sudo apt install libretro-desmume"), or let the game host choose another core`, "choose DeSmuME on Bob's machine"},
	} {
		id := func(s string, sum byte) CoreID {
			name, version, _ := strings.Cut(s, "/")
			return CoreID{Name: name, Version: version, SHA256: [32]byte{sum}}
		}
		used := UsedCore{CoreID: id(tt.room, 1), Source: tt.source}
		r, ok := CoreRefusal(used, id(tt.theirs, 2), desmume, "")
		if ok || r.Code != CodeCore || r.Core != used || !strings.Contains(r.Hint, tt.you) {
			t.Errorf("%s, mine %s: %v, %+v", tt.room, tt.theirs, ok, r)
		}
		if r, _ := CoreRefusal(used, id(tt.theirs, 2), desmume, "Bob"); !strings.Contains(r.Hint, tt.others) {
			t.Errorf("%s, Bob's %s: %q", tt.room, tt.theirs, r.Hint)
		}
		if _, ok := CoreRefusal(used, id(tt.theirs, 1), desmume, ""); !ok {
			t.Errorf("%s: the same build is refused", tt.room)
		}
	}
}

// TestSourceIsCleaned: what another machine says of its core's source is short and clean
// text, and nothing without a name.
func TestSourceIsCleaned(t *testing.T) {
	s := CoreSource{Name: "night\x1b[31mly\n" + strings.Repeat("é", MaxName), Version: "1\u202e2"}.Cleaned()
	if len(s.Name) > MaxName || strings.ContainsFunc(s.Name+s.Version, wire.IsHidden) {
		t.Errorf("it is %q", s)
	}
	if s := (CoreSource{Version: "1"}).Cleaned(); s != (CoreSource{}) {
		t.Errorf("without a name it is %q", s)
	}
}

// FuzzVersions: versions are hostile texts; their order is the same from either side.
func FuzzVersions(f *testing.F) {
	f.Add("1.2.0", "v1.10")
	f.Add("99999999999.1", "..")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, knownX := compareVersions(a, b)
		y, knownY := compareVersions(b, a)
		if knownX != knownY || x != -y {
			t.Errorf("%q and %q: %d %v, the other way %d %v", a, b, x, knownX, y, knownY)
		}
	})
}

// FuzzUsedCore: what is read of a core is bounded, and written as it was read.
func FuzzUsedCore(f *testing.F) {
	c := wire.Writer(nil)
	(&UsedCore{CoreID{"melonDS DS", "1.3.1", [32]byte{1}}, CoreSource{"nightly", "2026-11-20"}}).Fields(c)
	f.Add(c.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		var got, again UsedCore
		r := wire.Reader(b)
		if got.Fields(r); r.Err() != nil {
			return
		}
		for _, text := range []string{got.Name, got.Version, got.Source.Name, got.Source.Version} {
			if len(text) > MaxName || strings.ContainsFunc(text, wire.IsHidden) {
				t.Fatalf("%q", text)
			}
		}
		w := wire.Writer(nil)
		got.Fields(w)
		r = wire.Reader(w.Bytes())
		if again.Fields(r); r.End() != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("%+v is read back as %+v: %v", got, again, r.End())
		}
	})
}
