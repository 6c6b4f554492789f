package emucore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestMain gives the tests a place of their own for private directories, so that
// they can see what is left there.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		child()
	}
	if r, w, err := os.Pipe(); err == nil { // the runtime's poller has descriptors too
		r.Close()
		w.Close()
	}
	dir, err := os.MkdirTemp("", "nettplay-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("XDG_RUNTIME_DIR", dir)
	code := testcore.Main(m)
	if left := leftovers(); code == 0 && (left.workers > 0 || left.dirs > 0) {
		fmt.Fprintf(os.Stderr, "the tests left %+v\n", left)
		code = 1
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// A count is what a process holds that a console could leave behind.
type count struct {
	fds, memfds, workers, dirs int
}

// leftovers counts open descriptors, mappings of memfds, living child processes
// and private directories.
func leftovers() count {
	var n count
	if runtime.GOOS != "linux" {
		return n // what Wine shows there is its own
	}
	fds, _ := os.ReadDir("/proc/self/fd")
	n.fds = len(fds)
	maps, _ := os.ReadFile("/proc/self/maps")
	n.memfds = strings.Count(string(maps), "/memfd:nettplay")
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range tasks {
		b, _ := os.ReadFile(t)
		n.workers += len(strings.Fields(string(b)))
	}
	dirs, _ := filepath.Glob(filepath.Join(workdirBase(), "*"))
	n.dirs = len(dirs)
	if _, err := os.Stat(workdirBase()); err == nil {
		n.dirs++
	}
	return n
}

// checkLeaks fails a test that holds more at its end than it did when this was
// called. It must come before the consoles are started.
func checkLeaks(t *testing.T) {
	t.Helper()
	before := leftovers()
	t.Cleanup(func() {
		var after count
		for range 6000 { // what the runtime closes in the background
			if after = leftovers(); after == before {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Errorf("before %+v, after %+v", before, after)
	})
}

// onCores runs a test on the default core, and on the one that
// NETTPLAY_TEST_CORE names, which should be melonDS DS.
func onCores(t *testing.T, test func(t *testing.T, core Core)) {
	t.Run("DeSmuME", func(t *testing.T) { test(t, needDesmume(t)) })
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		return
	}
	core := opened(t, path)
	t.Run(core.Name, func(t *testing.T) { test(t, core) })
}

// known are the cores that were opened, by path.
var known sync.Map

// opened opens a core that is the same for all of this test binary; so it is asked for its name
// once, which takes a process.
func opened(t testing.TB, path string) Core {
	t.Helper()
	if core, ok := known.Load(path); ok {
		return core.(Core)
	}
	core, err := OpenCore(context.Background(), path)
	must.Succeed(t, err)
	known.Store(path, core)
	return core
}

// quick are limits for workers that are going to hang, patient those for all
// others: a busy machine is no failure.
var (
	quick   = limits{load: 500 * time.Millisecond, call: 500 * time.Millisecond}
	patient = limits{load: time.Minute, call: time.Minute}
)

// world starts a console with the core that looks at its world; options are
// pairs of key and value. "do" stands for "world_do".
func world(t testing.TB, options ...string) (*Console, error) {
	t.Helper()
	cfg := worldConfig(t, options...)
	c, err := Start(context.Background(), cfg)
	if err == nil {
		t.Cleanup(func() { c.Close() })
	}
	return c, err
}

// compiled is a core of this package's tests, whose sources are in a folder of testdata.
func compiled(t testing.TB, folder string) Core {
	t.Helper()
	sources, err := filepath.Glob(filepath.Join(testcore.Root(), "emucore/testdata", folder, "*.c"))
	must.Succeed(t, err)
	return opened(t, testcore.Compile(t, folder+"_libretro.so", sources...))
}

func worldConfig(t testing.TB, options ...string) Config {
	t.Helper()
	core := compiled(t, "world")
	rom, err := OpenROM(filepath.Join(testcore.Root(), "roms-test/pad.nds"))
	must.Succeed(t, err)
	cfg := Config{Core: core, ROM: rom, RTC: 1_000_000_000, TestOptions: map[string]string{}, limits: patient}
	for i := 0; i < len(options); i += 2 {
		cfg.TestOptions["world_"+options[i]] = options[i+1]
	}
	return cfg
}

// hangingWorld is a world whose worker is going to hang.
func hangingWorld(t *testing.T, do string) *Console {
	t.Helper()
	c := mustWorld(t, "do", do)
	c.limits = quick
	return c
}

// mustWorld is world for cores that do start.
func mustWorld(t testing.TB, options ...string) *Console {
	t.Helper()
	c, err := world(t, options...)
	must.Succeed(t, err)
	return c
}

// seen runs a frame and returns what the core saw, by name; a name seen twice
// keeps its last value, and its values in order under the name with a "+".
func seen(t *testing.T, c *Console, in Input) map[string]string {
	t.Helper()
	if _, err := c.Step(in); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ram, _, err := c.memory(&request{op: opMemory, regions: regionRAM})
	must.Succeed(t, err)
	report := make(map[string]string)
	for line := range strings.Lines(strings.TrimRight(string(ram), "\x00")) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		report[name] = value
		report[name+"+"] += value + ";"
	}
	return report
}

// expect compares what was seen with what should be.
func expect(t *testing.T, report map[string]string, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if report[name] != value {
			t.Errorf("%s is %q, want %q", name, report[name], value)
		}
	}
}

func started(t testing.TB, cfg Config) *Console {
	t.Helper()
	c, err := Start(context.Background(), cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}
