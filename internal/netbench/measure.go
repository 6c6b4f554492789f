package netbench

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/frametimes"
)

// Span says which part of a game counts.
type Span struct {
	Settle time.Duration // left out at the beginning
	Tail   time.Duration // and at the end: what is on its way then never arrives
}

// DefaultSpan leaves out the time in which machines find their beat.
var DefaultSpan = Span{Settle: 3 * time.Second, Tail: time.Second}

// Figures are what is told of a game, over all of its machines. Durations are in milliseconds.
type Figures struct {
	Seconds float64 `json:"seconds"` // that were measured, of one machine
	Lates   Lates   `json:"lates"`
	Own     Gaps    `json:"own"`    // between shown frames of each machine's own consoles
	Others  Gaps    `json:"others"` // of the others' consoles
	Press   Latency `json:"press"`  // from the sample of an input to the shown frame, on its own machine
	Reach   Latency `json:"reach"`  // and on the others
	Wake    Latency `json:"wake"`   // from when a frame is due until it begins: the machine's own noise, and stalls
	Speed   float64 `json:"speed"`  // of the slowest machine: shown frames by those that a DS shows
	Delays  Delays  `json:"delays"`
}

// Lates are inputs that were not there when their frame was due.
type Lates struct {
	Inputs int       `json:"inputs"` // of other machines' seats that were due
	Late   int       `json:"late"`
	MS     []float64 `json:"-"` // by how much each was late, ascending
}

// Share is the share that was late.
func (l Lates) Share() float64 {
	if l.Inputs == 0 {
		return 0
	}
	return float64(l.Late) / float64(l.Inputs)
}

// Gaps are the times between shown frames of one sort of consoles.
type Gaps struct {
	MS      []float64 `json:"-"` // all, ascending
	P50     float64   `json:"p50"`
	P99     float64   `json:"p99"`
	Over25  float64   `json:"over25"` // a minute and console
	Over33  float64   `json:"over33"`
	Over50  float64   `json:"over50"`
	Minutes float64   `json:"minutes"` // of all consoles
}

// Latency is a distribution of durations.
type Latency struct {
	MS  []float64 `json:"-"` // ascending
	P50 float64   `json:"p50"`
	P99 float64   `json:"p99"`
}

// Delays are the input delays of a game, in frames.
type Delays struct {
	First   int `json:"first"`
	Last    int `json:"last"`
	Changes int `json:"changes"`  // in the span that counts, of the machine with most
	Most10s int `json:"most_10s"` // changes in any ten seconds
}

// Measure makes figures of what the machines of a game saw. Machine i of the list owns the seats
// that are its own in its times.
func Measure(machines []frametimes.Times, span Span) Figures {
	m := measuring{machines: machines, owners: owners(machines)}
	var f Figures
	for i := range machines {
		from, to := m.span(i, span)
		if to <= from {
			continue
		}
		m.lates(i, from, to, &f.Lates)
		m.gaps(i, from, to, &f)
		m.latencies(i, from, to, &f)
		f.Seconds = max(f.Seconds, float64(to-from)/1e6)
		f.slowest(m.speed(i, from, to))
		f.Delays.add(m.machines[i], from, to)
	}
	f.finish()
	return f
}

type measuring struct {
	machines []frametimes.Times
	owners   map[ds.Seat]int
}

func owners(machines []frametimes.Times) map[ds.Seat]int {
	list := make(map[ds.Seat]int)
	for i, t := range machines {
		for _, s := range t.Seats {
			if s.Mine {
				list[s.Seat] = i
			}
		}
	}
	return list
}

// span is the part of a machine's game that counts, in its own microseconds.
func (m *measuring) span(i int, span Span) (from, to int64) {
	due := m.machines[i].Due.US
	if len(due) == 0 {
		return 0, 0
	}
	return due[0] + span.Settle.Microseconds(), due[len(due)-1] - span.Tail.Microseconds()
}

// within calls do for each frame of a series that lies in a span.
func within(s *frametimes.Series, from, to int64, do func(frame, at int64)) {
	for f := s.First; f < s.End(); f++ {
		if at, ok := s.At(f); ok && at >= from && at < to {
			do(f, at)
		}
	}
}

func (m *measuring) lates(i int, from, to int64, l *Lates) {
	t := &m.machines[i]
	for s := range t.Seats {
		seat := &t.Seats[s]
		if seat.Mine {
			continue
		}
		within(&t.Due, from, to, func(frame, due int64) {
			l.Inputs++
			at, ok := seat.Arrived.At(frame)
			if !ok {
				at = to // it never came
			}
			if at > due {
				l.Late++
				l.MS = append(l.MS, millis(at-due))
			}
		})
	}
}

