package emucore

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/testing/must"
)

// fails runs frames until one fails, and checks that the console stays failed
// and that Done says so.
func fails(t *testing.T, c *Console) error {
	t.Helper()
	var err error
	for range 100_000 {
		if _, err = c.Step(Input{}); err != nil {
			break
		}
	}
	if err == nil {
		t.Fatal("nothing failed")
	}
	if c.proc.goneWithin(2*time.Second) == false {
		t.Fatal("Done is not closed")
	}
	if _, again := c.Step(Input{}); again != err {
		t.Errorf("first %v, then %v", err, again)
	}
	if _, again := c.Hash(); !errors.Is(again, err) {
		t.Errorf("first %v, then %v", err, again)
	}
	if again := c.Load(State{}); !errors.Is(again, err) {
		t.Errorf("first %v, then %v", err, again)
	}
	return err
}

// TestCrash: whatever way a core goes down, it is told apart and leaves nothing.
func TestCrash(t *testing.T) {
	for _, test := range []struct {
		do     string
		signal string
		code   int
		why    string // part of CrashError.Why
		log    string // part of the last line
	}{
		{do: "segv", signal: "SIGSEGV"},
		{do: "abort", signal: "SIGABRT"},
		{do: "exit", code: 3},
		{do: "last words", signal: "SIGABRT", log: "said on stderr"},
		{do: "hang up", code: 70, log: "worker: reply: Bad file descriptor"},
		{do: "hang up and hang", signal: "SIGKILL"},
		{do: "bad length", why: "a reply of 11 bytes"},
		{do: "forge", why: "another question"},
		{do: "hardware frame", code: 70, log: "graphics API"},
		{do: "narrow pitch", code: 70, log: "picture of 256x384"},
	} {
		t.Run(test.do, func(t *testing.T) {
			checkLeaks(t)
			c := mustWorld(t, "do", test.do)
			var crash *CrashError
			if err := fails(t, c); !errors.As(err, &crash) {
				t.Fatal(err)
			}
			if crash.Signal != test.signal || crash.ExitCode != test.code || !strings.Contains(crash.Why, test.why) || (test.why == "") != (crash.Why == "") {
				t.Errorf("%+v", crash)
			}
			if test.log != "" && (len(crash.Log) == 0 || !strings.Contains(crash.Log[len(crash.Log)-1], test.log)) {
				t.Errorf("log %q, want %q last", crash.Log, test.log)
			}
			if !strings.HasPrefix(crash.Error(), "console crashed: World ?[31mcore ") {
				t.Error(crash)
			}
		})
	}
}

// TestLeak: a core that takes more and more memory comes to its end before the
// machine does. (malloc says no, and this core does not look.)
func TestLeak(t *testing.T) {
	if sanitized {
		t.Skip("the address sanitizer's memory knows no limit")
	}
	checkLeaks(t)
	c := mustWorld(t, "do", "leak")
	var crash *CrashError
	if err := fails(t, c); !errors.As(err, &crash) || crash.Signal != "SIGSEGV" {
		t.Fatal(err)
	}
}

// TestLastWords: a core's output is kept in order, bounded, and cannot drive a
// terminal.
func TestLastWords(t *testing.T) {
	checkLeaks(t)
	c := mustWorld(t, "do", "chatter")
	stepWith(t, c, 0, 2)
	kill(t, c)
	var crash *CrashError
	if err := fails(t, c); !errors.As(err, &crash) {
		t.Fatal(err)
	}
	if len(crash.Log) != logLines || crash.Log[logLines-1] != "line 4999 with ?[31mcolour?[0m" || crash.Log[0] != "line 4936 with ?[31mcolour?[0m" {
		t.Errorf("%d lines: %q", len(crash.Log), crash.Log)
	}
}

func TestEndlessLine(t *testing.T) {
	c := mustWorld(t, "do", "no newline")
	stepWith(t, c, 0, 3)
	c.Close()
	if log := c.proc.log.all(); len(log) != 1 || len(log[0]) != logColumn {
		t.Errorf("%d lines: %q", len(log), log)
	}
}

// kill ends a console's worker.
func kill(t *testing.T, c *Console) {
	t.Helper()
	p, err := os.FindProcess(c.proc.pid())
	must.Succeed(t, err)
	_ = p.Kill()
}

// TestKilled: somebody ends the worker, while it works or while it waits.
func TestKilled(t *testing.T) {
	checkLeaks(t)
	c := mustWorld(t)
	stepWith(t, c, 0, 3)
	kill(t, c)
	select {
	case <-c.proc.done:
	case <-time.After(patient.call):
		t.Fatal("Done is not closed")
	}
	var crash *CrashError
	if err := fails(t, c); !errors.As(err, &crash) || crash.Signal != "SIGKILL" {
		t.Fatal(err)
	}
}

