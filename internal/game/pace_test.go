package game

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/mirror"
)

func TestPacerKeepsTheConsolesRate(t *testing.T) {
	var p pacer
	start := time.Unix(0, 0)
	now := start
	for range 6000 {
		if w := p.wait(now); w > 0 {
			now = now.Add(w)
		}
		p.frameBegan(now)
	}
	want := 5999 / ds.FrameRate
	if got := now.Sub(start).Seconds(); math.Abs(got-want) > 0.001 {
		t.Errorf("6000 frames began over %.4f s, want %.4f", got, want)
	}
}

func TestPacerCatchesUpShortDelaysOnly(t *testing.T) {
	frame := ds.FrameTime(1)
	run := func(late time.Duration) time.Duration {
		var p pacer
		now := time.Unix(0, 0)
		p.frameBegan(now)
		now = now.Add(frame + late)
		p.frameBegan(now)
		return p.wait(now)
	}
	if w := run(20 * time.Millisecond); w >= frame-time.Millisecond {
		t.Errorf("after 20 ms late the next frame waits %v: the delay is not caught up", w)
	}
	if w := run(500 * time.Millisecond); w < frame-time.Millisecond {
		t.Errorf("after 500 ms late the next frame waits only %v: the game sprints", w)
	}
}

// Two machines that start 10 frames apart, over a line that takes 3 frames
// each way, end within a frame and a half of each other.
func TestPacersDriftTogether(t *testing.T) {
	const line = 3
	var a, b pacer
	fa, fb := []int64{10}, []int64{0} // local frame at each millisecond
	at := func(f []int64, ms int) int64 { return f[max(ms, 0)] }
	for ms := 1; ms < 120_000; ms++ {
		now := time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond)
		step := func(p *pacer, mine, theirs []int64) int64 {
			f := mine[ms-1]
			if p.wait(now) > 0 {
				return f
			}
			p.frameBegan(now)
			there := ms - line*17 // when what arrives now was sent
			p.measure(lead(f, at(theirs, there), at(theirs, there), at(mine, there-line*17)))
			return f + 1
		}
		na, nb := step(&a, fa, fb), step(&b, fb, fa)
		fa, fb = append(fa, na), append(fb, nb)
	}
	if d := fa[len(fa)-1] - fb[len(fb)-1]; d < -2 || d > 2 {
		t.Errorf("after two minutes the machines are %d frames apart", d)
	}
}

func TestPacerTrimIsBounded(t *testing.T) {
	frame := float64(time.Second) / ds.FrameRate
	for _, frames := range []float64{-1e9, -16, 0, 16, 1e9} {
		var p pacer
		for range 1000 {
			p.measure(frames)
		}
		if r := float64(p.period())/frame - 1; r > hurry+1e-6 || r < -hurry-1e-6 {
			t.Errorf("lead %g trims by %.4f", frames, r)
		}
	}
}

func TestPercentiles(t *testing.T) {
	var d Durations
	if d.Percentile(0.99) != 0 {
		t.Error("a percentile of nothing is not 0")
	}
	for i := range 1000 {
		d.add(time.Duration(i) * 100 * time.Microsecond) // 0 to 99.9 ms
	}
	d.add(time.Hour) // must not write out of the buckets
	d.add(-time.Hour)
	if got := d.Report(); got.P50 < 49 || got.P50 > 51 || got.P99 < 98 || got.P99 > 100 {
		t.Errorf("got %+v, want about 50 and 99 ms", got)
	}
	for _, x := range []struct {
		above time.Duration
		want  uint64
	}{{-time.Second, 1000}, {50 * time.Millisecond, 500}, {98950 * time.Microsecond, 11}, {time.Second, 0}} {
		if got := d.Above(x.above); got != x.want {
			t.Errorf("%d above %v, want %d", got, x.above, x.want)
		}
	}
}

