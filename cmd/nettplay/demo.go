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
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// demo is a whole game between processes on this machine, to see that
// everything works here.
type demo struct {
	frames  int64
	delay   int
	players int
	out     string
	core    string
	speed   string
}

func demoCommand() command {
	return command{
		name: "demo", uses: onDemo, takes: "no argument",
		summary: "play a short game between processes on this machine, and show that they agree",
		help: `One process hosts, the others join it over the network (on this machine), all
press random keys, and at the end every console of every process is compared.
It needs no ROM: it plays a test program that is built in.

Example: nettplay demo --players 3 --out /tmp/demo`,
		preset: func(o *options) {
			o.play.frames, o.room.delay, o.room.players, o.out.folder = 600, 4, 2, "demo-out"
		},
		check: func(c *call) error { return c.checkSpeed() },
		run: func(ctx context.Context, c *call) error {
			d := demo{frames: c.play.frames, delay: c.room.delay, players: c.room.players, out: c.out.folder, core: c.core, speed: c.play.speed}
			return d.run(ctx, c.env)
		},
	}
}

func (d *demo) run(ctx context.Context, env *environment) error {
	if err := os.MkdirAll(d.out, 0o755); err != nil {
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
	port, err := link.FreePort()
	if err != nil {
		return fmt.Errorf("finding a free UDP port: %w", err)
	}
	fmt.Fprintf(env.stdout, "%d players, %d frames of random input, input delay %d: about %d s ...\n",
		d.players, d.frames, d.delay, d.frames/60+2)
	reports, err := d.play(ctx, env, work, port)
	if err != nil {
		return err
	}
	if reports == nil {
		fmt.Fprintln(env.stdout, "The demo was stopped.")
		return nil
	}
	return d.conclude(env, reports)
}

// prepare writes the ROM, a config that touches nothing of the user's, and a
// script of inputs for each player.
func (d *demo) prepare(work string) error {
	if err := os.WriteFile(filepath.Join(work, "pad.nds"), romstest.Pad, 0o600); err != nil {
		return err
	}
	for i := range d.players {
		f, err := os.Create(filepath.Join(work, fmt.Sprintf("input-%d.txt", i)))
		if err != nil {
			return err
		}
		_, err = inputdelay.RandomScript(uint64(i)+1, d.frames).WriteTo(f)
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

var demoNames = []string{"Ann", "Bob", "Cleo", "Dan"}

// args is the command line of one player's process.
func (d *demo) args(i int, work string, port int) []string {
	args := []string{"host", filepath.Join(work, "pad.nds"), "--port", strconv.Itoa(port), "--players", strconv.Itoa(d.players), "--delay", strconv.Itoa(d.delay)}
	if i > 0 {
		args = []string{"join", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), "--rom", filepath.Join(work, "pad.nds")}
	}
	if d.core != "" {
		args = append(args, "--core", d.core)
	}
	return append(args,
		"--headless", "--no-record", "--name", demoNames[i], "--speed", d.speed, "--frames", strconv.FormatInt(d.frames, 10),
		"--config", filepath.Join(work, fmt.Sprintf("config-%d.toml", i)),
		"--input", filepath.Join(work, fmt.Sprintf("input-%d.txt", i)),
		"--report", d.report(i), "--screenshot", d.picture(i))
}

func (d *demo) report(i int) string {
	return filepath.Join(d.out, strings.ToLower(demoNames[i])+".json")
}

func (d *demo) picture(i int) string {
	return filepath.Join(d.out, strings.ToLower(demoNames[i])+".png")
}

// play runs all processes to their end and reads their reports; there are none
// when it was stopped.
func (d *demo) play(parent context.Context, env *environment, work string, port int) ([]session.Report, error) {
	ctx, cancel := context.WithCancel(parent)
	defer cancel()
	logs := make([]demoLog, d.players)
	opened := make(chan struct{})
	logs[0].opened = sync.OnceFunc(func() { close(opened) })
	ended := make(chan error, d.players)
	var failed error
	running := 0
	for i := range d.players {
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
			fmt.Fprintf(env.stderr, "--- %s said:\n%s", demoNames[i], logs[i].text.String())
		}
		return nil, d.failure(failed)
	}
	return d.reports()
}

// start starts one player's process; how it ended is sent to ended.
func (d *demo) start(ctx context.Context, i int, args []string, log *demoLog, ended chan<- error) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.Env = append(os.Environ(), announceVariable+"=127.0.0.1:9") // nobody is to join this room
	// They leave in good order; those that take too long are killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 3 * time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting %s's process: %w", demoNames[i], err)
	}
	go func() {
		err := cmd.Wait()
		if err != nil {
			err = fmt.Errorf("%s's process: %w", demoNames[i], err)
		}
		ended <- err
		log.end()
	}()
	return nil
}

// failure passes on the exit code of the process that failed first.
func (d *demo) failure(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return &exitError{code: exit.ExitCode(), err: err}
	}
	return err
}

// demoLog keeps what a process says, and calls opened once the room is open or
// will not be.
type demoLog struct {
	mu     sync.Mutex
	text   bytes.Buffer
	opened func()
}

func (l *demoLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.Write(b)
	if l.opened != nil && bytes.Contains(l.text.Bytes(), []byte("room is open")) {
		l.opened()
	}
	return len(b), nil
}

func (l *demoLog) end() {
	if l.opened != nil {
		l.opened()
	}
}

func (d *demo) reports() ([]session.Report, error) {
	list := make([]session.Report, d.players)
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
func (d *demo) conclude(env *environment, reports []session.Report) error {
	equal := printTable(env.stdout, reports)
	fmt.Fprintln(env.stdout)
	for i := range reports {
		fmt.Fprintf(env.stdout, "What %s saw: %s\n", demoNames[i], d.picture(i))
	}
	if !equal {
		return &exitError{code: exitDesync, err: errors.New("the consoles are not equal on all machines")}
	}
	fmt.Fprintln(env.stdout, "Every console is bit-identical on all machines.")
	return nil
}

// printTable compares the consoles of all machines, a row a seat.
func printTable(w io.Writer, reports []session.Report) (equal bool) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "\nseat\towner\tframes\tdelay\tstalls\tbytes sent")
	for i := range reports {
		fmt.Fprintf(t, "\thash on %c", 'A'+i)
	}
	fmt.Fprint(t, "\tequal?\n")
	equal = true
	for row, s := range reports[0].Seats {
		var owner session.Report
		if i := slices.Index(demoNames, s.Owner); i >= 0 && i < len(reports) {
			owner = reports[i] // seats go to who comes first
		}
		fmt.Fprintf(t, "%d\t%s\t%d\t%d\t%d\t%d", s.Seat+1, s.Owner, s.Frames, owner.Delay, owner.Stalls.Count, owner.BytesSent)
		same := s.Hash != 0
		for _, r := range reports {
			there := session.SeatReport{}
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
