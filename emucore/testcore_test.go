package emucore

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// These tests run the project's test core, which emulates a small console and
// fails in every way a real core might; world_test.go and fault_test.go are about
// a core that attacks its host.

// pocket starts the test core; options are pairs of key and value.
func pocket(t testing.TB, options ...string) (*Console, error) {
	t.Helper()
	cfg := worldConfig(t)
	cfg.Core = opened(t, testcore.Path(t))
	if len(options) > 1 && (options[1] == "hang" || options[1] == "sleep" || options[1] == "stop") {
		cfg.limits = quick
	}
	for i := 0; i < len(options); i += 2 {
		cfg.TestOptions["testcore_"+options[i]] = options[i+1]
	}
	c, err := Start(context.Background(), cfg)
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

func mustPocket(t testing.TB, options ...string) *Console {
	t.Helper()
	c, err := pocket(t, options...)
	must.Succeed(t, err)
	return c
}

// pocketRAM is the test core's memory, where its report is.
func pocketRAM(t *testing.T, c *Console) []byte {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	ram, _, err := c.memory(&request{op: opMemory, regions: regionRAM})
	must.Succeed(t, err)
	return slices.Clone(ram)
}

// TestEveryFault: whatever a core dies of, and wherever, it is told apart in
// time and leaves nothing.
func TestEveryFault(t *testing.T) {
	signals := map[string]string{
		"segv": "SIGSEGV", "abort": "SIGABRT", "ill": "SIGILL", "fpe": "SIGFPE", "stack": "SIGSEGV",
	}
	for _, at := range []string{"init", "load", "5", "serialize", "unserialize"} {
		for _, how := range []string{"segv", "abort", "ill", "fpe", "stack", "exit", "_exit", "hang", "sleep"} {
			if how == "hang" && !(at == "load" || at == "5") {
				continue // as good as sleep, and slow
			}
			t.Run(at+"/"+how, func(t *testing.T) {
				checkLeaks(t)
				err := runIntoFault(t, at, how)
				var crash *CrashError
				var hang *HangError
				switch how {
				case "hang", "sleep":
					if !errors.As(err, &hang) {
						t.Fatal(err)
					}
				case "exit", "_exit":
					if !errors.As(err, &crash) || crash.Signal != "" || crash.ExitCode != 3 {
						t.Fatal(err)
					}
				default:
					if !errors.As(err, &crash) || crash.Signal != signals[how] {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

// runIntoFault does what leads to the fault and returns what came of it.
func runIntoFault(t *testing.T, at, how string) error {
	c, err := pocket(t, "fault", how, "fault_at", at)
	if err != nil {
		return err
	}
	defer c.Close()
	for range 10 {
		if _, err := c.Step(Input{}); err != nil {
			return err
		}
	}
	s, err := c.Save()
	if err != nil {
		return err
	}
	return c.Load(s)
}

// TestBadOutput: pictures, sound and sizes that make no sense end the console at
// worst, never the program.
func TestBadOutput(t *testing.T) {
	for option, values := range map[string][]string{
		"bad_video": {"none", "null", "zero", "huge", "pitch_small", "pitch_huge", "wild", "odd", "twice"},
		"bad_audio": {"none", "null", "huge", "max", "wild", "single", "many"},
		"bad_av":    {"zero", "nan", "negative", "huge"},
	} {
		for _, v := range values {
			t.Run(option+"/"+v, func(t *testing.T) {
				checkLeaks(t)
				c, err := pocket(t, option, v)
				var start *StartError
				if err != nil {
					if option != "bad_av" || !errors.As(err, &start) {
						t.Error(err)
					}
					return
				}
				defer c.Close()
				harmless := map[string]bool{"none": true, "null": option == "bad_video", "odd": true, "twice": true, "single": true, "many": true}[v]
				for range 5 {
					if _, err = c.Step(Input{}); err != nil {
						break
					}
					c.Video().Image()
				}
				var crash *CrashError
				if harmless && err != nil || err != nil && !errors.As(err, &crash) {
					t.Error(err)
				}
				if rate := c.last.sampleRate; !(rate >= 1000) {
					t.Errorf("%v samples a second", rate)
				}
			})
		}
	}
}

// TestNoise: output without measure slows a console, and no more.
func TestNoise(t *testing.T) {
	checkLeaks(t)
	for _, option := range []string{"spam_stdout_kb", "spam_stderr_kb", "spam_log"} {
		c := mustPocket(t, option, "1000")
		stepWith(t, c, 0, 5)
		c.Close() // what it printed is complete then
		log := c.proc.log.all()
		if len(log) == 0 || len(log) > logLines {
			t.Errorf("%s: %d lines", option, len(log))
		}
		for _, line := range log {
			for _, r := range line {
				if r < ' ' || r > '~' {
					t.Fatalf("%s: %q", option, line)
				}
			}
		}
	}
}

// TestPocketIsEqual: what a core can measure of time and memory through libc or
// the kernel is the same in every worker.
func TestPocketIsEqual(t *testing.T) {
	for _, options := range [][]string{
		{},
		{"libc_clock", "enabled"},
		{"wall_clock", "syscall"},
		{"uninit", "heap"},
		{"signals", "enabled", "map_gb", "16", "threads", "4"},
		{"lid", "toggle", "mic", "toggle"},
		{"sram", "none", "pixel_format", "0rgb1555"},
	} {
		run := func() []ds.Hash {
			c := mustPocket(t, options...)
			defer c.Close()
			return play(t, c, mash(11, 90), 30)
		}
		if a, b := run(), run(); !slices.Equal(a, b) || len(a) != 3 {
			t.Errorf("%v:\n%v\n%v", options, a, b)
		}
	}
}

// TestPocketStates: states of any size, and such as must be loaded twice.
func TestPocketStates(t *testing.T) {
	for _, options := range [][]string{
		{},
		{"state_mb", "20", "state_noise", "enabled"},
		{"state_loads", "2"},
		{"state_mb", "20", "state_loads", "2", "state_garbage", "enabled"},
	} {
		a := mustPocket(t, options...)
		play(t, a, mash(12, 50), 50)
		s, err := a.Save()
		must.Succeed(t, err)
		b, c := mustPocket(t, options...), mustPocket(t, options...)
		for _, each := range []*Console{a, b, c} {
			must.Succeed(t, each.Load(s))
		}
		ins := mash(13, 60)
		ha, hb, hc := play(t, a, ins, 20), play(t, b, ins, 20), play(t, c, ins, 20)
		if !slices.Equal(ha, hb) || !slices.Equal(hb, hc) {
			t.Errorf("%v:\n%v\n%v\n%v", options, ha, hb, hc)
		}
	}
	if _, err := pocket(t, "state_mb", "65"); err == nil {
		t.Error("a state larger than there is room for is taken")
	}
}

// TestNoEscape: of the forbidden things a core tries only those work that can do
// no harm.
func TestNoEscape(t *testing.T) {
	checkLeaks(t)
	c := mustPocket(t, "escape", "all", "escape_at", "0", "threads", "2")
	stepWith(t, c, inputdelay.KeyA, 2)
	ram := pocketRAM(t, c)
	names := []string{
		"open", "create", "dir", "inet", "unix", "fork", "thread", "killparent",
		"ptrace", "exec_map", "pdeathsig", "memfd", "sigaction", "setsid",
	}
	harmless := []string{"exec_map", "sigaction"}
	for i, result := range ram[0x90 : 0x90+len(names)] {
		if worked := result == 1; worked != slices.Contains(harmless, names[i]) || result == 0 {
			t.Errorf("%s: %d", names[i], result)
		}
	}
	if granted := binary.LittleEndian.Uint32(ram[0x84:]); granted != 0 {
		t.Errorf("environment calls granted: %b", granted)
	}
	for _, alone := range []string{"exec", "murder"} {
		c := mustPocket(t, "escape", alone, "escape_at", "0")
		stepWith(t, c, 0, 2)
	}
}

// TestSpill: garbage on every descriptor a core has, the socket among them, is
// the end of that core only.
func TestSpill(t *testing.T) {
	checkLeaks(t)
	c := mustPocket(t, "spill_at", "0")
	var crash *CrashError
	if err := fails(t, c); !errors.As(err, &crash) || crash.Why == "" {
		t.Error(err)
	}
}
