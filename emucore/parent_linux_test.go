package emucore

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/testing/testcore"
)

// These tests are about what becomes of workers when this process, or a part of
// it, ends or stops.

// TestStoppedIsNotHung: a session that is stopped and continued, or that was on
// a machine that slept, does not lose its consoles: time in which this process
// did not run does not count.
func TestStoppedIsNotHung(t *testing.T) {
	cmd, out := startChild(t, "running", worldConfig(t).Core.Path)
	line, err := out.ReadString('\n')
	must.Succeed(t, err)
	worker, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(line)
	}
	unix.Kill(worker, unix.SIGSTOP)
	cmd.Process.Signal(unix.SIGSTOP)
	time.Sleep(HangTime + time.Second)
	cmd.Process.Signal(unix.SIGCONT)
	time.Sleep(HangTime / 4) // it wakes up before its worker does
	unix.Kill(worker, unix.SIGCONT)
	time.Sleep(2 * quick.call)
	cmd.Process.Kill()
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%s (%v)", rest, err)
	}
	cmd.Wait()
}

// startChild starts the program of child and returns what it prints.
func startChild(t *testing.T, mode, core string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), childEnv+"="+mode,
		"NETTPLAY_TEST_CHILD_CORE="+core,
		"NETTPLAY_TEST_CHILD_ROM="+filepath.Join(testcore.Root(), "roms-test/pad.nds"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, bufio.NewReader(out)
}

// TestNoChildren: a core cannot start processes while it loads, and what is in its
// worker's process group ends with it.
func TestNoChildren(t *testing.T) {
	checkLeaks(t)
	for _, do := range []string{"load fork", "load daemon"} {
		for _, rollback := range []bool{false, true} {
			cfg := worldConfig(t, "do", do)
			cfg.Rollback = rollback && len(SnapshotWays()) > 0
			c := started(t, cfg)
			group := c.proc.pid()
			if len(groupMembers(group)) != 1 {
				t.Errorf("%s, snapshots %v: the worker's process group is %v", do, rollback, groupMembers(group))
			}
			c.Close()
			eventually(t, "all gone", func() bool { return len(groupMembers(group)) == 0 })
		}
	}
}

// groupMembers are the processes of a process group that are not dead: who is
// dead may wait long for init.
func groupMembers(group int) []int {
	var alive []int
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range all {
		b, _ := os.ReadFile(path)
		_, rest, _ := strings.Cut(string(b), ") ") // past the name
		f := strings.Fields(rest)                  // state, parent, group
		if len(f) > 2 && f[2] == strconv.Itoa(group) && f[0] != "Z" && f[0] != "X" {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			alive = append(alive, pid)
		}
	}
	return alive
}

// TestParentKilled: nothing survives a parent that is killed, and what it could
// not clean up the next start does.
func TestParentKilled(t *testing.T) {
	core := worldConfig(t).Core.Path
	for _, when := range []string{"running", "loading"} {
		t.Run(when, func(t *testing.T) {
			checkLeaks(t)
			cmd, out := startChild(t, when, core)
			line, err := out.ReadString('\n')
			must.Succeed(t, err)
			pid := killedChild(t, cmd, strings.TrimSpace(line))
			if left := leftovers().dirs; (when == "loading") != (left > 0) {
				t.Errorf("killed while %s, it left %d directories", when, left)
			}
			for range 6000 {
				if len(groupMembers(pid)) == 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if len(groupMembers(pid)) != 0 {
				t.Error("the worker lives on")
			}
			mustWorld(t).Close() // sweeps
		})
	}
}

// killedChild kills the program of child and returns its worker's process id.
func killedChild(t *testing.T, cmd *exec.Cmd, said string) int {
	t.Helper()
	pid, err := strconv.Atoi(said)
	if said == "loading" {
		for range 6000 { // it is about to start its worker
			if pid = onlyChild(cmd.Process.Pid); pid != 0 && leftovers().dirs > 1 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if pid == 0 {
			t.Fatal("no worker")
		}
	} else if err != nil {
		t.Fatal(said)
	}
	cmd.Process.Kill()
	cmd.Wait()
	return pid
}

// onlyChild returns a child process of pid.
func onlyChild(pid int) int {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, task := range tasks {
		b, _ := os.ReadFile(task)
		if f := strings.Fields(string(b)); len(f) > 0 {
			n, _ := strconv.Atoi(f[0])
			return n
		}
	}
	return 0
}

// TestStarterMayLeave: the runtime ends a thread when a goroutine
// that was locked to it returns; a console started there must not end with it.
func TestStarterMayLeave(t *testing.T) {
	checkLeaks(t)
	got := make(chan *Console)
	go func() {
		// Not unlocked: the thread dies with the goroutine.
		runtime.LockOSThread()
		c, err := Start(context.Background(), worldConfig(t))
		if err != nil {
			t.Error(err)
		}
		got <- c
	}()
	c := <-got
	time.Sleep(100 * time.Millisecond)
	stepWith(t, c, 0, 3)
	c.Close()
}
