package emucore

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore/banner"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// The program whose memory cheats change. Its ARM7 takes the interrupt of the picture's end, as that of every licensed
// game does: melonDS runs codes nowhere else, so that they do nothing to programs which wait for it otherwise, such as
// our ROMs.
var (
	cheated9 = []uint32{
		0xe59f0014, // ldr r0, =0x02001000
		0xe3a01000, // mov r1, #0
		0xe2811001, // count: add r1, r1, #1
		0xe5801000, // str r1, [r0]
		0xe5902100, // ldr r2, [r0, #0x100]
		0xe5802200, // str r2, [r0, #0x200]
		0xeafffffa, // b count
		0x02001000,
	}
	cheated7 = []uint32{
		0xe28f002c, 0xe59f103c, 0xe5810000, // the handler's address to 0x0380fffc
		0xe3a00301, 0xe3a01008, 0xe1c010b4, // DISPSTAT: interrupt at the picture's end
		0xe2802c02, 0xe3a01001, 0xe5821010, 0xe5821008, // IE and IME
		0xe3a0001f, 0xe121f000, 0xeafffffe, // interrupts on; stand
		0xe3a00301, 0xe2800c02, 0xe3a01001, 0xe5801014, 0xe12fff1e, // handler: IF, and back
		0x0380fffc,
	}
)

const (
	counted = 0x1000 // offsets in main memory: what the ARM9 counts
	given   = 0x1100 // what it reads
	shown   = 0x1200 // and writes here
)

func cheatedROM(t testing.TB) *ROM {
	t.Helper()
	b := make([]byte, 32<<10)
	word := func(at int, w ...uint32) {
		for i, v := range w {
			binary.LittleEndian.PutUint32(b[at+4*i:], v)
		}
	}
	copy(b, "CHEATED\x00\x00\x00\x00\x00####00")
	word(0x20, 0x200, 0x02000000, 0x02000000, uint32(4*len(cheated9)))
	word(0x30, 0x400, 0x02380000, 0x02380000, uint32(4*len(cheated7)))
	word(0x80, uint32(len(b)), 0x4000)
	word(0x200, cheated9...)
	word(0x400, cheated7...)
	binary.LittleEndian.PutUint16(b[headerCRCAt:], banner.CRC16(b[:headerCRCAt]))
	path := filepath.Join(t.TempDir(), "cheated.nds")
	must.Succeed(t, os.WriteFile(path, b, 0o600))
	rom, err := OpenROM(path)
	must.Succeed(t, err)
	return rom
}

// peek is a word of a console's main memory.
func peek(t testing.TB, c *Console, at int) uint32 {
	t.Helper()
	ram, err := c.RAM()
	must.Succeed(t, err)
	return binary.LittleEndian.Uint32(ram[at:])
}

// cheatsInAll are a plain write, and a code with a condition, a loop and a copy.
var cheatsInAll = []cheat.Cheat{
	{Name: "gives 77", Code: []uint32{0x02001100, 77}},
	{Name: "a row", Code: []uint32{
		0x42001000, 1, // IF 1 < the count
		0xd5000000, 0xc0ffee01, 0xc0000000, 2, // three times
		0xd6000000, 0x02300000, 0xd4000000, 1, 0xd1000000, 0,
		0xe2300100, 5, 0x44332211, 0x00000055, 0xd2000000, 0,
	}},
}

// TestCheatsAct: consoles with cheats are alike, do what the codes say, and go on doing it in a fresh process
// that loads a state, which holds none.
func TestCheatsAct(t *testing.T) { onCores(t, cheatsAct) }

func cheatsAct(t *testing.T, core Core) {
	rom := cheatedROM(t)
	with := func(cfg *Config) { cfg.ROM, cfg.Cheats = rom, cheatsInAll }
	without := func(cfg *Config) { cfg.ROM = rom }
	a, b, plain := startCore(t, core, with), startCore(t, core, with), startCore(t, core, without)
	alike := func(when string) {
		t.Helper()
		ha, hb := play(t, a, mash(3, 40), 4), play(t, b, mash(3, 40), 4)
		for i := range ha {
			if ha[i] != hb[i] {
				t.Fatalf("%s the consoles are %+v and %+v", when, ha[i], hb[i])
			}
		}
		want := map[int]uint32{given: 77, shown: 77, 0x300000: 0xc0ffee01, 0x300004: 0xc0ffee02, 0x300008: 0xc0ffee03, 0x30000c: 0, 0x30010c: 0x44332211, 0x300110: 0x55}
		if core.Name == "DeSmuME" { // which runs a loop once more than an Action Replay
			want[0x30000c], want[0x30010c], want[0x300110], want[0x300114] = 0xc0ffee04, 0, 0x44332211, 0x55
		}
		for at, v := range want {
			if got := peek(t, a, at); got != v {
				t.Errorf("%s %x holds %#x, want %#x", when, at, got, v)
			}
		}
	}
	alike("at first")
	play(t, plain, mash(3, 40), 40)
	if got := peek(t, plain, shown); got != 0 || peek(t, plain, counted) == 0 {
		t.Errorf("without a cheat the program shows %d", got)
	}
	play(t, plain, mash(3, 10), 10)
	state, err := plain.Save()
	must.Succeed(t, err)
	a, b = startCore(t, core, with), startCore(t, core, with)
	must.Succeed(t, a.Load(state))
	must.Succeed(t, b.Load(state))
	alike("from a state")
}

