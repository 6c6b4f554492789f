package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/mirror"
)

// On any network all machines run every console with its owner's
// inputs, and their hashes are equal.
func TestMachinesAgree(t *testing.T) {
	for machines := 2; machines <= 4; machines++ {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%d machines, seed %d", machines, seed), func(t *testing.T) {
				w := newWorld(t, seed, machines, []int{0, 4, 9}[seed])
				w.set([]impair.Impairment{bad, bad, {Delay: bad.Delay, Jitter: bad.Jitter, Loss: 0.5, Duplicate: 0.1}}[seed])
				w.machines[machines-1].slow = 20 * time.Millisecond // slower than the DS
				w.decide(timeline.Decision{Kind: timeline.End, Frame: 300})
				w.run(60*time.Second, nil)
				w.check()
			})
		}
	}
}

// The delay grows and shrinks while the game runs, to the extremes, too.
func TestDelayChanges(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t, seed, 3, 3)
			w.set(leaky)
			w.run(60*time.Second, w.delays(8, 2, 30, 0, 1, 12, 12, 4))
			w.check()
		})
	}
}

// delays changes the input delay every 700 ms, and then ends the game.
func (w *world) delays(list ...int) func(ms int) {
	return func(ms int) {
		switch n := ms / 700; {
		case ms%700 != 350 || n > len(list):
		case n == len(list):
			w.decide(timeline.Decision{Kind: timeline.End})
		default:
			w.decide(timeline.Decision{Kind: timeline.SetDelay, Delay: list[n]})
		}
	}
}

// A machine that vanishes at any moment stops nobody else, and everybody agrees
// on its last input. When all others vanish, the game host plays to an end alone.
func TestMachinesVanish(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			machines := 2 + int(seed%3)
			w := newWorld(t, seed, machines, int(seed))
			w.set(leaky)
			at := map[int]int{}
			for m := 1; m < machines && (m < machines-1 || seed < 5); m++ {
				at[m] = 100 + w.rng.IntN(2000)
			}
			w.run(60*time.Second, func(ms int) {
				for m := 1; m < machines; m++ {
					if at[m] == ms && ms > 0 {
						w.vanish(m)
					}
				}
				if ms == 5000 {
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
			if w.end < 100 && len(at) < machines-1 {
				t.Errorf("the others ended at frame %d", w.end)
			}
		})
	}
}

// The machine that has fallen silent holds up the game, and none that waits for it does.
func TestHoldsUp(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(t, seed, 4, int(seed%8))
		w.set(impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 30 * time.Millisecond, Loss: 0.1})
		for _, m := range w.machines {
			m.g.pace.unlimited = true // each gets ahead of the others as far as it may
		}
		silent := 1 + int(seed%3)
		w.run(1480*time.Millisecond, func(ms int) {
			if ms == 1000 {
				w.vanish(silent)
			}
		})
		if m, ok := w.machines[0].g.HoldsUp(); !ok || m != silent {
			t.Errorf("seed %d: machine %d is taken for what holds up the game, and machine %d has fallen silent", seed, m, silent)
		}
	}
}

// A seat may leave at a frame further ahead than a line is long: after a change of the
// game host somebody may claim to have been promised much. All play on until there.
func TestSeatLeavesFarAhead(t *testing.T) {
	w := newWorld(t, 3, 4, 4)
	w.set(leaky)
	w.run(90*time.Second, func(ms int) {
		switch ms {
		case 970:
			w.darkFor(700 * time.Millisecond) // nobody acknowledges its last inputs
		case 1000:
			w.vanish(2)
		case 1500:
			g := w.machines[0].g
			w.machines[2].buried = true
			g.Drop(2)
			w.decide(timeline.Decision{Kind: timeline.Leave, Frame: w.promised.Frame + 3*inputdelay.Window, Seat: 2, InputEnd: g.seat(2).queue.Newest() + 1})
			w.decide(timeline.Decision{Kind: timeline.End, Frame: w.promised.Frame + 4*inputdelay.Window})
		case 2500:
			if err := w.machines[1].g.Rewire(1); err != nil {
				t.Errorf("meanwhile nobody can become game host: %v", err)
			}
			w.must(1, w.machines[1].g.Rewire(0))
		}
	})
	w.check()
}

