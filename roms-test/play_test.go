package romstest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
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

// Two consoles of the same making and with the same input show the same, and do not
// once the input of a single frame differs.
func TestEqualConsolesAgree(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range romstest.All() {
			t.Run(r.Name, func(t *testing.T) {
				a, b := play(t, core, r.Data, nil), play(t, core, r.Data, nil)
				s := inputdelay.RandomScript(2, 300)
				for range 150 {
					a.script(s, 1)
					b.script(s, 1)
					if a.console.Frame() > 10 && a.barcode() != b.barcode() {
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

// Everything that can be done to a console shows in words and in the hash, which
// does not forget it.
func TestEveryInputCounts(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		run := func(in emucore.Input) (during view, after uint32) {
			p := play(t, core, romstest.Pad, nil)
			p.step(20, emucore.Input{})
			p.step(4, in)
			during = p.look()
			p.step(40, emucore.Input{})
			return during, p.barcode()
		}
		before, neutral := run(emucore.Input{})
		before.expect("keys", "none", "stylus", "up", "lid", "open")
		if _, again := run(emucore.Input{}); again != neutral {
			t.Fatalf("two runs without input end with %08X and %08X", neutral, again)
		}
		check := func(name string, in emucore.Input, fields ...string) {
			t.Run(name, func(t *testing.T) {
				during, after := run(in)
				during.T = t
				during.expect(fields...)
				if after == neutral {
					t.Error("the hash has not seen it")
				}
			})
		}
		names := []string{"A", "B", "SELECT", "START", "RIGHT", "LEFT", "UP", "DOWN", "R", "L", "X", "Y"}
		for i, name := range names {
			check(name, keys(1<<i), "keys", name)
		}
		check("many", keys(inputdelay.KeyA|inputdelay.KeyUp|inputdelay.KeyY), "keys", "A+UP+Y", "stylus", "up")
		check("touch", touch(100, 100), "keys", "none", "lid", "open")
		check("lid", keys(inputdelay.Lid), "keys", "none", "lid", "closed")
		if emucore.ProfileFor(core.Name).Mic.ID >= 0 {
			check("mic", keys(inputdelay.Mic), "keys", "none")
		}
	})
}

// Noise at the microphone is drawn as bars.
func TestMicrophone(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		if emucore.ProfileFor(core.Name).Mic.ID < 0 {
			t.Skip("the core has no microphone button")
		}
		p := play(t, core, romstest.Pad, nil)
		p.step(20, emucore.Input{})
		if s := p.look().field("sound"); strings.Trim(s, ".") != "" {
			t.Errorf("silence shows as %q", s)
		}
		loud := 0
		for range 20 {
			p.step(1, keys(inputdelay.Mic))
			loud = max(loud, strings.Count(p.look().field("sound"), "|"))
		}
		if loud < 3 {
			t.Errorf("noise shows as %d bars", loud)
		}
	})
}

// The stylus arrives at the pixel it was put on. melonDS calibrates its screen in
// such a way that the formula of GBATEK gives one less.
func TestTouchPixels(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Pad, nil)
		p.step(20, emucore.Input{})
		for _, at := range [][2]uint8{{0, 0}, {255, 191}, {0, 191}, {255, 0}, {1, 1}, {100, 7}, {127, 95}, {128, 96}, {254, 190}} {
			p.step(4, touch(at[0], at[1]))
			x, y := at[0], at[1]
			if isMelonDS(core) {
				x, y = max(x, 1)-1, max(y, 1)-1
			}
			p.look().expect("stylus", fmt.Sprintf("%03d,%03d", x, y))
		}
		p.step(4, emucore.Input{})
		p.look().expect("stylus", "up")
	})
}

