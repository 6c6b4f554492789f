package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// tallied is a console that counts as open until it is closed.
type tallied struct {
	game.Console
	once sync.Once
	open *atomic.Int32
}

func (c *tallied) Close() error {
	c.once.Do(func() { c.open.Add(-1) })
	return c.Console.Close()
}

// count has the consoles that a machine starts be counted while they are open.
func count(start game.StartConsole) (game.StartConsole, *atomic.Int32) {
	open := new(atomic.Int32)
	return func(ctx context.Context, cfg emucore.Config) (game.Console, error) {
		c, err := start(ctx, cfg)
		if err != nil {
			return nil, err
		}
		open.Add(1)
		return &tallied{Console: c, open: open}, nil
	}, open
}

// The console of a player who leaves is closed on every machine, spectators' too, once it has done its last
// frame; and the game is what it was: consoles that others lose after it come back, somebody comes in later, and
// each recording and each spectator has all of it.
func TestConsolesOfLeaversAreClosed(t *testing.T) {
	t.Parallel()
	for _, after := range []string{"nothing", "a lost console", "a late joiner", "a kept moment", "the game host goes"} {
		inBubble(t, after, func(t *testing.T) { leaverIsClosed(t, after) })
	}
}

func leaverIsClosed(t *testing.T, after string) {
	const frames = 1000
	pad, control := rom(t, romstest.Pad), NewControl()
	hostGoes := after == "the game host goes"
	players := 3
	if hostGoes {
		players = 4
	}
	tb := newTable(t, modelCore(), pad, players)
	tb.settings.Frames, tb.settings.Seats, tb.settings.Spectators = frames, 4, 1
	var open []*atomic.Int32
	sit := func(change func(*Config)) *machine {
		return tb.sit(func(c *Config) {
			wireless(c)
			c.MaxSpeed, c.Once = false, true
			var n *atomic.Int32
			c.Start, n = count(c.Start)
			open = append(open, n)
			if change != nil {
				change(c)
			}
		})
	}
	anna := sit(func(c *Config) {
		c.Control, c.Moments = control, t.TempDir()
		c.Input = func(frame int64) inputdelay.Input {
			if frame == 500 && after == "a kept moment" {
				control.Keep("")
			}
			return inputdelay.Input{}
		}
	})
	ben := sit(func(c *Config) {
		if after == "a lost console" {
			breaks(c, "segv", "500", "0")
		}
	})
	carla := sit(nil)
	var dora *machine
	if hostGoes {
		dora = sit(nil)
	}
	var watched *atomic.Int32
	uma := tb.watch("Uma", func(c *spectate.WatchConfig) {
		likeWireless(c)
		c.Start, watched = count(c.Start)
	})
	carla.untilFrame(100)
	carla.stop()
	carla.end()
	ben.untilFrame(450)
	for i, n := range open[:2] {
		if got := int(n.Load()); got != players-1 {
			t.Errorf("machine %d has %d consoles open after one of %d players left", i, got, players)
		}
	}
	stay := []*machine{anna, ben}
	switch after {
	case "a late joiner":
		dora = sit(nil)
		dora.untilPlaying()
		stay = append(stay, dora)
	case "the game host goes":
		ben.untilFrame(500)
		anna.stop()
		anna.end()
		stay = []*machine{ben, dora}
		ben.untilFrame(900)
		if got := open[1].Load(); got != 2 {
			t.Errorf("the next game host has %d consoles open of two players", got)
		}
	default:
		ben.untilFrame(800)
		if got := watched.Load(); got != 2 {
			t.Errorf("Uma has %d consoles open after one of three players left", got)
		}
	}
	alikeEnds(t, stay...)
	for i, n := range open {
		if got := n.Load(); got != 0 {
			t.Errorf("machine %d leaves %d consoles open", i, got)
		}
	}
	if !hostGoes { // who watches goes with the game host
		uma.sawAll(stay...)
	}
}

// footprint is what the machines of this process take.
type footprint struct {
	workers, descriptors, goroutines int
	workersRSS, heap                 int64 // bytes
}

