package chaos

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// How many games TestSimulation plays, and from which seed on.
const (
	simulationsVariable = "NETTPLAY_SIMULATIONS"
	simulateVariable    = "NETTPLAY_SIMULATE"
	usualSimulations    = 24 // `make soak` plays a thousand
	enough              = 3  // games that fail, and the rest is not played
)

// number is what the environment says, or usual.
func number(t *testing.T, variable string, usual uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" && must.RaceDetector {
		return max(1, usual/12) // the others are played without it: it takes six times as long
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
//
// A process for each processor plays its share of the games: a fifth more than one process on
// all of them, whose goroutines would wake each other across processors. With GOMAXPROCS=1
// this process plays them itself, as it does when coverage is taken.
func TestSimulation(t *testing.T) {
	first, count := number(t, simulateVariable, 1), number(t, simulationsVariable, usualSimulations)
	began := time.Now()
	t.Cleanup(func() {
		took := time.Since(began)
		t.Logf("%d games in %v, %.0f a minute", count, took.Round(time.Millisecond), float64(count)/took.Minutes())
	})
	shares := min(uint64(runtime.GOMAXPROCS(0)), count)
	if shares <= 1 || testing.CoverMode() != "" {
		newBench(t).play(t, first, count)
		return
	}
	for n := range shares {
		from, to := first+n*count/shares, first+(n+1)*count/shares
		t.Run(fmt.Sprintf("%d-%d", from, to-1), func(t *testing.T) {
			t.Parallel()
			c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSimulation$", fmt.Sprintf("-test.v=%v", testing.Verbose()),
				"-test.timeout="+flag.Lookup("test.timeout").Value.String())
			c.Env = append(os.Environ(), "GOMAXPROCS=1", fmt.Sprintf("%s=%d", simulateVariable, from), fmt.Sprintf("%s=%d", simulationsVariable, to-from))
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			} else if testing.Verbose() {
				t.Logf("%s", out)
			}
		})
	}
}

// TestSimulationsThatFailed plays games that have found faults: consoles lost on the air just before a seat ended (2782,
// 6690), a recording's end that came before its last states (754), a save in the middle of a guess (5239), a session that
// never slept while it knew of a connection that the link had forgotten (7148), a candidate whom nobody reached (31519),
// the next game host that leaves at once (53518), somebody let in who never heard of it (55128), a recording that ends as
// all take consoles anew after somebody has left (71231), one who got the seat of somebody let in unheard (108256), a vote
// for a candidate who follows another (115967), a console lost between two game hosts (162201), and a disk that took no
// files while all others made a save current (206504).
func TestSimulationsThatFailed(t *testing.T) {
	if must.RaceDetector {
		t.Skip("played without the race detector")
	}
	b := newBench(t)
	for _, seed := range []uint64{754, 2782, 5239, 6690, 7148, 31519, 53518, 55128, 71231, 108256, 115967, 162201, 206504} {
		b.play(t, seed, 1)
	}
}

// play plays the games of some seeds, and judges them.
func (b *bench) play(t *testing.T, first, count uint64) {
	b.full = os.Getenv("NETTPLAY_SIMULATION_LOG") == "full"
	failed := 0
	for seed := first; seed < first+count && failed < enough; seed++ {
		p := NewPlan(seed, Options{Short: true, Model: true})
		o, log := b.simulate(t, p)
		if testing.Verbose() {
			t.Logf("%s, log %016x", Summary(p, o), xxh3.HashString(log))
		}
		found := Judge(p, o)
		for _, wrong := range found {
			t.Errorf("seed %d: %s", seed, wrong)
		}
		if len(found) > 0 {
			failed++
			t.Errorf("run again with: %s=%d %s=1 go test -run 'TestSimulation$' ./chaos\n%s%s", simulateVariable, seed, simulationsVariable, p, log)
		}
	}
}

// TestSimulationRepeats plays games twice: what happens is the same, to the byte and the
// nanosecond.
func TestSimulationRepeats(t *testing.T) {
	first, count := number(t, simulateVariable, 1), number(t, simulationsVariable, 3)
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
	must.Succeed(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir) // of what spectators keep
	usual := debug.SetGCPercent(400)
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	rom := model.ROM(t, romstest.Save)
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
