package emucore

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// hostileConfig is a console with the core that attacks its host; options are pairs of
// key and value, without "hostile_".
func hostileConfig(t *testing.T, options ...string) Config {
	t.Helper()
	cfg := worldConfig(t)
	cfg.Core = compiled(t, "hostile")
	cfg.profile = defaultProfile()
	cfg.profile.Library = "Hostile" // a known one, of which it is known that it has no JIT
	for i := 0; i < len(options); i += 2 {
		cfg.TestOptions["hostile_"+options[i]] = options[i+1]
	}
	return cfg
}

// memoryBounds is the most that a worker may have of a kind of memory, in megabytes; of
// kinds that are not here it gets none.
var memoryBounds = map[string]int{"private": 1100, "late_writable": 1100, "named": 128}

// readsAll are attacks that succeed while a core is loaded, where there is no Landlock.
var readsAll = []string{"read_file", "read_parent_environment", "read_parent_memory", "list_root", "mb.zeros_read_only"}

// compiles are attacks that succeed while a core is loaded: libraries are code.
var compiles = []string{"map_code", "make_code", "borrow_make_code"}

// checkRefused looks at what came of the attacks of one time, "early" or "late". allowed
// are those that may succeed.
func checkRefused(t *testing.T, report map[string]string, when string, allowed ...string) {
	t.Helper()
	tried := 0
	for name, value := range report {
		name, ok := strings.CutPrefix(name, when+".")
		if !ok || strings.HasSuffix(name, "+") || slices.Contains(allowed, name) {
			continue
		}
		tried++
		kind, isMemory := strings.CutPrefix(name, "mb.")
		size, _ := strconv.Atoi(value)
		switch {
		case sanitized && (isMemory || name == "gb.space"):
		case name == "gb.space":
			if size >= 32 {
				t.Errorf("%s: it could map %d GB", when, size)
			}
		case isMemory:
			if most := memoryBounds[kind]; size > most || size < most/4 {
				t.Errorf("%s: %d MB of %s memory, at most %d are right", when, size, kind, most)
			}
		case !slices.Contains([]string{"EPERM", "EACCES", "ENOENT", "ENOSYS"}, value):
			t.Errorf("%s: %s came as far as %q", when, name, value)
		}
	}
	if tried < 57 {
		t.Errorf("%s: %d attacks", when, tried)
	}
}

// TestHostileConstructor: a core's code runs before anybody has asked it for anything.
// Neither then nor later does it get at files, processes, the network or memory
// without a bound; it reads its ROM and libraries, and has its save file.
func TestHostileConstructor(t *testing.T) {
	checkLeaks(t)
	report := seen(t, started(t, hostileConfig(t)), Input{})
	if landlockVersion() == 0 {
		t.Log("this kernel has no Landlock")
		checkRefused(t, report, "early", append(compiles, readsAll...)...)
	} else {
		checkRefused(t, report, "early", compiles...)
	}
	checkRefused(t, report, "late")
	expect(t, report, map[string]string{"rom": "ok", "libraries": "ok"})
}

// TestHostileWithSnapshots: a core whose memory is put back has won nothing by it: no process, no descriptor, no
// code and, once it is loaded, no memory.
func TestHostileWithSnapshots(t *testing.T) {
	eachWay(t, func(t *testing.T, _ SnapshotWay) {
		checkLeaks(t)
		cfg := hostileConfig(t)
		cfg.Rollback = true
		c := started(t, cfg)
		fds, code := heldBy(t, c)
		must.Succeed(t, c.snapshot(0))
		report := seen(t, c, Input{})
		must.Succeed(t, c.Return(0))
		seen(t, c, Input{})
		if nowFDs, nowCode := heldBy(t, c); !slices.Equal(nowFDs, fds) || nowCode != code {
			t.Errorf("descriptors %q, then %q; bytes of code %d, then %d", fds, nowFDs, code, nowCode)
		}
		if group := groupMembers(c.proc.pid()); len(group) != 1 {
			t.Errorf("its processes: %v", group)
		}
		early := compiles
		if landlockVersion() == 0 {
			early = append(early, readsAll...)
		}
		for name, value := range report {
			when, name, _ := strings.Cut(name, ".")
			kind, isMemory := strings.CutPrefix(name, "mb.")
			size, _ := strconv.Atoi(value)
			switch {
			case when != "early" && when != "late" || name == "gb.space" || strings.HasSuffix(name, "+") || when == "early" && slices.Contains(early, name):
			case isMemory:
				if most := 2 * memoryBounds["private"]; size > most || size > 0 && (when == "late" || memoryBounds[kind] == 0) {
					t.Errorf("%s: %d MB of %s memory", when, size, kind)
				}
			case !slices.Contains([]string{"EPERM", "EACCES", "ENOENT", "ENOSYS", "ENOMEM"}, value):
				t.Errorf("%s: %s came as far as %q", when, name, value)
			}
		}
		c.Close()
		eventually(t, "all gone", func() bool { return len(groupMembers(c.proc.pid())) == 0 })
	})
}

