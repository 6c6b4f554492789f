// Package demo plays a short game between processes of the program on this machine and
// compares what they computed, to see that everything works here.
package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Config says how to play.
type Config struct {
	Program string   // path of nettplay
	Env     []string // for its processes, besides this one's
	Frames  int64    // at least 1
	Delay   int      // input delay, frames
	Players int      // processes, 2 to MaxPlayers
	Out     string   // folder for pictures and reports; made if it is not there
	Core    string   // name or path; "" for the settings'
	Speed   string   // "real" or "max"

	Stdout, Stderr io.Writer
}

// Run plays the demo and writes what came of it. When ctx ends it stops all processes,
// says so and returns nil. The error of a process wraps [*exec.ExitError].
func Run(ctx context.Context, d Config) error {
	if err := os.MkdirAll(d.Out, 0o755); err != nil {
		return fmt.Errorf("making the demo's folder: %w", err)
	}
	work, err := os.MkdirTemp("", "nettplay-demo-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if err := d.prepare(work); err != nil {
		return err
	}
	port, err := udp.FreePort()
	if err != nil {
		return fmt.Errorf("finding a free UDP port: %w", err)
	}
	fmt.Fprintf(d.Stdout, "%d players, %d frames of random input, input delay %d: about %d s ...\n",
		d.Players, d.Frames, d.Delay, d.Frames/60+2)
	reports, err := d.play(ctx, work, port)
	if err != nil {
		return err
	}
	if reports == nil {
		fmt.Fprintln(d.Stdout, "The demo was stopped.")
		return nil
	}
	return d.conclude(reports)
}

// prepare writes the ROM, a config that touches nothing of the user's, and a
// script of inputs for each player.
func (d Config) prepare(work string) error {
	if err := os.WriteFile(filepath.Join(work, "pad.nds"), romstest.Pad, 0o600); err != nil {
		return err
	}
	for i := range d.Players {
		f, err := os.Create(filepath.Join(work, fmt.Sprintf("input-%d.txt", i)))
		if err != nil {
			return err
		}
		_, err = inputdelay.RandomScript(uint64(i)+1, d.Frames).WriteTo(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// play runs all processes to their end and reads their reports; there are none
// when it was stopped.
func (d Config) play(parent context.Context, work string, port int) ([]notice.Report, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	logs := make([]output, d.Players)
	opened := make(chan struct{})
	logs[0].opened = sync.OnceFunc(func() { close(opened) })
	ended := make(chan error, d.Players)
	var failed error
	running := 0
	for i := range d.Players {
		if failed = d.start(ctx, i, d.args(i, work, port), &logs[i], ended); failed != nil {
			cancel()
			break
		}
		running++
		<-opened // the others find a room that is there
		if len(ended) > 0 {
			break // there is none
		}
	}
	for range running {
		if err := <-ended; err != nil && failed == nil {
			failed = err
			cancel()
		}
	}
	if parent.Err() != nil {
		return nil, nil
	}
	if failed != nil {
		for i := range running {
			fmt.Fprintf(d.Stderr, "--- %s said:\n%s", names[i], logs[i].text.String())
		}
		return nil, failed
	}
	return d.reports()
}

// start starts one player's process; how it ended is sent to ended.
func (d Config) start(ctx context.Context, i int, args []string, log *output, ended chan<- error) error {
	cmd := exec.CommandContext(ctx, d.Program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), d.Env...)
	// They leave in good order; those that take too long are killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 3 * time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s's process: %w", names[i], err)
	}
	go func() {
		err := cmd.Wait()
		if err != nil {
			err = fmt.Errorf("%s's process: %w", names[i], err)
		}
		ended <- err
		log.end()
	}()
	return nil
}

// output keeps what a process says, and calls opened once the room is open or
// will not be.
type output struct {
	mu     sync.Mutex
	text   bytes.Buffer
	opened func()
}

func (l *output) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if l.opened != nil && bytes.Contains(l.text.Bytes(), []byte("room is open")) {
		l.opened()
	}
	return len(b), nil
}

func (l *output) end() {
	if l.opened != nil {
		l.opened()
	}
}
