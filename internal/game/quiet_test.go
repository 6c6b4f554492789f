package game

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

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
		if o := <-done; o.err != nil || len(done) > 0 || r.collect() {
			t.Fatalf("a second outcome, or %v", o.err)
		}
		r.close()
	}
}
