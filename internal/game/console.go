package game

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/savestate"
)

// A Console is one console of a game: a worker process ([emucore.Console]), or a model of
// one in simulations. Its methods are those of emucore.Console, with the same promises. One
// goroutine at a time uses it, but for Close, which may come from any and ends a frame that
// runs.
type Console interface {
	Step(in inputdelay.Input) (emucore.Frame, error)
	Advance(in inputdelay.Input) (emucore.Frame, error) // without a picture
	SwitchOn() error                                    // if its game has switched it off
	Frame() int64
	Hash() (ds.Hash, error)
	Video() emucore.Video
	RAM() ([]byte, error)
	SRAM() ([]byte, error)
	Save() (emucore.State, error)
	Load(emucore.State) error
	Log() []string
	Close() error
}

// StartConsole makes a console, as [emucore.Start] does: equal configurations make consoles
// that stay equal under equal inputs. It may be called on any goroutine, and for several
// consoles at once. Nil starts worker processes.
type StartConsole func(context.Context, emucore.Config) (Console, error)

// OrProcess is start, or what starts a worker process.
func (start StartConsole) OrProcess() StartConsole {
	if start != nil {
		return start
	}
	return Starter(emucore.Start)
}

// Starter is a function that starts consoles of some type.
func Starter[C Console](start func(context.Context, emucore.Config) (C, error)) StartConsole {
	return func(ctx context.Context, cfg emucore.Config) (Console, error) {
		c, err := start(ctx, cfg)
		if err != nil {
			return nil, err // an untyped nil
		}
		return c, nil
	}
}

// ConsoleError is a console of ours that failed.
type ConsoleError struct {
	Seat  ds.Seat
	Frame int64
	Err   error
}

// Error says which console failed, when and how.
func (e *ConsoleError) Error() string {
	return fmt.Sprintf("the console of seat %v failed in frame %d: %v", e.Seat, e.Frame, e.Err)
}

// Unwrap gives the console's error.
func (e *ConsoleError) Unwrap() error { return e.Err }

// A Rewinder is a console that can go back ([emucore.Console] with Config.Rollback).
type Rewinder interface {
	// Returns reports whether it can.
	Returns() bool
	// StepFrom notes the console as it stands, at a place from 0 on, and then runs a frame.
	StepFrom(place int, in inputdelay.Input) (emucore.Frame, error)
	// AdvanceFrom is StepFrom without a picture.
	AdvanceFrom(place int, in inputdelay.Input) (emucore.Frame, error)
	// Return puts it back as it was noted. What was noted later is given up.
	Return(place int) error
}

// job is one thing that a console is to do.
type job struct {
	in   inputdelay.Input
	on   bool // switch it on first
	step bool // run a frame with in
	hash bool // then hash
	sram bool // then fetch the backup memory, if it has changed
	rewind
}

// rewind is a job's work besides its frame.
type rewind struct {
	guess  bool // it may be wrong: a snapshot comes before it
	back   bool // go back to the snapshot before a frame first
	place  int  // of the snapshot
	again  bool // a frame that was shown
	hidden bool // and is not the newest of them: it needs no picture
}

// An Outcome is the result of a console's frame. It is for [Game.Finish].
type Outcome struct {
	seat ds.Seat
	job  job
	took time.Duration // of the frame alone
	at   time.Time     // when the frame was done
	off  bool          // after the frame the console is switched off
	hash ds.Hash
	sram []byte
	err  error
}

// runner runs one console on a goroutine of its own, a job at a time, so that the consoles
// of a machine run side by side.
type runner struct {
	seat    ds.Seat
	console Console
	show    func(seat ds.Seat, f emucore.Frame) // called on the runner's goroutine; may be nil
	jobs    chan job
	done    chan<- Outcome
	stopped chan struct{}
	saved   uint64         // hash of the backup memory as last fetched; 0: there was none yet
	noted   map[int]uint64 // saved, by the place at which the console is noted
	quiet   quiet
}

// unknown is the hash of no backup memory in particular.
const unknown = 1

// startRunner takes ownership of the console. Outcomes are sent to done, which must have
// room for one outcome per runner, so that sending never blocks. Saved is the hash of the
// backup memory that needs not be fetched: that with which the console starts, 0 where it
// starts with none, unknown to fetch it with the first hash, whatever it is.
func startRunner(seat ds.Seat, c Console, show func(ds.Seat, emucore.Frame), done chan<- Outcome, saved uint64) *runner {
	r := &runner{seat: seat, console: c, show: show, jobs: make(chan job, 1), done: done, stopped: make(chan struct{}), saved: saved, noted: make(map[int]uint64)}
	go r.loop()
	return r
}

