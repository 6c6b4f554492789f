package chaos

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/nettplay/nettplay/internal/testing/child"
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
	for n := range r.plan.Machines() {
		m, err := r.newMachine(n)
		if err != nil {
			return err
		}
		r.machines = append(r.machines, m)
		if n > 0 && n < r.plan.Players {
			if err := m.connect(r.machines[0]); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(r.dir, "plan.txt"), []byte(r.plan.String()), 0o600)
}

// play starts the machines, does what is planned and waits for the end.
func (r *run) play(ctx context.Context) {
	for n, m := range r.machines[:r.plan.Players] {
		if err := m.start(); err != nil {
			r.hung = append(r.hung, err.Error())
			return
		}
		if n == 0 && child.Until(ctx, beginLimit, func() bool { return m.said(opened) || m.run.Over() }) != nil {
			r.hang("the room never opened")
			return
		}
	}
	begun := func() bool {
		return !slices.ContainsFunc(r.machines[:r.plan.Players], func(m *machine) bool {
			return !m.said(begins) && !m.run.Over()
		})
	}
	if child.Until(ctx, beginLimit, begun) != nil {
		r.hang("the game never began")
		return
	}
	r.doEvents(ctx)
	r.playing = time.Now() // all may be over already
	if child.Until(ctx, r.limit(), func() bool { r.sendHome(); return r.allOver() }) != nil {
		r.hang("the game did not end")
	}
}

// homeAfter is the time that a room without a game is left to machines that came too late for it.
const homeAfter = 10 * time.Second

// sendHome makes machines leave that came and were not let into the game, some time after
// all others have gone: the room may have been handed to them, and they wait for players.
func (r *run) sendHome() {
	var home []*machine
	for _, m := range r.all() {
		switch {
		case m.run.Over():
		case m.number >= r.plan.Players && m.number < firstSpectator && !m.said(begins):
			home = append(home, m)
		default:
			r.playing = time.Now()
			return
		}
	}
	if time.Since(r.playing) < homeAfter {
		return
	}
	r.playing = time.Now()
	for _, m := range home {
		m.signal(syscall.SIGINT)
	}
}

// beginLimit is the time that a game may take to begin.
const beginLimit = 90 * time.Second

// doEvents does each event when its time comes, and notes when that really was.
func (r *run) doEvents(ctx context.Context) {
	r.began = time.Now()
	for _, e := range r.plan.Events {
		_ = child.Until(ctx, time.Until(r.began.Add(e.At)), r.allOver)
		if ctx.Err() != nil {
			return
		}
		if e.Kind != Fault {
			e.At = time.Since(r.began)
		}
		did, how := acts[e.Kind](r, e)
		r.acts = append(r.acts, Act{e, did, how})
	}
}

// limit returns the time that a run may take after the last event.
func (r *run) limit() time.Duration {
	limit := time.Duration(r.plan.Frames)*frameTime + r.plan.Wait + 2*r.plan.Silence
	for _, e := range r.plan.Events {
		if e.Length < time.Minute {
			limit += e.Length
		}
	}
	limit += time.Duration(len(r.plan.Late)) * 10 * time.Second
	return time.Duration(cmp.Or(r.runner.Patient, 4))*limit + time.Duration(r.plan.Frames)*r.plan.late() + time.Minute
}

// hang notes that somebody hangs, and asks where.
func (r *run) hang(words string) {
	for _, m := range r.all() {
		if !m.run.Over() {
			r.hung = append(r.hung, fmt.Sprintf("%s: %s's machine still runs", words, Name(m.number)))
			m.signal(syscall.SIGCONT)
			m.signal(syscall.SIGQUIT)
		}
	}
	_ = child.Until(context.Background(), 10*time.Second, r.allOver)
}

// close ends all that still runs.
func (r *run) close() {
	close(r.stop)
	r.jobs.Wait()
	for _, m := range r.all() {
		if m.run != nil {
			m.signal(syscall.SIGKILL)
			<-m.run.Ended
		}
		if m.line != nil {
			m.line.Close()
		}
	}
}

// outcome gathers what is left. Running processes get a moment: consoles end
// with the machine that they belong to, but not before it.
func (r *run) outcome() Outcome {
	o := Outcome{Hung: r.hung, Acts: r.acts}
	_ = child.Until(context.Background(), 10*time.Second, func() bool { return len(child.Of(r.program)) == 0 })
	for _, p := range child.Of(r.program) {
		o.Leftover = append(o.Leftover, fmt.Sprintf("process %d, started by %d", p.ID, p.Parent))
		_ = syscall.Kill(p.ID, syscall.SIGKILL)
	}
	for _, m := range r.all() {
		switch {
		case m.run != nil:
		case m.number >= firstSpectator: // it could not be started
			continue
		case m.number >= r.plan.Players:
			o.Machines = append(o.Machines, Left{Absent: true})
			continue
		default:
			return Outcome{Trouble: strings.Join(append(r.hung, Name(m.number)+" was never started"), "; ")}
		}
		l := m.look(r.plan.Core)
		l.Brought, l.Until = m.brought, m.run.OverAt.Sub(r.began)
		_ = os.WriteFile(m.At(wordsFile), []byte(l.Words), 0o600)
		if m.number < firstSpectator {
			o.Machines = append(o.Machines, l)
		} else {
			o.Spectators = append(o.Spectators, l)
		}
	}
	o.recorded(r.plan, func(n int) string { return r.machines[n].At(recordingFile) })
	if v := r.plan.Verify; v >= 0 {
		r.verify(&o.Machines[v], r.machines[v])
	}
	return o
}

// verify plays a machine's recording again.
func (r *run) verify(l *Left, m *machine) {
	if _, err := os.Stat(m.At(recordingFile)); errors.Is(err, os.ErrNotExist) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.program, append([]string{"replay", "--verify", m.At(recordingFile)}, r.core()...)...)
	cmd.Env = append(m.Environment(), m.environment(false)...)
	out, err := cmd.CombinedOutput()
	l.Checked = true
	if err != nil {
		l.Replay = fmt.Sprintf("%v: %s", err, out)
	}
}
