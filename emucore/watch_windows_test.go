package emucore

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/windows"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestTimeOfProcess: the two parts of a processor time are added up, so it never falls.
func TestTimeOfProcess(t *testing.T) {
	if d := span(windows.Filetime{HighDateTime: 1, LowDateTime: 5}); d != (1<<32+5)*100 {
		t.Errorf("%v", d)
	}
	var last time.Duration
	file := filepath.Join(t.TempDir(), "file")
	for range 500 {
		now, ok := timeOf(windows.CurrentProcess())
		if !ok || now < last {
			t.Fatalf("%v after %v, %v", now, last, ok)
		}
		last = now
		must.Succeed(t, os.WriteFile(file, nil, 0o600)) // of the system's time, too
	}
}

// TestTimeOfAnother: a process that sleeps has not used the time of the one that asks.
func TestTimeOfAnother(t *testing.T) {
	sleeper := exec.Command("ping", "-n", "60", "127.0.0.1")
	must.Succeed(t, sleeper.Start())
	defer func() {
		must.Succeed(t, sleeper.Process.Kill())
		_ = sleeper.Wait()
	}()
	for begun, own := time.Duration(0), time.Duration(0); own < begun+500*time.Millisecond; own, _ = timeOf(windows.CurrentProcess()) {
		begun = cmp.Or(begun, own)
	}
	if used, ok := cpuTime(sleeper.Process.Pid); ok && used > 400*time.Millisecond {
		t.Errorf("it used %v", used)
	}
}