// In a pause all consoles of all machines stand at the same frame, and nothing
// that happens meanwhile is lost; a pause that is over before a slow machine has
// reached it stops nobody for good.
func TestPause(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWorld(t, seed, 3, 3)
			w.set(leaky)
			w.machines[2].slow = 25 * time.Millisecond // slower than the DS
			var pause timeline.Decision
			w.run(60*time.Second, func(ms int) {
				switch ms {
				case 500:
					pause = w.decide(timeline.Decision{Kind: timeline.Pause})
				case 4000:
					for i, m := range w.machines {
						for _, s := range m.g.seats {
							if !m.g.Paused() || s.frame != pause.Frame || s.busy {
								t.Errorf("machine %d: seat %d stands at frame %d in a pause at %d (paused: %v)", i, s.number, s.frame, pause.Frame, m.g.Paused())
							}
						}
					}
					w.decide(timeline.Decision{Kind: timeline.Resume})
				case 4500:
					w.decide(timeline.Decision{Kind: timeline.Pause})
					w.decide(timeline.Decision{Kind: timeline.SetDelay, Delay: 7})
					w.decide(timeline.Decision{Kind: timeline.Resume})
				case 6000:
					w.decide(timeline.Decision{Kind: timeline.End})
				}
			})
			w.check()
		})
	}
}

// After seconds without any datagram the game goes on where it was.
func TestBlackout(t *testing.T) {
	w := newWorld(t, 5, 3, 4)
	w.decide(timeline.Decision{Kind: timeline.End, Frame: 400})
	w.run(60*time.Second, func(ms int) {
		if ms == 2000 {
			w.darkFor(4 * time.Second)
		}
	})
	w.check()
	for i, m := range w.machines {
		if m.g.stall.total.Count == 0 || m.g.stall.total.MS < 3000 {
			t.Errorf("machine %d counts %+v in a blackout of 4 s", i, m.g.stall.total)
		}
	}
}

// At the start nobody waits although all are "16 frames behind" frame 0 in
// unsigned arithmetic, and without a word of the others 17 frames begin.
func TestAloneAtTheStart(t *testing.T) {
	w := newWorld(t, 1, 2, 4)
	w.dark(true)
	w.run(5*time.Second, nil)
	for i, m := range w.machines {
		if m.g.begun != ds.MaxBehind+1 {
			t.Errorf("machine %d began %d frames before it heard of the other, not %d", i, m.g.begun, ds.MaxBehind+1)
		}
		if copied := m.g.seats[1-i].frame; copied != 4 {
			t.Errorf("machine %d ran %d frames of the other's console, of which it has the input of 4", i, copied)
		}
		if len(m.g.stall.waiting) != 1 || m.g.stall.waiting[0] != 1-i {
			t.Errorf("machine %d waits for %v", i, m.g.stall.waiting)
		}
	}
}

// A peer that lies is told apart from one with a bad line.
func TestLyingPeer(t *testing.T) {
	honest := func(w *world) mirror.Datagram {
		g := w.machines[1].g
		return mirror.Datagram{Machine: 1, Round: 1, Frames: []mirror.MachineFrame{{Machine: 1, Frame: g.Slowest()}}}
	}
	for name, lie := range map[string]func(d *mirror.Datagram){
		"speaks as another":        func(d *mirror.Datagram) { d.Machine, d.Frames[0].Machine = 2, 2 },
		"frame beyond the horizon": func(d *mirror.Datagram) { d.Frames[0].Frame = 100_000 },
		"speaks for another":       func(d *mirror.Datagram) { d.Frames = append(d.Frames, mirror.MachineFrame{Machine: 2}) },
		"another's input": func(d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 2, First: 4, Inputs: make([]inputdelay.Input, 1)}}
		},
		"input far ahead": func(d *mirror.Datagram) {
			d.Windows = []mirror.Window{{Seat: 1, First: 5000, Inputs: make([]inputdelay.Input, 1)}}
		},
		"holds what was Never sent": func(d *mirror.Datagram) { d.Acks = []mirror.SeatFrame{{Seat: 0, Frame: 9999}} },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 2, 3, 4)
			w.run(500*time.Millisecond, nil)
			g := w.machines[0].g
			d := honest(w)
			if err := g.Receive(w.Time(), 1, d.Append(nil)); err != nil {
				t.Fatalf("an honest datagram: %v", err)
			}
			lie(&d)
			if err := g.Receive(w.Time(), 1, d.Append(nil)); err == nil {
				t.Error("the lie was taken")
			}
			d.Round = 7
			if err := g.Receive(w.Time(), 1, d.Append(nil)); err != nil {
				t.Errorf("a datagram of another game counts: %v", err)
			}
		})
	}
}

// A console that fails is named, and no other is run after it.
func TestConsoleFails(t *testing.T) {
	w := newWorld(t, 3, 2, 4)
	w.run(500*time.Millisecond, nil)
	g, fault := w.machines[0].g, errors.New("bang")
	frame := g.seats[1].frame
	g.seats[1].busy = true
	err := g.Finish(Outcome{seat: 1, job: job{step: true}, err: fault})
	if !errors.Is(err, fault) || err.Error() != fmt.Sprintf("the console of seat 2 failed in frame %d: bang", frame) {
		t.Errorf("the failure is %q", err)
	}
	before := g.seats[0].frame
	for range 100 {
		w.Pass(20 * time.Millisecond)
		must.Succeed(t, g.Advance(w.Time()))
	}
	if g.seats[0].frame != before || g.begun > before+1 {
		t.Error("the other console runs on")
	}
	if err := g.Finish(Outcome{seat: 0, job: job{step: true}, err: fault}); err != nil {
		t.Errorf("a second failure is told: %v", err)
	}
}

