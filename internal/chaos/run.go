package chaos

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// Runner plays plans.
type Runner struct {
	Program string // path of nettplay
	Core    string // path of the test core
	Dir     string // where each run gets a folder; it must be there
	Patient int    // how many times as long as it should a run may take; 0 for 4
}

// Folder is where a run has its files.
func (r *Runner) Folder(p *Plan) string { return filepath.Join(r.Dir, fmt.Sprintf("seed-%d", p.Seed)) }

// Run plays a plan and gathers what is left. When it returns nothing runs any more.
// The folder stays.
func (r *Runner) Run(ctx context.Context, p Plan) (o Outcome) {
	began := time.Now()
	dir := r.Folder(&p)
	run := &run{plan: &p, dir: dir, program: filepath.Join(dir, "nettplay"), runner: r, stop: make(chan struct{})}
	defer func() { o.Took = time.Since(began) }()
	if err := run.prepare(); err != nil {
		run.close()
		return Outcome{Trouble: err.Error()}
	}
	run.play(ctx)
	run.close()
	return run.outcome()
}

// run is one plan under way.
type run struct {
	plan     *Plan
	dir      string
	program  string
	rom      string
	runner   *Runner
	machines []*machine
	relays   []*impair.Relay // by machine; nil for the game host
	hung     []string
	acts     []Act
	stop     chan struct{}
	jobs     sync.WaitGroup
}

// prepare makes all files, the lines and the machines.
func (r *run) prepare() error {
	if err := os.RemoveAll(r.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	if err := place(r.runner.Program, r.program); err != nil {
		return err
	}
	roms, err := romstest.WriteFiles(r.dir, romstest.ROM{Name: "save.nds", Data: romstest.Save})
	if err != nil {
		return err
	}
	r.rom = roms[0]
	for n := range r.plan.Players {
		m, err := newMachine(r.plan, n, filepath.Join(r.dir, strings.ToLower(Name(n))), r.program)
		if err == nil {
			m.port, err = freePort()
		}
		if err != nil {
			return err
		}
		r.machines = append(r.machines, m)
	}
	for n, imp := range r.plan.Lines {
		var relay *impair.Relay
		if n > 0 {
			relay, err = impair.Start(impair.Config{
				Target: fmt.Sprintf("127.0.0.1:%d", r.machines[0].port), Seed: r.plan.Seed ^ uint64(n)<<32,
				Delay: imp.Delay, Jitter: imp.Jitter, Loss: imp.Loss, Duplicate: imp.Duplicate, Reorder: imp.Reorder, Bandwidth: imp.Bandwidth,
			})
		}
		if err != nil {
			return err
		}
		r.relays = append(r.relays, relay)
	}
	return os.WriteFile(filepath.Join(r.dir, "plan.txt"), []byte(r.plan.String()), 0o600)
}

// freePort is a UDP port that nobody uses now.
func freePort() (int, error) {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).Port, nil
}

// beginLimit is how long a game may take to begin.
const beginLimit = 90 * time.Second

// play starts the machines, does what is planned and waits for the end.
func (r *run) play(ctx context.Context) {
	core := ""
	if r.plan.Core == TestCore {
		core = r.runner.Core
	}
	for n, m := range r.machines {
		addr := ""
		if n > 0 {
			addr = r.relays[n].Addr()
		}
		if err := m.start(m.arguments(r.plan, core, r.rom, addr), m.environment(r.plan, true)); err != nil {
			r.hung = append(r.hung, err.Error())
			close(m.ended)
			return
		}
		if n == 0 && !r.until(ctx, beginLimit, func() bool { return strings.Contains(m.words(), "room is open") || m.over() }) {
			r.hang("the room never opened")
			return
		}
	}
	begun := func() bool {
		for _, m := range r.machines {
			if !strings.Contains(m.words(), "the game begins") && !m.over() {
				return false
			}
		}
		return true
	}
	if !r.until(ctx, beginLimit, begun) {
		r.hang("the game never began")
		return
	}
	r.doEvents(ctx)
	if !r.until(ctx, r.limit(), r.allOver) {
		r.hang("the game did not end")
	}
}

