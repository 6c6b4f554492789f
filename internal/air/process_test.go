//go:build unix

package air

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// childEnv makes this test binary a console: "seed consoles skew frames seat".
const childEnv = "NETTPLAY_AIR_TEST_CONSOLE"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		child(what)
	}
	os.Exit(m.Run())
}

// child plays a seat of a scenario in a process of its own, with the shared
// memory as descriptor 3, and prints what it has come to.
func child(what string) {
	sc := scenario{dies: -1}
	var seat ds.Seat
	if _, err := fmt.Sscan(what, &sc.seed, &sc.consoles, &sc.skew, &sc.frames, &seat); err != nil {
		panic(err)
	}
	mem, err := unix.Mmap(3, 0, sharedSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	rad := newRadio(sharedAt(mem), seat)
	p := newProgram(&sc, seat, 0)
	for p.frame < sc.frames {
		rad.begin()
		p.begin()
		playFrame(rad, p, func() {})
	}
	fmt.Println(p.h, p.events)
	os.Exit(0)
}

// worker is a child process, and what it has said.
type worker struct {
	cmd  *exec.Cmd
	said chan string
}

func startWorker(t *testing.T, a *Air, sc *scenario, seat ds.Seat) *worker {
	t.Helper()
	w := &worker{cmd: exec.Command(os.Args[0]), said: make(chan string, 1)}
	w.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %d %d %d", childEnv, sc.seed, sc.consoles, sc.skew, sc.frames, seat))
	w.cmd.ExtraFiles = []*os.File{a.File()}
	w.cmd.Stderr = os.Stderr
	out, err := w.cmd.StdoutPipe()
	if err == nil {
		err = w.cmd.Start()
	}
	must.Succeed(t, err)
	t.Cleanup(func() { w.cmd.Process.Kill() })
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		w.cmd.Wait()
		w.said <- line
	}()
	return w
}

// end waits for a worker's last word.
func (w *worker) end(t *testing.T, a *Air, seat ds.Seat) string {
	t.Helper()
	select {
	case line := <-w.said:
		return line
	case <-time.After(time.Minute):
		st, err := a.Status()
		t.Fatalf("seat %d never ended: %v, %+v", seat, err, st)
		return ""
	}
}

func startWorkers(t *testing.T, sc *scenario, serial bool) (*Air, []*worker) {
	t.Helper()
	a, err := New(Config{Skew: sc.skew, Serial: serial})
	must.Succeed(t, err)
	t.Cleanup(func() { a.Close() })
	return a, startOn(t, sc, a)
}

// startOn starts a worker for each console of a scenario.
func startOn(t *testing.T, sc *scenario, a *Air) []*worker {
	t.Helper()
	workers := make([]*worker, sc.consoles)
	for i := range workers {
		must.Succeed(t, a.Plug(ds.Seat(i)))
	}
	must.Succeed(t, errors.Join(a.Resume(), a.StopAt(sc.frames)))
	for i := range workers {
		workers[i] = startWorker(t, a, sc, ds.Seat(i))
	}
	return workers
}

// TestProcesses: consoles in processes of their own come to what the model says.
func TestProcesses(t *testing.T) {
	for seed, consoles := range []int{2, 3, 4, 8} {
		for _, serial := range []bool{false, true} {
			sc := &scenario{seed: uint64(seed), consoles: consoles, skew: seed % 3, frames: 60, stops: []int64{60}, dies: -1}
			m := newModel(sc.skew, 0)
			want := modelledEven(t, sc, m)
			a, workers := startWorkers(t, sc, serial)
			for i, w := range workers {
				if got, want := w.end(t, a, ds.Seat(i)), fmt.Sprintln(want.heard[i], want.count[i]); got != want {
					t.Errorf("%v: seat %d has heard %q, not %q", sc, i, got, want)
				}
			}
			st, err := a.Status()
			must.Succeed(t, err)
			if st.Chain != m.chain || st.Rounds != m.round || st.Packets != m.count {
				t.Errorf("%v: %d rounds, %d packets, chain %x, not %d, %d, %x", sc, st.Rounds, st.Packets, st.Chain, m.round, m.count, m.chain)
			}
		}
	}
}

// modelledEven plays a scenario in which nothing changes at the only stop.
func modelledEven(t *testing.T, sc *scenario, m *model) (o outcome) {
	t.Helper()
	d := &driver{sc: sc, m: m, rng: rand.New(rand.NewPCG(1, 1)), open: frameMax, stop: sc.frames}
	for i := range sc.consoles {
		m.plug(ds.Seat(i))
		d.who[i] = &driven{p: newProgram(sc, ds.Seat(i), 0)}
	}
	m.stopAt(sc.frames)
	must.Succeed(t, d.run())
	for i := range sc.consoles {
		o.heard[i], o.count[i] = d.who[i].p.h, d.who[i].p.events
	}
	return o
}

// TestKilled: whenever a worker is killed, the others go on, and the last ones leave an
// air in order.
func TestKilled(t *testing.T) {
	n := 24
	if testing.Short() {
		n = 8
	}
	for try := range n {
		sc := &scenario{seed: uint64(try), consoles: 2 + try%4, skew: try % 3, frames: 100000}
		a, workers := startWorkers(t, sc, try%2 == 1)
		time.Sleep(time.Duration(rand.IntN(40000)) * time.Microsecond)
		for _, i := range rand.Perm(sc.consoles)[1:] {
			workers[i].cmd.Process.Kill()
			workers[i].end(t, a, ds.Seat(i))
			must.Succeed(t, a.Dead(ds.Seat(i)))
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			going(t, a)
		}
	}
}

// going waits until some plugged console has finished another frame.
func going(t *testing.T, a *Air) {
	t.Helper()
	frames := func() (sum int64) {
		st, err := a.Status()
		must.Succeed(t, err)
		for _, c := range st.Consoles {
			if c.Plugged {
				sum += c.Frame
			}
		}
		return sum
	}
	first := frames()
	for deadline := time.Now().Add(time.Minute); frames() == first; time.Sleep(100 * time.Microsecond) {
		if time.Now().After(deadline) {
			st, _ := a.Status()
			t.Fatalf("nobody goes on: %+v", st)
		}
	}
}