// TestCheatsAreSetAgain: a core that drops cheats over a state has them again before its next frame; one that cannot take
// them is no start.
func TestCheatsAreSetAgain(t *testing.T) {
	cfg := worldConfig(t)
	cfg.Core = opened(t, testcore.Path(t))
	cfg.TestOptions["testcore_cheats"] = "lose"
	cfg.Cheats = []cheat.Cheat{{Name: "a word, a halfword and a byte", Code: []uint32{0x02300000, 0x12345678, 0x12300004, 0xabcd, 0x22300006, 0xef}}}
	c, err := Start(t.Context(), cfg)
	must.Succeed(t, err)
	defer c.Close()
	look := func(when string) {
		t.Helper()
		stepWith(t, c, 0, 2)
		if a, b := peek(t, c, 0x300000), peek(t, c, 0x300004)&0xffffff; a != 0x12345678 || b != 0xefabcd {
			t.Errorf("%s memory is %#x %#x", when, a, b)
		}
	}
	look("at first")
	plain := cfg
	plain.Cheats = nil
	p, err := Start(t.Context(), plain)
	must.Succeed(t, err)
	defer p.Close()
	stepWith(t, p, 0, 10)
	if peek(t, p, 0x300000) == 0x12345678 {
		t.Fatal("memory is not what it should be without a cheat")
	}
	state, err := p.Save()
	must.Succeed(t, err)
	must.Succeed(t, c.Load(state))
	look("from a state")
}

// TestCheatsOfOtherCores: what a core does not take is said before it is started.
func TestCheatsOfOtherCores(t *testing.T) {
	long := cheat.Cheat{Name: "Long", Code: make([]uint32, 2*64)}
	for i := range 64 {
		long.Code[2*i] = 0x02300000 + uint32(4*i)
	}
	open := cheat.Cheat{Name: "Open", Code: []uint32{0xc0000000, 3, 0x32001000, 1, 0x02300000, 5, 0xd2000000, 0}}
	for name, want := range map[string][2]string{
		"DeSmuME":    {"64 lines, and DeSmuME takes codes of at most 63 lines", "line 4 ends a loop with an IF open"},
		"melonDS DS": {"", ""},
		"another":    {"64 lines, and this core takes codes of at most 63 lines", ""},
	} {
		for i, c := range []cheat.Cheat{long, open} {
			err := ProfileFor(name).TakesCheats([]cheat.Cheat{c})
			if want[i] == "" && err != nil || want[i] != "" && (err == nil || !strings.Contains(err.Error(), want[i])) {
				t.Errorf("%s with %s: %v, want %q", name, c.Name, err, want[i])
			}
		}
	}
	none := Profile{Library: "Deaf"}
	if err := none.TakesCheats([]cheat.Cheat{open}); err == nil || !strings.Contains(err.Error(), "Deaf takes no cheats") {
		t.Error(err)
	}
	cfg := worldConfig(t)
	cfg.Cheats = []cheat.Cheat{long}
	if _, err := Start(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "64 lines") {
		t.Errorf("it starts: %v", err)
	}
}

// TestTheLongestCheats: cores take the most lines that they are said to take, and the last one acts.
func TestTheLongestCheats(t *testing.T) { onCores(t, theLongestCheats) }

func theLongestCheats(t *testing.T, core Core) {
	c := cheat.Cheat{Name: "Long"}
	for i := range ProfileFor(core.Name).Cheats.Lines {
		c.Code = append(c.Code, 0x02300000+uint32(4*i), uint32(i)+1)
	}
	rom := cheatedROM(t)
	console := startCore(t, core, func(cfg *Config) { cfg.ROM, cfg.Cheats = rom, []cheat.Cheat{c} })
	stepWith(t, console, inputdelay.Keys(0), 20)
	if last := c.Lines(); peek(t, console, 0x300000+4*(last-1)) != uint32(last) {
		t.Errorf("line %d has not acted", last)
	}
}

// TestCheatsInPrograms: with a JIT, what a code changes in a program acts where that is compiled anew, which depends on
// where a console began: such consoles go on from states that all have loaded.
func TestCheatsInPrograms(t *testing.T) { onCores(t, cheatsInPrograms) }

func cheatsInPrograms(t *testing.T, core Core) {
	rom := cheatedROM(t)
	p := ProfileFor(core.Name)
	jit, ok := p.JITOption(true)
	if !ok {
		t.Skip("no JIT")
	}
	options := []ds.Option{jit}
	patch := []cheat.Cheat{{Name: "shows 7", Code: []uint32{0x02000010, 0xe3a02007}}} // mov r2, #7 for the load
	with := func(cfg *Config) { cfg.ROM, cfg.Cheats, cfg.Options = rom, patch, options }
	a := startCore(t, core, with)
	stepWith(t, a, 0, 30)
	before := peek(t, a, shown)
	state, err := a.Save()
	must.Succeed(t, err)
	b := startCore(t, core, with)
	must.Succeed(t, b.Load(state))
	stepWith(t, b, 0, 30)
	t.Logf("from the start %d, from its state %d", before, peek(t, b, shown))
	if before != 7 && p.ExactStates(options, true) {
		t.Error("a console from the start is another than one from a state, and may be mixed with it")
	}
}
