package udp

import (
	"testing"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// A program that has ended is told from one that is there, and from a line that is
// dark; connections are not disturbed.
func TestAbsent(t *testing.T) {
	a, err := Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	defer a.Close()
	b, err := Listen(Config{Bind: "127.0.0.1"})
	must.Succeed(t, err)
	if a.Absent(t.Context(), b.Addr()) {
		t.Error("who listens is said to be absent")
	}
	b.Close()
	if !a.Absent(t.Context(), b.Addr()) {
		t.Error("who is gone is not said to be absent")
	}
	if a.Absent(t.Context(), "no address") {
		t.Error("what is no address is said to be absent")
	}
}
