// Package testcore builds libretro cores from C sources for tests: above all the
// project's own test core, a small console that can be told to misbehave (its
// options are described in README.md).
//
// A test binary that uses it calls [Main] from its TestMain. Programs that it builds are kept
// in the user's cache for the next test binary (cache.go). The next package to read is
// emucore, which runs cores.
package testcore

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// builds are the files that this test binary has asked for. There is one of it because
// there is one TestMain.
var builds struct {
	mu    sync.Mutex
	began string // the directory it began in
	cache cache
	made  map[string]func() (path string, err error) // by name; nil before Main
}

// Main runs the tests. It is for TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(testcore.Main(m)) }
func Main(m *testing.M) int {
	builds.began, _ = os.Getwd()
	cache, forget, err := openCache()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer forget()
	builds.cache, builds.made = cache, map[string]func() (string, error){}
	return m.Run()
}

// Path returns the path of the test core, built on first use.
func Path(tb testing.TB) string {
	tb.Helper()
	return once(tb, "testcore_libretro.so", func(path string) *exec.Cmd {
		return exec.Command("make", "-s", "-C", filepath.Join(Root(), folder), "OUT="+path, path)
	})
}

// Build returns the path of the test core built in another way: with some of gcc's flags, such as -O0, and with
// defines, as Wireless has.
func Build(tb testing.TB, flags, defines string) string {
	tb.Helper()
	sum := sha256.Sum256([]byte(flags + "\n" + defines))
	return once(tb, fmt.Sprintf("testcore-%x_libretro.so", sum[:4]), func(path string) *exec.Cmd {
		return exec.Command("make", "-s", "-C", filepath.Join(Root(), folder), "OUT="+path, "CFLAGS=-std=gnu17 "+flags, "DEFINES="+defines, path)
	})
}

// Wireless returns the path of a test core whose radio is in use without any option
// being set: a console whose nickname begins with P is the wireless host, others are
// its clients. It goes by the name of a core whose profile tells it nicknames. Radio
// operations are delayed by up to 3 ms, at random.
func Wireless(tb testing.TB) string {
	tb.Helper()
	return once(tb, "wireless_libretro.so", func(path string) *exec.Cmd {
		const defines = `-DTESTCORE_NAME='"melonDS DS"' -DTESTCORE_RADIO='"mac|"' -DTESTCORE_MAC_OF_NICKNAME ` +
			`-DTESTCORE_JITTER='"3000|"' -DTESTCORE_JITTER_IN='"64|"'`
		return exec.Command("make", "-s", "-C", filepath.Join(Root(), folder), "OUT="+path, "DEFINES="+defines, path)
	})
}

// Harness returns the path of the small libretro host that tests the test core.
func Harness(tb testing.TB) string {
	tb.Helper()
	return once(tb, "harness", func(path string) *exec.Cmd {
		return exec.Command("make", "-s", "-C", filepath.Join(Root(), folder), "HARNESS="+path, path)
	})
}

// Compile builds a shared library of the given file name from C sources of package
// emucore, on first use, and returns its path.
func Compile(tb testing.TB, name string, sources ...string) string {
	tb.Helper()
	return once(tb, name, func(path string) *exec.Cmd {
		args := []string{"-std=gnu17", "-O2", "-g", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-fPIC", "-shared", "-o", path}
		return exec.Command("gcc", append(append(args, sources...), "-lm")...)
	})
}

// once makes a file with a command, unless that has been done before.
func once(tb testing.TB, name string, build func(path string) *exec.Cmd) string {
	tb.Helper()
	if builds.made == nil {
		tb.Fatal("testcore.Main must be called by TestMain")
	}
	if runtime.GOOS == "windows" {
		return crossed(tb, name)
	}
	builds.mu.Lock()
	made, ok := builds.made[name]
	if !ok {
		made = sync.OnceValues(func() (string, error) { return builds.cache.get(Root(), name, build) })
		builds.made[name] = made
	}
	builds.mu.Unlock()
	path, err := made()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// crossVariable of the environment names a folder with cores for Windows, where no compiler is: packaging/windows/core.sh makes
// them.
const crossVariable = "NETTPLAY_TEST_CORES"

// crossed returns the path of a core for Windows. A test whose core was not made there is not run.
func crossed(tb testing.TB, name string) string {
	tb.Helper()
	path := filepath.Join(os.Getenv(crossVariable), strings.TrimSuffix(name, ".so")+".dll")
	if _, err := os.Stat(path); os.Getenv(crossVariable) == "" || err != nil {
		tb.Skipf("NOT TESTED: %s is not built for Windows", name)
	}
	return path
}

// folder is that of the test core's sources.
const folder = "internal/testing/testcore"

// Root is the top directory of the repository, from the package under test upwards. Sources' own names do not tell it in
// a build with -trimpath.
func Root() string {
	for dir := builds.began; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, folder)); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}
