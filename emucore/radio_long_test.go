package emucore

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// long are tests for a night.
func long() bool { return os.Getenv("NETTPLAY_LONG") != "" }

// soak is how much of the long test is done: NETTPLAY_SEEDS=N is seeds 0 to N-1,
// NETTPLAY_SEEDS=A-B those from A to B, NETTPLAY_BUDGET a time after which no
// other game is begun (a Go duration), NETTPLAY_FRAMES the length of a game.
type soak struct {
	first, last uint64
	budget      time.Duration
	frames      int64
}

func soakOf(t *testing.T) soak {
	t.Helper()
	s := soak{last: 19, frames: 10_000}
	number := func(name, text string) uint64 {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	if text := os.Getenv("NETTPLAY_SEEDS"); text != "" {
		from, to, both := strings.Cut(text, "-")
		if s.last = number("NETTPLAY_SEEDS", from) - 1; both {
			s.first, s.last = number("NETTPLAY_SEEDS", from), number("NETTPLAY_SEEDS", to)
		}
	}
	if text := os.Getenv("NETTPLAY_FRAMES"); text != "" {
		s.frames = int64(number("NETTPLAY_FRAMES", text))
	}
	if text := os.Getenv("NETTPLAY_BUDGET"); text != "" {
		var err error
		if s.budget, err = time.ParseDuration(text); err != nil {
			t.Fatalf("NETTPLAY_BUDGET: %v", err)
		}
	}
	if s.frames == 0 || s.last < s.first || s.last > 1<<31 {
		t.Fatalf("%+v: nothing would be played", s)
	}
	return s
}

// tally is what the long test has done so far.
type tally struct {
	games, rounds, packets uint64
	sizes                  map[int]int // games so far, by consoles
}

func (n *tally) add(consoles, games int, run *radioRun) {
	n.games += uint64(games)
	n.sizes[consoles]++
	n.rounds += uint64(games) * run.status.Rounds
	n.packets += uint64(games) * run.status.Packets
}

// TestRadioLong is TestRadioRepeats for long games of all kinds, with a line about
// each (go test -v). Each game is played serially and in parallel, both with delays. For
// some only: -run 'TestRadioLong/^(2|16)_consoles'.
func TestRadioLong(t *testing.T) {
	if !long() {
		t.Skip("takes hours: NETTPLAY_LONG=1, and see soakOf")
	}
	s, start := soakOf(t), time.Now()
	sum := tally{sizes: map[int]int{}}
	defer func() {
		t.Logf("%d games of %d frames (seeds by consoles: %v), %d rounds, %d packets, %v",
			sum.games, s.frames, sum.sizes, sum.rounds, sum.packets, time.Since(start).Round(time.Second))
	}()
	for seed := s.first; seed <= s.last; seed++ {
		for _, consoles := range []int{2, 3, 4, 8, 16} {
			if s.budget > 0 && time.Since(start) > s.budget {
				t.Logf("the time is over before seed %d with %d consoles", seed, consoles)
				return
			}
			t.Run(fmt.Sprintf("%d consoles, seed %d", consoles, seed), func(t *testing.T) {
				s.play(t, consoles, seed, &sum)
			})
		}
	}
}

func (s soak) play(t *testing.T, consoles int, seed uint64, sum *tally) {
	begun, ways := time.Now(), waysOf(seed)
	g := seeded(t, consoles, s.frames, seed)
	g.every = min(500, s.frames)
	run := repeats(t, g, ways...)
	sum.add(consoles, len(ways), &run)
	t.Logf("skew %d; %v; %v: %d rounds, %d packets, chain %016x, %v",
		g.air.Skew, ways[0], ways[1],
		run.status.Rounds, run.status.Packets, run.chain, time.Since(begun).Round(time.Second))
}
