package emucore

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// These tests hold the facts in the profiles against the cores themselves.

// startCore starts a console with the smallest of our ROMs.
func startCore(t *testing.T, core Core, change func(*Config)) *Console {
	t.Helper()
	rom, err := OpenROM("../roms-test/pad.nds")
	must.Succeed(t, err)
	cfg := seatConfig()
	cfg.Core, cfg.ROM = core, rom
	if change != nil {
		change(&cfg)
	}
	return started(t, cfg)
}

// stepWith runs n frames with the same keys.
func stepWith(t *testing.T, c *Console, keys inputdelay.Keys, n int) {
	t.Helper()
	for range n {
		if _, err := c.Step(Input{Keys: keys}); err != nil {
			t.Fatal(err)
		}
	}
}

// isOff reports whether the game has switched the console off.
func (c *Console) isOff() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.off
}

// snapshot makes one without running a frame.
func (c *Console) snapshot(place int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.note(place); err != nil {
		return err
	}
	_, err := c.call(&request{op: opSnapshot, snapshot: uint32(place + 1)}, c.limits.call)
	return err
}

// stateOf saves a console and returns the core's own state.
func stateOf(t *testing.T, c *Console) []byte {
	t.Helper()
	s, err := c.Save()
	must.Succeed(t, err)
	b, err := coreState(s)
	must.Succeed(t, err)
	return b
}

// TestDesmumeLidFollowsTheLevel: the core turns the lid over at every press, and
// at every 31st frame of a long one. The level of the input must
// arrive, at once or when the button's rest is over, and stay.
func TestDesmumeLidFollowsTheLevel(t *testing.T) {
	c := startCore(t, needDesmume(t), nil)
	frame := 0
	want := func(shut bool) {
		t.Helper()
		if got, _, err := savefile.DesmumeLid(stateOf(t, c)); err != nil || got != shut {
			t.Errorf("after %d frames the lid is shut: %v (%v), want %v", frame, got, err, shut)
		}
	}
	run := func(keys inputdelay.Keys, n int) {
		stepWith(t, c, keys, n)
		frame += n
	}
	run(0, 5)
	want(false)
	for range 8 { // shut for 40 frames, and never open in between
		run(inputdelay.Lid, 5)
		want(true)
	}
	run(0, 1)
	want(false)
	run(inputdelay.Lid, 30) // the button rests
	want(false)
	run(inputdelay.Lid, 1)
	want(true)
}

// TestDesmumeMainMemory: the core writes the name of the ROM's file, without
// its extension, to the same place of every console's main memory.
func TestDesmumeMainMemory(t *testing.T) {
	c := startCore(t, needDesmume(t), nil)
	stepWith(t, c, 0, 3)
	ram, err := savefile.DesmumeMainRAM(stateOf(t, c))
	must.Succeed(t, err)
	if !bytes.Contains(ram[0x3e0000:], []byte("game")) {
		t.Error("the canonical name is not in main memory: this is another memory, or another name")
	}
}

// TestDesmumeOwner: what a game reads of the console's owner, where the boot puts the user
// settings, is what the profile says, and none of the player's but the language.
func TestDesmumeOwner(t *testing.T) {
	c := startCore(t, needDesmume(t), nil)
	stepWith(t, c, 0, 1)
	ram, err := c.RAM()
	must.Succeed(t, err)
	const at = 0x3ffc80
	user := ram[at : at+0x70]
	letters := make([]uint16, user[0x1a])
	for i := range letters {
		letters[i] = uint16(user[6+2*i]) | uint16(user[7+2*i])<<8
	}
	read := ds.Firmware{
		Nickname: string(utf16.Decode(letters)), Language: user[0x64] & 7, Colour: user[2], BirthMonth: user[3], BirthDay: user[4],
	}
	want, known := desmumeProfile().Owner(seatConfig().Firmware)
	want.MAC = read.MAC // which is in the firmware alone
	if read != want || !known {
		t.Errorf("a game reads %+v, want %+v", read, want)
	}
}

