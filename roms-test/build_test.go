package romstest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// compiler is what the committed ROMs were built with. Another version gives other
// code, which is no fault.
const (
	compiler        = "arm-none-eabi-gcc"
	compilerVersion = "12.2.1"
)

// needCompiler skips a test, saying so, where the ROMs cannot be built to the byte.
func needCompiler(t *testing.T) {
	t.Helper()
	out, err := exec.Command(compiler, "-dumpfullversion").Output()
	if err != nil {
		t.Skipf("NOT TESTED: the ROMs cannot be built again, %s is missing: apt-get install gcc-arm-none-eabi", compiler)
	}
	if v := strings.TrimSpace(string(out)); v != compilerVersion {
		t.Skipf("NOT TESTED: the ROMs were built with %s %s, here is %s", compiler, compilerVersion, v)
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("NOT TESTED: the ROMs cannot be built again, make is missing: apt-get install make")
	}
}

// The committed ROMs are what their sources make, byte for byte, wherever and
// whenever they are built.
func TestROMsAreBuiltFromSource(t *testing.T) {
	needCompiler(t)
	out := t.TempDir()
	cmd := exec.Command("make", "WERROR=-Werror", "O="+filepath.Join(out, "build"), "DIR="+out)
	cmd.Env = append(os.Environ(), "TZ=Asia/Tokyo", "LC_ALL=C", "MAKEFLAGS=")
	if log, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make: %v\n%s", err, log)
	}
	for _, r := range romstest.All() {
		built := must.Read(t, filepath.Join(out, r.Name))
		if !bytes.Equal(built, r.Data) {
			t.Errorf("%s: %d bytes, built anew %d, first difference at %#x: run make roms and commit the result",
				r.Name, len(r.Data), len(built), firstDifference(built, r.Data))
		}
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}
