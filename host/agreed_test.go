package host

import (
	"testing"
	"time"
)

// Everybody gets to know how far the machines are known to be alike, and nobody takes that
// of one game for that of the next.
func TestAgreed(t *testing.T) {
	s := playing(t, 2, nil)
	expect := func(when string, want int64) {
		t.Helper()
		for _, c := range s.clients {
			if got := c.Agreed(); got != want {
				t.Errorf("%s: %s knows of agreement up to frame %d, want %d", when, c.Me().Nickname, got, want)
			}
		}
	}
	expect("at the start", 0)
	for _, frame := range []int64{120, 300} {
		s.host.Agreed(frame)
		s.wait(2 * time.Second)
		expect("in the game", frame)
	}
	s.host.Agreed(0) // a resync
	s.wait(2 * time.Second)
	expect("while it is not known", 0)
	s.host.Agreed(580)
	s.wait(2 * time.Second)
	s.finish()
	s.ready()
	s.prepare()
	expect("before the next game", 0)
	s.install()
	s.wait(2 * time.Second)
	expect("in the next game", 0)
}
