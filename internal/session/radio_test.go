package session

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/air"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// traced collects what the consoles of one machine have sent.
type traced struct {
	mu      sync.Mutex
	records []air.Record
}

func (t *traced) take(records []air.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.records = append(t.records, records...)
}

// wireless is the shared game of the test core: the consoles find each other, and
// from then on each one's state is made of what all have sent.
func wireless(c *Config) {
	c.TestOptions = map[string]string{"testcore_radio": "mac", "testcore_radio_stagger": "3"}
	c.TestTweak = func(e *emucore.Config) {
		e.TestOptions = maps.Clone(e.TestOptions)
		m := e.Firmware.MAC
		e.TestOptions["testcore_mac"] = fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", m[0], m[1], m[2], m[3], m[4], m[5])
	}
}

// acrossFrames is wireless, with exchanges that straddle the ends of frames.
func acrossFrames(c *Config) {
	wireless(c)
	c.TestOptions["testcore_radio_at_us"] = "16300"
}

// sameTraces checks that all machines' radios sent the same, in the same order.
func sameTraces(t *testing.T, traces []*traced) {
	t.Helper()
	for i, tr := range traces {
		if len(tr.records) < 50 {
			t.Errorf("machine %d sent only %d packets", i, len(tr.records))
		}
		if n := min(len(tr.records), len(traces[0].records)); !slices.Equal(tr.records[:n], traces[0].records[:n]) {
			for k := range n {
				if tr.records[k] != traces[0].records[k] {
					t.Fatalf("packet %d is %v on machine %d and %v on the game host's", k, tr.records[k], i, traces[0].records[k])
				}
			}
		} else if len(tr.records) != n {
			t.Errorf("machine %d sent %d packets, the game host's %d", i, len(tr.records), n)
		}
	}
}

// Players' consoles play with each other over the radio, and what it carries is
// the same on all machines, however bad the line between them is.
func TestWireless(t *testing.T) {
	t.Parallel()
	for _, players := range []int{2, 4} {
		inBubble(t, fmt.Sprint(players, " players"), func(t *testing.T) { playWireless(t, modelCore(), players) })
	}
}

func playWireless(t *testing.T, core emucore.Core, players int) {
	net := memnet.New(7, memnet.Impairment{Delay: 20 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05})
	tb := onNetwork(t, net, core, rom(t, romstest.Pad), players)
	tb.settings.Frames = 300
	var traces []*traced
	for i := range players {
		tr := new(traced)
		traces = append(traces, tr)
		tb.sit(func(c *Config) {
			wireless(c)
			c.Trace, c.Serial = tr.take, i == 1 // one at a time gives the same
		})
	}
	sameHashes(t, 300, tb.machines...)
	sameTraces(t, traces)
	for _, p := range tb.machines {
		r := p.report.Radio
		if r == nil || r.Packets != int64(len(traces[0].records)) || r.Rounds == 0 || r.HostGiveUps != 0 || r.Lost != 0 {
			t.Errorf("%s counts %+v", p.name, r)
		}
	}
}

// A player who leaves in the middle of a wireless game takes its console off the
// air at the same frame everywhere, and the others play on together.
func TestLeavingTheAir(t *testing.T) {
	bubble(t, func(t *testing.T) { leavesTheAir(t, modelCore()) })
}

func leavesTheAir(t *testing.T, core emucore.Core) {
	tb := newTable(t, core, rom(t, romstest.Pad), 3)
	tb.settings.Frames = 400
	var traces []*traced
	for range 3 {
		tr := new(traced)
		traces = append(traces, tr)
		tb.sit(func(c *Config) {
			wireless(c)
			c.Trace = tr.take
		})
	}
	anna, ben, carla := tb.machines[0], tb.machines[1], tb.machines[2]
	anna.untilFrame(100)
	ben.stop()
	ben.end()
	anna.expect(notice.ResultOK)
	carla.expect(notice.ResultOK)
	sameTraces(t, []*traced{traces[0], traces[2]})
	for i, s := range anna.report.Seats {
		if o := carla.report.Seats[i]; s != o {
			t.Errorf("seat %d ended as %+v and as %+v", i, s, o)
		}
	}
	last := traces[0].records[len(traces[0].records)-1]
	if last.Frame < 390 {
		t.Errorf("the last packet is of frame %d", last.Frame)
	}
}

// realWireless is a core of the players' with local wireless.
func realWireless(t testing.TB) emucore.Core {
	t.Helper()
	path := os.Getenv("NETTPLAY_TEST_CORE")
	if path == "" {
		t.Skip("NOT TESTED WITH A REAL WIRELESS CORE: NETTPLAY_TEST_CORE is not set")
	}
	core, err := emucore.OpenCore(t.Context(), path)
	must.Succeed(t, err)
	return core
}

// chosen opens a game on the first console and joins it on the others, and then
// plays.
func chosen(n int) func(frame int64) inputdelay.Input {
	script := inputdelay.RandomScript(uint64(n), 4000)
	return func(frame int64) inputdelay.Input {
		switch key := []inputdelay.Keys{inputdelay.KeyA, inputdelay.KeyB}[min(n, 1)]; {
		case frame >= 150 && frame < 154:
			return inputdelay.Input{Keys: key}
		case frame < 300:
			return inputdelay.Input{}
		}
		return script.At(frame)
	}
}

// A real core, a real wireless game, several machines and bad lines between them: the
// consoles find each other, none misses a round, and none disagrees.
func TestRealWireless(t *testing.T) {
	core := realWireless(t)
	for players := 2; players <= 4; players++ {
		if players > 3 && !long() {
			continue
		}
		t.Run(fmt.Sprint(players, " players"), func(t *testing.T) {
			net := memnet.New(7, memnet.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05})
			tb := onNetwork(t, net, core, rom(t, romstest.Multiplay), players)
			tb.settings.Frames = 700
			if long() {
				tb.settings.Frames = 3600
			}
			var traces []*traced
			for i := range players {
				tr := new(traced)
				traces = append(traces, tr)
				tb.sit(func(c *Config) { c.Trace, c.Input = tr.take, chosen(i) })
				if i == 0 {
					continue
				}
				tb.machines[0].untilRoom("the next one is there", full(i+1)) // seats in order
			}
			sameHashes(t, tb.settings.Frames, tb.machines...)
			sameTraces(t, traces)
			for _, p := range tb.machines {
				for _, screen := range p.report.Screens {
					lines := romstest.ReadText(screen.Image)
					for field, want := range map[string]string{"lost": "000000", "differ": "000000", "check": "ok"} {
						if got, _ := romstest.Field(lines, field); got != want {
							t.Errorf("%s, seat %d: %s is %q", p.name, screen.Seat, field, got)
						}
					}
				}
				p.log()
				t.Logf("radio: %+v", *p.report.Radio)
			}
		})
	}
}
