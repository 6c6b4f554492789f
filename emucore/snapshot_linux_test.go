package emucore

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// A shot is all that a player and another machine see of a frame.
type shot struct {
	frame int64
	hash  ds.Hash
	sound uint64
}

// snapshotConfig is a console of a ROM of ours that can make snapshots.
func snapshotConfig(t testing.TB, core Core, rom string, options map[string]string) Config {
	t.Helper()
	file, err := OpenROM(filepath.Join(testcore.Root(), "roms-test", rom))
	must.Succeed(t, err)
	return Config{
		Core: core, ROM: file, RTC: 1_000_000_000, Rollback: true, TestOptions: options, limits: patient,
		Firmware: ds.Firmware{Language: 1, BirthMonth: 1, BirthDay: 1},
	}
}

func shoot(t testing.TB, c *Console, in Input) shot {
	t.Helper()
	f, err := c.Step(in)
	must.Succeed(t, err)
	h, err := c.Hash()
	must.Succeed(t, err)
	return shot{f.Number, h, hashOf(soundOf(f))}
}

func soundOf(f Frame) (sound []byte) {
	for _, v := range f.Audio {
		sound = append(sound, byte(v), byte(v>>8))
	}
	return sound
}

// eachWay runs a test for each way to make snapshots, but for those that this machine lacks; or for the one that
// the environment asks for.
func eachWay(t *testing.T, test func(t *testing.T, way SnapshotWay)) {
	t.Helper()
	only := os.Getenv(WayVariable)
	for _, way := range []SnapshotWay{SnapshotsAsync, SnapshotsSIGBUS, SnapshotsMprotect} {
		if only != "" && only != way.String() {
			continue
		}
		t.Run(way.String(), func(t *testing.T) {
			if !slices.Contains(SnapshotWays(), way) {
				t.Skipf("NOT TRIED: THIS MACHINE MAKES NO SNAPSHOTS IN THE WAY %q", way)
			}
			t.Setenv(WayVariable, way.String())
			test(t, way)
		})
	}
}

// needSnapshots skips a test where no console makes any.
func needSnapshots(t *testing.T) {
	t.Helper()
	if len(SnapshotWays()) == 0 {
		t.Skip("NOT TRIED: THIS MACHINE, OR THIS BUILD, MAKES NO SNAPSHOTS OF CONSOLES")
	}
}

// guessing plays a script with a snapshot before each frame, and now and then goes up to depth
// frames on with other inputs before it comes back.
func guessing(t *testing.T, c *Console, script []Input, seed uint64) (list []shot) {
	t.Helper()
	const depth = rollbackDepth
	rng := rand.New(rand.NewPCG(seed, 7))
	for f, in := range script {
		must.Succeed(t, c.snapshot(f%(depth+1)))
		for rng.IntN(3) == 0 {
			for k := range 1 + rng.IntN(depth) {
				wrong := Input{Keys: inputdelay.Keys(rng.IntN(1 << 12))}
				if k == 0 {
					shoot(t, c, wrong)
					continue
				}
				_, err := c.AdvanceFrom((f+k)%(depth+1), wrong)
				must.Succeed(t, err)
			}
			must.Succeed(t, c.Return(f%(depth+1)))
			if got := c.Frame(); got != int64(f) {
				t.Fatalf("came back to frame %d, not %d", got, f)
			}
			if rng.IntN(2) == 0 {
				must.Succeed(t, c.snapshot(f%(depth+1)))
			}
		}
		list = append(list, shoot(t, c, in))
	}
	return list
}

// TestSnapshotsAreExact: a console that went back again and again is, frame by frame, the one
// that never did: memory, picture, sound and save.
func TestSnapshotsAreExact(t *testing.T) {
	frames, long := 40, os.Getenv("NETTPLAY_LONG") != ""
	if long {
		frames = 60
	}
	exact := func(t *testing.T, core Core, options map[string]string, roms ...string) {
		eachWay(t, func(t *testing.T, _ SnapshotWay) {
			for _, rom := range roms {
				t.Run(rom, func(t *testing.T) {
					checkLeaks(t)
					cfg := snapshotConfig(t, core, rom, options)
					var script []Input
					rng := rand.New(rand.NewPCG(3, 4))
					for len(script) < frames {
						in := Input{Keys: inputdelay.Keys(rng.IntN(1 << 13)), X: uint8(rng.IntN(256)), Y: uint8(rng.IntN(192))}
						script = append(script, slices.Repeat([]Input{in}, 1+rng.IntN(6))...)
					}
					got := guessing(t, started(t, cfg), script, 5)
					cfg.Rollback = false
					plain := started(t, cfg)
					for f, in := range script {
						if want := shoot(t, plain, in); got[f] != want {
							t.Fatalf("frame %d: %+v, without snapshots %+v", f, got[f], want)
						}
					}
				})
			}
		})
	}
	t.Run("test core", func(t *testing.T) { exact(t, opened(t, testcore.Path(t)), nil, "pad.nds") })
	if !long {
		return
	}
	roms := []string{"save.nds", "pad.nds", "draw3d.nds"}
	t.Run("DeSmuME", func(t *testing.T) {
		core := needDesmume(t)
		t.Run("JIT", func(t *testing.T) { exact(t, core, map[string]string{"desmume_cpu_mode": "jit"}, roms...) })
		t.Run("interpreter", func(t *testing.T) {
			exact(t, core, map[string]string{"desmume_cpu_mode": "interpreter"}, roms...)
		})
	})
	if path := os.Getenv("NETTPLAY_TEST_CORE"); path != "" {
		core := opened(t, path)
		t.Run(core.Name, func(t *testing.T) { exact(t, core, nil, roms...) })
		t.Run(core.Name+" JIT", func(t *testing.T) {
			exact(t, core, map[string]string{"melonds_jit_enable": "enabled"}, roms...)
		})
	}
}

