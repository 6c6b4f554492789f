package emucore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// TestRollbackBench is "make rollbackbench": what rollback costs with each core and ROM, and how
// many frames back fit into the time of one. It judges nothing but what share of a fork a snapshot takes.
func TestRollbackBench(t *testing.T) {
	runs, _ := strconv.Atoi(os.Getenv("NETTPLAY_ROLLBACKBENCH"))
	if runs == 0 {
		t.Skip("NETTPLAY_ROLLBACKBENCH is the number of corrections of each depth")
	}
	fmt.Println("Processor time in ms, median and p99. Back n: to the frame n before, n + 1 frames and snapshots.")
	fmt.Println("| core | ROM | way | frame | snapshot | of a fork | frame after it | return | back 1 | 2 | 3 | 4 | 8 | fits |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, k := range benchKinds(t) {
		for _, rom := range []string{"pad.nds", "save.nds", "draw3d.nds", "multiplay.nds"} {
			t.Run(k.name+" "+rom, func(t *testing.T) {
				eachWay(t, func(t *testing.T, way SnapshotWay) { benchRollback(t, k, rom, way, runs) })
			})
		}
	}
}

type benchKind struct {
	name    string
	core    Core
	options map[string]string
}

func benchKinds(t *testing.T) []benchKind {
	kinds := []benchKind{{"test core", opened(t, testcore.Path(t)), nil}}
	if _, err := os.Stat(desmumePath()); err == nil {
		core := opened(t, desmumePath())
		kinds = append(kinds, benchKind{"DeSmuME, JIT", core, map[string]string{"desmume_cpu_mode": "jit"}},
			benchKind{"DeSmuME, interpreter", core, map[string]string{"desmume_cpu_mode": "interpreter"}})
	}
	if path := os.Getenv("NETTPLAY_TEST_CORE"); path != "" {
		core := opened(t, path)
		kinds = append(kinds, benchKind{core.Name + ", JIT", core, map[string]string{"melonds_jit_enable": "enabled"}},
			benchKind{core.Name + ", interpreter", core, nil})
	}
	return kinds
}

// A rollbackBench is one console that is measured.
type rollbackBench struct {
	t   *testing.T
	c   *Console
	rng *rand.Rand
	in  Input
}

// next is the input of a frame; keys stay down for a while.
func (b *rollbackBench) next() Input {
	if b.rng.IntN(6) == 0 {
		b.in = Input{Keys: inputdelay.Keys(b.rng.IntN(1 << 12))}
	}
	return b.in
}

// timed is the processor time of a part of it, which does not depend on what else the machine
// does.
func (b *rollbackBench) timed(run func() error) time.Duration {
	pid := b.c.proc.pid()
	begun, _ := cpuTime(pid)
	must.Succeed(b.t, run())
	used, _ := cpuTime(pid)
	return used - begun
}

func (b *rollbackBench) step() error {
	_, err := b.c.Step(b.next())
	return err
}

func (b *rollbackBench) snapshot() error { return b.c.snapshot(b.place(0)) }

// back corrects the last frames: back to the first of them, and all of them again, each with a
// new snapshot, and the next one.
func (b *rollbackBench) back(frames int64) error {
	if err := b.c.Return(b.place(-frames)); err != nil {
		return err
	}
	return b.on(frames + 1)
}

// on runs frames with a snapshot before each, in one message.
func (b *rollbackBench) on(frames int64) error {
	for range frames {
		if _, err := b.c.StepFrom(b.place(0), b.next()); err != nil {
			return err
		}
	}
	return nil
}

// place is that of the snapshot before a frame so many from now.
func (b *rollbackBench) place(frames int64) int {
	return int((b.c.Frame() + frames) % (rollbackDepth + 1))
}

const rollbackDepth = 8

var benchDepths = []int64{1, 2, 3, 4, rollbackDepth}

// times are sorted, once they are all there.
type times []time.Duration

func (l times) at(share int) time.Duration { return l[min(len(l)*share/100, len(l)-1)] }

func (l times) String() string {
	slices.Sort(l)
	return fmt.Sprintf("%.2f, %.2f", l.at(50).Seconds()*1000, l.at(99).Seconds()*1000)
}

func benchRollback(t *testing.T, k benchKind, rom string, way SnapshotWay, runs int) {
	b := &rollbackBench{t: t, c: started(t, snapshotConfig(t, k.core, rom, k.options)), rng: rand.New(rand.NewPCG(1, 2))}
	defer b.c.Close()
	var plain, snapshot, after, back times
	_, err := b.c.Skip(Input{}, 200)
	must.Succeed(t, err)
	must.Succeed(t, b.on(20)) // the first one finds all that was written so far
	for range runs {
		plain = append(plain, b.timed(b.step))
	}
	for range runs {
		snapshot = append(snapshot, b.timed(b.snapshot))
		after = append(after, b.timed(b.step))
	}
	for range runs {
		back = append(back, b.timed(func() error { return b.c.Return(b.place(-1)) }))
		must.Succeed(t, b.on(2))
	}
	fork := forkTimes(t, b.c.proc.pid(), runs)
	fmt.Printf("| %s | %s | %v | %v | %v | ", k.name, rom, way, plain, snapshot)
	_ = fork.String() // which sorts them
	share := snapshot.at(50).Seconds() / fork.at(50).Seconds()
	fmt.Printf("%.2f of %v | %v | %v |", share, fork, after, back)
	if k.options["melonds_jit_enable"] == "enabled" && way == SnapshotWays()[0] && share > mostOfFork {
		t.Errorf("a snapshot takes %.2f of a fork, more than %.2f", share, mostOfFork)
	}
	fits := 0
	for _, depth := range benchDepths {
		var all times
		for range runs {
			must.Succeed(t, b.on(depth))
			all = append(all, b.timed(func() error { return b.back(depth) }))
		}
		text := all.String()
		fmt.Printf(" %s |", text)
		if all.at(99) <= ds.FrameTime(1) {
			fits = int(depth)
		}
	}
	fmt.Printf(" %d |\n", fits)
}
