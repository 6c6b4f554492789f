package game

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
	"github.com/nettplay/nettplay/internal/testing/virtual"
)

// traffic is what crosses one direction of a line, a second.
type traffic struct{ datagrams, bytes float64 }

// lateness are the times from an owner's press until its input is in another machine's queue.
type lateness []time.Duration

// at is a percentile, in milliseconds.
func (l lateness) at(p float64) float64 {
	return Milliseconds(l[min(int(p*float64(len(l))), len(l)-1)])
}

// observed is a minute of a steady game.
type observed struct {
	lines map[[2]int]traffic
	late  map[[2]int]lateness // by owner and receiver
}

// observe plays a steady game for a minute of virtual time, after ten seconds in which
// machines drift together and lines are measured.
func observe(w *world) observed {
	const settle, span = 10_000, 60_000 // ms
	w.steady = true
	o := observed{lines: make(map[[2]int]traffic), late: make(map[[2]int]lateness)}
	counting := false
	w.sent = func(from, to int, data []byte) {
		if t := o.lines[[2]int{from, to}]; counting {
			o.lines[[2]int{from, to}] = traffic{t.datagrams + 1.0/60, t.bytes + float64(len(data))/60}
		}
	}
	pushed := make([][]time.Time, len(w.machines)) // by owner and frame
	known := make(map[[2]int]int64)                // by owner and receiver: frames noted
	w.run((settle+span)*time.Millisecond, func(ms int) {
		counting = ms >= settle
		for owner, m := range w.machines {
			for int64(len(pushed[owner])) <= m.g.seat(ds.Seat(owner)).queue.Newest() {
				pushed[owner] = append(pushed[owner], w.Time())
			}
		}
		for to, m := range w.machines {
			for owner := range w.machines {
				line := [2]int{owner, to}
				for ; owner != to && known[line] <= m.g.seat(ds.Seat(owner)).queue.Newest(); known[line]++ {
					if counting {
						o.late[line] = append(o.late[line], w.Time().Sub(pushed[owner][known[line]]))
					}
				}
			}
		}
		if ms%1000 == 0 {
			w.measureLines()
		}
	})
	for _, l := range o.late {
		slices.Sort(l)
	}
	return o
}

// A machine sends one datagram a frame, and one for each input that it passes on. On a line
// that loses datagrams it sends as many as keep inputs as early as if each frame had two.
//
// The bounds of lateness are what it was with two a frame on every line, sent 16 ms apart or
// when the other's arrived.
func TestTraffic(t *testing.T) {
	type bound struct {
		from, to         int
		datagrams, bytes float64 // a second
		p50, p99, p999   float64 // ms
	}
	tests := []struct {
		machines int
		loss     float64
		jitter   time.Duration
		bounds   []bound
	}{
		{2, 0, 0, []bound{{0, 1, 60, 1350, 50, 50, 50}, {1, 0, 60, 1350, 50, 50, 50}}},
		{2, 0, 10, []bound{{0, 1, 60, 1400, 50, 60, 60}, {1, 0, 60, 1400, 51, 60, 60}}},
		{2, 0.02, 10, []bound{{0, 1, 120, 2700, 50, 61, 70}, {1, 0, 120, 2700, 51, 64, 74}}},
		{2, 0.05, 10, []bound{{0, 1, 120, 2700, 50, 65, 75}, {1, 0, 120, 2700, 51, 71, 76}}},
		{3, 0, 10, []bound{{0, 1, 120, 4300, 50, 60, 60}, {1, 0, 60, 1450, 51, 60, 60}, {1, 2, 0, 0, 100, 117, 119}}},
		{3, 0.05, 10, []bound{{0, 1, 165, 5800, 50, 61, 70}, {1, 0, 120, 2800, 51, 72, 76}, {1, 2, 0, 0, 100, 122, 133}}},
		{4, 0, 10, []bound{{0, 1, 175, 8200, 50, 60, 60}, {1, 0, 60, 1500, 51, 60, 60}, {1, 2, 0, 0, 100, 116, 119}}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d machines, loss %v, jitter %v ms", tt.machines, tt.loss, int(tt.jitter)), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, 5, tt.machines, 6)
			w.set(impair.Impairment{Delay: 50 * time.Millisecond, Jitter: tt.jitter * time.Millisecond, Loss: tt.loss})
			o := observe(w)
			for _, b := range tt.bounds {
				line := [2]int{b.from, b.to}
				sent, late := o.lines[line], o.late[line]
				got := fmt.Sprintf("%d to %d: %.1f datagrams and %.0f bytes a second, inputs after %.0f ms, 1 in 100 after %.0f, 1 in 1000 after %.0f",
					b.from, b.to, sent.datagrams, sent.bytes, late.at(.5), late.at(.99), late.at(.999))
				t.Log(got)
				if len(late) < 3500 || sent.datagrams > b.datagrams || sent.bytes > b.bytes || late.at(.5) > b.p50 || late.at(.99) > b.p99 || late.at(.999) > b.p999 {
					t.Errorf("%s; %d inputs; want %+v", got, len(late), b)
				}
			}
		})
	}
}

