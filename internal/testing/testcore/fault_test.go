package testcore_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// ended says how a process ended.
func ended(err error) (sig syscall.Signal, code int) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0, -1
	}
	status := exit.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return status.Signal(), 0
	}
	return 0, status.ExitStatus()
}

func TestFaults(t *testing.T) {
	duo := []string{"radio=mac", "1:mac=00:09:bf:00:00:01"}
	for _, test := range []struct {
		fault, at string
		sig       syscall.Signal
		code      int
	}{
		{"segv", "30", syscall.SIGSEGV, 0},
		{"abort", "frame:30", syscall.SIGABRT, 0},
		{"ill", "30", syscall.SIGILL, 0},
		{"fpe", "30", syscall.SIGFPE, 0},
		{"kill", "30", syscall.SIGKILL, 0},
		{"stack", "30", syscall.SIGSEGV, 0},
		{"exit", "30", 0, 3},
		{"_exit", "30", 0, 3},
		{"abort", "init", syscall.SIGABRT, 0},
		{"segv", "load", syscall.SIGSEGV, 0},
		{"segv", "serialize", syscall.SIGSEGV, 0},
		{"segv", "unserialize", syscall.SIGSEGV, 0},
		{"segv", "reset", syscall.SIGSEGV, 0},
		{"segv", "poll:100", syscall.SIGSEGV, 0},
		{"segv", "wait:20", syscall.SIGSEGV, 0},
		{"segv", "send:20", syscall.SIGSEGV, 0},
		{"segv", "command:20", syscall.SIGSEGV, 0},
		{"segv", "reply:20", syscall.SIGSEGV, 0},
		{"segv", "5000", 0, 0},
		{"segv", "never", 0, 0},
		{"none", "30", 0, 0},
	} {
		t.Run(test.fault+" at "+test.at, func(t *testing.T) {
			g := game{
				options: append(duo, "fault="+test.fault, "fault_at="+test.at), consoles: 2,
				commands: []string{"run=60", "save", "load=1", "reset=0", "run=1"},
			}
			_, errs, err := g.start(t)
			if test.sig == 0 && test.code == 0 {
				if err != nil {
					t.Fatalf("%v\n%s", err, errs)
				}
				return
			}
			if sig, code := ended(err); sig != test.sig || code != test.code {
				t.Errorf("ended with %v, %d (%v)\n%s", sig, code, err, errs)
			}
		})
	}
}

// TestHangs: these never come back by themselves.
func TestHangs(t *testing.T) {
	for _, g := range []game{
		{options: []string{"fault=hang", "fault_at=3"}, commands: []string{"run=10"}},
		{options: []string{"fault=sleep", "fault_at=3"}, commands: []string{"run=10"}},
		{options: []string{"fault=stop", "fault_at=3"}, commands: []string{"run=10"}},
		{options: []string{"fault=hang", "fault_at=load"}, commands: []string{"run=1"}},
	} {
		t.Run(g.options[0]+" "+g.options[1], func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			_, _, err := g.startContext(ctx, t)
			if sig, _ := ended(err); sig != syscall.SIGKILL {
				t.Errorf("ended by itself: %v", err)
			}
		})
	}
}

func TestSpam(t *testing.T) {
	out, errs, err := game{options: []string{"spam_stdout_kb=64", "spam_stderr_kb=32"}, commands: []string{"run=10"}}.start(t)
	if err != nil || len(out) != 640<<10 || len(errs) != 320<<10 {
		t.Errorf("%d and %d bytes, %v", len(out), len(errs), err)
	}
}

func TestBadPictureAndSound(t *testing.T) {
	for option, want := range map[string]line{
		"bad_video=none":        {"pictures": "5", "width": "256"},
		"bad_video=twice":       {"pictures": "15"},
		"bad_video=zero":        {"width": "0", "height": "0"},
		"bad_video=huge":        {"width": "65535", "height": "65535"},
		"bad_video=pitch_small": {"pitch": "1"},
		"bad_video=odd":         {"width": "255", "height": "381"},
		"bad_audio=none":        {"samples": "2738"},
		"bad_audio=single":      {"samples": "5477"},
		"bad_audio=off":         {"samples": "5477", "pictures": "10"},
	} {
		t.Run(option, func(t *testing.T) {
			got, _ := game{options: []string{option, "bad_from=5"}, commands: []string{"run=10", "print"}}.play(t)
			for name, value := range want {
				if got[0][name] != value {
					t.Errorf("%s is %s, want %s", name, got[0][name], value)
				}
			}
		})
	}
}

// TestEscape: outside any sandbox what is tried works, and is told apart from
// what is not tried; nothing is left behind.
func TestEscape(t *testing.T) {
	for _, test := range []struct{ list, escaped string }{
		{"off", "0"},
		{"open", "1"},
		{"open,create,dir", "3"},
		{"fork,thread,unix,memfd,sigaction,exec_map,pdeathsig", "7"},
		{"killparent", "1"},
	} {
		got, _ := game{options: []string{"escape=" + test.list, "escape_at=2"}, commands: []string{"run=3", "print"}}.play(t)
		if got[0]["escaped"] != test.escaped {
			t.Errorf("%s: %s worked", test.list, got[0]["escaped"])
		}
	}
	if _, err := os.Stat("/tmp/nettplay-testcore-was-here"); err == nil {
		t.Error("litter")
	}
}