// The outcome of a frame from which nothing follows yet waits until the game is looked at; when our next frame is due it is
// there, and one for which something waits comes by itself.
func TestQuietOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, err := New(Config{
			Round: 1, Delay: 1, HashEvery: 1000, Machines: []int{0, 1}, Horizon: ds.Horizon{Frame: 1000}, Quiet: true,
			Seats:  []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}},
			Sample: func(ds.Seat, int64) inputdelay.Input { return inputdelay.Input{} },
		})
		must.Succeed(t, err)
		defer g.Close()
		heard := func() (n int) {
			for synctest.Wait(); len(g.done) > 0; n++ {
				must.Succeed(t, g.Finish(<-g.done))
			}
			return n
		}
		look := func() {
			g.Collect()
			heard()
			must.Succeed(t, g.Advance(time.Now()))
			g.Datagrams(time.Now(), func(int, []byte) {})
		}
		look() // frame 0 of both, whose inputs are neutral
		if n := heard(); n != 0 || !g.Busy() {
			t.Fatalf("%d outcomes of the first frame came by themselves", n)
		}
		if wait := g.Wake(time.Now()); wait <= 0 || wait > time.Second/59 {
			t.Fatalf("the game wants to be looked at after %v", wait)
		}
		time.Sleep(g.pace.wait(time.Now()))
		look()
		if own, other := g.seats[0], g.seats[1]; own.frame != 1 || !own.busy || other.frame != 1 || other.busy {
			t.Fatalf("when the next frame is due ours has done %d frames, busy %v, the other %d, busy %v", own.frame, own.busy, other.frame, other.busy)
		}
		must.Succeed(t, g.Put(1, 1, inputdelay.Input{}))
		must.Succeed(t, g.Put(1, 2, inputdelay.Input{}))
		look() // ours is through with frame 1, and the other begins it
		must.Succeed(t, g.Advance(time.Now()))
		if n := heard(); n != 1 || g.seats[1].frame != 2 {
			t.Errorf("%d outcomes came by themselves of a console whose next input is here; it has done %d frames", n, g.seats[1].frame)
		}
	})
}

// An outcome is heard of once, whether it is done before or after it is waited for.
func TestAQuietOutcomeIsHeardOnce(t *testing.T) {
	for range 200 {
		done := make(chan Outcome, 2)
		r := startRunner(0, model.Bare(), nil, done, 0)
		r.quiet.state.Store(still)
		r.submit(job{step: true})
		r.hurry()
		o := <-done
		if r.collect(); o.err != nil || len(done) > 0 {
			t.Fatalf("a second outcome, or %v", o.err)
		}
		r.close()
	}
}

// A console that nobody plays any more gets the player's inputs up to some frame, and then
// nothing, for as long as the game lasts.
func TestIdleInputs(t *testing.T) {
	queue, err := inputdelay.NewQueue(0, 4)
	must.Succeed(t, err)
	g := &Game{host: 9, feed: feed{out: mirror.NewHost(), pressure: new(mirror.Pressure)}, seats: []*seat{{number: 1, owner: 1, queue: queue, end: Never}}}
	for f := int64(4); f < 50; f++ {
		must.Succeed(t, queue.Put(f, inputdelay.Input{Keys: inputdelay.KeyA}))
	}
	must.Succeed(t, g.idle(timeline.Decision{Kind: timeline.Idle, Seat: 1, Frame: 60, InputEnd: 40}))
	for f := range int64(5000) {
		in, ok := queue.At(f)
		if want := f >= 4 && f < 40; !ok || (in != inputdelay.Input{}) != want {
			t.Fatalf("frame %d: %v, %v", f, in, ok)
		}
		queue.Forget(f)
	}
	if s := g.seats[0]; !s.vacant() || s.left || s.end != Never || g.TakesPart(1) {
		t.Errorf("%+v", s)
	}
	if err := g.idle(timeline.Decision{Seat: 5}); err == nil {
		t.Error("a seat that there is not")
	}
}

// apart is by how many frames the machines' local frames differ, at most.
func (w *world) apart() int64 {
	first, last := int64(Never), int64(0)
	for _, m := range w.machines {
		first, last = min(first, m.g.begun), max(last, m.g.begun)
	}
	return last - first
}

