package game

import (
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/model"
	"github.com/nettplay/nettplay/internal/testing/must"
)

// over has a world play to its end, and compares all machines.
func (w *world) over() {
	w.t.Helper()
	w.decide(timeline.Decision{Kind: timeline.End})
	w.run(10*time.Second, nil)
	w.check()
}

// keepAt is keep by the reports of the machines that are there, for whichever machine is game host.
func keepAt(w *world, k *autodelay.Keeper) func(ms int) {
	return func(ms int) {
		if ms%1000 != 999 {
			return
		}
		for i, m := range w.machines {
			if !m.gone.IsZero() {
				continue
			}
			for seat, l := range m.g.Arrivals(autodelay.Party) {
				k.Report(w.Time(), i, seat, l)
			}
		}
		for _, c := range k.Next(w.Time(), w.machines[w.host].g.Delays()) {
			w.decide(timeline.Decision{Kind: timeline.SeatDelay, Seat: c.Seat, Delay: c.Delay, Offset: c.Offset})
		}
	}
}

// Clocks that differ by far more than those of real machines change no delay: the pacers hold the machines together.
func TestClocksThatDrift(t *testing.T) {
	w := newWorld(t, 21, 2, 5)
	w.steady = true
	w.set(even(40*time.Millisecond, 3*time.Millisecond))
	w.drift = map[int]float64{0: 0.0005, 1: -0.0005}
	w.run(80*time.Second, keepAt(w, autodelay.NewKeeper(autodelay.Party, w.Time())))
	for _, s := range w.machines[0].g.Delays() {
		if s.Delay < 3 || s.Delay > 4 || s.Offset != 0 {
			t.Errorf("with clocks that are 0.1 %% apart: %+v", s)
		}
	}
	w.over()
}

// A new game host has measured nothing of others' ways. It keeps the delays and offsets as they are, and
// follows the lines from then on; all consoles stay alike.
func TestTheNextGameHostKeepsTheDelay(t *testing.T) {
	w := newWorld(t, 22, 3, 4)
	w.steady = true
	w.set(even(30*time.Millisecond, 3*time.Millisecond))
	w.run(30*time.Second, keepAt(w, autodelay.NewKeeper(autodelay.Party, w.Time())))
	before := w.machines[1].g.Delays()
	w.elect(1)
	k := autodelay.NewKeeper(autodelay.Party, w.Time())
	w.run(9*time.Second, keepAt(w, k))
	after := w.machines[1].g.Delays()
	if len(after) != 2 || after[0] != before[1] || after[1] != before[2] {
		t.Errorf("the delays were %+v, with the next game host they are %+v", before, after)
	}
	w.set(even(90*time.Millisecond, 3*time.Millisecond))
	w.run(40*time.Second, keepAt(w, k))
	for i, m := range w.machines[1:] {
		for _, s := range m.g.Delays() {
			if s.Delay < 6 || s.Delay > 8 {
				t.Errorf("on machine %d, when the line has become worse: %+v", i+1, s)
			}
		}
	}
	w.over()
}

// When the player with the bad line leaves, the others' delays follow their own lines, and no machine waits for
// reports of one that is gone.
func TestTheBadLineLeaves(t *testing.T) {
	w := newWorld(t, 23, 3, 9)
	w.steady = true
	w.set(even(10*time.Millisecond, 2*time.Millisecond))
	w.set(even(80*time.Millisecond, 2*time.Millisecond), 2)
	event := keepAt(w, autodelay.NewKeeper(autodelay.Party, w.Time()))
	w.run(60*time.Second, event)
	if seats := w.machines[0].g.Delays(); seats[2].Delay < 6 {
		t.Errorf("with the bad line: %+v", seats)
	}
	w.vanish(2)
	w.run(150*time.Second, event)
	seats := w.machines[0].g.Delays()
	if len(seats) != 2 || seats[0].Delay > 3 || seats[1].Delay > 3 || seats[0].Offset+seats[1].Offset != 0 {
		t.Errorf("without it: %+v", seats)
	}
	w.over()
}

// A number that a player chooses stays, on machines that come in later too, until the delay is to keep
// itself again.
func TestWhatAPlayerChose(t *testing.T) {
	w := newWorld(t, 24, 2, 4)
	late, err := New(Config{Round: 1, Me: 1, Delay: 4, HashEvery: 10, Machines: []int{0, 1}, Horizon: w.promised, Seats: []SeatConfig{{Seat: 0, Owner: 0, Console: model.Bare()}, {Seat: 1, Owner: 1, Console: model.Bare()}}})
	must.Succeed(t, err)
	defer late.Close()
	for _, step := range []struct {
		d    timeline.Decision
		want autodelay.Preset
	}{
		{timeline.Decision{Kind: timeline.SeatDelay, Seat: 1, Delay: 6, Offset: 2}, autodelay.Party},
		{timeline.Decision{Kind: timeline.SetDelay, Delay: 9}, autodelay.Off},
		{timeline.Decision{Kind: timeline.AutoDelay, Auto: autodelay.Racing}, autodelay.Racing},
		{timeline.Decision{Kind: timeline.AutoDelay, Auto: autodelay.Off}, autodelay.Off},
		{timeline.Decision{Kind: timeline.AutoDelay, Auto: autodelay.Party}, autodelay.Party},
	} {
		d := w.decide(step.d)
		w.run(time.Second, nil)
		w.must(1, late.catchUp(d, false, false, d.Frame+1000))
		for i, g := range []*Game{w.machines[0].g, w.machines[1].g, late} {
			if got := g.AutoDelay(autodelay.Party); got != step.want {
				t.Errorf("after %v %v machine %d has the delay keep itself by %v", step.d.Kind, step.d.Auto, i, got)
			}
		}
	}
	for i, s := range w.machines[1].g.Delays() {
		if want := (autodelay.Seat{Seat: ds.Seat(i), Machine: i, Delay: 9}); s != want {
			t.Errorf("%+v, want %+v", s, want)
		}
	}
	w.over()
}
