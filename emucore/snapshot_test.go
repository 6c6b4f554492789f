package emucore

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/must"
	"github.com/nettplay/nettplay/internal/testcore"
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

func started(t testing.TB, cfg Config) *Console {
	t.Helper()
	c, err := Start(context.Background(), cfg)
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c
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

// guessing plays a script with a snapshot before each frame, and now and then goes up to depth
// frames on with other inputs before it comes back.
func guessing(t *testing.T, c *Console, script []Input, seed uint64) (list []shot) {
	t.Helper()
	const depth = 4
	rng := rand.New(rand.NewPCG(seed, 7))
	for f, in := range script {
		must.Succeed(t, c.Snapshot(f%(depth+1)))
		for rng.IntN(3) == 0 {
			back := f
			for k := range 1 + rng.IntN(depth) {
				shoot(t, c, Input{Keys: inputdelay.Keys(rng.IntN(1 << 12))})
				if k+1 <= depth {
					must.Succeed(t, c.Snapshot((f+k+1)%(depth+1)))
				}
			}
			must.Succeed(t, c.Return(back%(depth+1)))
			if got := c.Frame(); got != int64(f) {
				t.Fatalf("came back to frame %d, not %d", got, f)
			}
			must.Succeed(t, c.Snapshot(f%(depth+1)))
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
		frames = 200
	}
	exact := func(t *testing.T, core Core, options map[string]string, roms ...string) {
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
	cfg := snapshotConfig(t, opened(t, testcore.Path(t)), "pad.nds", nil)
	c := started(t, cfg)
	for _, place := range []int{-1, 0, MaxSnapshots} {
		if c.Return(place) != ErrNoSnapshot {
			t.Errorf("place %d holds a snapshot", place)
		}
	}
	if c.Snapshot(-1) != ErrNoSnapshot || c.Snapshot(MaxSnapshots) != ErrNoSnapshot {
		t.Error("there is no such place")
	}
	must.Succeed(t, c.Snapshot(1))
	must.Succeed(t, c.Return(1))
	if c.Return(1) != ErrNoSnapshot {
		t.Error("a snapshot that is used up is there")
	}
	if c.Reset() != ErrNoReset {
		t.Error("it can be reset")
	}
	shoot(t, c, Input{})
	cfg.Rollback = false
	if started(t, cfg).Snapshot(0) != ErrNoSnapshot {
		t.Error("a snapshot of a console without")
	}
}

// fullFamily is a console with a snapshot in each place, and the ids of its processes: the
// keeper's, the active one's, and those of the snapshots.
func fullFamily(t *testing.T, options map[string]string) (c *Console, all []int) {
	t.Helper()
	c = started(t, snapshotConfig(t, opened(t, testcore.Path(t)), "pad.nds", options))
	for place := range MaxSnapshots {
		shoot(t, c, Input{})
		must.Succeed(t, c.Snapshot(place))
	}
	must.Succeed(t, c.Return(2))
	must.Succeed(t, c.Snapshot(2))
	keeper := c.proc.pid()
	all = []int{keeper, c.answers()}
	eventually(t, "a process for each", func() bool { return len(groupMembers(keeper)) == MaxSnapshots+2 })
	for _, pid := range groupMembers(keeper) {
		if !slices.Contains(all, pid) {
			all = append(all, pid)
		}
	}
	return c, all
}

// TestSnapshotsAreOurs: a core that can be copied still makes no process, neither while it loads
// nor in a frame.
func TestSnapshotsAreOurs(t *testing.T) {
	checkLeaks(t)
	for _, do := range []string{"load fork", "load daemon", "forbidden"} {
		cfg := worldConfig(t, "do", do)
		cfg.Rollback = true
		c := started(t, cfg)
		must.Succeed(t, c.Snapshot(0))
		must.Succeed(t, c.Return(0))
		if report := seen(t, c, Input{}); do == "forbidden" {
			expect(t, report, map[string]string{"call.fork": "EPERM", "call.kill": "EPERM", "call.execve": "EPERM"})
		}
		eventually(t, "a keeper and a console alone", func() bool { return len(groupMembers(c.proc.pid())) == 2 })
		c.Close()
	}
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

// TestSnapshotsEnd: however one of the processes of a console ends, none stays, and it is told
// as the end of one.
func TestSnapshotsEnd(t *testing.T) {
	for i, name := range []string{"keeper", "active", "snapshot"} {
		t.Run(name, func(t *testing.T) {
			checkLeaks(t)
			c, all := fullFamily(t, nil)
			unix.Kill(all[i], unix.SIGKILL)
			_, err := c.Step(Input{})
			for err == nil {
				_, err = c.Step(Input{})
			}
			var crash *CrashError
			if !errors.As(err, &crash) || crash.Signal != "SIGKILL" {
				t.Error(err)
			}
			c.Close()
			eventually(t, "all gone", func() bool { return len(groupMembers(all[0])) == 0 })
		})
	}
	for how, signal := range map[string]string{"segv": "SIGSEGV", "exit": ""} {
		t.Run(how, func(t *testing.T) {
			checkLeaks(t)
			c, all := fullFamily(t, map[string]string{"testcore_fault": how, "testcore_fault_at": "10"})
			_, err := c.Step(Input{})
			for err == nil {
				_, err = c.Step(Input{})
			}
			var crash *CrashError
			if !errors.As(err, &crash) || crash.Signal != signal {
				t.Error(err)
			}
			eventually(t, "all gone", func() bool { return len(groupMembers(all[0])) == 0 })
		})
	}
	t.Run("closed", func(t *testing.T) {
		checkLeaks(t)
		c, all := fullFamily(t, nil)
		c.Close()
		eventually(t, "all gone", func() bool { return len(groupMembers(all[0])) == 0 })
	})
}

// TestSnapshotsOfAKilledParent: nothing of a console with snapshots outlives a program that is
// killed.
func TestSnapshotsOfAKilledParent(t *testing.T) {
	checkLeaks(t)
	cmd, out := startChild(t, "snapshots", opened(t, testcore.Path(t)).Path)
	line, err := out.ReadString('\n')
	must.Succeed(t, err)
	keeper, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	if n := len(groupMembers(keeper)); n < 3 {
		t.Fatalf("a family of %d", n)
	}
	cmd.Process.Kill()
	cmd.Wait()
	eventually(t, "all gone", func() bool { return len(groupMembers(keeper)) == 0 })
}
