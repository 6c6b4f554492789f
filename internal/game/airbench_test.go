//go:build unix

package game

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestAirBench is "make airbench": what a frame of four consoles on one air costs a machine that
// plays them at the DS' speed, and where the time goes. NETTPLAY_AIRBENCH is how many frames
// of each game are measured, NETTPLAY_TEST_CORE the core, NETTPLAY_AIRBENCH_CASES some games by name,
// and NETTPLAY_AIRBENCH_EACH a command of the shell for each worker, to try what a scheduler makes of it:
// $1 is its seat, $2 its process.
//
// Each game is played as a machine of a room plays it: by a [Game] with its pacer, hashes and
// pictures, all four consoles due at the same time. The games take turns, so that what else the
// machine does weighs on all alike. The work of a frame is the time from its beginning until all
// consoles stand: they have done it and are hashed, or they wait on the air for somebody's next
// frame, which is not due yet. A console held up so finishes its frame a little after the next one
// has begun; that costs no work, and only where all players of a game sit at one machine: seats of others
// run as soon as their inputs are here.
func TestAirBench(t *testing.T) {
	frames, _ := strconv.ParseInt(os.Getenv("NETTPLAY_AIRBENCH"), 10, 64)
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if frames <= 0 || path == "" {
		t.Skip("takes minutes: make airbench, with NETTPLAY_TEST_CORE")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	MakeRoom()
	core, err := emucore.OpenCore(t.Context(), path)
	must.Succeed(t, err)
	var games []*airGame
	for _, c := range airCases(core) {
		games = append(games, startAirGame(t, core, c))
	}
	const turn = 150
	for done := -airWarm; done < frames; done += turn {
		for _, g := range games {
			g.play(t, turn)
		}
	}
	fmt.Println(airHead)
	for _, g := range games {
		g.report()
	}
}

// airWarm frames go by before anything is measured: the game has been joined by then.
const airWarm = int64(450)

// airCase is a game to be measured.
type airCase struct {
	name  string
	rom   []byte
	jit   bool
	every int64 // frames from hash to hash; 0: none
	apart bool  // each console has an air of its own, and waits for nobody
}

func airCases(core emucore.Core) []airCase {
	_, jit := emucore.ProfileFor(core.Name).JIT()
	var list []airCase
	for _, c := range []airCase{
		{name: "multiplay", rom: romstest.Multiplay, every: 30},
		{name: "multiplay, no hashes", rom: romstest.Multiplay},
		{name: "multiplay, apart", rom: romstest.Multiplay, every: 30, apart: true},
		{name: "broadcast", rom: romstest.Broadcast, every: 30},
	} {
		list = append(list, c)
		if c.jit = jit; jit {
			c.name += ", JIT"
			list = append(list, c)
		}
	}
	only := os.Getenv("NETTPLAY_AIRBENCH_CASES")
	return slices.DeleteFunc(list, func(c airCase) bool {
		return only != "" && !slices.Contains(strings.Split(only, ";"), c.name)
	})
}

const airConsoles = 4

// airGame is a game that is measured.
type airGame struct {
	airCase
	game    *Game
	workers []*worker
	radios  []*Radio
	frames  []airFrame
	now     airFrame     // since its beginning; counters as they stood then
	busy    atomic.Int64 // when somebody was last seen to work, since the year 1970 in ns
}

// airFrame is what the time from a frame's beginning to that of the next one was used for.
type airFrame struct {
	number int64
	begun  time.Time
	work   time.Duration
	held   bool // a console waited in it for the next frame of others
	hashed bool
	counters
}

// counters are times of processors: of the workers, of workers that wait for one, and ours.
type counters struct{ workers, queued, parent time.Duration }

func startAirGame(t *testing.T, core emucore.Core, c airCase) *airGame {
	g := &airGame{airCase: c}
	path := filepath.Join(t.TempDir(), "game.nds")
	must.Succeed(t, os.WriteFile(path, c.rom, 0o600))
	rom, err := emucore.OpenROM(path)
	must.Succeed(t, err)
	cfg := Config{
		Round: 1, HashEvery: Never, Machines: []int{0}, Show: g.show(), Delay: 4,
		Sample: func(seat ds.Seat, frame int64) inputdelay.Input { return airInput(seat, frame) },
	}
	if c.every > 0 {
		cfg.HashEvery = c.every
	}
	if !c.apart {
		g.radios = append(g.radios, airRadio(t, ds.Seat(0), 1, 2, 3))
		cfg.Radio = g.radios[0]
	}
	for seat := range ds.Seat(airConsoles) {
		if c.apart {
			g.radios = append(g.radios, airRadio(t, seat))
			must.Succeed(t, g.radios[seat].start(1<<40))
		}
		w := startWorker(t, core, rom, c, g.radios[len(g.radios)-1], seat)
		g.workers = append(g.workers, w)
		cfg.Seats = append(cfg.Seats, SeatConfig{Seat: seat, Console: w})
	}
	if g.game, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.game.Close)
	return g
}

func airRadio(t *testing.T, seats ...ds.Seat) *Radio {
	r, err := NewRadio(RadioConfig{Seats: seats, Skew: 1})
	must.Succeed(t, err)
	return r
}

