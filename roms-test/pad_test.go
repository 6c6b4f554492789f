package romstest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Everything that can be done to a console shows in words and in the hash, which
// does not forget it.
func TestEveryInputCounts(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
		p := play(t, core, romstest.Pad, nil)
		p.step(20, emucore.Input{})
		start, err := p.console.Save()
		must.Succeed(t, err)
		run := func(in emucore.Input) (during view, after uint32) {
			must.Succeed(t, p.console.Load(start))
			p.step(4, in)
			during = p.look()
			p.step(20, emucore.Input{})
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
		check("mic", keys(inputdelay.Mic), "keys", "none")
	})
}

// Noise at the microphone is drawn as bars.
func TestMicrophone(t *testing.T) {
	onCores(t, func(t *testing.T, core emucore.Core) {
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
		for range 40 {
			p.step(7, emucore.Input{})
			got, ok := romstest.Field(p.look().lines, "clock")
			if !ok {
				continue // the program is not up yet
			}
			clock, err := time.Parse("Mon 2006-01-02 15:04:05", got)
			must.Succeed(t, err)
			if clock.Format("Mon 2006-01-02 15:04:05") != got {
				t.Errorf("%s is no such weekday", got)
			}
			// The picture is that of a sample taken one or two frames before.
			f := p.console.Frame()
			early, late := rtcStart+ds.FrameTime(f-3).Seconds(), rtcStart+ds.FrameTime(f).Seconds()
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

// Each console has its owner's name and settings; DeSmuME takes the language only.
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
