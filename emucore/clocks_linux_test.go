package emucore

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestOurOwnClockIsReal: outside workers libc's clocks are libc's, for SDL and
// whoever else is in this process.
func TestOurOwnClockIsReal(t *testing.T) {
	mustWorld(t) // has made a virtual clock, elsewhere
	before := time.Now()
	walls := testcore.Walls()
	after := time.Now()
	for name, at := range walls {
		if at.Before(before.Truncate(time.Second)) || at.After(after) || name != "time" && at.Before(before.Truncate(time.Microsecond)) {
			t.Errorf("%s says %v, it is %v", name, at, after)
		}
	}
	first := testcore.Ticks()
	slept := testcore.Sleeps()
	for i := 0; i < 100_000_000 && testcore.Ticks()["clock"] == first["clock"]; i++ {
	}
	second := testcore.Ticks()
	for name := range first {
		if second[name] <= first[name] {
			t.Errorf("%s stands still at %v", name, first[name])
		}
	}
	if len(slept) != 4 {
		t.Errorf("not all could sleep: %v", slept)
	}
	for name, d := range slept {
		if d < 19*time.Millisecond || name == "sleep" && d < 999*time.Millisecond {
			t.Errorf("%s took %v", name, d)
		}
	}
}
