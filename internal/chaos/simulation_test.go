package chaos

import (
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/emucore"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// How many games TestSimulation plays, and from which seed on.
const (
	simulationsVariable = "NETTPLAY_SIMULATIONS"
	simulateVariable    = "NETTPLAY_SIMULATE"
	usualSimulations    = 100
	enough              = 3 // games that fail, and the rest is not played
)

// number is what the environment says, or usual.
func number(t *testing.T, variable string, usual uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" && raceDetector {
		return max(1, usual/5) // it takes five times as long
	}
	if text == "" {
		return usual
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// TestSimulation plays whole games of real sessions on model consoles and lines in memory,
// with all that goes wrong in chaos, in virtual time. A seed gives the same game each time.
func TestSimulation(t *testing.T) {
	first, count := number(t, simulateVariable, 1), number(t, simulationsVariable, usualSimulations)
	b := newBench(t)
	b.full = os.Getenv("NETTPLAY_SIMULATION_LOG") == "full"
	began := time.Now()
	var next, played, failed atomic.Uint64
	for range 2 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for {
				seed := first + next.Add(1) - 1
				if seed >= first+count || failed.Load() >= enough {
					return
				}
				p := NewPlan(seed, Options{Short: true, Model: true})
				o, log := b.simulate(t, p)
				played.Add(1)
				if testing.Verbose() {
					t.Logf("%s, log %016x", Summary(p, o), xxh3.HashString(log))
				}
				found := Judge(p, o)
				for _, wrong := range found {
					t.Errorf("seed %d: %s", seed, wrong)
				}
				if len(found) > 0 {
					failed.Add(1)
					t.Errorf("run again with: %s=%d %s=1 go test -run 'TestSimulation$' ./internal/chaos\n%s%s", simulateVariable, seed, simulationsVariable, p, log)
				}
			}
		})
	}
	t.Cleanup(func() {
		took := time.Since(began)
		t.Logf("%d games in %v, %.0f a minute", played.Load(), took.Round(time.Millisecond), float64(played.Load())/took.Minutes())
	})
}

// TestSimulationRepeats plays games twice: what happens is the same, to the byte and the
// nanosecond.
func TestSimulationRepeats(t *testing.T) {
	first, count := number(t, simulateVariable, 1), number(t, simulationsVariable, 16)
	b := newBench(t)
	b.full = true
	for seed := first; seed < first+count; seed++ {
		p := NewPlan(seed, Options{Short: true, Model: true})
		_, one := b.simulate(t, p)
		_, two := b.simulate(t, p)
		if one == two {
			continue
		}
		a, b := strings.Split(one, "\n"), strings.Split(two, "\n")
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		from := max(0, n-8)
		t.Fatalf("seed %d: two runs differ in line %d of %d and %d:\n%s\n--- and\n%s", seed, n+1, len(a), len(b),
			strings.Join(a[from:min(n+4, len(a))], "\n"), strings.Join(b[from:min(n+4, len(b))], "\n"))
	}
}

// bench is what all simulations have in common.
type bench struct {
	dir  string
	core emucore.Core
	rom  *emucore.ROM
	full bool // logs have all datagrams
}

func newBench(t *testing.T) *bench {
	t.Helper()
	dir := "/dev/shm" // nothing here is for a disk
	if _, err := os.Stat(dir); err != nil {
		dir = ""
	}
	dir, err := os.MkdirTemp(dir, "nettplay-simulation-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir) // of what spectators keep
	usual := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	paths, err := romstest.WriteFiles(dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	if err != nil {
		t.Fatal(err)
	}
	rom, err := emucore.OpenROM(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	return &bench{dir: dir, rom: rom, core: emucore.Core{Name: "model", Version: "1", SHA256: [32]byte{1}}}
}

// simulate plays a plan, and returns what is left and the log of what happened.
func (b *bench) simulate(t *testing.T, p Plan) (o Outcome, log string) {
	s := &simulation{bench: b, plan: &p, dir: fmt.Sprintf("%s/%d", b.dir, p.Seed)}
	defer os.RemoveAll(s.dir)
	defer func() {
		if r := recover(); r != nil {
			o.Hung = append(o.Hung, fmt.Sprintf("the simulation failed: %v", r))
			log = s.text()
		}
	}()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		o = s.run(t.Context())
		o.Took = time.Since(began)
		log = s.text()
	})
	return o, log
}