// TestHang: a worker that does not answer is ended, whatever it does instead.
func TestHang(t *testing.T) {
	for _, do := range []string{"hang", "sleep"} {
		t.Run(do, func(t *testing.T) {
			checkLeaks(t)
			c := hangingWorld(t, do)
			var hang *HangError
			if err := fails(t, c); !errors.As(err, &hang) || hang.After != quick.call {
				t.Fatal(err)
			}
		})
	}
	t.Run("serialize", func(t *testing.T) {
		checkLeaks(t)
		c := hangingWorld(t, "serialize hang")
		var hang *HangError
		if _, err := c.Save(); !errors.As(err, &hang) {
			t.Fatal(err)
		}
	})
	t.Run("unserialize", func(t *testing.T) {
		checkLeaks(t)
		c := mustWorld(t, "do", "unserialize hang")
		s, err := c.Save()
		must.Succeed(t, err)
		c.limits = quick
		var hang *HangError
		if err := c.Load(s); !errors.As(err, &hang) {
			t.Fatal(err)
		}
	})
}

// TestStartFails: each way in which a console does not come to be, and that it
// leaves nothing.
func TestStartFails(t *testing.T) {
	for _, test := range []struct {
		do  string
		why string // part of the StartError; "" for another error
	}{
		{"refuse", "refused the ROM"},
		{"hardware", "graphics API"},
		{"huge states", "states of 1073741824 bytes"},
		{"load segv", ""},
		{"load hang", ""},
	} {
		t.Run(test.do, func(t *testing.T) {
			checkLeaks(t)
			cfg := worldConfig(t, "do", test.do)
			if test.do == "load hang" {
				cfg.limits = quick
			}
			_, err := Start(t.Context(), cfg)
			var start *StartError
			var crash *CrashError
			var hang *HangError
			switch {
			case test.why != "":
				if !errors.As(err, &start) || !strings.Contains(start.Why, test.why) {
					t.Error(err)
				}
			case test.do == "load segv":
				if !errors.As(err, &crash) || crash.Signal != "SIGSEGV" {
					t.Error(err)
				}
			default:
				if !errors.As(err, &hang) || hang.After != cfg.limits.load {
					t.Error(err)
				}
			}
		})
	}
}

// TestStartRefusesChangedFiles: what is started is what was opened.
func TestStartRefusesChangedFiles(t *testing.T) {
	checkLeaks(t)
	cfg := worldConfig(t)
	rom := *cfg.ROM
	rom.SHA256[0] ^= 1
	cfg.ROM = &rom
	if _, err := Start(t.Context(), cfg); !errors.Is(err, ErrROMChanged) {
		t.Error(err)
	}
	cfg = worldConfig(t)
	cfg.Core.Size--
	if _, err := Start(t.Context(), cfg); !errors.Is(err, errCoreChanged) {
		t.Error(err)
	}
	cfg = worldConfig(t)
	cfg.Core.Path = filepath.Join(t.TempDir(), "gone.so")
	if _, err := Start(t.Context(), cfg); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestStartCancelled: the context ends the start, before and in the middle.
func TestStartCancelled(t *testing.T) {
	checkLeaks(t)
	cfg := worldConfig(t, "do", "load hang")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, cfg); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if _, err := Start(ctx, cfg); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestCloseAtAnyTime: from several goroutines, while calls are under way.
func TestCloseAtAnyTime(t *testing.T) {
	checkLeaks(t)
	for i := range 20 {
		c := mustWorld(t, "quiet", "yes")
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				if _, err := c.Step(Input{}); err != nil {
					if err != ErrClosed {
						t.Error(err)
					}
					return
				}
			}
		})
		wg.Go(func() {
			for {
				if _, err := c.Hash(); err != nil {
					if !errors.Is(err, ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		})
		time.Sleep(time.Duration(i) * 500 * time.Microsecond)
		for range 3 {
			wg.Go(func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
				select {
				case <-c.proc.done:
				default:
					t.Error("Close has returned and the worker is there")
				}
			})
		}
		wg.Wait()
		if c.Video().Pix != nil && len(c.Video().Image().Pix) == 0 {
			t.Error("the last picture is gone")
		}
		if _, err := c.SRAM(); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}
}

// TestClosedWhileHanging: Close does not wait for a worker.
func TestClosedWhileHanging(t *testing.T) {
	checkLeaks(t)
	c := mustWorld(t, "do", "hang")
	time.AfterFunc(50*time.Millisecond, func() { c.Close() })
	if _, err := c.Step(Input{}); err != ErrClosed {
		t.Error(err)
	}
	c.Close()
}
