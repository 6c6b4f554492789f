package emucore

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestWatch: who hangs and who does not, looked at ten times a second.
func TestWatch(t *testing.T) {
	const slice = 100 * time.Millisecond
	for _, test := range []struct {
		name   string
		works  func(i int) time.Duration // in slice i
		sleeps func(i int) bool          // if it works less than a tenth of it
		late   int                       // after so many slices; 0: never
	}{
		{"works", func(int) time.Duration { return slice }, nil, 21},
		{"gets a fifth of a processor", func(int) time.Duration { return slice / 5 }, nil, 101},
		{"gets nothing of a processor", func(int) time.Duration { return 0 }, func(int) bool { return false }, 0},
		{"sleeps", func(int) time.Duration { return 0 }, func(int) bool { return true }, 20},
		{"sleeps and looks around", func(int) time.Duration { return slice / 50 }, func(int) bool { return true }, 20},
		{"works now and then", func(i int) time.Duration { return time.Duration(i%15/14) * slice / 2 }, func(int) bool { return true }, 0},
		{"waits for a disk, then sleeps", func(int) time.Duration { return 0 }, func(i int) bool { return i > 50 }, 70},
	} {
		w := watch{limit: 2 * time.Second}
		cpu, late := 7*time.Second, 0
		for i := 1; i <= 500 && late == 0; i++ {
			if w.judge(slice, cpu, func() bool { return test.sleeps != nil && test.sleeps(i) }) {
				late = i
			}
			cpu += test.works(i)
		}
		if late != test.late {
			t.Errorf("%s: hangs after %d slices, not %d", test.name, late, test.late)
		}
	}
}

// TestWatchProcess: what the kernel tells of a process is what we take it for.
func TestWatchProcess(t *testing.T) {
	before, ok := cpuTime(os.Getpid())
	after, ok2 := before, ok
	for range 1_000_000_000 {
		if after, ok2 = cpuTime(os.Getpid()); after > before || !ok2 {
			break
		}
	}
	if !ok || !ok2 || after <= before || after > time.Hour {
		t.Errorf("%v, %v", before, after)
	}
	c := mustWorld(t)
	stepWith(t, c, 0, 2)
	for range 6000 { // it may still be on its way to its next request
		if (activity{}).sleeps(c.proc.pid()) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if !(activity{}).sleeps(c.proc.pid()) {
		t.Error("a worker without a request does not sleep")
	}
	if _, ok := cpuTime(1<<22 + 1); ok {
		t.Error("a process with a number that none can have")
	}
}

// TestHangAtLoad: a core that hangs while it is loaded is found out after two
// seconds, of work or of doing nothing, and no sooner.
func TestHangAtLoad(t *testing.T) {
	for _, how := range []string{"hang", "sleep"} {
		t.Run(how, func(t *testing.T) {
			checkLeaks(t)
			g := pocketGame(t, 1, 0, "fault", how, "fault_at", "load")
			g.deaf = true
			cfg := g.config(nil, 0)
			cfg.limits = limits{}
			used, start := childrenTime(t), time.Now()
			_, err := Start(t.Context(), cfg)
			var hang *HangError
			if !errors.As(err, &hang) || hang.After < usualLoad || hang.After > usualLoad+time.Second/10 {
				t.Fatal(err)
			}
			if used = childrenTime(t) - used; how == "hang" && used < usualLoad || how == "sleep" && time.Since(start) < usualLoad {
				t.Errorf("it worked for %v, in %v", used, time.Since(start))
			}
		})
	}
}

// childrenTime is the processor time of processes that we have started and that
// have ended.
func childrenTime(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	must.Succeed(t, unix.Getrusage(unix.RUSAGE_CHILDREN, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