// heldBy lists a worker's descriptors, and says how many bytes of its memory are code.
func heldBy(t *testing.T, c *Console) (fds []string, code uint64) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/", c.proc.pid())
	list, err := os.ReadDir(dir + "fd")
	if err != nil {
		t.Log("not looked into: ", err)
		return nil, 0
	}
	for _, f := range list {
		fds = append(fds, f.Name())
	}
	maps, err := os.ReadFile(dir + "maps")
	must.Succeed(t, err)
	for line := range strings.Lines(string(maps)) {
		var from, to uint64
		var rights string
		_, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights)
		must.Succeed(t, err)
		if strings.Contains(rights, "x") {
			code += to - from
		}
	}
	return fds, code
}

// TestHostileWithoutLandlock: on an older kernel a core reads what its user can read, and
// everything else stays refused.
func TestHostileWithoutLandlock(t *testing.T) {
	cfg := hostileConfig(t)
	cfg.lawless = true
	report := seen(t, started(t, cfg), Input{})
	checkRefused(t, report, "early", append(compiles, readsAll...)...)
	checkRefused(t, report, "late")
	expect(t, report, map[string]string{"rom": "ok", "libraries": "ok", "early.read_file": "ok"})
}

// TestFirstWallIsEnough: a core that keeps the second filter from being put into force
// has won nothing against its host.
func TestFirstWallIsEnough(t *testing.T) {
	report := seen(t, started(t, hostileConfig(t, "do", "unseal")), Input{})
	expect(t, report, map[string]string{"unseal": "0"})
	if landlockVersion() > 0 {
		checkRefused(t, report, "late", append(compiles, "blind_filter")...) // the core's own filter says that it works
	}
}

// TestCodeOnlyForJITs: once it is loaded, a core gets executable memory only if its JIT may need it
// then, or nobody knows.
func TestCodeOnlyForJITs(t *testing.T) {
	known := func(p *Profile) { p.Library, p.Free = "known", []Choice{desmumeCPU("amd64")} }
	for _, c := range []struct {
		name    string
		profile func(*Profile)
		mode    string
		want    string
	}{
		{"a core nobody knows", func(*Profile) {}, "", "ok"},
		{"no JIT", func(p *Profile) { p.Library = "known" }, "", "EPERM"},
		{"the JIT of a build that nobody has measured", known, "jit", "ok"},
		{"its interpreter", known, "interpreter", "EPERM"},
	} {
		cfg := hostileConfig(t)
		cfg.profile = defaultProfile()
		c.profile(cfg.profile)
		if c.mode != "" {
			cfg.Options = []ds.Option{{Key: "desmume_cpu_mode", Value: c.mode}}
		}
		report := seen(t, started(t, cfg), Input{})
		if report["late.map_code"] != c.want || report["late.make_code"] != c.want {
			t.Errorf("%s: to map code gives %s, to make some %s; want %s", c.name, report["late.map_code"], report["late.make_code"], c.want)
		}
	}
	for build, want := range map[Standing]bool{Untried: true, Likely: true, Measured: false, Proven: false} {
		on, _ := melondsdsProfile().JITOption(true)
		if melondsdsProfile().mayCompile(build, []ds.Option{on}) != want || melondsdsProfile().mayCompile(build, nil) {
			t.Errorf("%v: with the JIT it should be %v, without it never", build, want)
		}
	}
}

// TestHostileLoad: what a core does while it is loaded costs an error with a reason, in
// time, and leaves nothing.
func TestHostileLoad(t *testing.T) {
	for do, why := range map[string]string{"talk": "no answer", "crowd": "threads"} {
		t.Run(do, func(t *testing.T) {
			checkLeaks(t)
			cfg := hostileConfig(t, "do", do)
			if do == "talk" {
				cfg.limits = quick
			}
			c, err := Start(t.Context(), cfg)
			if err == nil {
				c.Close()
			}
			if err == nil || !strings.Contains(err.Error(), why) {
				t.Errorf("it says %v, want %q", err, why)
			}
		})
	}
}

// TestLies: a core that gives impossible answers to libretro's questions costs an error
// that says so at worst, never this program.
func TestLies(t *testing.T) {
	checkLeaks(t)
	for _, lie := range []string{
		"need_fullpath", "fps", "rate", "width", "pitch", "picture", "state size", "growing state", "long state",
		"memory", "memory size",
	} {
		c, err := Start(t.Context(), hostileConfig(t, "lie", lie))
		if err == nil {
			err = errors.Join(tryAll(c), c.Close())
		}
		var start *StartError
		var crash *CrashError
		if err != nil && !errors.As(err, &start) && !errors.As(err, &crash) {
			t.Errorf("%s: %v", lie, err)
		}
	}
}

// tryAll asks everything of a console and returns the first error.
func tryAll(c *Console) error {
	if _, err := c.Step(Input{}); err != nil {
		return err
	}
	if _, err := c.Hash(); err != nil {
		return err
	}
	s, err := c.Save()
	if err != nil {
		return err
	}
	if err := c.Load(s); err != nil {
		return err
	}
	_, err = c.SRAM()
	return err
}
