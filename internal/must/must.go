// Package must ends a test where it cannot go on.
package must

import "testing"

// Succeed ends the test if what it was to do has failed.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
