// Package must is what tests cannot do without: an end where they cannot go on, whether the race detector watches, and
// ten million inputs that a parser survives.
package must

import (
	"os"
	"runtime"
	"testing"
)

// Succeed ends the test if what it was to do has failed.
func Succeed(t testing.TB, err error) {
	if err != nil {
		t.Helper() // walks the stack, which would be half of a benchmark's time
		t.Fatal(err)
	}
}

// Read returns what is in a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	Succeed(t, err)
	return b
}

// HaveLinux skips a test, or part of one, where the system is another, and says what is not tested.
func HaveLinux(t testing.TB, what string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("NOT TESTED on %s: %s", runtime.GOOS, what)
	}
}

// IsLock reports whether an entry is the file that stands for the lock of its folder on Windows, where it stays.
func IsLock(e os.DirEntry) bool { return runtime.GOOS == "windows" && e.Name() == ".lock" }

// BePrivate checks that only its owner may read a file. On Windows the folder decides that.
func BePrivate(t testing.TB, path string) {
	t.Helper()
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("others may read %s: %v, %v", path, st, err)
	}
}