func (r *runner) loop() {
	defer close(r.stopped)
	for j := range r.jobs {
		if o := r.do(j); !r.quiet.keep(o) {
			r.done <- o
		}
	}
}

func (r *runner) do(j job) Outcome {
	out := Outcome{seat: r.seat, job: j}
	if out.err = r.prepare(j); out.err != nil {
		return out
	}
	if j.step {
		begun := time.Now()
		frame, err := r.step(j)
		out.at = time.Now()
		out.took = out.at.Sub(begun)
		if err != nil {
			out.err = err
			return out
		}
		out.off = frame.Off
		if r.show != nil {
			frame.Again = j.again
			r.show(r.seat, frame)
		}
	}
	if j.hash {
		out.hash, out.err = r.console.Hash()
	}
	if j.hash && j.sram && out.err == nil && out.hash.SRAM != r.saved {
		out.sram, out.err = r.console.SRAM()
		if r.saved == 0 && blank(out.sram) {
			out.sram = nil // the core has made room for it, the game has not written yet
		}
		r.saved = out.hash.SRAM
	}
	return out
}

// step runs a job's frame, with a picture if somebody sees it.
func (r *runner) step(j job) (emucore.Frame, error) {
	seen := r.show != nil && !j.hidden
	if j.guess {
		r.noted[j.place] = r.saved
	}
	switch {
	case j.guess && seen:
		return r.console.(Rewinder).StepFrom(j.place, j.in)
	case j.guess:
		return r.console.(Rewinder).AdvanceFrom(j.place, j.in)
	case seen:
		return r.console.Step(j.in)
	}
	return r.console.Advance(j.in)
}

// prepare brings a console to where a job begins.
func (r *runner) prepare(j job) error {
	if j.back {
		if err := r.console.(Rewinder).Return(j.place); err != nil {
			return err
		}
		r.saved = r.noted[j.place]
	}
	if j.on {
		return r.console.SwitchOn()
	}
	return nil
}

// blank reports whether backup memory is as it was made: nothing but one value.
func blank(sram []byte) bool {
	for _, b := range sram {
		if b != sram[0] || b != 0 && b != 0xFF {
			return false
		}
	}
	return true
}

// submit hands the runner its next job. The one before must be done.
func (r *runner) submit(j job) { r.jobs <- j }

// close ends the goroutine and the console and waits for both. A job under way ends with
// an error, since its console is closed beneath it.
func (r *runner) close() {
	close(r.jobs)
	r.console.Close()
	<-r.stopped
}

// release ends the goroutine when its job is done, and gives the console back.
func (r *runner) release() Console {
	close(r.jobs)
	<-r.stopped
	return r.console
}

// blocked is the number of goroutines that may be in calls of C without keeping others from running.
const blocked = 6

// MakeRoom lets more goroutines run at once than there are processors, unless the environment
// variable GOMAXPROCS says how many. It is for the whole program, once, at its start.
//
// A goroutine in a call of C, such as that of a picture which waits for the screen, keeps its place among those that
// may run until the runtime takes it away, some milliseconds later. With too few, the game would find no place when an
// answer comes or a frame is due: see docs/decisions/0065-cost-of-a-frame.md, and 0075.
func MakeRoom() {
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(runtime.NumCPU() + blocked)
	}
}

// Together does something for each of a list, side by side, and returns the first error
// in the order of the list.
func Together[T any](list []T, do func(i int, v T) error) error {
	errs := make([]error, len(list))
	var wait sync.WaitGroup
	for i, v := range list {
		wait.Go(func() { errs[i] = do(i, v) })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

// Expect has a store expect the states and saves of consoles that stand between
// two frames, and the air. States that cannot be had are left out. It runs on any goroutine.
func Expect(list []Console, radio *Radio, store *savestate.Store) {
	_ = Together(list, func(_ int, c Console) error {
		if state, err := c.Save(); err == nil {
			_ = store.Expect(savestate.KindState, state.Data)
		}
		if sram, err := c.SRAM(); err == nil && len(sram) > 0 {
			_ = store.Expect(savestate.KindSRAM, sram)
		}
		return nil
	})
	if b, err := radio.Save(); err == nil && b != nil {
		_ = store.Expect(savestate.KindAir, b)
	}
}
