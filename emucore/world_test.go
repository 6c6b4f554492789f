package emucore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestClockMovesWithFrames: all a core can ask about the time says how many
// frames have passed since the start, and stands still within a frame, even if
// the core sleeps.
func TestClockMovesWithFrames(t *testing.T) {
	c := mustWorld(t)
	for frame := range int64(130) {
		began := time.Now()
		report := seen(t, c, Input{})
		if d := time.Since(began); d > 29*time.Second {
			t.Fatalf("the core's sleeps took %v", d)
		}
		ns := ds.FrameTime(frame).Nanoseconds()
		wall := fmt.Sprintf("%d.%09d", 1_000_000_000+ns/1e9, ns%1e9)
		uptime := ns + 60e9
		mono := fmt.Sprintf("%d.%09d", uptime/1e9, uptime%1e9)
		twice := func(s string) string { return s + ";" + s + ";" }
		expect(t, report, map[string]string{
			"time+":            twice(fmt.Sprint(1_000_000_000 + ns/1e9)),
			"localtime":        time.Unix(1_000_000_000+ns/1e9, 0).UTC().Format("2006-01-02 15:04:05") + " UTC",
			"clock+":           twice(fmt.Sprint(uptime / 1e3)),
			"gettimeofday+":    twice(wall[:len(wall)-3]),
			"timespec_get+":    twice(wall),
			"clock_gettime.0+": twice(wall), // realtime
			"clock_gettime.1+": twice(mono), // monotonic
			"clock_gettime.2+": twice(mono), // CPU time of the process
			"clock_gettime.3+": twice(mono), // and of the thread
			"clock_gettime.4+": twice(mono), // raw
			"clock_gettime.5+": twice(wall), // realtime, coarse
			"clock_gettime.6+": twice(mono), // coarse
			"clock_gettime.7+": twice(mono), // boot time
		})
		if t.Failed() {
			t.Fatalf("in frame %d", frame)
		}
	}
}

// TestClockFollowsTheState: who loads a state goes back to its time.
func TestClockFollowsTheState(t *testing.T) {
	c := mustWorld(t)
	stepWith(t, c, 0, 100)
	s, err := c.Save()
	must.Succeed(t, err)
	want := seen(t, c, Input{})
	stepWith(t, c, 0, 500)
	must.Succeed(t, c.Load(s))
	if c.Frame() != 100 {
		t.Errorf("frame %d", c.Frame())
	}
	got := seen(t, c, Input{})
	if got["time"] != want["time"] || got["clock_gettime.1"] != want["clock_gettime.1"] {
		t.Errorf("after loading it is %s, was %s", got["clock_gettime.1"], want["clock_gettime.1"])
	}
}

// TestWorldIsFixed: nothing of this process, its user or its machine reaches a
// core.
func TestWorldIsFixed(t *testing.T) {
	t.Setenv("SECRET", "visible")
	t.Setenv("TZ", "Asia/Kathmandu")
	t.Setenv("LANG", "tr_TR.UTF-8")
	report := seen(t, mustWorld(t), Input{})
	limited := "1"
	if sanitized {
		limited = "0"
	}
	expect(t, report, map[string]string{
		"env+":       "TZ=UTC;LANG=C;HOME=/nonexistent;PATH=/nonexistent;",
		"fd+":        "0;1;2;3;4;5;6;55;56;57;58;59;",
		"limit.core": "0",
		"limit.data": limited,
		"dumpable":   "0",
		"umask":      "077",
		"sighup":     "default 0",
		"cwd.mode":   "700",
		"leader":     "1",
		"save":       "/proc/self/fd/5/save",
		"system":     "/proc/self/fd/5/system",
		"username":   "(none)",
		"language":   "1",
		"bitmasks":   "1",
		"rom.path":   "/proc/self/fd/5/game.nds",
		"pad.port1":  "0",
		"mouse":      "0",
	})
	for name, value := range report {
		if strings.HasPrefix(name, "ask.") && !strings.HasSuffix(name, "+") && name != "ask.36" && value != "0" {
			t.Errorf("environment call %s was not refused", name)
		}
	}
}