// While frames do not run, machines go on to tell each other how far they are.
func TestMail(t *testing.T) {
	at := func(ms float64) time.Time {
		return time.Unix(1000, 0).Add(time.Duration(ms * float64(time.Millisecond)))
	}
	tests := []struct {
		name    string
		loss    []float64
		news    bool
		running bool
		want    []float64 // when datagrams go, in ms, after one at 0 with news and without more to say
	}{
		{"news", nil, true, true, []float64{1, 26, 51}},
		{"frames run", nil, false, true, []float64{25, 50}},
		{"frames rest", nil, false, false, []float64{16, 32}},
		{"some loss", []float64{0.02}, true, true, []float64{1, 1 + 1000./120, 26 + 1000./120}},
		{"some loss, nothing new", []float64{0.02}, false, true, []float64{25, 50}},
		{"a little", []float64{0.007}, true, true, []float64{1, 26}},
		{"a little after more", []float64{0.02, 0.007}, true, true, []float64{1, 1 + 1000./120}},
		{"none after some", []float64{0.02, 0}, true, true, []float64{1, 26}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := mail{sent: at(0), news: tt.news}
			for _, l := range tt.loss {
				m.measured(l)
			}
			for _, want := range tt.want {
				due := m.due(tt.running)
				if late := due.Sub(at(want)); late.Abs() > time.Microsecond {
					t.Fatalf("due %v after %v", due.Sub(at(0)), want)
				}
				m.post(due)
			}
		})
	}
}

func TestTell(t *testing.T) {
	var l mails
	l.tell(1)
	if !l[0].news || l[1].news || !l[2].news {
		t.Errorf("%+v", l[:3])
	}
	l.tell(-1)
	if !l[0].news || !l[1].news {
		t.Errorf("%+v", l[:2])
	}
}

// measureLines tells all machines what their lines lose.
func (w *world) measureLines() {
	for i, m := range w.machines {
		for to := range w.machines {
			if to != i {
				m.g.MeasureLoss(to, w.lines[i][to].Loss)
			}
		}
	}
}

// The one line that loses in bursts is found, wherever it is; on lines that are alike none is.
func TestBadLineIsFound(t *testing.T) {
	for bad := range 4 { // 0: none
		t.Run(fmt.Sprint("machine ", bad), func(t *testing.T) {
			w := newWorld(t, uint64(bad), 4, 6)
			w.steady = true
			w.set(impair.Impairment{Delay: 30 * time.Millisecond, Jitter: 10 * time.Millisecond, Loss: 0.01})
			if bad > 0 {
				w.set(bursts, bad)
			}
			k := autodelay.NewKeeper(autodelay.Party, w.Time())
			event := keep(w, k, autodelay.Party)
			found, wrong := 0, 0
			w.run(60*time.Second, func(ms int) {
				event(ms)
				if ms%1000 != 999 {
					return
				}
				switch m, is := k.BadLine(w.Time(), w.machines[0].g.Delays()); {
				case is && m == bad && bad > 0:
					found++
				case is:
					wrong++
				}
			})
			if wrong > 0 || (found > 5) != (bad > 0) {
				t.Errorf("found in %d of 60 looks, another in %d", found, wrong)
			}
		})
	}
}

// dues is a meter of a game of two: when frames were due, and when the other's inputs came.
type dues struct{ due, arrived map[int64]time.Time }

func newDues() *dues {
	return &dues{due: make(map[int64]time.Time), arrived: make(map[int64]time.Time)}
}

func (d *dues) Begun(frame int64, due, _ time.Time, _ int) { d.due[frame] = due }
func (d *dues) Shown(ds.Seat, int64, time.Time)            {}
func (d *dues) Arrived(_ ds.Seat, frame int64, at time.Time) {
	if old, here := d.arrived[frame]; !here || at.Before(old) {
		d.arrived[frame] = at
	}
}

// late counts the inputs of some frames that would have been late with a delay that is shorter by two frames.
func (d *dues) late(from, until int64) (n int) {
	for f := from; f < until; f++ {
		if at, here := d.arrived[f]; !here || at.After(d.due[f].Add(-ds.FrameTime(2))) {
			n++
		}
	}
	return n
}

// oneClock is what the same line does to machines that send each frame's inputs once, with all that were
// before, and never stop or lose their common beat.
func oneClock(line impair.Impairment, seed, purpose uint64, delay, frames int64) *dues {
	w, d := &virtual.World{}, newDues()
	l := w.NewLine(line, seed, purpose)
	for f := range frames {
		w.At(ds.FrameTime(f), func() {
			d.due[f] = w.Time()
			l.Send(90, func() {
				for in := f + delay; in >= max(delay, f-400); in-- {
					d.Arrived(0, in, w.Time())
				}
			})
		})
	}
	w.Pass(ds.FrameTime(frames) + time.Second)
	return d
}

// Over a line that loses everything for a while now and then, machines stand, and are soon in step again: few
// more inputs come late than over the same line to machines that have one clock.
func TestLateInBursts(t *testing.T) {
	imp := impair.Impairment{Delay: 50 * time.Millisecond, Jitter: 10 * time.Millisecond, BurstShare: 0.1, BurstMean: 100 * time.Millisecond}
	const delay, from, until = 9, 300, 2300
	late, least := 0, 0
	for seed := range uint64(3) {
		w := newWorld(t, seed, 2, delay)
		w.steady = true
		w.set(imp)
		var meters []*dues
		for i, m := range w.machines {
			meters = append(meters, newDues())
			m.g.meter = meters[i]
			m.g.MeasureLoss(1-i, 0.1)
		}
		w.run(60*time.Second, func(ms int) {
			if ms == 40_000 {
				w.decide(timeline.Decision{Kind: timeline.End})
			}
		})
		w.check()
		for i, m := range meters {
			late += m.late(from, until)
			least += oneClock(imp, seed, uint64(2-i), delay, until).late(from, until)
		}
	}
	t.Logf("%d of %d inputs are late, %d with one clock", late, 6*(until-from), least)
	if late > least*5/4 {
		t.Errorf("%d inputs are late, %d with one clock", late, least)
	}
}