// TestDesmumeTakesOurSaves: a save file that the core would not take for one of
// its own never gets into its state.
func TestDesmumeTakesOurSaves(t *testing.T) {
	for _, size := range []int{512, 8 << 10, 64 << 10, 256 << 10} {
		raw := make([]byte, size)
		rng := rand.NewChaCha8([32]byte{byte(size >> 9)})
		_, _ = rng.Read(raw)
		c := startCore(t, needDesmume(t), func(cfg *Config) { cfg.SRAM = raw })
		if !bytes.Contains(stateOf(t, c), raw) {
			t.Errorf("%d bytes are not in the console", size)
		}
		if back, err := c.SRAM(); err != nil || !bytes.Equal(back, raw) {
			t.Errorf("%d bytes came back as %d, %v", size, len(back), err)
		}
	}
}

// TestDesmumeCPUModes: the room's choice arrives at the core (the two do not
// give the same memory), and each repeats.
func TestDesmumeCPUModes(t *testing.T) {
	core := needDesmume(t)
	modes := desmumeProfile().Free[0]
	if len(modes.Values) < 2 {
		t.Skip("this architecture has one")
	}
	seen := map[ds.Hash]string{}
	for _, mode := range modes.Values {
		var first ds.Hash
		for i := range 2 {
			c := startCore(t, core, func(cfg *Config) { cfg.Options = []ds.Option{{Key: modes.Key, Value: mode}} })
			stepWith(t, c, inputdelay.KeyA, 60)
			h, err := c.Hash()
			must.Succeed(t, err)
			if i == 0 {
				first = h
			} else if h != first {
				t.Errorf("%s: %v the second time, %v the first", mode, h, first)
			}
		}
		if other, ok := seen[first]; ok {
			t.Errorf("%s and %s give the same", mode, other)
		}
		seen[first] = mode
	}
}

// needMelonDS skips a test where melonDS DS is not installed.
func needMelonDS(t *testing.T) Core {
	t.Helper()
	c, err := Search{}.Find(t.Context(), "melonDS DS")
	if errors.Is(err, ErrNoCore) {
		t.Skip("melonDS DS is not installed")
	}
	must.Succeed(t, err)
	return c
}

// TestMelonDSTakesEveryOption: of an option that is missing or has a value the
// core does not know, it complains.
func TestMelonDSTakesEveryOption(t *testing.T) {
	core := needMelonDS(t)
	if !core.Wireless {
		t.Error("no local wireless")
	}
	for _, mic := range melondsdsMic().Values {
		c := startCore(t, core, func(cfg *Config) { cfg.Options = []ds.Option{{Key: "melonds_mic_input", Value: mic}} })
		stepWith(t, c, inputdelay.Mic, 10)
		if err := savefile.CheckMelonDS(stateOf(t, c)); err != nil {
			t.Error(err)
		}
		for _, line := range c.proc.log.all() {
			if strings.Contains(line, "efaulting") || strings.Contains(line, "default name") {
				t.Errorf("%s: %s", mic, line)
			}
		}
	}
}

// TestMelonDSMicrophoneRepeats: each choice gives equal consoles, and they are
// different choices.
func TestMelonDSMicrophoneRepeats(t *testing.T) {
	core := needMelonDS(t)
	for _, mic := range melondsdsMic().Values {
		var hashes []ds.Hash
		for range 2 {
			c := startCore(t, core, func(cfg *Config) { cfg.Options = []ds.Option{{Key: "melonds_mic_input", Value: mic}} })
			stepWith(t, c, inputdelay.Mic|inputdelay.Lid, 60)
			h, err := c.Hash()
			must.Succeed(t, err)
			hashes = append(hashes, h)
		}
		if slices.Max([]uint64{hashes[0].RAM, hashes[0].Video}) == 0 || hashes[0] != hashes[1] {
			t.Errorf("%s: %v and %v", mic, hashes[0], hashes[1])
		}
	}
}
