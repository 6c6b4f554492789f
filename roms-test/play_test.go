package romstest_test

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Every program's barcode says what its text says, frame after frame, the program
// misses no frame, and its processors agree.
func TestBarcodeIsTheHash(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range romstest.All() {
			t.Run(r.Name, func(t *testing.T) {
				p := play(t, core, r.Data, nil)
				s := inputdelay.RandomScript(1, 200)
				p.script(s, 20)
				first := p.look().frame()
				for n := 7; n <= 154; n += 7 {
					p.script(s, 7)
					v := p.look()
					if got, want := p.barcode(), v.textHash(); got != want {
						t.Errorf("frame %d: barcode %08X, text %08X", v.frame(), got, want)
					}
					if v.frame() != first+n {
						t.Fatalf("after %d frames the program counts %d, from %d", n, v.frame(), first)
					}
					v.expect("check", "ok")
				}
			})
		}
	})
}

// some are the ROMs that stand for all where each takes seconds: one alone, and one on the air.
func some() []romstest.ROM {
	if os.Getenv("NETTPLAY_LONG") != "" {
		return romstest.All()
	}
	return slices.DeleteFunc(romstest.All(), func(r romstest.ROM) bool { return r.Name != "pad.nds" && r.Name != "multiplay.nds" })
}

// Two consoles of the same making and with the same input show the same, and do not
// once the input of a single frame differs.
func TestEqualConsolesAgree(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range some() {
			t.Run(r.Name, func(t *testing.T) {
				a, b := play(t, core, r.Data, nil), play(t, core, r.Data, nil)
				s := inputdelay.RandomScript(2, 300)
				for range 15 { // what once differs stays different, so no frame is missed
					a.script(s, 10)
					b.script(s, 10)
					if a.barcode() != b.barcode() {
						t.Fatalf("frame %d: %08X and %08X", a.console.Frame(), a.barcode(), b.barcode())
					}
				}
				if !bytes.Equal(a.look().img.Pix, b.look().img.Pix) {
					t.Error("the hashes agree, the pictures do not")
				}
				a.step(1, keys(inputdelay.KeyA|inputdelay.KeyLeft))
				b.step(1, keys(inputdelay.KeyA))
				for range 60 {
					a.step(1, emucore.Input{})
					b.step(1, emucore.Input{})
				}
				if a.barcode() == b.barcode() {
					t.Error("one key in one frame made no difference")
				}
			})
		}
	})
}

// A state that is loaded goes on where it was taken, in the program's own eyes too:
// the two processors keep agreeing.
func TestStateGoesOn(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range romstest.All() {
			t.Run(r.Name, func(t *testing.T) {
				p := play(t, core, r.Data, nil)
				s := inputdelay.RandomScript(4, 300)
				p.script(s, 60)
				state, err := p.console.Save()
				must.Succeed(t, err)
				frame := p.look().frame()
				replay := func() uint32 {
					must.Succeed(t, p.console.Load(state))
					p.script(s, 50)
					v := p.look()
					v.expect("check", "ok")
					if v.frame() != frame+50 {
						t.Errorf("50 frames after frame %d the program counts %d", frame, v.frame())
					}
					return p.barcode()
				}
				if a, b := replay(), replay(); a != b {
					t.Errorf("loaded twice it went on to %08X and %08X", a, b)
				}
			})
		}
	})
}

// The scene moves by itself and by keys and stylus.
func TestDraw3DMoves(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		run := func(in emucore.Input) view {
			p := play(t, core, romstest.Draw3D, nil)
			p.step(20, emucore.Input{})
			p.step(5, in)
			return p.look()
		}
		neutral := run(emucore.Input{})
		if colours := countColours(neutral.top()); colours < 50 {
			t.Errorf("the scene has %d colours", colours)
		}
		if n := triangles(neutral); n < 300 {
			t.Errorf("%d triangles are drawn", n)
		}
		p := play(t, core, romstest.Draw3D, nil)
		p.step(26, emucore.Input{})
		if bytes.Equal(p.look().top(), neutral.top()) {
			t.Error("the scene stands still")
		}
		for name, in := range map[string]emucore.Input{
			"right": keys(inputdelay.KeyRight), "Y": keys(inputdelay.KeyY), "stylus": touch(250, 10),
		} {
			if bytes.Equal(run(in).top(), neutral.top()) {
				t.Errorf("%s does not show in the scene", name)
			}
		}
	})
}

func countColours(pix []byte) int {
	seen := make(map[[3]byte]bool)
	for i := 0; i < len(pix); i += 4 {
		seen[[3]byte(pix[i:])] = true
	}
	return len(seen)
}

func triangles(v view) (n int) {
	v.Helper()
	if _, err := fmt.Sscanf(v.field("shapes"), "%d triangles", &n); err != nil {
		v.Fatal(err)
	}
	return n
}

// A broken program does the same as a sound one until it begins to fail; then each
// of the checks that this package promises sees it.
func TestBrokenIsNoticed(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range some() {
			t.Run(r.Name, func(t *testing.T) {
				rom, err := romstest.Broken(r.Data)
				must.Succeed(t, err)
				sound, broken := play(t, core, r.Data, nil), play(t, core, rom, nil)
				for broken.console.Frame() < 30 {
					sound.step(1, keys(inputdelay.KeyB))
					broken.step(1, keys(inputdelay.KeyB))
				}
				broken.look().expect("check", "ok")
				if sound.barcode() != broken.barcode() {
					t.Error("it fails before its time")
				}
				sound.step(romstest.BrokenFrom, emucore.Input{})
				broken.step(romstest.BrokenFrom, emucore.Input{})
				v := broken.look()
				if check := v.field("check"); !strings.HasPrefix(check, "BAD ") {
					t.Errorf("check is %q, want BAD", check)
				}
				if v.textHash() == sound.look().textHash() {
					t.Error("its hash is the sound one's")
				}
				if v.textHash() == broken.barcode() {
					t.Error("its barcode says what its text says")
				}
			})
		}
	})
}

// The menu of a console shows these, and these ROMs claim save memory.
func TestROMsAreWellFormed(t *testing.T) {
	dir := t.TempDir()
	paths, err := romstest.WriteFiles(dir, romstest.All()...)
	must.Succeed(t, err)
	want := []emucore.ROM{
		{Title: "NETTPLAY PAD", Code: "####", BannerTitle: "nettplay pad all that a console sees nettplay test ROM"},
		{Title: "NETTPLAYSAVE", Code: "XNPE", BannerTitle: "nettplay save a counter in the cartridge nettplay test ROM"},
		{Title: "NETTPLAY 3D", Code: "####", BannerTitle: "nettplay draw3d triangles as a load nettplay test ROM"},
		{Title: "NETTPLAYCAST", Code: "####", BannerTitle: "nettplay broadcast keys on the radio nettplay test ROM"},
		{Title: "NETTPLAYPLAY", Code: "####", BannerTitle: "nettplay multiplay a game over the radio nettplay test ROM"},
		{Title: "NETTPLAYPOWR", Code: "####", BannerTitle: "nettplay power multiplay, with a switch nettplay test ROM"},
	}
	for i, path := range paths {
		r, err := emucore.OpenROM(path)
		must.Succeed(t, err)
		if r.Title != want[i].Title || r.Code != want[i].Code || r.BannerTitle != want[i].BannerTitle {
			t.Errorf("%s: title %q, code %q, banner %q", path, r.Title, r.Code, r.BannerTitle)
		}
	}
}
