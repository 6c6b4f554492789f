package adversary

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// How many games "make adversary" plays, and from which seed on.
const (
	gamesVariable = "NETTPLAY_ADVERSARY"
	seedVariable  = "NETTPLAY_ADVERSARY_SEED"
)

// long reports whether the suite runs in its long form.
// usualGames is how many games a test plays: with the race detector a few, for the others are played without it.
func usualGames() uint64 {
	if must.RaceDetector {
		return 2
	}
	return 8
}

func long() bool { return os.Getenv(gamesVariable) != "" }

// number is what the environment says, or usual.
func number(t *testing.T, variable string, usual uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// A client whose messages are changed, dropped, repeated, reordered, oversized or lies, as a
// player, a late joiner or a spectator, harms nobody but itself.
func TestMutatingClient(t *testing.T) { mutate(t, "client") }

// A game host that does so harms nobody either: whoever plays with it ends with a sentence.
func TestMutatingHost(t *testing.T) { mutate(t, "host") }

// mutate plays games, each by its seed.
func mutate(t *testing.T, role string) {
	first, games := number(t, seedVariable, 1), number(t, gamesVariable, usualGames())
	dir := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir()) // of what spectators keep
	rom := model.ROM(t, romstest.Save)
	usual := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	var next atomic.Uint64
	var mu sync.Mutex
	did := map[string]int{}
	for range 2 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for seed := first + next.Add(1) - 1; seed < first+games; seed = first + next.Add(1) - 1 {
				synctest.Test(t, func(t *testing.T) {
					a := newArena(t, seed, filepath.Join(dir, fmt.Sprint(role, seed)), rom)
					evil := a.mutator()
					a.game(role, evil)
					a.judge()
					if role == "client" {
						a.playedOn()
					}
					mu.Lock()
					for name, n := range evil.did {
						did[name] += n
					}
					mu.Unlock()
					if t.Failed() {
						t.Errorf("%s=%d %s=1 repeats it; attacks %v", seedVariable, seed, gamesVariable, evil.did)
						return
					}
					os.RemoveAll(a.dir)
				})
				if t.Failed() {
					return
				}
			}
		})
	}
	t.Cleanup(func() {
		t.Logf("%d games, attacks: %v", games, did)
		if games >= 100 && len(did) < len(attacks) {
			t.Errorf("of %d kinds of attacks only %v were tried", len(attacks), slices.Sorted(maps.Keys(did)))
		}
	})
}

// mutator is one by the seed: it attacks from the first message on or in the middle of the game,
// each message or few, with all kinds of attacks, with one, or with lies.
func (a *arena) mutator() *mutator {
	rng := rand.New(rand.NewPCG(a.seed, 3))
	m := &mutator{
		rng: rng, attacks: attacks, did: map[string]int{},
		after: []int{0, 4, 20, 100, 400, 1000}[rng.IntN(6)], rate: []float64{0.01, 0.1, 0.5, 1}[rng.IntN(4)],
		peaks: func(heap uint64) {
			if heap > heapMost {
				a.t.Errorf("the heap has grown to %d MB", heap>>20)
			}
		},
	}
	switch rng.IntN(3) {
	case 0:
		one := rng.IntN(len(attacks))
		m.attacks = attacks[one : one+1]
	case 1: // whoever only lies stays in the room for longer
		m.attacks = attacks[len(attacks)-1:]
	}
	return m
}

// game plays one game against a mutator.
func (a *arena) game(role string, evil *mutator) {
	var roles [5]*mutator
	part := "player"
	if role == "host" {
		roles[0] = evil
	} else if part = []string{"player", "player", "late joiner", "spectator"}[a.seed%4]; part == "player" {
		roles[1+a.seed/4%2] = evil
	}
	a.play(roles[0])
	a.turns.Sleep(1023, 10*time.Millisecond, nil)
	for n := 1; n < players; n++ {
		a.play(roles[n])
	}
	switch part {
	case "late joiner":
		a.pass(time.Minute, func() bool { return a.all[0].reached(frames/4) || a.all[0].ended() })
		a.play(evil)
	case "spectator":
		a.watch(evil)
	default:
		a.watch(nil)
	}
	a.finish()
}

// playedOn checks that one client has not spoiled the game of the others, who are two: at most it
// has kept the game from beginning.
func (a *arena) playedOn() {
	for _, m := range a.honest() {
		if r := m.report; r.Frames != frames && (m.playing() || r.Result != notice.ResultOK && !strings.Contains(r.Error, "did not start")) {
			a.t.Errorf("%s's game is over after %d of %d frames: %q, %s", m.name, r.Frames, frames, r.Result, r.Error)
		}
	}
}

// playing reports whether a machine's game has begun.
func (m *machine) playing() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.plays
}

// reached reports whether a machine's own console has begun a frame.
func (m *machine) reached(frame int64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shown >= frame
}
