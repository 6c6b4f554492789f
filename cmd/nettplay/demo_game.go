package main

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

// A short game between processes of the program on this machine, and a comparison of what they computed.

// demoGame says how to play.
type demoGame struct {
	Program string   // path of nettplay
	Env     []string // for its processes, besides this one's
	Frames  int64    // at least 1
	Delay   int      // input delay, frames
	Players int      // processes, 2 to maxDemoPlayers
	Out     string   // folder for pictures and reports; made if it is not there
	Core    string   // name or path; "" for the settings'
	Speed   string   // "real" or "max"

	Stdout, Stderr io.Writer
}

// playDemo plays the demo and writes what came of it. When ctx ends it stops all processes,
// says so and returns nil. The error of a process wraps [*exec.ExitError].
func playDemo(ctx context.Context, d demoGame) error {
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
func (d demoGame) prepare(work string) error {
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
func (d demoGame) play(parent context.Context, work string, port int) ([]notice.Report, error) {
	ctx, cancel := context.WithCancelCause(parent) // the first that fails ends the others
	defer cancel(nil)
	opened := make(chan struct{})
	open := sync.OnceFunc(func() { close(opened) })
	var logs []*demoOutput
	var running sync.WaitGroup
	for i := range d.Players {
		log := &demoOutput{opened: open}
		cmd := d.command(ctx, d.args(i, work, port), log)
		if err := cmd.Start(); err != nil {
			cancel(fmt.Errorf("starting %s's process: %w", demoNames[i], err))
			break
		}
		logs = append(logs, log)
		running.Go(func() {
			if err := cmd.Wait(); err != nil {
				cancel(fmt.Errorf("%s's process: %w", demoNames[i], err))
			}
			open() // or it never will be
		})
		<-opened // the others find a room that is there
	}
	running.Wait()
	if parent.Err() != nil {
		return nil, nil
	}
	if err := context.Cause(ctx); err != nil {
		for i, log := range logs {
			fmt.Fprintf(d.Stderr, "--- %s said:\n%s", demoNames[i], log.text.String())
		}
		return nil, err
	}
	return d.reports()
}

// command is a player's process. It leaves in good order when ctx ends; if that takes too long it is killed.
func (d demoGame) command(ctx context.Context, args []string, log *demoOutput) *exec.Cmd {
	cmd := exec.CommandContext(ctx, d.Program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), d.Env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 3 * time.Second
	return cmd
}

// demoOutput keeps what a process says, and calls opened once the room is open.
type demoOutput struct {
	mu     sync.Mutex
	text   bytes.Buffer
	opened func()
}

func (l *demoOutput) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if bytes.Contains(l.text.Bytes(), []byte("room is open")) {
		l.opened()
	}
	return len(b), nil
}
