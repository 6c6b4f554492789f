package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/game"
	"github.com/nettplay/nettplay/internal/link/udp"
	"github.com/nettplay/nettplay/internal/session/notice"
	romstest "github.com/nettplay/nettplay/roms-test"
)

func demoCommand() command {
	return command{
		name: "demo", uses: onDemo, takes: "no argument",
		summary: "play a short test game, and show that all agree",
		help: `One process hosts, the others join it over the network (on this computer), all
press random keys, and at the end every console of every process is compared.
It needs no ROM: it plays a test program that is built in.

Example: nettplay demo --players 3 --out /tmp/demo`,
		preset: func(o *options) {
			o.play.frames, o.room.delay, o.room.players, o.out.folder = 600, 4, 2, "demo-out"
		},
		run: runDemo,
	}
}

func runDemo(ctx context.Context, c *call) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	err = playDemo(ctx, demoGame{
		Program: self, Env: []string{announceVariable + "=127.0.0.1:9"}, // nobody is to join this room
		Frames: c.play.frames, Delay: c.room.delay, Players: c.room.players, Out: c.out.folder, Core: c.core, Speed: c.play.speed,
		Stdout: c.env.stdout, Stderr: c.env.stderr,
	})
	exit, failed := errors.AsType[*exec.ExitError](err)
	switch {
	case failed && exit.ExitCode() > 0: // that of the process that failed first
		return &exitError{code: exit.ExitCode(), err: err, hint: "Its own words stand above"}
	case errors.Is(err, errDiffer):
		return &exitError{code: exitDesync, err: err, hint: "Please report it, with the files in " + c.out.folder}
	}
	return err
}

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

// maxDemoPlayers is the limit of processes that play.
const maxDemoPlayers = 4

var demoNames = [maxDemoPlayers]string{"Ann", "Bob", "Cleo", "Dan"}

// args is the command line of one player's process.
func (d demoGame) args(i int, work string, port int) []string {
	args := []string{"host", filepath.Join(work, "pad.nds"), "--port", strconv.Itoa(port), "--players", strconv.Itoa(d.Players), "--delay", strconv.Itoa(d.Delay)}
	if i > 0 {
		args = []string{"join", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), "--rom", filepath.Join(work, "pad.nds")}
	}
	if d.Core != "" {
		args = append(args, "--core", d.Core)
	}
	return append(args,
		"--headless", "--no-record", "--name", demoNames[i], "--speed", d.Speed, "--frames", strconv.FormatInt(d.Frames, 10),
		"--config", filepath.Join(work, fmt.Sprintf("config-%d.toml", i)),
		"--input", filepath.Join(work, fmt.Sprintf("input-%d.txt", i)),
		"--report", d.report(i), "--screenshot", d.picture(i))
}

func (d demoGame) report(i int) string {
	return filepath.Join(d.Out, strings.ToLower(demoNames[i])+".json")
}

func (d demoGame) picture(i int) string {
	return filepath.Join(d.Out, strings.ToLower(demoNames[i])+".png")
}

// errDiffer tells that some console is not the same on all machines.
var errDiffer = errors.New("the consoles are not equal on all machines")

func (d demoGame) reports() ([]notice.Report, error) {
	list := make([]notice.Report, d.Players)
	for i := range list {
		b, err := os.ReadFile(d.report(i))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(b, &list[i]); err != nil {
			return nil, fmt.Errorf("reading the report %s: %w", d.report(i), err)
		}
	}
	return list, nil
}

// conclude prints the table and fails unless all consoles are equal.
func (d demoGame) conclude(reports []notice.Report) error {
	equal := printDemoTable(d.Stdout, reports)
	fmt.Fprintln(d.Stdout)
	for i := range reports {
		fmt.Fprintf(d.Stdout, "%s saw: %s\n", demoNames[i], d.picture(i))
	}
	if !equal {
		return errDiffer
	}
	fmt.Fprintln(d.Stdout, "Every console is bit-identical on all machines.")
	return nil
}

// printDemoTable compares the consoles of all machines, a row a seat.
func printDemoTable(w io.Writer, reports []notice.Report) (equal bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nseat\towner\tframes\tdelay\tstalls\tbytes sent")
	for i := range reports {
		fmt.Fprintf(t, "\thash on %c", 'A'+i)
	}
	fmt.Fprint(t, "\tequal?\n")
	equal = true
	for row, s := range reports[0].Seats {
		var owner notice.Report
		if i := slices.Index(demoNames[:], s.Owner); i >= 0 && i < len(reports) {
			owner = reports[i] // seats go to who comes first
		}
		fmt.Fprintf(t, "%v\t%s\t%d\t%d\t%d\t%d", s.Seat, s.Owner, s.Frames, owner.Delay, owner.Stalls.Count, owner.BytesSent)
		same := s.Hash != 0
		for _, r := range reports {
			there := game.SeatReport{}
			if row < len(r.Seats) {
				there = r.Seats[row]
			}
			same = same && there.Hash == s.Hash && there.Frames == s.Frames
			fmt.Fprintf(t, "\t%v", there.Hash)
		}
		answer := "yes"
		if !same {
			answer, equal = "NO", false
		}
		fmt.Fprintf(t, "\t%s\n", answer)
	}
	t.Flush()
	return equal && len(reports[0].Seats) == len(reports)
}
