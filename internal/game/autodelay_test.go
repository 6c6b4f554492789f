package game

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// keep has the delays of a world keep themselves, as sessions do: it is called each millisecond.
func keep(w *world, k *autodelay.Keeper, p autodelay.Preset) func(ms int) {
	return func(ms int) {
		if ms%1000 != 999 {
			return
		}
		for i, m := range w.machines {
			for seat, l := range m.g.Arrivals(p) {
				k.Report(w.Time(), i, seat, l)
			}
		}
		for _, c := range k.Next(w.Time(), w.machines[0].g.Delays()) {
			w.decide(timeline.Decision{Kind: timeline.SeatDelay, Seat: c.Seat, Delay: c.Delay, Offset: c.Offset})
		}
	}
}

// Machines that begin with a delay that is too short, or far too long, come to the one that the
// line needs; the inputs of all consoles stay those of their players.
func TestDelayKeepsItself(t *testing.T) {
	for _, first := range []int{2, 12} {
		w := newWorld(t, uint64(first), 2, first)
		w.steady = true
		w.set(impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.05})
		event := keep(w, autodelay.NewKeeper(autodelay.Party, w.Time()), autodelay.Party)
		w.run(110*time.Second, event)
		for i, m := range w.machines {
			for seat, l := range m.g.Arrivals(autodelay.Party) {
				t.Logf("from %d: machine %d, seat %v: %+v", first, i, seat, l)
			}
		}
		for _, s := range w.machines[0].g.Delays() {
			// The way takes 60 ms at most, 4 frames, and a second datagram a frame; the
			// machines may be a frame apart.
			if s.Delay < 4 || s.Delay > 7 {
				t.Errorf("from %d: seat %v has a delay of %d frames", first, s.Seat, s.Delay)
			}
		}
		w.decide(timeline.Decision{Kind: timeline.End})
		w.run(10*time.Second, nil)
		w.check()
	}
}

// A need does not depend on the delay that is in force, nor on a change of it.
func TestNeedsDoNotDependOnTheDelay(t *testing.T) {
	needs := func(change bool) (list []int) {
		w := newWorld(t, 5, 2, 4)
		w.steady = true
		w.set(even(30*time.Millisecond, 2*time.Millisecond))
		w.run(20*time.Second, func(ms int) {
			if change && ms > 2000 && ms%1500 == 0 {
				w.decide(timeline.Decision{Kind: timeline.SeatDelay, Seat: ds.Seat(ms / 1500 % 2), Delay: 3 + ms/1500%5})
			}
		})
		for i, m := range w.machines {
			l := m.g.Arrivals(autodelay.Trading)[ds.Seat(1-i)]
			list = append(list, l.Middle, l.Recent)
		}
		return list
	}
	still, moved := needs(false), needs(true)
	for i := range still {
		if d := still[i] - moved[i]; d < -3 || d > 3 {
			t.Errorf("with changes the needs are %v quarters of a frame, without %v", moved, still)
			break
		}
	}
}

func TestDelaysByFrame(t *testing.T) {
	d := delays{first: 4}
	d.change(100, 6) // frames 104 and 105 repeat what was sampled before
	d.change(200, 5) // frame 205 was sampled at local frame 199
	for frame, want := range map[int64]int{0: 4, 105: 4, 106: 6, 205: 6, 206: 5} {
		if got := d.of(frame); got != want {
			t.Errorf("the input of frame %d has the delay %d, want %d", frame, got, want)
		}
	}
	for i := range 100 {
		d.change(int64(300+i), i%7)
	}
	if len(d.list) > maxDelayChanges || d.decided() != 99%7 {
		t.Errorf("%d changes are kept, the last is %d", len(d.list), d.decided())
	}
}