// No console runs a frame for which a decision may still come: neither from the
// horizon on, nor before all decisions that the horizon counts are known.
func TestHorizon(t *testing.T) {
	w := newWorld(t, 1, 2, 4)
	m := w.machines[1]
	play := func() (frames [2]int64) {
		for range 20 {
			w.Pass(20 * time.Millisecond)
			must.Succeed(t, m.g.Advance(w.Time()))
			w.collect(m)
			for _, j := range m.jobs {
				w.must(1, m.g.Finish(j.r))
			}
			m.jobs = nil
		}
		return [2]int64{m.g.seats[0].frame, m.g.seats[1].frame}
	}
	m.g.feed.horizon, m.g.feed.promised = ds.Horizon{Frame: 3, Decisions: 1}, 3
	if got := play(); got != [2]int64{3, 3} {
		t.Errorf("with a horizon of 3 the consoles stand at %v", got)
	}
	m.g.feed.horizon = ds.Horizon{Frame: 10, Decisions: 2}
	if got := play(); got != [2]int64{3, 3} {
		t.Errorf("without a decision that was made the consoles stand at %v", got)
	}
	w.must(1, m.g.Decide(timeline.Decision{Kind: timeline.SetDelay, Frame: 3, Delay: 6}))
	if got := play(); got != [2]int64{4, 10} { // of the other's console there is no input
		t.Errorf("with the decision the consoles stand at %v", got)
	}
}

// counted is a meter that notes the next frame of everything.
type counted struct {
	t       *testing.T
	began   int64
	arrived map[ds.Seat]int64
	shown   map[ds.Seat]int64
}

func (c *counted) Begun(frame int64, due, now time.Time, delay int) {
	if frame != c.began || due.After(now) || delay != 4 {
		c.t.Errorf("frame %d begins, %d is next; due %v, now %v, delay %d", frame, c.began, due, now, delay)
	}
	c.began++
}

func (c *counted) Arrived(seat ds.Seat, frame int64, _ time.Time) { c.next(c.arrived, seat, frame) }
func (c *counted) Shown(seat ds.Seat, frame int64, _ time.Time)   { c.next(c.shown, seat, frame) }

func (c *counted) next(list map[ds.Seat]int64, seat ds.Seat, frame int64) {
	if frame != list[seat] {
		c.t.Errorf("seat %v: frame %d, %d is next", seat, frame, list[seat])
	}
	list[seat] = frame + 1
}

// A meter is told of each frame and each input of another machine once, in order, whatever is
// lost or sent twice, and whoever stamps it.
func TestMeter(t *testing.T) {
	t.Run("lockstep", func(t *testing.T) { testMeter(t, false) })
	t.Run("clocked", func(t *testing.T) { testMeter(t, true) })
}

func testMeter(t *testing.T, clocked bool) {
	w := newWorldOf(t, 3, 3, 4, clocked)
	w.set(bad)
	var meters []*counted
	for i, m := range w.machines {
		c := &counted{t: t, arrived: map[ds.Seat]int64{}, shown: map[ds.Seat]int64{}}
		for s := range ds.Seat(3) {
			if int(s) != i {
				c.arrived[s] = 4 // those before are neutral
			}
		}
		meters, m.g.meter = append(meters, c), c
	}
	w.decide(timeline.Decision{Kind: timeline.End, Frame: 200})
	w.run(60*time.Second, nil)
	w.check()
	for i, c := range meters {
		if c.began != 200 {
			t.Errorf("machine %d began %d frames", i, c.began)
		}
		for s := range ds.Seat(3) {
			if c.shown[s] != 200 || int(s) != i && c.arrived[s] < 200 {
				t.Errorf("machine %d has shown %d frames of seat %v, and has inputs up to %d", i, c.shown[s], s, c.arrived[s])
			}
		}
	}
}

// Scripts compare the hashes of two reports as text.
func TestHashSurvivesJSON(t *testing.T) {
	for _, h := range []Hash{0, 1, 0xfedcba9876543211} {
		b, err := json.Marshal(SeatReport{Hash: h})
		must.Succeed(t, err)
		var back SeatReport
		if err := json.Unmarshal(b, &back); err != nil || back.Hash != h {
			t.Errorf("%v came back as %v from %s (%v)", h, back.Hash, b, err)
		}
	}
}
