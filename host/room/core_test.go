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
		{"DeSmuME/0.9.11", "melonDS DS/1.2.0", CoreSource{}, `choose DeSmuME on your computer ("sudo apt install libretro-desmume"), or let the game host choose another core`, "choose DeSmuME on Bob's computer"},
	} {
		id := func(s string, sum byte) CoreID {
			name, version, _ := strings.Cut(s, "/")
			return CoreID{Name: name, Version: version, SHA256: [32]byte{sum}}
		}
		used := UsedCore{CoreID: id(tt.room, 1), Source: tt.source}
		r, ok := CoreRefusal(used, id(tt.theirs, 2), CoreFacts{Package: desmume}, "")
		if ok || r.Code != CodeCore || r.Core != used || !strings.Contains(r.Hint, tt.you) {
			t.Errorf("%s, mine %s: %v, %+v", tt.room, tt.theirs, ok, r)
		}
		if r, _ := CoreRefusal(used, id(tt.theirs, 2), CoreFacts{Package: desmume}, "Bob"); !strings.Contains(r.Hint, tt.others) {
			t.Errorf("%s, Bob's %s: %q", tt.room, tt.theirs, r.Hint)
		}
		if _, ok := CoreRefusal(used, id(tt.theirs, 1), CoreFacts{Package: desmume}, ""); !ok {
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
	(&UsedCore{CoreID{Name: "melonDS DS", Version: "1.3.1", SHA256: [32]byte{1}}, CoreSource{"nightly", "2026-11-20"}}).Fields(c)
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

// TestBuildsOfOneVersion: two that do the same play together. Else the sentence tells which one is not what this program
// knows, to both sides.
func TestBuildsOfOneVersion(t *testing.T) {
	build := func(sum, print byte) CoreID {
		return CoreID{Name: "DeSmuME", Version: "SVN", SHA256: [32]byte{sum}, Fingerprint: [32]byte{print}}
	}
	known := func(id CoreID) (alike, known bool) { return id.Fingerprint[0] == 1, true }
	facts := CoreFacts{Known: known, Package: func(string) string { return "libretro-desmume" }}
	for _, tt := range []struct {
		room, theirs byte // fingerprints
		facts        CoreFacts
		sentence     string // "" for let in
		you, others  string
	}{
		{1, 1, facts, "", "", ""},
		{2, 2, facts, "", "", ""},
		{1, 2, facts, "your computer on DeSmuME SVN (build 02000000), which does not do the same in every frame", `yours is not the DeSmuME SVN that nettplay knows, the game host's is: you must get that one ("sudo apt install libretro-desmume")`, "Bob's is not the DeSmuME SVN that nettplay knows, the game host's is: Bob must get that one"},
		{2, 1, facts, "which does not do the same", "the game host's is not the DeSmuME SVN that nettplay knows, yours is: the game host must get that one", "Bob's is: the game host must get that one"},
		{3, 2, facts, "which does not do the same", "from the same place", "from the same place"},
		{1, 2, CoreFacts{}, "which does not do the same", "from the same place", "from the same place"},
		{1, 0, facts, "; yours was not checked, or failed its check", "yours is not", "Bob's is not"},
		{0, 1, facts, "; the game host's was not checked, or failed its check", "the game host must get that one", "the game host must get that one"},
		{0, 0, facts, "; nothing says that both do the same", "from the same place", "from the same place"},
	} {
		room, theirs := UsedCore{CoreID: build(1, tt.room)}, build(2, tt.theirs)
		r, ok := CoreRefusal(room, theirs, tt.facts, "")
		if ok != (tt.sentence == "") || !strings.Contains(r.Sentence, tt.sentence) || !strings.Contains(r.Hint, tt.you) {
			t.Errorf("%+v: %v, %q, %q", tt, ok, r.Sentence, r.Hint)
		}
		if r, _ := CoreRefusal(room, theirs, tt.facts, "Bob"); !strings.Contains(r.Hint, tt.others) {
			t.Errorf("%+v, of Bob: %q", tt, r.Hint)
		}
	}
	other := build(2, 1)
	other.Version = "0.9.13"
	if _, ok := CoreRefusal(UsedCore{CoreID: build(1, 1)}, other, facts, ""); ok {
		t.Error("another version of one fingerprint is let in")
	}
}
