package game

import (
	"sync"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// pair is a game on this machine and another machine's, whose consoles cost
// nothing, so that the load is that of one machine.
type pair struct {
	b           *testing.B
	here, there *Game
	now         time.Time
}

func newPair(b *testing.B, consoles [2]Console) *pair {
	scripts := [2]*inputdelay.Script{scripted(0, 1), scripted(1, 1)}
	p := &pair{b: b, now: time.Unix(0, 0)}
	for me := range 2 {
		cfg := Config{
			Round: 1, Me: me, Host: 0, Delay: 4, HashEvery: 60, Unlimited: true, Machines: []int{0, 1},
			Sample:  func(_ ds.Seat, frame int64) inputdelay.Input { return scripts[me].At(frame % 4000) },
			Horizon: ds.Horizon{Frame: timeline.Margin(4)},
		}
		for seat := range 2 {
			var c Console = model.Bare()
			if me == 0 {
				c = consoles[seat]
			}
			cfg.Seats = append(cfg.Seats, SeatConfig{Seat: ds.Seat(seat), Owner: seat, Console: c})
		}
		g, err := New(cfg)
		must.Succeed(b, err)
		b.Cleanup(g.Close)
		if me == 0 {
			p.here = g
		} else {
			p.there = g
		}
	}
	return p
}

// step lets both machines do what they can at a time.
func (p *pair) step(now time.Time) {
	p.here.feed.horizon.Frame = max(p.here.feed.horizon.Frame, p.here.Slowest()+timeline.Margin(4))
	p.move(p.here, p.there, now)
	p.move(p.there, p.here, now)
}

func (p *pair) move(from, to *Game, now time.Time) {
	must.Succeed(p.b, from.Advance(now))
	if from.Due(now) > 0 {
		return
	}
	from.Datagrams(now, func(_ int, data []byte) {
		must.Succeed(p.b, to.Receive(now, from.me, data))
	})
}

// take hands over the outcome of a console, here or there.
func (p *pair) take(wait <-chan time.Time) {
	var err error
	select {
	case r := <-p.here.done:
		err = p.here.Finish(r)
	case r := <-p.there.done:
		err = p.there.Finish(r)
	case <-wait:
	}
	must.Succeed(p.b, err)
	p.here.Hashed()
	p.there.Hashed()
}

// run plays until both consoles here have done so many frames more.
func (p *pair) run(frames int64) {
	end := p.here.Slowest() + frames
	for p.here.Slowest() < end {
		p.step(time.Now())
		p.take(time.After(time.Millisecond))
	}
}

const warm = 60 // frames until the program draws

// BenchmarkSession2Consoles is a frame of a game with two consoles on this
// machine, against a frame of one console alone in the same run. The goal is
// 1.15 times as long at most, with two processors. The time of two consoles that
// run side by side without a game tells how much of it is the processors' doing.
func BenchmarkSession2Consoles(b *testing.B) {
	core, game := model.DeSmuME(b), model.ROM(b, romstest.Draw3D) // the heaviest of the test programs
	bare := [2]*emucore.Console{model.StartConsole(b, core, game), model.StartConsole(b, core, game)}
	p := newPair(b, [2]Console{model.StartConsole(b, core, game), model.StartConsole(b, core, game)})
	script := scripted(0, 1)
	const turn = 30 // frames
	raw := func(c *emucore.Console, frames int64) {
		for range frames {
			if _, err := c.Step(script.At(c.Frame() % 4000)); err != nil {
				b.Error(err)
			}
		}
	}
	sideBySide := func() {
		var wait sync.WaitGroup
		for _, c := range bare {
			wait.Go(func() { raw(c, turn) })
		}
		wait.Wait()
	}
	raw(bare[0], warm)
	raw(bare[1], warm)
	p.run(warm)
	// In turns, so that what else the machine does weighs on all alike.
	var one, two, session time.Duration
	turns := 0
	for b.Loop() {
		one += took(func() { raw(bare[turns%2], turn) })
		two += took(sideBySide)
		session += took(func() { p.run(turn) })
		turns++
	}
	ms := func(d time.Duration) float64 { return d.Seconds() * 1e3 / float64(turn*turns) }
	b.ReportMetric(0, "ns/op") // of all three together
	b.ReportMetric(ms(one), "ms-one-console")
	b.ReportMetric(ms(two), "ms-two-consoles")
	b.ReportMetric(ms(session), "ms-game-of-two")
	b.ReportMetric(ms(session)/ms(one), "x-of-one-console")
	b.ReportMetric(ms(session)/ms(two), "x-of-two-consoles")
}

func took(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

// BenchmarkGame is what a frame costs beside its consoles: two machines with two
// consoles each that do nothing.
func BenchmarkGame(b *testing.B) {
	p := newPair(b, [2]Console{model.Bare(), model.Bare()})
	b.ReportAllocs()
	for b.Loop() {
		for end := p.here.Slowest() + 1; p.here.Slowest() < end; {
			p.now = p.now.Add(flood)
			p.step(p.now)
			p.take(time.After(time.Millisecond))
		}
	}
}
