// Package must is what tests cannot do without: an end where they cannot go on, whether the race detector watches, and
// ten million inputs that a parser survives.
package must

import (
	"os"
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
