// Package must ends a test where it cannot go on.
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
