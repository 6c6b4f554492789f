package host

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/message"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

func TestBucket(t *testing.T) {
	now := time.Unix(100, 0)
	b := newBucket(2, 3)
	take := func(n float64, want bool) {
		t.Helper()
		if got := b.take(now, n); got != want {
			t.Errorf("at %v taking %v: %v", now.Sub(time.Unix(100, 0)), n, got)
		}
	}
	take(3, true)
	take(1, false)
	now = now.Add(500 * time.Millisecond)
	take(1, true)
	take(0.5, false)
	now = now.Add(time.Hour)
	take(4, false) // it never holds more than its size
	take(3, true)
	now = now.Add(-time.Hour)
	take(0.1, false) // going back in time fills nothing
}

func TestClock(t *testing.T) {
	var c clock
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
		if got := c.at(start.Add(tt.at)).Sub(start); got != tt.want {
			t.Errorf("at %v the room's time is %v, want %v", tt.at, got, tt.want)
		}
	}
}

func TestGuardForgets(t *testing.T) {
	var g guard
	now := time.Unix(1, 0)
	g.ban("")
	if g.isBanned("") {
		t.Error("everyone without an address is banned")
	}
	for range 100 { // right passwords do not use up the tries
		if !g.mayTry(now, "10.0.0.1") {
			t.Fatal("who knows the password may not try it")
		}
		g.forgive("10.0.0.1")
	}
	for i := range 1000 {
		g.mayTry(now, strings.Repeat("x", i))
		g.ban(strings.Repeat("x", i))
		g.ban(strings.Repeat("x", i))
	}
	if len(g.tries) > maxRemembered || len(g.banned) > maxRemembered {
		t.Errorf("%d and %d addresses are remembered", len(g.tries), len(g.banned))
	}
}

func TestNamesOfThings(t *testing.T) {
	for got, want := range map[string]string{
		room.PhaseLobby.String():                          "lobby",
		room.Phase(99).String():                           "phase 99",
		timeline.Leave.String():                           "leave",
		timeline.Kind(99).String():                        "decision of kind 99",
		message.KindOf(new(message.StartFailed)).String(): "start failed",
		message.Kind(0).String():                          "message of kind 0",
		testCore.String():                                 "DeSmuME 0.9.11 (build c0de0000)",
		testROM.String():                                  "Kart (aabbccdd)",
		room.ROMID{}.String():                             "an unnamed game (00000000)",
		room.ListWords(nil):                               "",
		room.ListWords([]string{"a"}):                     "a",
		room.ListWords([]string{"a", "b", "c"}):           "a, b and c",
		room.Refusal{Sentence: "a"}.Error():               "a",
		room.Megabytes(20_000_000):                        "20.0 MB",
		room.MacWords([6]byte{0, 9, 0xbf, 1, 2, 3}):       "00:09:bf:01:02:03",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
