package session

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/rollback"
	"github.com/nettplay/nettplay/internal/testing/memnet"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// A rolled is a game with rollback, as it was on each machine.
type rolled struct {
	hashes []game.Hash
	traces []*traced
	again  int64 // frames that ran again, on all machines
}

// rollsBack plays a room with rollback over bad lines, whose machines go as many frames ahead as depths says. Change may be
// nil.
func rollsBack(t *testing.T, core emucore.Core, data []byte, frames int64, depths []int, change func(n int, c *Config)) (r rolled) {
	t.Helper()
	net := memnet.New(7, memnet.Impairment{Delay: 30 * time.Millisecond, Jitter: 15 * time.Millisecond, Loss: 0.05})
	tb := onNetwork(t, net, core, rom(t, data), len(depths))
	tb.settings.Frames, tb.settings.Sync, tb.settings.Delay = frames, room.Rollback, 1
	for i, depth := range depths {
		tr := new(traced)
		r.traces = append(r.traces, tr)
		tb.sit(func(c *Config) {
			c.Depth, c.KeepDepth, c.Trace = depth, true, tr.take
			if change != nil {
				change(i, c)
			}
		})
		if i > 0 {
			tb.machines[0].untilRoom("the next one is there", full(i+1)) // seats in order
		}
	}
	r.hashes = sameHashes(t, frames, tb.machines...)
	if core.Wireless {
		sameTraces(t, r.traces)
	}
	for i, p := range tb.machines {
		backs := p.report.Rollbacks
		if backs == nil || backs.Frames == 0 || (depths[i] == 0 || !core.Wireless) && backs.Again+backs.Guessed > 0 {
			t.Errorf("%s counts %+v", p.name, backs)
			continue
		}
		r.again += backs.Again
		if slices.IndexFunc(backs.Backs[depths[i]+1:], func(n int64) bool { return n > 0 }) >= 0 {
			t.Errorf("%s went back further than %d frames: %+v", p.name, depths[i], backs)
		}
	}
	return r
}

// leavesNoTrace plays a room in which nobody guesses, and in which some do: all is the same.
func leavesNoTrace(t *testing.T, core emucore.Core, data []byte, frames int64, depths []int, change func(n int, c *Config)) {
	t.Helper()
	want := rollsBack(t, core, data, frames, make([]int, len(depths)), change)
	got := rollsBack(t, core, data, frames, depths, change)
	if !slices.Equal(got.hashes, want.hashes) {
		t.Errorf("the consoles end as %v, without guesses as %v", got.hashes, want.hashes)
	}
	if core.Wireless {
		sameTraces(t, []*traced{got.traces[0], want.traces[0]})
	}
	if got.again == 0 && core.Wireless {
		t.Error("nobody went back")
	}
	t.Logf("%d frames ran again", got.again)
}

// radioOf are the ways in which models talk by radio: exchanges that end in a frame, that straddle frames, and broadcasts.
func radioOf(kind string) func(n int, c *Config) {
	return func(_ int, c *Config) {
		wireless(c)
		c.TestOptions["testcore_radio"] = kind
	}
}

// TestRollback: consoles that went back on some machines, and waited on others, are those that never did, with what they
// said over their radios.
func TestRollback(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"mac", "broadcast", "across", "none"} {
		for _, depths := range [][]int{{rollback.MaxDepth, rollback.MaxDepth}, {4, 0, 2}, {1, 7, 3, 0}} {
			inBubble(t, fmt.Sprint(kind, depths), func(t *testing.T) {
				core := modelCore()
				core.Wireless = kind != "none"
				leavesNoTrace(t, core, romstest.Save, 240, depths, radioOf(kind))
			})
		}
	}
}

// The same with consoles in processes.
func TestRollbackInProcesses(t *testing.T) {
	must.HaveLinux(t, "snapshots of consoles")
	leavesNoTrace(t, pocket(t), romstest.Pad, 200, []int{5, 3}, radioOf("mac"))
	if long() {
		leavesNoTrace(t, desmume(t), romstest.Draw3D, 600, []int{4, 2}, nil)
	}
}

// TestRollbackSoak plays as many frames as the environment says, for `make rollbacksoak`. The second machine never
// guesses, so the first is compared with it while they play.
func TestRollbackSoak(t *testing.T) {
	frames, _ := strconv.ParseInt(os.Getenv("NETTPLAY_ROLLBACKSOAK"), 10, 64)
	if frames == 0 {
		t.Skip("make rollbacksoak")
	}
	seed, _ := strconv.ParseUint(os.Getenv("NETTPLAY_SEED"), 10, 64)
	r := rollsBack(t, realWireless(t), romstest.Multiplay, frames, []int{4, 0}, func(n int, c *Config) {
		begin, script := chosen(n), inputdelay.RandomScript(2*seed+uint64(n), frames)
		c.Input = func(frame int64) inputdelay.Input {
			if frame < 300 {
				return begin(frame)
			}
			return script.At(frame)
		}
	})
	t.Logf("%d frames, %d ran again, %d packets", frames, r.again, len(r.traces[0].records))
	if r.again == 0 {
		t.Error("nobody went back")
	}
}

// TestRealRollback plays a real wireless game on a real core.
func TestRealRollback(t *testing.T) {
	core := realWireless(t)
	games := map[string][]byte{"multiplay": romstest.Multiplay}
	depths := [][]int{{4, 2}}
	if long() {
		games["broadcast"] = romstest.Broadcast
		depths = [][]int{{4, 2}, {rollback.MaxDepth, 0, 3}, {2, 3, 0, 1}}
	}
	for name, data := range games {
		for _, d := range depths {
			for _, jit := range []string{"enabled", "disabled"} {
				t.Run(fmt.Sprint(name, d, " JIT ", jit), func(t *testing.T) {
					leavesNoTrace(t, core, data, 600, d, func(n int, c *Config) {
						c.Input = chosen(n)
						c.TestTweak = func(e *emucore.Config) { e.TestOptions = map[string]string{"melonds_jit_enable": jit} }
					})
				})
			}
		}
	}
}
