package gameview

import (
	"testing"

	"github.com/nettplay/nettplay/internal/ds"
)

// A frame that is built into a picture is fresh until the window has shown it. While frames are kept a
// later one waits.
func TestFramesAreKept(t *testing.T) {
	th := newTestView(t, 640, 480, 1)
	th.Begin(twoSeats, []ds.Seat{0})
	for i, step := range []struct {
		do    func()
		fresh bool
	}{
		{func() {}, false},
		{func() { th.Show(0, plain(1, 1)) }, true},
		{func() {}, true},
		{func() { th.Shown() }, false},
		{func() { th.Show(0, plain(2, 2)) }, true},
		{func() { th.Shown(); th.Keep(true); th.Show(0, plain(3, 3)) }, false},
		{func() { th.Keep(false) }, true},
	} {
		step.do()
		th.step(nil)
		if got := th.Fresh(); got != step.fresh {
			t.Errorf("step %d: fresh %v", i, got)
		}
	}
}
