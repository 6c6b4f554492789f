package membership

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestClock(t *testing.T) {
	var c Clock
	start := time.Unix(100, 0)
	for _, tt := range []struct{ at, want time.Duration }{
		{0, 0},
		{time.Second, time.Second},
		{3 * time.Second, 3 * time.Second},
		{time.Hour, 5 * time.Second}, // slept
		{time.Hour + time.Second, 6 * time.Second},
		{time.Hour, 6 * time.Second}, // went back
		{time.Hour + 2*time.Second, 7 * time.Second},
	} {
		if got := c.At(start.Add(tt.at)).Sub(start); got != tt.want {
			t.Errorf("at %v the room's time is %v, want %v", tt.at, got, tt.want)
		}
	}
}

func TestGuardForgets(t *testing.T) {
	var g Guard
	now := time.Unix(1, 0)
	for range 100 { // right passwords do not use up the tries
		if !g.MayTry(now, "10.0.0.1") {
			t.Fatal("who knows the password may not try it")
		}
		g.Forgive("10.0.0.1")
	}
	for i := range 1000 {
		g.MayTry(now, strings.Repeat("x", i))
	}
	if len(g.tries.list) > maxRemembered {
		t.Errorf("%d addresses are remembered", len(g.tries.list))
	}
}

func TestStrikes(t *testing.T) {
	var g Guard
	now, bob, carol := time.Unix(1, 0), [32]byte{1}, [32]byte{2}
	for _, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute} {
		if wait := g.Strike(now, "10.0.0.1", bob); wait != want || g.Struck(now.Add(want-1), "10.0.0.1", bob, time.Time{}) != 1 || g.Struck(now.Add(want), "10.0.0.1", bob, time.Time{}) != 0 {
			t.Errorf("waits %v, want %v", wait, want)
		}
	}
	for _, x := range []struct {
		key   [32]byte
		since time.Time
		free  bool
	}{{carol, now.Add(-1), true}, {carol, now.Add(1), false}, {bob, now.Add(-1), false}, {[32]byte{}, now.Add(-1), false}} {
		if free := g.Struck(now.Add(1), "10.0.0.1", x.key, x.since) == 0; free != x.free {
			t.Errorf("%x, in the room since %v, waits: %v", x.key[:1], x.since, !free)
		}
	}
	if g.Struck(now, "10.0.0.2", bob, time.Time{}) > 0 {
		t.Error("another address waits, too")
	}
	for range 10 {
		g.Strike(now, "10.0.0.1", bob)
	}
	if g.Struck(now.Add(lastStrike), "10.0.0.1", bob, time.Time{}) > 0 {
		t.Error("it waits without end")
	}
	if wait := g.Strike(now.Add(3*lastStrike), "10.0.0.1", bob); wait != time.Minute {
		t.Errorf("an hour later it waits %v", wait)
	}
}

// The owner of a network of IPv6 addresses is one stranger, not as many as there are addresses.
func TestGuardKnowsNetworks(t *testing.T) {
	var g Guard
	now, joined := time.Unix(1000, 0), 0
	for i := range 1000 {
		if g.MayJoin(now, fmt.Sprintf("2001:db8:7::%x", i)) {
			joined++
		}
	}
	if joined != 40 {
		t.Errorf("%d came in at once from one network", joined)
	}
}
