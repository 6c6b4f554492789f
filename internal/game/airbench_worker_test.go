//go:build unix

package game

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// worker is a console whose times are taken.
type worker struct {
	Console
	stat              *os.File
	frame             atomic.Int64 // that runs, or ran last
	stepping, hashing atomic.Bool
}

func startWorker(t *testing.T, core emucore.Core, rom *emucore.ROM, c airCase, radio *Radio, seat ds.Seat) *worker {
	cfg := emucore.Config{
		Core: core, ROM: rom, RTC: 1_000_000_000,
		Firmware: ds.Firmware{MAC: [6]byte{0, 9, 0xbf, 0, 0, byte(seat)}, Language: 1, BirthMonth: 1, BirthDay: 1},
	}
	if o, ok := emucore.ProfileFor(core.Name).JITOption(c.jit); ok {
		cfg.Options = []ds.Option{o}
	}
	radio.Connect(&cfg, seat)
	before := children()
	console, err := emucore.Start(context.Background(), cfg)
	must.Succeed(t, err)
	w := &worker{Console: console}
	for _, pid := range children() {
		if slices.Contains(before, pid) {
			continue
		}
		if w.stat, err = os.Open(fmt.Sprintf("/proc/%d/schedstat", pid)); err != nil {
			t.Fatal(err)
		}
		if each := os.Getenv("NETTPLAY_AIRBENCH_EACH"); each != "" {
			if out, err := exec.Command("sh", "-c", each, "sh", strconv.Itoa(int(seat)), strconv.Itoa(pid)).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", each, err, out)
			}
		}
	}
	return w
}

// children are the processes that this one has started and that live.
func children() (list []int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range dirs {
		b, _ := os.ReadFile(path)
		fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path))); len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			list = append(list, pid)
		}
	}
	return list
}

// scheduled is how long the worker has run, and how long it has waited for a processor.
func (w *worker) scheduled() (cpu, queued time.Duration) {
	var b [80]byte
	n, _ := w.stat.ReadAt(b[:], 0)
	fmt.Sscan(string(b[:n]), &cpu, &queued)
	return cpu, queued
}

// Step implements Console.
func (w *worker) Step(in inputdelay.Input) (emucore.Frame, error) {
	w.frame.Store(w.Console.Frame())
	w.stepping.Store(true)
	defer w.stepping.Store(false)
	return w.Console.Step(in)
}

// Hash implements Console.
func (w *worker) Hash() (ds.Hash, error) {
	w.hashing.Store(true)
	defer w.hashing.Store(false)
	return w.Console.Hash()
}
