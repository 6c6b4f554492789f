package room

import (
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

func TestDelayWords(t *testing.T) {
	for _, sync := range []room.Sync{room.Lockstep, room.Clocked, room.Rollback} {
		for frames := range ds.MaxDelay + 1 {
			words := DelayWords(frames, sync)
			if frames > 0 && (!strings.Contains(words, " ms later") || pingFor(frames, sync) < pingFor(frames-1, sync)) {
				t.Errorf("%d frames: %s", frames, words)
			}
		}
	}
	if got := pingFor(4, room.Lockstep); got < 40 || got > 90 {
		t.Errorf("4 frames are enough for %d ms", got)
	}
	if got := pingFor(6, room.Clocked); got < 50 || got > 70 { // a round trip, and not half of one
		t.Errorf("6 frames are enough for %d ms in clocked play", got)
	}
}

// TestWeakestWords: in a room with rollback that computer is named which guesses too few frames, and no other.
func TestWeakestWords(t *testing.T) {
	r := &Room{Room: room.Room{Settings: room.Settings{Sync: room.Rollback}}}
	say := func(depths ...room.Depth) string {
		r.Room.Players = nil
		for i, d := range depths {
			r.Room.Players = append(r.Room.Players, room.Player{Machine: i, Nickname: []string{"Ann", "Bob", "Cleo"}[i], Present: true, Beat: room.Beat{Depth: d}})
		}
		return weakestWords(r)
	}
	for want, depths := range map[string][]room.Depth{
		"Bob's computer guesses the fewest frames, 2 (33 ms)": {room.DepthOf(9), room.DepthOf(2), room.DepthOf(4)},
		"Cleo's computer cannot guess, and waits":             {0, room.DepthOf(2), room.DepthOf(0)},
	} {
		if got := say(depths...); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, depths := range [][]room.Depth{{0, 0}, {room.DepthOf(9), room.DepthOf(6)}, {room.DepthOf(1)}} {
		if got := say(depths...); got != "" {
			t.Errorf("%v: %q", depths, got)
		}
	}
	r.Room.Settings.Sync = room.Lockstep
	if got := say(room.DepthOf(1), 0); got != "" {
		t.Error(got)
	}
}

func TestFigureWords(t *testing.T) {
	for _, c := range []struct {
		p      room.Player
		ping   string
		jitter string
	}{
		{room.Player{}, "host", ""},
		{room.Player{Machine: 1}, "–", ""},
		{room.Player{Machine: 1, Beat: room.Beat{Ping: 300 * time.Microsecond}}, "<1 ms", ""},
		{room.Player{Machine: 1, Beat: room.Beat{Ping: 48600 * time.Microsecond, Jitter: 6 * time.Millisecond}}, "49 ms", "±6"},
	} {
		if ping, jitter := pingWords(c.p, 0), jitterWords(c.p, 0); ping != c.ping || jitter != c.jitter {
			t.Errorf("%+v: %q %q, want %q %q", c.p, ping, jitter, c.ping, c.jitter)
		}
	}
	for n, want := range map[int64]string{12: "12 B", 3400: "3 kB", 4_200_000: "4.2 MB", 7_100_000_000: "7.1 GB"} {
		if got := screen.Bytes(n); got != want {
			t.Errorf("%d bytes: %q, want %q", n, got, want)
		}
	}
}

func TestConnectionWords(t *testing.T) {
	p := room.Player{Machine: 1, Beat: room.Beat{Ping: 48 * time.Millisecond, Jitter: 3 * time.Millisecond}}
	for loss, want := range map[int]string{0: "48 ms ±3", 4: "48 ms ±3", 12: "48 ms ±3 · 1.2% lost", 54: "48 ms ±3 · 5% lost", 1000: "48 ms ±3 · 100% lost"} {
		if p.Loss = loss; connectionWords(p, 0) != want {
			t.Errorf("a loss of %d: %q, want %q", loss, connectionWords(p, 0), want)
		}
	}
	p.Local = 1
	if connectionWords(p, 0) != "" || connectionWords(room.Player{}, 0) != "host" {
		t.Errorf("another at the same machine: %q, host: %q", connectionWords(p, 0), connectionWords(room.Player{}, 0))
	}
}
