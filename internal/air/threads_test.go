package air

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// TestThreads: consoles that run at the same time, delayed at random, meet in
// the shared memory and come to what the model says, in parallel and one at a
// time.
func TestThreads(t *testing.T) {
	seeds := uint64(12)
	if testing.Short() {
		seeds = 4
	}
	for _, procs := range []int{1, 2, 4} {
		for _, serial := range []bool{false, true} {
			t.Run(fmt.Sprintf("procs=%d,serial=%v", procs, serial), func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
				for seed := range seeds {
					sc := newScenario(seed, []int{2, 3, 4, 8, 16}[seed%5], int(seed%3), 16)
					want := modelled(t, sc, 1)
					got := playThreads(t, sc, Config{Skew: sc.skew, Serial: serial, Plain: sc.plain})
					if err := got.differs(&want); err != nil {
						t.Fatalf("%v: %v", sc, err)
					}
				}
			})
		}
	}
}

// room is a scenario played with a thread for each console.
type room struct {
	t   *testing.T
	sc  *scenario
	cfg Config
	air *Air
	on  [ds.MaxSeats]*program
	rad [ds.MaxSeats]*radio

	mu    sync.Mutex
	moved *sync.Cond
	open  int64
	over  int
	trace []Record
	busy  atomic.Int32 // consoles that run, as long as they loiter
}

// alone checks that in serial mode nobody else runs.
func (r *room) alone() {
	if n := r.busy.Add(1); n > 1 && r.cfg.Serial {
		r.t.Errorf("%d consoles run at a time", n)
	}
}

func playThreads(t *testing.T, sc *scenario, cfg Config) (o outcome) {
	// A thread that waits in C cannot be interrupted: nothing but the end of
	// the process helps against a deadlock.
	watchdog := time.AfterFunc(time.Minute, func() {
		fmt.Fprintf(os.Stderr, "deadlock: %v, %+v\n", sc, cfg)
		os.Exit(3)
	})
	defer watchdog.Stop()
	r := &room{t: t, sc: sc, cfg: cfg, open: frameMax}
	r.moved = sync.NewCond(&r.mu)
	r.enter()
	var ended [ds.MaxSeats]*program
	for i := range sc.consoles {
		r.must(r.air.Plug(ds.Seat(i)))
		r.on[i] = newProgram(sc, ds.Seat(i), 0)
		ended[i] = r.on[i]
	}
	if sc.window > 0 {
		r.raise(sc.window)
	}
	for _, stop := range sc.stops {
		r.must(r.air.StopAt(stop))
		r.round(stop)
		r.atStop(stop, &ended, &o)
	}
	r.drain()
	o.trace = r.trace
	for i, p := range ended {
		if p != nil {
			o.heard[i], o.count[i] = p.h, p.events
		}
	}
	r.must(r.air.Close())
	return o
}

func (r *room) must(err error) {
	must.Succeed(r.t, err)
}

// enter moves the room to a new air.
func (r *room) enter() {
	a, err := New(r.cfg)
	r.must(err)
	r.air = a
	for i := range r.rad {
		r.rad[i] = newRadio(a.in, ds.Seat(i))
	}
}

func (r *room) raise(open int64) {
	r.must(r.air.Open(open))
	r.mu.Lock()
	r.open = open
	r.mu.Unlock()
	r.moved.Broadcast()
}

func (r *room) drain() {
	got, lost, err := r.air.Trace()
	r.must(err)
	if lost > 0 {
		r.t.Fatalf("%d records were lost", lost)
	}
	r.trace = append(r.trace, got...)
}

// round runs all consoles up to stop.
func (r *room) round(stop int64) {
	var all sync.WaitGroup
	r.over = 0
	n := 0
	for i, p := range r.on {
		if p == nil {
			continue
		}
		n++
		all.Go(func() {
			r.play(ds.Seat(i), p, stop)
			r.mu.Lock()
			r.over++
			r.mu.Unlock()
		})
	}
	for done := false; !done; {
		time.Sleep(200 * time.Microsecond)
		r.drain()
		r.mu.Lock()
		open := r.open
		done = r.over == n
		r.mu.Unlock()
		if open < stop {
			r.raise(open + 1)
		}
	}
	all.Wait()
	r.drain()
}

func (r *room) play(seat ds.Seat, p *program, stop int64) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for p.frame < stop {
		r.mu.Lock()
		for p.frame >= r.open {
			r.moved.Wait()
		}
		r.mu.Unlock()
		loiter(rng)
		r.rad[seat].follow(p.leader, p.behind, p.ahead)
		r.rad[seat].begin()
		p.begin()
		if !playFrame(r.rad[seat], p, func() { r.alone(); loiter(rng); r.busy.Add(-1) }) {
			r.on[seat] = nil
			if err := r.air.Dead(seat); err != nil {
				r.t.Error(err)
			}
			return
		}
	}
}

// playFrame returns false if the console dies in it.
func playFrame(rad *radio, p *program, delay func()) bool {
	for {
		delay()
		op := p.next()
		rad.follow(p.leader, p.behind, p.ahead)
		switch op.kind {
		case evGone:
			return false
		case evEnd, evEndSilent:
			p.frame++
			rad.end()
			return true
		case evSend:
			rad.send(op.data, op.to)
		default:
			p.hear(rad.poll(op.kind))
		}
	}
}

func loiter(rng *rand.Rand) {
	switch rng.IntN(200) {
	case 0:
		time.Sleep(time.Duration(rng.IntN(300)) * time.Microsecond)
	case 1, 2, 3, 4:
		runtime.Gosched()
	}
}

func (r *room) atStop(stop int64, ended *[ds.MaxSeats]*program, o *outcome) {
	seat, move := r.sc.change(stop)
	switch {
	case seat >= 0 && r.on[seat] != nil:
		r.must(r.air.Unplug(seat))
		r.on[seat] = nil
	case seat >= 0:
		r.must(r.air.Plug(seat))
		r.on[seat] = newProgram(r.sc, seat, stop)
		if stop < r.sc.frames {
			ended[seat] = r.on[seat]
		}
	}
	saved, err := r.air.Save()
	r.must(err)
	o.saves = append(o.saves, saved)
	if move {
		old := r.air
		r.enter()
		r.must(r.air.Restore(saved))
		r.must(old.Close())
		if r.open < frameMax {
			r.must(r.air.Open(r.open))
		}
	}
	if stop < r.sc.frames {
		r.must(r.air.Resume())
	}
}