// doEvents does each event when its time comes, and notes when that really was.
func (r *run) doEvents(ctx context.Context) {
	began := time.Now()
	for _, e := range r.plan.Events {
		r.until(ctx, time.Until(began.Add(e.At)), r.allOver)
		if ctx.Err() != nil {
			return
		}
		if e.Kind != Fault {
			e.At = time.Since(began)
		}
		did, how := acts[e.Kind](r, e)
		r.acts = append(r.acts, Act{e, did, how})
	}
}

// limit is how long after the last event a run may take.
func (r *run) limit() time.Duration {
	patient := r.runner.Patient
	if patient == 0 {
		patient = 4
	}
	limit := time.Duration(r.plan.Frames)*frameTime + r.plan.Wait + 2*r.plan.Silence
	for _, e := range r.plan.Events {
		if e.Length < time.Minute {
			limit += e.Length
		}
	}
	return time.Duration(patient)*limit + time.Minute
}

// hang notes that somebody hangs, and asks where.
func (r *run) hang(words string) {
	for _, m := range r.machines {
		if m.cmd != nil && !m.over() {
			r.hung = append(r.hung, fmt.Sprintf("%s: %s's machine still runs", words, Name(m.number)))
			m.signal(syscall.SIGCONT)
			m.signal(syscall.SIGQUIT)
		}
	}
	r.until(context.Background(), 10*time.Second, r.allOver)
}

func (r *run) allOver() bool {
	for _, m := range r.machines {
		if m.cmd != nil && !m.over() {
			return false
		}
	}
	return true
}

func (r *run) alive(machine int) bool { return !r.machines[machine].over() }

// until waits for something, and tells whether it came true in time.
func (r *run) until(ctx context.Context, limit time.Duration, ok func() bool) bool {
	for end := time.Now().Add(limit); !ok(); {
		if time.Now().After(end) || ctx.Err() != nil || !r.pause(20*time.Millisecond) {
			return false
		}
	}
	return true
}

// pause waits, and tells whether the run goes on.
func (r *run) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.stop:
		return false
	}
}

// later does something after a while, or at the end of the run if that is sooner.
func (r *run) later(d time.Duration, do func()) {
	r.jobs.Go(func() {
		r.pause(d)
		do()
	})
}

// close ends all that still runs.
func (r *run) close() {
	close(r.stop)
	r.jobs.Wait()
	for _, m := range r.machines {
		if m.cmd != nil && m.cmd.Process != nil {
			m.signal(syscall.SIGKILL)
			<-m.ended
		}
	}
	for _, relay := range r.relays {
		if relay != nil {
			relay.Close()
		}
	}
}

// outcome gathers what is left. What still runs is given a moment: consoles end
// with the machine that they belong to, but not before it.
func (r *run) outcome() Outcome {
	o := Outcome{Hung: r.hung, Acts: r.acts}
	left := func() []proc { return processes(r.program) }
	for end := time.Now().Add(10 * time.Second); len(left()) > 0 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond)
	}
	for _, p := range left() {
		o.Leftover = append(o.Leftover, fmt.Sprintf("process %d, started by %d", p.pid, p.parent))
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	for _, m := range r.machines {
		if m.cmd == nil || m.cmd.ProcessState == nil {
			return Outcome{Trouble: strings.Join(append(r.hung, Name(m.number)+" was never started"), "; ")}
		}
		l := m.look(r.plan.Core)
		_ = os.WriteFile(m.at(wordsFile), []byte(l.Words), 0o600)
		o.Machines = append(o.Machines, l)
	}
	if v := r.plan.Verify; v >= 0 {
		r.verify(&o.Machines[v], r.machines[v])
	}
	return o
}

// verify plays a machine's recording again.
func (r *run) verify(l *Left, m *machine) {
	if _, err := os.Stat(m.at(recordingFile)); errors.Is(err, os.ErrNotExist) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	args := []string{"replay", "--verify", m.at(recordingFile)}
	if r.plan.Core == TestCore {
		args = append(args, "--core", r.runner.Core)
	}
	cmd := exec.CommandContext(ctx, r.program, args...)
	cmd.Env = m.environment(r.plan, false)
	out, err := cmd.CombinedOutput()
	l.Checked = true
	if err != nil {
		l.Replay = fmt.Sprintf("%v: %s", err, out)
	}
}