// Machines that hear of the beginning one after the other begin together, by what they wait.
func TestMachinesBeginTogether(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		t.Run(fmt.Sprintf("%d machines", machines), func(t *testing.T) {
			w := newWorld(t, 1, machines, 16)
			w.steady = true
			last := time.Duration(0)
			for i := range w.machines[1:] {
				last = time.Duration(70+40*i) * time.Millisecond
				w.set(even(last, 0), i+1)
			}
			for i, m := range w.machines {
				way := time.Duration(0)
				if i > 0 {
					way = w.lines[0][i].Delay
				}
				m.begins = w.Time().Add(way)
				m.g.Stagger(last - way)
			}
			w.run(3*time.Second, func(ms int) {
				if ms > 200 && w.apart() > 1 {
					t.Fatalf("%d ms after the start machines are %d frames apart", ms, w.apart())
				}
				if ms == 1000 {
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}

// A machine that heard nothing of the other for a while has stood, and is back in step soon after; one whose
// line was dark both ways never was out of it. One that slept is as one that stood.
func TestBackInStepAfterStanding(t *testing.T) {
	for _, c := range []struct {
		name string
		cut  []int // from whom nothing arrives
	}{
		{"to the client", []int{0}},
		{"to the game host", []int{1}},
		{"both ways", []int{0, 1}},
		{"asleep", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 5, 2, 6)
			w.steady = true
			w.set(even(50*time.Millisecond, 10*time.Millisecond))
			const from, until = 3000, 3700
			widest, back := int64(0), 0
			w.run(8*time.Second, func(ms int) {
				for _, m := range c.cut {
					w.lines[m][1-m].Dark = ms >= from && ms < until
				}
				if c.cut == nil && ms == from {
					w.machines[1].begins = w.Time().Add((until - from) * time.Millisecond) // it does nothing
				}
				if ms >= until {
					widest = max(widest, w.apart())
					if w.apart() > outOfStep+1 {
						back = ms - until
					}
				}
				if ms == 7000 {
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
			t.Logf("up to %d frames apart, in step %d ms after the line was there again", widest, back)
			if back > 2000 {
				t.Errorf("machines are out of step for %d ms after the line was there again, by up to %d frames", back, widest)
			}
		})
	}
}

// Only who has stood makes haste, and only while it is behind.
func TestHaste(t *testing.T) {
	frame := ds.FrameTime(1)
	shortest := func(late time.Duration, lead float64, follows bool) time.Duration {
		p := pacer{follows: follows}
		now := time.Unix(0, 0)
		p.frameBegan(now)
		now = now.Add(frame + late)
		p.frameBegan(now)
		least := frame
		for range 120 {
			p.measure(lead)
			now = p.due
			p.frameBegan(now)
			least = min(least, p.due.Sub(now))
		}
		return least
	}
	for _, c := range []struct {
		name    string
		late    time.Duration
		lead    float64
		follows bool
		hastens bool
	}{
		{"stood and is behind", 400 * time.Millisecond, -10, false, true},
		{"seems behind", 0, -10, false, false},
		{"was late for a moment", 90 * time.Millisecond, -10, false, false},
		{"stood and is not behind", 400 * time.Millisecond, 0, false, false},
		{"stood as the others did, for long", time.Minute, -1, false, false},
		{"has another clock to follow", 400 * time.Millisecond, -10, true, false},
	} {
		if got := shortest(c.late, c.lead, c.follows); got < frame*9/10 != c.hastens || got < frame*3/4 {
			t.Errorf("%s: the shortest frame takes %v", c.name, got)
		}
	}
}

// Time that was stood is made good once, and not kept for another day.
func TestHasteEnds(t *testing.T) {
	var p pacer
	p.stood(time.Hour)
	sum := time.Duration(0)
	for range 2000 {
		p.measure(-16)
		sum += p.haste()
	}
	if sum != maxBehind {
		t.Errorf("%v were made good", sum)
	}
	p.stood(time.Second)
	for range surely {
		p.measure(0)
	}
	p.haste()
	for range 100 {
		p.measure(-16)
	}
	if by := p.haste(); by != 0 {
		t.Errorf("hastens by %v for what was long ago", by)
	}
}

// A game that ran as fast as it could goes on at its rate at once.
func TestLimitedAgain(t *testing.T) {
	g := Game{pace: pacer{}}
	now := time.Unix(0, 0)
	g.SetUnlimited(true)
	for range 6000 {
		g.pace.frameBegan(now)
	}
	g.SetUnlimited(false)
	if w := g.pace.wait(now); w > 0 {
		t.Errorf("waits %v", w)
	}
}