// The clock shows Config.RTC at frame 0 and goes on with the frames, over the end
// of a year.
func TestClock(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Pad, nil)
		shown := make(map[int]bool)
		for range 60 {
			p.step(5, emucore.Input{})
			got, ok := romstest.Field(p.look().lines, "clock")
			if !ok {
				continue // the program is not up yet
			}
			clock, err := time.Parse("Mon 2006-01-02 15:04:05", got)
			if err != nil {
				t.Fatal(err)
			}
			if clock.Format("Mon 2006-01-02 15:04:05") != got {
				t.Errorf("%s is no such weekday", got)
			}
			// The picture is that of a sample taken one or two frames before.
			f := p.console.Frame()
			early, late := rtcStart+emucore.FrameTime(f-3).Seconds(), rtcStart+emucore.FrameTime(f).Seconds()
			if s := float64(clock.Unix()); s < float64(int64(early)) || s > late {
				t.Errorf("after frame %d the clock shows %s, %v s after the start", f, got, s-rtcStart)
			}
			shown[clock.Year()] = true
		}
		if !shown[2031] || !shown[2032] {
			t.Errorf("the clock showed the years %v", shown)
		}
	})
}

// Whose console it is; DeSmuME can be told the language only.
func TestOwner(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Pad, nil)
		p.step(20, emucore.Input{})
		v := p.look()
		if !isMelonDS(core) {
			v.expect("name", "DeSmuME", "mac", "00:09:BF:12:34:56", "speaks", "German, born 23.06")
			return
		}
		v.expect("name", "Zoe", "mac", "00:09:BF:0A:0B:0C", "speaks", "German, born 30.11")
		mine := p.barcode()
		other := play(t, core, romstest.Pad, func(cfg *emucore.Config) { cfg.Firmware.MAC[5]++ })
		other.step(20, emucore.Input{})
		if other.barcode() == mine {
			t.Error("another MAC address made no difference")
		}
	})
}

