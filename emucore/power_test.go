package emucore

import (
	"bytes"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// powerKeys switch power.nds off, and the test core.
const powerKeys = inputdelay.KeySelect | inputdelay.KeyStart | inputdelay.KeyL | inputdelay.KeyR

// onPowerCores runs a test on consoles whose game switches them off by powerKeys.
func onPowerCores(t *testing.T, test func(t *testing.T, start func(frame int64) *Console)) {
	t.Run("test core", func(t *testing.T) {
		core := opened(t, testcore.Path(t))
		test(t, func(frame int64) *Console {
			return startCore(t, core, func(cfg *Config) {
				cfg.Frame, cfg.TestOptions = frame, map[string]string{"testcore_power": "keys", "testcore_sram": "memory"}
			})
		})
	})
	onCores(t, func(t *testing.T, core Core) {
		test(t, func(frame int64) *Console {
			return startCore(t, core, func(cfg *Config) {
				rom, err := OpenROM("../roms-test/power.nds")
				must.Succeed(t, err)
				cfg.ROM, cfg.Frame = rom, frame
			})
		})
	})
}

// turnedOff plays a console until its game has switched it off.
func turnedOff(t *testing.T, c *Console) {
	t.Helper()
	stepWith(t, c, 0, 70)
	for range 2*powerEvery + 5 {
		f, err := c.Step(Input{Keys: powerKeys})
		must.Succeed(t, err)
		if f.Off {
			return
		}
	}
	t.Fatal("the game did not switch its console off")
}

// TestPowerOff: a game that switches its console off leaves it dark and silent, while its frames go by; switched
// on again it is as a console that is started then, also one that came to where it is by a state.
func TestPowerOff(t *testing.T) {
	onPowerCores(t, func(t *testing.T, start func(frame int64) *Console) {
		checkLeaks(t)
		c := start(0)
		defer c.Close()
		turnedOff(t, c)
		off := c.Frame()
		before, err := c.Hash()
		must.Succeed(t, err)
		samples := 0
		for range 50 {
			f, err := c.Step(Input{Keys: inputdelay.KeyA})
			must.Succeed(t, err)
			samples += len(f.Audio) / 2
			if !f.Off || f.Video.Width != 256 || f.Video.Height != 384 || len(bytes.Trim(f.Video.Pix, "\x00")) > 0 || slices.ContainsFunc(f.Audio, func(s int16) bool { return s != 0 }) {
				t.Fatalf("frame %d: off %v, a picture of %dx%d that is not black, or sound", f.Number, f.Off, f.Video.Width, f.Video.Height)
			}
		}
		if want := int(50 * c.last.sampleRate / c.last.fps); samples < want-50 || samples > want+50 {
			t.Errorf("%d samples of silence in 50 frames, should be %d", samples, want)
		}
		after, err := c.Hash()
		if err != nil || after.RAM != before.RAM {
			t.Errorf("the memory of a console that is off: %x, then %x, %v", before.RAM, after.RAM, err)
		}
		must.Succeed(t, func() error { _, err := c.Skip(Input{}, 130); return err }())
		at := off + 180
		state, err := c.Save()
		if err != nil || c.Frame() != at || !c.isOff() {
			t.Fatalf("frame %d, off %v, %v", c.Frame(), c.isOff(), err)
		}

		other := start(0)
		defer other.Close()
		must.Succeed(t, other.Load(state))
		if h, err := other.Hash(); err != nil || !other.isOff() || h.RAM != after.RAM {
			t.Errorf("the state of a console that is off: off %v, %+v, want %+v, %v", other.isOff(), h, after, err)
		}
		fresh := start(at + 20)
		defer fresh.Close()
		var hashes [3][]ds.Hash
		ins := mash(9, 100)
		for i := range ins { // not what switches it off again
			ins[i].Keys &^= powerKeys
		}
		for i, c := range []*Console{c, other, fresh} {
			if i < 2 {
				stepWith(t, c, 0, 20)
				must.Succeed(t, c.SwitchOn())
			}
			if c.isOff() || c.Frame() != at+20 {
				t.Errorf("console %d: off %v, frame %d", i, c.isOff(), c.Frame())
			}
			hashes[i] = play(t, c, ins, 10)
		}
		if len(hashes[2]) != 10 || !slices.Equal(hashes[0], hashes[2]) || !slices.Equal(hashes[1], hashes[2]) {
			t.Errorf("switched on:\n%v\nswitched on after a state:\n%v\nstarted then:\n%v", hashes[0], hashes[1], hashes[2])
		}
		must.Succeed(t, c.SwitchOn())
		if again := c.Frame(); again != at+120 {
			t.Errorf("switching on a console that is on brought it to frame %d", again)
		}
	})
}

// TestLoadSwitchesOn: a console that is off and loads a state of another time goes on from there like others.
func TestLoadSwitchesOn(t *testing.T) {
	onPowerCores(t, func(t *testing.T, start func(frame int64) *Console) {
		c, other := start(0), start(0)
		stepWith(t, c, 0, 65)
		state, err := c.Save()
		must.Succeed(t, err)
		turnedOff(t, c)
		ins := mash(3, 60)
		for i := range ins {
			ins[i].Keys &^= powerKeys
		}
		must.Succeed(t, c.Load(state))
		must.Succeed(t, other.Load(state))
		if a, b := play(t, c, ins, 10), play(t, other, ins, 10); c.isOff() || len(a) != 6 || !slices.Equal(a, b) {
			t.Errorf("off %v:\n%v\n%v", c.isOff(), a, b)
		}
	})
}

// TestPowerOffWithSnapshots: the power goes back with the rest.
func TestPowerOffWithSnapshots(t *testing.T) {
	must.HaveLinux(t, "snapshots of consoles")
	core := opened(t, testcore.Path(t))
	c := startCore(t, core, func(cfg *Config) {
		cfg.Rollback, cfg.TestOptions = true, map[string]string{"testcore_power": "keys"}
	})
	stepWith(t, c, 0, 5)
	must.Succeed(t, c.snapshot(0))
	stepWith(t, c, powerKeys, 3)
	if !c.isOff() {
		t.Fatal("it is not off")
	}
	must.Succeed(t, c.snapshot(1))
	must.Succeed(t, c.Return(0))
	stepWith(t, c, 0, 3)
	if c.isOff() || c.Frame() != 8 {
		t.Errorf("back before it went off: off %v at frame %d", c.isOff(), c.Frame())
	}
	stepWith(t, c, powerKeys, 1)
	at := c.Frame()
	must.Succeed(t, c.SwitchOn())
	must.Succeed(t, c.snapshot(0))
	stepWith(t, c, 0, 2)
	must.Succeed(t, c.Return(0))
	if c.isOff() || c.Frame() != at {
		t.Errorf("switched on: off %v at frame %d", c.isOff(), c.Frame())
	}
}

// TestPowerOffOnTheAir: others play on without a console that is off, and hear it again when it is on: the same in
// every run.
func TestPowerOffOnTheAir(t *testing.T) {
	for name, g := range map[string]func(t *testing.T) *radioGame{
		"test core": func(t *testing.T) *radioGame { return pocketGame(t, 3, 400, "radio", "mac", "power", "keys") },
		"real core": func(t *testing.T) *radioGame { return realGame(t, "power.nds", 3, 1500) },
	} {
		t.Run(name, func(t *testing.T) {
			checkLeaks(t)
			g := g(t)
			var want []ds.Hash
			for _, serial := range []bool{false, true} {
				g.air.Serial = serial
				r := g.open(t)
				for i, err := range r.run(g.frames / 2) {
					if err != nil {
						t.Fatalf("seat %d: %v", i, err)
					}
				}
				r.game.off = 1 // presses powerKeys
				for _, err := range r.run(g.frames/2 + 2) {
					must.Succeed(t, err)
				}
				r.game.off = 0
				if !r.on[1].isOff() || r.on[0].isOff() || r.on[2].isOff() {
					t.Fatalf("off: %v %v %v", r.on[0].isOff(), r.on[1].isOff(), r.on[2].isOff())
				}
				for _, err := range r.run(g.frames * 3 / 4) {
					must.Succeed(t, err)
				}
				if st := r.status(); st.Consoles[1].OnAir {
					t.Errorf("a console that is off is on the air: %+v", st.Consoles[1])
				}
				must.Succeed(t, r.on[1].SwitchOn())
				sent := len(r.trace)
				for _, err := range r.run(g.frames) {
					must.Succeed(t, err)
				}
				if !slices.ContainsFunc(r.trace[sent:], func(p air.Record) bool { return p.Seat == 1 }) {
					t.Error("switched on again it says nothing")
				}
				if got := r.hashes(); want == nil {
					want = got
				} else if !slices.Equal(got, want) {
					t.Errorf("one console at a time:\n%v\nall at once:\n%v", got, want)
				}
				r.close()
			}
		})
	}
}
