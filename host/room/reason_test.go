package room

import (
	"strings"
	"testing"
)

// What comes of something is said whole, however long the cause is.
func TestReason(t *testing.T) {
	const then = "; it takes one from the others"
	got := Reason("Ann's computer lost a console: "+strings.Repeat("the core crashed with SIGSEGV at 0x1234 ", 20), then)
	if len(got) > MaxReason || !strings.HasSuffix(got, "…"+then) {
		t.Errorf("%q", got)
	}
	if got := Reason("it crashed", then); got != "it crashed"+then {
		t.Errorf("%q", got)
	}
}