// TestSnapshotsOfNothing: places that hold none, and a console that makes none.
func TestSnapshotsOfNothing(t *testing.T) {
	needSnapshots(t)
	cfg := snapshotConfig(t, opened(t, testcore.Path(t)), "pad.nds", nil)
	c := started(t, cfg)
	for _, place := range []int{-1, 0, MaxSnapshots} {
		if c.Return(place) != ErrNoSnapshot {
			t.Errorf("place %d holds a snapshot", place)
		}
	}
	if c.snapshot(-1) != ErrNoSnapshot || c.snapshot(MaxSnapshots) != ErrNoSnapshot {
		t.Error("there is no such place")
	}
	must.Succeed(t, c.snapshot(1))
	shoot(t, c, Input{})
	must.Succeed(t, c.snapshot(2))
	must.Succeed(t, c.Return(1))
	if c.Return(2) != ErrNoSnapshot {
		t.Error("a snapshot that was made later is there")
	}
	must.Succeed(t, c.Return(1))
	shoot(t, c, Input{})
	cfg.Rollback = false
	if started(t, cfg).snapshot(0) != ErrNoSnapshot {
		t.Error("a snapshot of a console without")
	}
}

// TestSnapshotsOfTraps: pages that nobody has touched, a deep stack, memory that the kernel writes to, the mode of
// the floating point unit, and memory that comes later, which is refused.
func TestSnapshotsOfTraps(t *testing.T) {
	eachWay(t, func(t *testing.T, _ SnapshotWay) {
		checkLeaks(t)
		cfg := worldConfig(t, "do", "pages")
		cfg.Rollback = true
		script := make([]Input, 16)
		for f := range script {
			script[f].Keys = inputdelay.Keys(f)
		}
		c := started(t, cfg)
		must.Succeed(t, c.snapshot(MaxSnapshots-1)) // what was on the stack before is of this process alone
		var want []shot
		for _, in := range script {
			want = append(want, shoot(t, c, in))
		}
		must.Succeed(t, c.Return(MaxSnapshots-1))
		for f, got := range guessing(t, c, script, 9) {
			if got != want[f] {
				t.Fatalf("frame %d: %+v, at first %+v", f, got, want[f])
			}
		}
		expect(t, seen(t, c, Input{}), map[string]string{
			"pages.pread": "4096", "pages.read": "100", "pages.readv": "4096", "pages.fstat": "ok", "pages.sigaction": "ok", "pages.sigprocmask": "ok",
			"pages.malloc": "ok", "pages.much": "none", "pages.sbrk": "ENOMEM", "pages.mmap": "ENOMEM", "pages.munmap": "EPERM",
			"pages.mprotect": "EPERM", "pages.madvise": "EPERM", "pages.file": "7",
		})
	})
}

// full is a console with a snapshot in each place.
func full(t *testing.T, options map[string]string) *Console {
	t.Helper()
	c := started(t, snapshotConfig(t, opened(t, testcore.Path(t)), "pad.nds", options))
	for place := range MaxSnapshots {
		shoot(t, c, Input{})
		must.Succeed(t, c.snapshot(place))
	}
	must.Succeed(t, c.Return(2))
	return c
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("not", what)
}

// TestSnapshotsEnd: however a console with snapshots ends, it is told as the end of any, and nothing of it stays.
func TestSnapshotsEnd(t *testing.T) {
	eachWay(t, func(t *testing.T, _ SnapshotWay) {
		checkLeaks(t)
		ends := func(c *Console, signal string) {
			t.Helper()
			_, err := c.Step(Input{})
			for err == nil {
				_, err = c.Step(Input{})
			}
			var crash *CrashError
			if !errors.As(err, &crash) || crash.Signal != signal {
				t.Error(err)
			}
			c.Close()
			eventually(t, "all gone", func() bool { return len(groupMembers(c.proc.pid())) == 0 })
		}
		c := full(t, nil)
		kill(t, c)
		ends(c, "SIGKILL")
		for how, signal := range map[string]string{"segv": "SIGSEGV", "exit": ""} {
			ends(full(t, map[string]string{"testcore_fault": how, "testcore_fault_at": "20"}), signal)
		}
	})
}

// TestSnapshotsOfAKilledParent: nothing of a console with snapshots outlives a program that is
// killed.
func TestSnapshotsOfAKilledParent(t *testing.T) {
	needSnapshots(t)
	checkLeaks(t)
	cmd, out := startChild(t, "snapshots", opened(t, testcore.Path(t)).Path)
	line, err := out.ReadString('\n')
	must.Succeed(t, err)
	worker, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	cmd.Process.Kill()
	cmd.Wait()
	eventually(t, "all gone", func() bool { return len(groupMembers(worker)) == 0 })
}