// After the reset button the program starts from the beginning, both processors.
func TestReset(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		for _, r := range romstest.All() {
			t.Run(r.Name, func(t *testing.T) {
				p := play(t, core, r.Data, nil)
				p.script(inputdelay.RandomScript(3, 100), 80)
				if err := p.console.Reset(); err != nil {
					t.Fatal(err)
				}
				p.step(20, emucore.Input{})
				v := p.look()
				v.expect("check", "ok")
				if f := v.frame(); f < 10 || f > 20 {
					t.Errorf("20 frames after the reset the program counts %d", f)
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
				if err != nil {
					t.Fatal(err)
				}
				frame := p.look().frame()
				replay := func() uint32 {
					if err := p.console.Load(state); err != nil {
						t.Fatal(err)
					}
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

// Counter and log are in the cartridge: they come back on another console that gets
// the same memory, and Go reads them from it.
func TestSaveSurvives(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Save, nil)
		p.step(10, emucore.Input{})
		p.look().expect("found", "00000000 blank", "log", "ok", "write", "none yet")
		if sram, err := p.console.SRAM(); err != nil {
			t.Fatal(err)
		} else if len(sram) > 0 && !blankMemory(sram) {
			t.Error("the memory was written to before any key was pressed")
		}
		pressed := []inputdelay.Keys{inputdelay.KeyA, inputdelay.KeyB | inputdelay.KeyUp, inputdelay.KeyL}
		for _, k := range pressed {
			p.step(3, keys(k))
			p.step(3, emucore.Input{})
		}
		p.look().expect("write", "ok")
		sram, err := p.console.SRAM()
		if err != nil {
			t.Fatal(err)
		}
		log, err := romstest.ReadSave(sram)
		if err != nil {
			t.Fatal(err)
		}
		checkLog(t, log, pressed)

		next := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		next.step(10, emucore.Input{})
		v := next.look()
		v.expect("found", "00000003 steps", "log", "ok", "write", "none yet")
		newest := fmt.Sprintf(" 000003  %s  L", log.Entries[2].Time.Format(time.TimeOnly))
		if !hasLine(v, newest) {
			t.Errorf("no %q on the screen: %+v", newest, v.lines)
		}
		next.step(3, keys(inputdelay.KeyX))
		next.step(3, emucore.Input{})
		if sram, err = next.console.SRAM(); err != nil {
			t.Fatal(err)
		}
		if log, err = romstest.ReadSave(sram); err != nil {
			t.Fatal(err)
		}
		checkLog(t, log, append(pressed, inputdelay.KeyX))
	})
}

func blankMemory(b []byte) bool {
	return len(bytes.Trim(b, "\xFF")) == 0 || len(bytes.Trim(b, "\x00")) == 0
}

func hasLine(v view, text string) bool {
	for _, l := range v.lines {
		if l.Text == text {
			return true
		}
	}
	return false
}

func checkLog(t *testing.T, log romstest.SaveLog, pressed []inputdelay.Keys) {
	t.Helper()
	if int(log.Steps) != len(pressed) || len(log.Entries) != len(pressed) {
		t.Fatalf("the memory holds %+v, want %d steps", log, len(pressed))
	}
	for i, e := range log.Entries {
		since := e.Time.Unix() - rtcStart
		if e.Keys != pressed[i] || e.Frame == 0 || since < 0 || since > 2 {
			t.Errorf("step %d is %+v, %d s after the start; want keys %v", i+1, e, since, pressed[i])
		}
	}
}

// A memory that is not the program's own is said to be bad.
func TestSaveOfSomethingElse(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		sram := bytes.Repeat([]byte("another game "), romstest.SaveSize)[:romstest.SaveSize]
		p := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		p.step(10, emucore.Input{})
		p.look().expect("found", "00000000 blank", "log", "BAD 000001")
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
		for _, r := range romstest.All() {
			t.Run(r.Name, func(t *testing.T) {
				rom, err := romstest.Broken(r.Data)
				if err != nil {
					t.Fatal(err)
				}
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

// The broken save.nds spoils what it writes: it notices at once, when it is started
// again, and so does ReadSave.
func TestBrokenSaveIsNoticed(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		rom, err := romstest.Broken(romstest.Save)
		if err != nil {
			t.Fatal(err)
		}
		p := play(t, core, rom, nil)
		p.step(30, emucore.Input{})
		p.step(2, keys(inputdelay.KeyA))
		p.step(romstest.BrokenFrom, emucore.Input{})
		p.look().expect("write", "ok")
		p.step(2, keys(inputdelay.KeyB))
		p.step(4, emucore.Input{})
		if s := p.look().field("write"); !strings.HasPrefix(s, "BAD ") {
			t.Errorf("write is %q, want BAD", s)
		}
		sram, err := p.console.SRAM()
		if err != nil {
			t.Fatal(err)
		}
		if log, err := romstest.ReadSave(sram); err == nil && len(log.Entries) == 2 {
			t.Errorf("the spoiled memory reads as %+v", log)
		}
		next := play(t, core, romstest.Save, func(cfg *emucore.Config) { cfg.SRAM = sram })
		next.step(10, emucore.Input{})
		v := next.look()
		if found, log := v.field("found"), v.field("log"); found == "00000002 steps" && log == "ok" {
			t.Errorf("at the next start it found %s, log %s", found, log)
		}
	})
}

// What the menu of a console shows, and which ROMs claim save memory.
func TestROMsAreWellFormed(t *testing.T) {
	dir := t.TempDir()
	paths, err := romstest.WriteFiles(dir, romstest.All()...)
	if err != nil {
		t.Fatal(err)
	}
	want := []emucore.ROM{
		{Title: "NETTPLAY PAD", Code: "####", BannerTitle: "nettplay pad all that a console sees nettplay test ROM"},
		{Title: "NETTPLAYSAVE", Code: "XNPE", BannerTitle: "nettplay save a counter in the cartridge nettplay test ROM"},
		{Title: "NETTPLAY 3D", Code: "####", BannerTitle: "nettplay draw3d triangles as a load nettplay test ROM"},
	}
	for i, path := range paths {
		r, err := emucore.OpenROM(path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Title != want[i].Title || r.Code != want[i].Code || r.BannerTitle != want[i].BannerTitle {
			t.Errorf("%s: title %q, code %q, banner %q", path, r.Title, r.Code, r.BannerTitle)
		}
	}
}
