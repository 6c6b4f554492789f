package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// checkAhead checks that the frame that has just begun is at most MaxBehind, and what rollback adds,
// frames ahead of every machine that takes part, as far as is known here.
func (w *world) checkAhead(i int) {
	g := w.machines[i].g
	for _, f := range g.feed.pressure.Frames() {
		if frame := g.begun - 1; frame-f.Frame > ds.MaxBehind+g.slack() {
			w.t.Fatalf("machine %d begins frame %d, machine %d is at %d", i, frame, f.Machine, f.Frame)
		}
		if real := w.machines[f.Machine].g.Slowest(); f.Frame > real {
			w.t.Fatalf("machine %d believes machine %d at frame %d, which is at %d", i, f.Machine, f.Frame, real)
		}
	}
}

// check compares what all machines did to all consoles with each other and with
// what their owners sampled.
func (w *world) check() {
	w.t.Helper()
	for seat, owner := range w.machines {
		left := slices.IndexFunc(w.timeline, func(d timeline.Decision) bool { return d.Kind == timeline.Leave && d.Seat == ds.Seat(seat) })
		end, inputEnd := w.end, int64(Never)
		if left >= 0 {
			end, inputEnd = min(end, w.timeline[left].Frame), w.timeline[left].InputEnd
		}
		want := w.machines[w.host].models[seat].Ran()
		if !w.clocked {
			want = w.reference(ds.Seat(seat), owner.script, end, inputEnd)
		}
		for i, m := range w.machines {
			if !m.gone.IsZero() {
				continue
			}
			if !m.g.Finished() {
				for _, s := range m.g.seats {
					w.t.Errorf("machine %d: seat %d stands at frame %d of %d, line up to %d, waits for %v", i, s.number, s.frame, s.end, s.queue.Newest(), m.g.stall.waiting)
				}
				w.t.Fatalf("machine %d does not come to the end; horizon %+v, decisions %d", i, m.g.feed.horizon, m.g.feed.decisions)
			}
			if got := m.models[seat].Ran(); !slices.Equal(got, want) {
				k := 0
				for k < min(len(got), len(want)) && got[k] == want[k] {
					k++
				}
				w.t.Fatalf("machine %d ran %d frames of seat %d, not %d, and differs from the owner's inputs at frame %d", i, len(got), seat, len(want), k)
			}
		}
	}
	for i, m := range w.machines {
		for key, h := range w.machines[w.host].hashes {
			if other, ok := m.hashes[key]; m.gone.IsZero() && (!ok || other != h) {
				w.t.Fatalf("machine %d has hash %x of seat %d after frame %d, the game host %x", i, other, key.seat, key.frame, h)
			}
		}
	}
	if len(w.machines[w.host].hashes) == 0 {
		w.t.Fatal("nothing was hashed")
	}
}

// reference is the inputs that a seat must get in the frames before end: its
// owner's samples, delayed as was decided, neutral from frame inputEnd on.
func (w *world) reference(seat ds.Seat, script *inputdelay.Script, end, inputEnd int64) []inputdelay.Input {
	line, err := inputdelay.NewQueue(0, w.delay)
	w.must(0, err)
	for _, d := range w.timeline {
		if d.Kind == timeline.SetDelay || d.Kind == timeline.SeatDelay && d.Seat == seat {
			w.must(0, line.SetDelay(d.Frame, d.Delay))
		}
	}
	var list []inputdelay.Input
	for f := range end {
		_, _, err := line.Push(f, script.At(f))
		w.must(0, err)
		in, _ := line.At(f)
		if f >= inputEnd {
			in = inputdelay.Input{}
		}
		list = append(list, in)
		line.Forget(f + 1)
	}
	return list
}