func (m *measuring) gaps(i int, from, to int64, f *Figures) {
	for _, s := range m.machines[i].Seats {
		g := &f.Others
		if s.Mine {
			g = &f.Own
		}
		g.Minutes += float64(to-from) / 60e6
		before := int64(-1)
		within(&s.Shown, from, to, func(_, at int64) {
			if before >= 0 {
				g.MS = append(g.MS, millis(at-before))
			}
			before = at
		})
	}
}

// latencies are from a sample to the shown frames that it belongs to, on the owner's machine and
// on machine i, and from when a frame is due until it begins.
func (m *measuring) latencies(i int, from, to int64, f *Figures) {
	here := &m.machines[i]
	within(&here.Due, from, to, func(frame, due int64) {
		if at, ok := here.Begun.At(frame); ok {
			f.Wake.MS = append(f.Wake.MS, millis(at-due))
		}
	})
	for _, s := range here.Seats {
		owner, ok := m.owners[s.Seat]
		if !ok {
			continue
		}
		there := &m.machines[owner]
		shift := there.Epoch - here.Epoch
		within(&there.Begun, from-shift, to-shift, func(frame, sampled int64) {
			shown, ok := s.Shown.At(frame + int64(delayAt(there.Delays, frame)))
			switch {
			case !ok:
			case s.Mine:
				f.Press.MS = append(f.Press.MS, millis(shown-sampled))
			default:
				f.Reach.MS = append(f.Reach.MS, millis(shown-sampled-shift))
			}
		})
	}
}

// speed is how many frames a machine's own console has shown, by those that a DS shows.
func (m *measuring) speed(i int, from, to int64) float64 {
	n := 0
	for _, s := range m.machines[i].Seats {
		if s.Mine {
			within(&s.Shown, from, to, func(int64, int64) { n++ })
			break
		}
	}
	return float64(n) / (float64(to-from) / 1e6 * ds.FrameRate)
}

// slowest takes a machine's speed.
func (f *Figures) slowest(speed float64) {
	if f.Speed == 0 || speed < f.Speed {
		f.Speed = speed
	}
}

// delayAt is the input delay of a frame.
func delayAt(delays []frametimes.Delay, frame int64) int {
	delay := 0
	for _, d := range delays {
		if d.Frame <= frame {
			delay = d.Delay
		}
	}
	return delay
}

// add takes the delays of a machine.
func (d *Delays) add(t frametimes.Times, from, to int64) {
	var at []int64
	for i, c := range t.Delays {
		when, _ := t.Begun.At(c.Frame)
		if i > 0 && when >= from && when < to {
			at = append(at, when)
		}
	}
	if len(t.Delays) > 0 {
		d.First, d.Last = t.Delays[0].Delay, t.Delays[len(t.Delays)-1].Delay
	}
	d.Changes = max(d.Changes, len(at))
	for i := range at {
		n := 1
		for k := i + 1; k < len(at) && at[k]-at[i] < 10e6; k++ {
			n++
		}
		d.Most10s = max(d.Most10s, n)
	}
}

// finish sorts everything and counts.
func (f *Figures) finish() {
	slices.Sort(f.Lates.MS)
	for _, g := range []*Gaps{&f.Own, &f.Others} {
		slices.Sort(g.MS)
		g.P50, g.P99 = Percentile(g.MS, 0.50), Percentile(g.MS, 0.99)
		g.Over25, g.Over33, g.Over50 = g.over(25), g.over(33), g.over(50)
	}
	for _, l := range []*Latency{&f.Press, &f.Reach, &f.Wake} {
		slices.Sort(l.MS)
		l.P50, l.P99 = Percentile(l.MS, 0.50), Percentile(l.MS, 0.99)
	}
}

// over is how many gaps a minute are longer than some milliseconds.
func (g *Gaps) over(limit float64) float64 {
	if g.Minutes == 0 {
		return 0
	}
	first, _ := slices.BinarySearch(g.MS, limit)
	return float64(len(g.MS)-first) / g.Minutes
}

// Percentile is the value below which the share p of an ascending list lies; 0 for an empty one.
func Percentile(list []float64, p float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[min(int(p*float64(len(list))), len(list)-1)]
}

func millis(us int64) float64 { return float64(us) / 1e3 }