// airInput opens a game on the first console, joins it on the others, and then plays.
func airInput(seat ds.Seat, frame int64) inputdelay.Input {
	switch {
	case frame < 150 || frame >= 154 && frame < 300:
		return inputdelay.Input{}
	case frame < 154 && seat == 0:
		return inputdelay.Input{Keys: inputdelay.KeyA}
	case frame < 154:
		return inputdelay.Input{Keys: inputdelay.KeyB}
	}
	return scripted(seat, 1).At(frame % 4000)
}

// show keeps a copy of each picture, as the window does.
func (g *airGame) show() func(ds.Seat, emucore.Frame) {
	var kept [airConsoles][]byte
	return func(seat ds.Seat, f emucore.Frame) { kept[seat] = append(kept[seat][:0], f.Video.Pix...) }
}

// play plays so many frames at the DS' speed.
func (g *airGame) play(t *testing.T, frames int64) {
	to := g.game.Slowest() + frames
	g.game.feed.horizon.Frame, g.game.feed.promised = to, to
	runtime.GC() // not that of the others' garbage
	g.now = airFrame{number: -1}
	stop := make(chan struct{})
	var watcher sync.WaitGroup
	watcher.Go(func() { g.watch(stop) })
	for g.game.Slowest() < to {
		last, begun, now := g.worked(), g.game.begun, time.Now()
		must.Succeed(t, g.game.Advance(now))
		if g.game.begun > begun {
			g.next(begun, now, last)
		}
		select {
		case o := <-g.game.Done():
			g.busy.Store(time.Now().UnixNano())
			must.Succeed(t, g.game.Finish(o))
			g.game.Hashed()
		case <-time.After(min(g.game.Wake(time.Now()), time.Second)):
		}
	}
	close(stop)
	watcher.Wait()
}

// watch notes when somebody works, every 0.3 ms.
func (g *airGame) watch(stop <-chan struct{}) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for pause := unix.NsecToTimespec(300_000); ; unix.Nanosleep(&pause, nil) {
		select {
		case <-stop:
			return
		default:
			g.worked()
		}
	}
}

// worked is when somebody worked last: now, or earlier. A console that stands on the air does not.
func (g *airGame) worked() time.Time {
	status, _ := g.radios[0].air.Status()
	for seat, w := range g.workers {
		if g.apart {
			status, _ = g.radios[seat].air.Status()
		}
		if w.hashing.Load() || w.stepping.Load() && !status.Consoles[seat].Stopped {
			g.busy.Store(time.Now().UnixNano())
		}
	}
	return time.Unix(0, g.busy.Load())
}

// next begins a frame, and takes down the one before, of which the last work was done at a time.
func (g *airGame) next(number int64, now, last time.Time) {
	f, c := g.now, g.count()
	g.now = airFrame{number: number, begun: now, counters: c, hashed: g.every > 0 && (number+1)%g.every == 0}
	if f.number < airWarm {
		return
	}
	f.work = last.Sub(f.begun)
	for _, w := range g.workers {
		f.held = f.held || w.stepping.Load() && w.frame.Load() < number
	}
	f.counters = counters{c.workers - f.workers, c.queued - f.queued, c.parent - f.parent}
	g.frames = append(g.frames, f)
}

// count reads the machine's counters.
func (g *airGame) count() (c counters) {
	for _, w := range g.workers {
		cpu, queued := w.scheduled()
		c.workers += cpu
		c.queued += queued
	}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		c.parent = time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return c
}

const airHead = `milliseconds            work of a frame                | all frames: processor time | the 2 % with most work
                         p50   p90   p99   max  16.7 > | workers queued  ours  held  hashed | workers queued  ours  held  hashed`

func (g *airGame) report() {
	slices.SortFunc(g.frames, func(a, b airFrame) int { return cmp.Compare(a.work, b.work) })
	n := len(g.frames)
	over, _ := slices.BinarySearchFunc(g.frames, ds.FrameTime(1), func(f airFrame, d time.Duration) int { return cmp.Compare(f.work, d) })
	fmt.Printf("%-22s", g.name)
	for _, percent := range []int{50, 90, 99, 100} {
		fmt.Printf(" %5.1f", g.frames[(n-1)*percent/100].work.Seconds()*1e3)
	}
	fmt.Printf("  %4.1f%% |", 100*float64(n-over)/float64(n))
	parts(g.frames)
	parts(g.frames[n*98/100:])
	fmt.Println()
}

// parts prints means, and the shares of frames in which something was the case.
func parts(frames []airFrame) {
	var sum counters
	held, hashed, n := 0, 0, float64(len(frames))
	for _, f := range frames {
		sum = counters{sum.workers + f.workers, sum.queued + f.queued, sum.parent + f.parent}
		if f.held {
			held++
		}
		if f.hashed {
			hashed++
		}
	}
	for _, d := range []time.Duration{sum.workers, sum.queued, sum.parent} {
		fmt.Printf("%7.2f", d.Seconds()*1e3/n)
	}
	fmt.Printf("%5.0f%% %6.0f%% |", 100*float64(held)/n, 100*float64(hashed)/n)
}