func (f footprint) String() string {
	return fmt.Sprintf("%d workers with %d MB, %d descriptors, %d goroutines, %.1f MB of heap", f.workers, f.workersRSS>>20, f.descriptors, f.goroutines, float64(f.heap)/1e6)
}

func measure() (f footprint) {
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, t := range tasks {
		b, _ := os.ReadFile(t)
		for _, pid := range strings.Fields(string(b)) {
			f.workers++
			statm, _ := os.ReadFile("/proc/" + pid + "/statm")
			if fields := strings.Fields(string(statm)); len(fields) > 1 {
				pages, _ := strconv.ParseInt(fields[1], 10, 64)
				f.workersRSS += pages * int64(os.Getpagesize())
			}
		}
	}
	descriptors, _ := filepath.Glob("/proc/self/fd/*")
	f.descriptors = len(descriptors)
	for range 2 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f.heap, f.goroutines = int64(m.HeapAlloc), runtime.NumGoroutine()
	return f
}

// Players come into a game that runs, play, and leave, one after the other, over several games, since each comes
// to a seat of its own in a game: two machines that stay have in the last game what they had in an early one.
func TestComingsAndGoings(t *testing.T) {
	must.HaveLinux(t, "counts of descriptors")
	games, perGame, early, more := 2, 2, 0, int64(24<<20) // what packs states takes its memory in the first game
	if long() {
		games, perGame, early, more = 4, 10, 1, 4<<20
	}
	tb := newTable(t, pocket(t), rom(t, romstest.Pad), 2)
	listeners := 0
	tb.listen = func(string) link.Link { // each at an address of its own: who leaves at once may not come again at once
		listeners++
		l, err := udp.Listen(udp.Config{Bind: fmt.Sprintf("127.0.0.%d", listeners), ConnectTimeout: patience()})
		must.Succeed(t, err)
		return l
	}
	tb.settings.Seats = 2 + perGame
	control := NewControl()
	stays := func(c *Config) { c.Once, c.MaxSpeed = false, false }
	anna := tb.sit(func(c *Config) { stays(c); c.Control = control })
	ben := tb.sit(stays)
	var first footprint // when the last guest of the early game has gone
	for game := range games {
		for _, p := range []*machine{anna, ben} {
			p.untilPlaying()
		}
		for guest := range perGame {
			p := tb.sit(stays)
			p.untilPlaying()
			p.stop()
			p.end()
			tb.machines, p.report, p.heard = tb.machines[:2], notice.Report{}, nil
			for _, p := range tb.machines {
				p.mu.Lock()
				p.heard = nil // pictures are among it, and the longer it takes the more figures
				p.mu.Unlock()
			}
			compared := game > early && guest == perGame-1
			now, ok := settled(func(f footprint) bool { return f.workers == 4 && (!compared || !f.exceeds(first, more)) })
			t.Logf("game %d, guest %d: %v", game+1, guest+1, now)
			if !ok {
				t.Fatalf("after %d have come and gone two machines of two players have %v, earlier they had %v", game*perGame+guest+1, now, first)
			}
			if game == early {
				first = now
			}
		}
		control.EndGame("another one")
	}
}

// exceeds reports whether more is taken than earlier, beyond what comes and goes by itself.
func (f footprint) exceeds(first footprint, heap int64) bool {
	return f.descriptors > first.descriptors || f.goroutines > first.goroutines+4 || f.workersRSS > first.workersRSS*5/4 || f.heap > first.heap+heap
}

// settled is the footprint once it is as it should be and stays so, or as it is when that is waited for in vain: what
// somebody leaves behind goes at the frame that was decided, and by other goroutines.
func settled(ok func(footprint) bool) (now footprint, reached bool) {
	var before footprint
	for began := time.Now(); time.Since(began) < patience(); time.Sleep(50 * time.Millisecond) {
		now = measure()
		if ok(now) && now.workers == before.workers && now.descriptors == before.descriptors && now.goroutines == before.goroutines {
			return now, true
		}
		before = now
	}
	return now, false
}