// TestWorldIsTheSameEverywhere: two consoles started under different
// circumstances see the same down to the last byte.
func TestWorldIsTheSameEverywhere(t *testing.T) {
	report := func() ds.Hash {
		c := mustWorld(t)
		stepWith(t, c, inputdelay.KeyA, 3)
		h, err := c.Hash()
		must.Succeed(t, err)
		return h
	}
	want := report()
	t.Chdir(t.TempDir())
	t.Setenv("TZ", "America/New_York")
	t.Setenv("LANG", "de_DE.UTF-8")
	t.Setenv("LC_ALL", "de_DE.UTF-8")
	t.Setenv("HOME", t.TempDir())
	t.Setenv("FILLER", strings.Repeat("x", 100_000))
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("LD_BIND_NOW", "1")
	if got := report(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestHeapIsEqual: memory that a core has not initialised holds the same in
// every worker.
func TestHeapIsEqual(t *testing.T) {
	a, b := mustWorld(t), mustWorld(t)
	for range 20 {
		x, y := seen(t, a, Input{})["heap"], seen(t, b, Input{})["heap"]
		if x != y || x == "" {
			t.Fatalf("%q here, %q there", x, y)
		}
	}
}

// TestHeapIsZero: so is all that malloc and its family give out, and what a core does not touch takes no memory.
func TestHeapIsZero(t *testing.T) {
	c := mustWorld(t)
	expect(t, seen(t, c, Input{}), map[string]string{"heap.grown": "0", "heap.other": "0"})
	if sanitized {
		return // its heap is the sanitizer's
	}
	var size, there int
	_, err := fmt.Sscan(string(must.Read(t, fmt.Sprintf("/proc/%d/statm", c.proc.pid()))), &size, &there)
	must.Succeed(t, err)
	if there *= os.Getpagesize(); there >= 64<<20 {
		t.Errorf("the worker has %d MB, with 64 MB that its core took and never touched", there>>20)
	}
}

// TestMathIsThatOfAnyProcessor: libc calculates with other instructions where a
// processor has them, and then rounds otherwise. A core gets what a processor
// without them gives.
func TestMathIsThatOfAnyProcessor(t *testing.T) {
	must.HaveLinux(t, "gcc")
	program := filepath.Join(t.TempDir(), "math")
	if out, err := exec.Command("gcc", "-O2", "-o", program, "testdata/mathprogram.c", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	sum := func(tunables string) string {
		cmd := exec.Command(program)
		cmd.Env = []string{"GLIBC_TUNABLES=" + tunables}
		out, err := cmd.Output()
		must.Succeed(t, err)
		return strings.TrimSpace(string(out))
	}
	old := sum("glibc.cpu.hwcaps=-AVX_Usable,-AVX2_Usable,-FMA_Usable,-FMA4_Usable,-AVX,-AVX2,-FMA,-FMA4")
	if old == sum("") {
		t.Log("this processor and libc calculate like old ones in any case")
	}
	expect(t, seen(t, mustWorld(t), Input{}), map[string]string{"math": old})
}

// TestOptionsReachTheCore: what is pinned, what a core declares, and what nobody knows.
func TestOptionsReachTheCore(t *testing.T) {
	expect(t, seen(t, mustWorld(t, "pinned", "three"), Input{}), map[string]string{
		"option.pinned":    "three",
		"option.declared":  "one",
		"option.declared2": "second",
		"option.unknown":   "(none)",
	})
}

// TestSpelling: cores differ in how they write an option's yes and no; a pin
// means the same to all of them, and other values are left alone.
func TestSpelling(t *testing.T) {
	for _, test := range []struct{ pin, old, new string }{
		{"enable", "enable", "enabled"},
		{"enabled", "enable", "enabled"},
		{"disable", "disable", "disabled"},
		{"disabled", "disable", "disabled"},
		{"able", "able", "able"},
		{"Enable", "Enable", "Enable"},
	} {
		expect(t, seen(t, mustWorld(t, "old", test.pin, "new", test.pin, "new2", test.pin, "unknown", test.pin), Input{}), map[string]string{
			"option.old":     test.old,
			"option.new":     test.new,
			"option.new2":    test.new,
			"option.unknown": test.pin,
		})
	}
}

// TestSealedIn: a loaded core can do next to nothing to its host.
func TestSealedIn(t *testing.T) {
	report := seen(t, mustWorld(t, "do", "forbidden"), Input{})
	expect(t, report, map[string]string{
		"call.open":        "ENOENT",
		"call.create":      "ENOENT",
		"call.stat":        "ENOENT",
		"call.access":      "ENOENT",
		"call.fstat":       "ok",
		"call.socket":      "EPERM",
		"call.fork":        "EPERM",
		"call.kill":        "EPERM",
		"call.tgkill":      "EPERM",
		"call.tgkill.self": "ok",
		"call.unlink":      "ENOENT",
		"call.mkdir":       "EPERM",
		"call.shm_open":    "ok",
		"call.shm_unlink":  "ok",
		"call.execve":      "EPERM",
		"call.getrlimit":   "EPERM",
		"call.mmap":        "ok",
		"call.brk":         "ok",
	})
}

// TestROMReachesTheCore: by name under its canonical name, or in memory.
func TestROMReachesTheCore(t *testing.T) {
	rom := imageBytes(must.Read(t, "../roms-test/pad.nds"))
	var sum uint32
	for _, b := range rom {
		sum = sum*31 + uint32(b)
	}
	content := fmt.Sprintf("%d %08x", len(rom), sum)
	expect(t, seen(t, mustWorld(t), Input{}), map[string]string{
		"rom.file": content, "rom.data": "yes " + content,
	})
	expect(t, seen(t, mustWorld(t, "fullpath", "yes"), Input{}), map[string]string{
		"rom.file": content, "rom.data": fmt.Sprintf("no %d 00000000", len(rom)),
	})
}

// TestInputReachesTheCore: keys as joypad buttons, the stylus as the pointer.
func TestInputReachesTheCore(t *testing.T) {
	c := mustWorld(t)
	keys := []struct {
		in  inputdelay.Keys
		pad uint16
	}{
		{0, 0},
		{inputdelay.KeyB, 1 << 0},
		{inputdelay.KeyY, 1 << 1},
		{inputdelay.KeySelect, 1 << 2},
		{inputdelay.KeyStart, 1 << 3},
		{inputdelay.KeyUp, 1 << 4},
		{inputdelay.KeyDown, 1 << 5},
		{inputdelay.KeyLeft, 1 << 6},
		{inputdelay.KeyRight, 1 << 7},
		{inputdelay.KeyA, 1 << 8},
		{inputdelay.KeyX, 1 << 9},
		{inputdelay.KeyL, 1 << 10},
		{inputdelay.KeyR, 1 << 11},
		{inputdelay.KeyA | inputdelay.KeyUp, 1<<8 | 1<<4},
		{inputdelay.Lid | inputdelay.Mic, 0}, // an unknown core: nobody knows the buttons
		{1 << 15, 0},
	}
	for _, k := range keys {
		expect(t, seen(t, c, Input{Keys: k.in}), map[string]string{
			"pad": fmt.Sprintf("%04x", k.pad), "pen": "0 0 0",
		})
	}
	x, y := pointer(100, 50)
	expect(t, seen(t, c, Input{Keys: inputdelay.Touch, X: 100, Y: 50}), map[string]string{
		"pad": "0000", "pen": fmt.Sprintf("%d %d 1", x, y),
	})
	expect(t, seen(t, c, Input{X: 100, Y: 50}), map[string]string{"pen": "0 0 0"})
}

// TestButtonsByTheCoresOwnWords: versions of a core that swap their buttons still get lid and
// microphone, and one that calls nothing so gets neither.
func TestButtonsByTheCoresOwnWords(t *testing.T) {
	const l2, l3, y = 1 << joypadL2, 1 << joypadL3, 1 << joypadY
	for _, tt := range []struct {
		version  string
		lid, mic int // while that level is on, in its first frame
	}{{"none", l3, l2}, {"older", l3, l2}, {"newer", l2 | y, l3}, {"strange", 0, 0}} {
		cfg := worldConfig(t, "buttons", tt.version)
		cfg.profile = melondsdsProfile()
		c, err := Start(t.Context(), cfg)
		must.Succeed(t, err)
		for _, frame := range []struct {
			in  inputdelay.Keys
			pad int
		}{
			{inputdelay.Mic, tt.mic},
			{inputdelay.Mic, tt.mic},
			{inputdelay.Lid, tt.lid},
			{inputdelay.Lid, 0},
			{0, tt.lid},
			{0, 0},
		} {
			got := seen(t, c, Input{Keys: frame.in})["pad"]
			if want := fmt.Sprintf("%04x", frame.pad); got != want {
				t.Errorf("%s words: keys %04x press %s, want %s", tt.version, frame.in, got, want)
			}
		}
		c.Close()
	}
}
