package air

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSanitized runs the C on random bytes with the compiler's own checks.
func TestSanitized(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "hostile")
	args := []string{
		"-std=gnu17", "-g", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-fsanitize=address,undefined,bounds",
		"-fno-sanitize-recover=all", "-I.", "-o", bin, "testdata/hostile.c", "rules.c", "packets.c", "doors.c", "grants.c", "lock.c", "futex_linux.c", "wait.c",
	}
	out, err := exec.Command("cc", args...).CombinedOutput()
	if err != nil && strings.Contains(string(out), "asan") {
		t.Skip("this compiler has no address sanitizer")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command(bin, "1500").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