// Where one of three machines has a bad line, it plays behind the others and has the long delay; the
// others keep about that of their own lines, inputs are in time and nobody waits.
func TestDelayPerSeat(t *testing.T) {
	w := newWorld(t, 11, 3, 6)
	w.steady = true
	w.set(even(10*time.Millisecond, 4*time.Millisecond))
	w.set(even(70*time.Millisecond, 4*time.Millisecond), 2)
	k := autodelay.NewKeeper(autodelay.Party, w.Time())
	w.run(200*time.Second, keep(w, k, autodelay.Party))
	stalls := w.machines[0].g.Stalls().Count + w.machines[1].g.Stalls().Count
	seats := w.machines[0].g.Delays()
	t.Logf("%+v", seats)
	w.run(30*time.Second, nil)
	if seats[0].Delay > 3 || seats[1].Delay > 4 || seats[2].Delay < 6 || seats[2].Delay > 12 {
		t.Errorf("the delays are %+v", seats)
	}
	if seats[0].Offset != 0 || seats[1].Offset != 0 || seats[2].Offset < 2 || seats[2].Offset > ds.MaxOffset {
		t.Errorf("the offsets are %+v", seats)
	}
	if now := w.machines[0].g.Stalls().Count + w.machines[1].g.Stalls().Count; now != stalls {
		t.Errorf("%d stalls on the good lines", now-stalls)
	}
	for i, m := range w.machines {
		for seat, l := range m.g.Arrivals(autodelay.Party) {
			if l.Recent > 4*seats[seat].Delay+2 {
				t.Errorf("machine %d: the inputs of seat %v need %d quarters of a frame, the delay is %d frames", i, seat, l.Recent, seats[seat].Delay)
			}
		}
	}
	w.decide(timeline.Decision{Kind: timeline.End})
	w.run(10*time.Second, nil)
	w.check()
}

// A machine that stands still for a while is out of step with the others until the pacers have brought
// them together; the needs that are counted say nothing of that, and still say what the line does.
func TestStandingStillIsNoNeed(t *testing.T) {
	w := newWorld(t, 3, 2, 6)
	w.steady = true
	w.set(even(40*time.Millisecond, 5*time.Millisecond))
	w.run(30*time.Second, func(ms int) {
		w.machines[1].slow = 3 * time.Millisecond
		if ms > 12000 && ms < 12020 {
			w.machines[1].slow = 250 * time.Millisecond
		}
	})
	for i, m := range w.machines {
		l := m.g.Arrivals(autodelay.Party)[ds.Seat(1-i)]
		t.Logf("%+v", l)
		if most := l.Middle + 4*2 + 2; l.Need > most {
			t.Errorf("machine %d: half of the inputs need %d quarters of a frame, and the worst %d", i, l.Middle, l.Need)
		}
	}
}

// twoSeats is a game of this machine, the game host, and another one.
func twoSeats(t *testing.T) *Game {
	t.Helper()
	g, err := New(Config{
		Round: 1, Delay: 4, HashEvery: 10, Machines: []int{0, 1}, Horizon: ds.Horizon{Frame: 100},
		Seats: []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}},
	})
	must.Succeed(t, err)
	t.Cleanup(g.Close)
	return g
}

// A late joiner's machine may get the number of one that has left. It plays behind nobody for that.
func TestAnOffsetLeavesWithItsMachine(t *testing.T) {
	g := twoSeats(t)
	for _, d := range []timeline.Decision{
		{Kind: timeline.SeatDelay, Frame: 100, Seat: 1, Delay: 9, Offset: 3},
		{Kind: timeline.Leave, Frame: 200, Seat: 1, InputEnd: 150},
	} {
		must.Succeed(t, g.Decide(d))
	}
	must.Succeed(t, g.join(room.SeatPlan{Seat: 2, Machine: 1}, Fresh{Console: model.Bare()}, 300, 9))
	for _, s := range g.Delays() {
		if s.Offset != 0 {
			t.Errorf("%+v has an offset that was the one of another machine", s)
		}
	}
}
