package emustate

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/testcore"
	"github.com/nettplay/nettplay/savestate"
)

func needDesmume(t testing.TB) emucore.Core {
	t.Helper()
	core, err := emucore.Search{}.Find(t.Context(), "")
	if errors.As(err, new(*emucore.NoCoreError)) {
		t.Skip(err)
	}
	must.Succeed(t, err)
	return core
}

func testCore(t testing.TB) emucore.Core { return model.Core(t, testcore.Path(t)) }

func testROM(t testing.TB, name string) *emucore.ROM {
	t.Helper()
	rom, err := emucore.OpenROM(filepath.Join(testcore.Root(), "roms-test", name))
	must.Succeed(t, err)
	return rom
}

func testConfig(t testing.TB, core emucore.Core) emucore.Config {
	return emucore.Config{
		Core: core, ROM: testROM(t, "pad.nds"), RTC: 1_000_000_000,
		Firmware: ds.Firmware{Nickname: "Bea", MAC: [6]byte{0, 9, 0xbf, 7, 8, 9}, Language: 3, Colour: 5, BirthMonth: 6, BirthDay: 7},
	}
}

// play runs frames with some input and returns the hash after them.
func play(t testing.TB, c *emucore.Console, frames int) ds.Hash {
	t.Helper()
	for range frames {
		keys := inputdelay.Keys(c.Frame()*2654435761>>8) & (inputdelay.Touch - 1)
		if _, err := c.Step(emucore.Input{Keys: keys}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := c.Hash()
	must.Succeed(t, err)
	return h
}

// sendTo brings the parts of a manifest from one store to a new one, as between
// two machines.
func sendTo(t testing.TB, from *savestate.Store, m savestate.Manifest) (got savestate.Manifest, to *savestate.Store) {
	t.Helper()
	to = savestate.NewStore(0)
	a, b := savestate.NewExchange(from, savestate.ExchangeConfig{}), savestate.NewExchange(to, savestate.ExchangeConfig{})
	must.Succeed(t, a.Offer(m))
	now, left := time.Now(), 1
	carry := func(x, y *savestate.Exchange) {
		for _, message := range x.Outgoing(now, 0, 0) {
			must.Succeed(t, y.Receive(now, message))
		}
	}
	for step := 0; left > 0; step++ {
		if step > 1e6 {
			t.Fatalf("%d parts did not come", left)
		}
		now = now.Add(time.Millisecond)
		carry(a, b)
		carry(b, a)
		for _, e := range b.Events() {
			switch e := e.(type) {
			case savestate.ManifestReceived:
				got, left = e.Manifest, len(e.Manifest.Parts)
				b.Fetch(got.Parts)
			case savestate.PartDone:
				left--
			case savestate.PartFailed:
				t.Fatal(e.Err)
			}
		}
	}
	return got, to
}

// install installs and closes at the end of the test.
func install(t testing.TB, m savestate.Manifest, core emucore.Core, rom *emucore.ROM, s *savestate.Store, tweaks ...func(*emucore.Config)) (*emucore.Console, ds.Hash) {
	t.Helper()
	c, h, err := Install(context.Background(), emucore.Start, m, core, rom, s, tweaks...)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c, h
}

// Everybody, the owner too, builds the same console from what the owner captured.
func TestColdBootIsTheSameEverywhere(t *testing.T) {
	noWorkersLeft(t)
	cfg := testConfig(t, needDesmume(t))
	cfg.ROM = testROM(t, "save.nds")
	cfg.SRAM = append(bytes.Repeat([]byte{0xff}, 8192-4), 1, 2, 3, 4)
	mine := savestate.NewStore(0)
	m, err := Capture(2, cfg, nil, mine)
	must.Succeed(t, err)
	if m.Seat != 2 || m.Frame != 0 || len(m.Parts) != 1 || m.Parts[0].Kind != savestate.KindSRAM || m.Parts[0].Size != 8192 {
		t.Fatalf("captured %+v", m)
	}
	theirs, store := sendTo(t, mine, m)
	a, ha := install(t, m, cfg.Core, cfg.ROM, mine)
	b, hb := install(t, theirs, cfg.Core, cfg.ROM, store)
	if ha != hb || ha.SRAM == 0 {
		t.Fatalf("installed %+v and %+v", ha, hb)
	}
	if got, err := b.SRAM(); err != nil || !bytes.HasPrefix(got, cfg.SRAM) {
		t.Errorf("the save did not come along: %v", err)
	}
	if ha, hb := play(t, a, 240), play(t, b, 240); ha != hb {
		t.Errorf("after 240 frames %+v and %+v", ha, hb)
	}
}

// Everything in a manifest is part of the console: other settings, another console.
func TestEachSettingArrives(t *testing.T) {
	noWorkersLeft(t)
	hash := func(change func(*emucore.Config)) ds.Hash {
		cfg := testConfig(t, needDesmume(t))
		change(&cfg)
		s := savestate.NewStore(0)
		m, err := Capture(0, cfg, nil, s)
		must.Succeed(t, err)
		m, s = sendTo(t, s, m)
		c, _ := install(t, m, cfg.Core, cfg.ROM, s)
		return play(t, c, 90)
	}
	plain := hash(func(*emucore.Config) {})
	if again := hash(func(*emucore.Config) {}); again != plain {
		t.Errorf("the same settings make %+v and %+v", plain, again)
	}
	for name, change := range map[string]func(*emucore.Config){
		"clock":    func(cfg *emucore.Config) { cfg.RTC += 86_400 },
		"language": func(cfg *emucore.Config) { cfg.Firmware.Language = 1 },
	} {
		if hash(change) == plain {
			t.Errorf("with another %s the console is the same", name)
		}
	}
}

func TestStateIsTheSameEverywhere(t *testing.T) {
	noWorkersLeft(t)
	cfg := testConfig(t, needDesmume(t))
	first, err := emucore.Start(t.Context(), cfg)
	must.Succeed(t, err)
	defer first.Close()
	play(t, first, 200)
	state, err := first.Save()
	must.Succeed(t, err)
	mine := savestate.NewStore(0)
	m, err := Capture(1, cfg, &state, mine)
	must.Succeed(t, err)
	if p, ok := m.Part(savestate.KindState); !ok || m.Frame != 200 || p.PackedSize > 1<<20 {
		t.Fatalf("captured %+v", m)
	}
	theirs, store := sendTo(t, mine, m)
	a, ha := install(t, m, cfg.Core, cfg.ROM, mine)
	b, hb := install(t, theirs, cfg.Core, cfg.ROM, store)
	if ha != hb || a.Frame() != 200 || b.Frame() != 200 {
		t.Fatalf("installed %+v at frame %d and %+v at frame %d", ha, a.Frame(), hb, b.Frame())
	}
	for range 10 {
		if ha, hb := play(t, a, 30), play(t, b, 30); ha != hb {
			t.Fatalf("at frame %d %+v and %+v", a.Frame(), ha, hb)
		}
	}
}

// large makes the test core's states what they are at worst: 20 MB that do not
// shrink.
func large(cfg *emucore.Config) {
	cfg.TestOptions = map[string]string{"testcore_state_mb": "20", "testcore_state_noise": "enabled"}
}

// captureLarge captures a console of the test core in the middle of a game.
func captureLarge(t testing.TB) (emucore.Config, savestate.Manifest, *savestate.Store) {
	t.Helper()
	cfg := testConfig(t, testCore(t))
	large(&cfg)
	c, err := emucore.Start(t.Context(), cfg)
	must.Succeed(t, err)
	defer c.Close()
	play(t, c, 20)
	state, err := c.Save()
	must.Succeed(t, err)
	s := savestate.NewStore(0)
	m, err := Capture(0, cfg, &state, s)
	must.Succeed(t, err)
	return cfg, m, s
}

func TestLargeState(t *testing.T) {
	noWorkersLeft(t)
	cfg, m, mine := captureLarge(t)
	if m.Parts[0].PackedSize < 16e6 {
		t.Fatalf("the state shrinks to %d bytes", m.Parts[0].PackedSize)
	}
	theirs, store := sendTo(t, mine, m)
	a, ha := install(t, m, cfg.Core, cfg.ROM, mine, large)
	b, hb := install(t, theirs, cfg.Core, cfg.ROM, store, large)
	if ha != hb || play(t, a, 60) != play(t, b, 60) {
		t.Error("the consoles differ")
	}
}

func TestInstallNamesWhatDiffers(t *testing.T) {
	noWorkersLeft(t)
	cfg := testConfig(t, testCore(t))
	cfg.SRAM = make([]byte, 8192)
	s := savestate.NewStore(0)
	m, err := Capture(4, cfg, nil, s)
	must.Succeed(t, err)
	otherCore := cfg.Core
	otherCore.SHA256[5]++
	for name, c := range map[string]struct {
		core emucore.Core
		rom  *emucore.ROM
		what string
	}{
		"another core": {otherCore, cfg.ROM, "core"},
		"another ROM":  {cfg.Core, testROM(t, "save.nds"), "ROM"},
	} {
		_, _, err := Install(t.Context(), emucore.Start, m, c.core, c.rom, s)
		if err == nil || !strings.Contains(err.Error(), "seat 5: its "+c.what) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := Install(t.Context(), emucore.Start, m, cfg.Core, cfg.ROM, savestate.NewStore(0)); !errors.Is(err, ErrNotHere) || !strings.Contains(err.Error(), "seat 5: save ") {
		t.Errorf("without the save: %v", err)
	}
	if _, _, err := Install(t.Context(), emucore.Start, m, cfg.Core, nil, s); err == nil {
		t.Error("without a ROM it works")
	}
	bad := m
	bad.Options = []ds.Option{{Key: "testcore_fault", Value: "segv"}}
	if _, _, err := Install(t.Context(), emucore.Start, bad, cfg.Core, cfg.ROM, s); err == nil || !strings.Contains(err.Error(), "testcore_fault") {
		t.Errorf("with an option that is not a room's to choose: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Install(ctx, emucore.Start, m, cfg.Core, cfg.ROM, s); !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
}

// States that were cut, changed, or are another's, and cores that do not survive
// them.
func TestBadStatesAreErrors(t *testing.T) {
	must.HaveLinux(t, "the test core's faults")
	cfg := testConfig(t, testCore(t))
	c, err := emucore.Start(t.Context(), cfg)
	must.Succeed(t, err)
	play(t, c, 10)
	good, err := c.Save()
	c.Close()
	must.Succeed(t, err)
	fault := func(kind string) func(*emucore.Config) {
		return func(cfg *emucore.Config) {
			cfg.TestOptions = map[string]string{"testcore_fault": kind, "testcore_fault_at": "unserialize"}
		}
	}
	badState := func(err error) bool { return errors.Is(err, emucore.ErrBadState) }
	cases := []struct {
		name   string
		change func(*emucore.State)
		tweak  func(*emucore.Config)
		match  func(error) bool
	}{
		{"truncated", func(s *emucore.State) { s.Data = s.Data[:len(s.Data)/2] }, nil, badState},
		{"changed", func(s *emucore.State) { s.Data[len(s.Data)-1] ^= 1 }, nil, badState},
		{"no state", func(s *emucore.State) { s.Data = []byte("hello") }, nil, badState},
		{"another frame", func(s *emucore.State) { s.Frame++ }, nil, badState},
		{"of another size", nil, large, badState},
		{"core crashes", nil, fault("segv"), func(err error) bool {
			var crash *emucore.CrashError
			return errors.As(err, &crash) && crash.Signal == "SIGSEGV"
		}},
		{"core hangs", nil, fault("hang"), func(err error) bool { return errors.As(err, new(*emucore.HangError)) }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			noWorkersLeft(t)
			state := emucore.State{Frame: good.Frame, Data: slices.Clone(good.Data)}
			if c.change != nil {
				c.change(&state)
			}
			s := savestate.NewStore(0)
			m, err := Capture(6, cfg, &state, s)
			must.Succeed(t, err)
			var tweaks []func(*emucore.Config)
			if c.tweak != nil {
				tweaks = append(tweaks, c.tweak)
			}
			_, _, err = Install(t.Context(), emucore.Start, m, cfg.Core, cfg.ROM, s, tweaks...)
			if err == nil || !c.match(err) || !strings.HasPrefix(err.Error(), "install seat 7: ") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestCaptureErrorsNameTheSeat(t *testing.T) {
	good := emucore.Config{ROM: &emucore.ROM{}, Firmware: ds.Firmware{Language: 1}}
	cases := []struct {
		want   string
		seat   ds.Seat
		change func(*emucore.Config)
		state  *emucore.State
	}{
		{"seat 4: no ROM", 3, func(c *emucore.Config) { c.ROM = nil }, nil},
		{"seat 4: keep a save: ", 3, func(c *emucore.Config) { c.SRAM = make([]byte, savestate.MaxSRAM+1) }, nil},
		{"seat 4: keep a state: 0 bytes", 3, func(*emucore.Config) {}, &emucore.State{}},
		{"seat 17: manifest: seat: ", 16, func(*emucore.Config) {}, nil},
		{"seat 4: manifest: firmware language", 3, func(c *emucore.Config) { c.Firmware.Language = 77 }, nil},
	}
	for _, c := range cases {
		cfg := good
		c.change(&cfg)
		if _, err := Capture(ds.Seat(c.seat), cfg, c.state, savestate.NewStore(0)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
