package netbench

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
)

// Span says which part of a game counts.
type Span struct {
	Settle time.Duration // left out at the beginning
	Tail   time.Duration // and at the end: what is on its way then never arrives
}

// DefaultSpan leaves out the time in which machines find their beat: a game client begins later
// than the game host by as long as it took to hear of it.
var DefaultSpan = Span{Settle: 10 * time.Second, Tail: time.Second}

// Figures are those of a game, over all of its machines. Durations are in milliseconds.
type Figures struct {
	Seconds float64 `json:"seconds"` // that were measured, of one machine
	Lates   Lates   `json:"lates"`
	Start   Lates   `json:"start"`  // of the beginning, which nothing else counts
	Own     Gaps    `json:"own"`    // between shown frames of each machine's own consoles
	Others  Gaps    `json:"others"` // of the others' consoles
	Way     Latency `json:"way"`    // from the sample of an input until it is on another machine
	Apart   Latency `json:"apart"`  // between the times at which the same frame is due on two machines
	Press   Latency `json:"press"`  // from the sample of an input to the shown frame, on its own machine
	Reach   Latency `json:"reach"`  // and on the others
	Wake    Latency `json:"wake"`   // from when a frame is due until it begins: the machine's own noise, and stalls
	Held    Held    `json:"held"`
	Speed   float64 `json:"speed"` // of the slowest machine: shown frames by those that a DS shows
	Delays  Delays  `json:"delays"`
}

// Lates are inputs that were not there when their frame was due.
type Lates struct {
	Inputs int       `json:"inputs"` // of other machines' seats that were due
	Late   int       `json:"late"`
	MS     []float64 `json:"-"` // by how much each was late, ascending
	// Needs are, for each input, the shortest input delay with which it would have been in time,
	// ascending: what the way took, and how far apart in time the machines play.
	Needs []float64 `json:"-"`
}

// Share is the share that was late.
func (l *Lates) Share() float64 {
	if l.Inputs == 0 {
		return 0
	}
	return float64(l.Late) / float64(l.Inputs)
}

// ShareAt is the share that would have been late with another input delay, in frames.
func (l *Lates) ShareAt(delay int) float64 {
	if len(l.Needs) == 0 {
		return 0
	}
	first := sort.Search(len(l.Needs), func(i int) bool { return l.Needs[i] > FrameMS*float64(delay) })
	return float64(len(l.Needs)-first) / float64(len(l.Needs))
}

// Best is the shortest input delay, in frames, with which at most a share would have been late;
// ds.MaxDelay where none is enough.
func (l *Lates) Best(share float64) int {
	for delay := range ds.MaxDelay {
		if l.ShareAt(delay) <= share {
			return delay
		}
	}
	return ds.MaxDelay
}

// FrameMS is the duration of a frame in milliseconds.
const FrameMS = 1000 / ds.FrameRate

// Gaps are the times between shown frames of one sort of consoles.
type Gaps struct {
	Latency
	Over25  float64 `json:"over25"` // a minute and console
	Over33  float64 `json:"over33"`
	Over50  float64 `json:"over50"`
	Minutes float64 `json:"minutes"` // of all consoles
}

// Held are the times at which a machine's own frames began much later than they were due: its
// console waited for another machine, or the machine was busy with something else.
type Held struct {
	Count   int     `json:"count"`
	MS      float64 `json:"ms"`      // in all: the longest wait of each time
	Minutes float64 `json:"minutes"` // of all machines
}

// heldFrom is the wait in microseconds from which on a frame counts as held: half a frame.
const heldFrom = 8000

// PerMinute returns the count a minute and machine.
func (h Held) PerMinute() float64 { return perMinute(h.Count, h.Minutes) }

func perMinute(n int, minutes float64) float64 {
	if minutes == 0 {
		return 0
	}
	return float64(n) / minutes
}

// Latency is a distribution of durations.
type Latency struct {
	MS  []float64 `json:"-"` // ascending
	P50 float64   `json:"p50"`
	P99 float64   `json:"p99"`
}

// finish sorts it, and looks for its middle and its end.
func (l *Latency) finish() {
	slices.Sort(l.MS)
	l.P50, l.P99 = Percentile(l.MS, 0.50), Percentile(l.MS, 0.99)
}

// Longer counts those that are not shorter than a limit.
func (l *Latency) Longer(limit float64) int {
	first, _ := slices.BinarySearch(l.MS, limit)
	return len(l.MS) - first
}

// Delays are the input delays of a game, in frames.
type Delays struct {
	Last    []int `json:"last"`     // at the end, by machine
	Changes int   `json:"changes"`  // in the span that counts, of the machine with most
	Most10s int   `json:"most_10s"` // changes in any ten seconds of it, of one machine
}

// Measure makes figures of what the machines of a game saw. Machine i of the list owns the seats
// that are its own in its times.
func Measure(machines []diagnostics.FrameTimes, span Span) Figures {
	return MeasurePresses(machines, span, nil)
}

// MeasurePresses is Measure where pressed tells at which of a machine's local frames its player presses or lets go of
// something: Press and Reach are of those, since in rollback an input that goes on is guessed. With nil they are of all.
func MeasurePresses(machines []diagnostics.FrameTimes, span Span, pressed func(machine int, frame int64) bool) Figures {
	m := measuring{machines: machines, owners: map[ds.Seat]int{}, pressed: pressed}
	for i, t := range machines {
		for _, s := range t.Seats {
			if s.Mine {
				m.owners[s.Seat] = i
			}
		}
	}
	var f Figures
	for i := range machines {
		from, to := m.span(i, span)
		if to <= from {
			continue
		}
		m.lates(i, from, to, &f.Lates)
		m.lates(i, 0, from, &f.Start)
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
	machines []diagnostics.FrameTimes
	owners   map[ds.Seat]int
	pressed  func(machine int, frame int64) bool // nil: at all
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
func within(s *diagnostics.Series, from, to int64, do func(frame, at int64)) {
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
		delays := t.Delays
		if owner, known := m.owners[seat.Seat]; known {
			delays = m.machines[owner].Delays // seats may have delays of their own
		}
		within(&t.Due, from, to, func(frame, due int64) {
			l.Inputs++
			at, ok := seat.Arrived.At(frame)
			if !ok {
				at = to // it never came
			}
			l.Needs = append(l.Needs, millis(at-due)+FrameMS*float64(delayAt(delays, frame)))
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

// begins compares when a machine's frames began with when they were due.
func (m *measuring) begins(here *diagnostics.FrameTimes, from, to int64, f *Figures) {
	f.Held.Minutes += float64(to-from) / 60e6
	longest := int64(0) // of the frames that are held one after the other
	within(&here.Due, from, to, func(frame, due int64) {
		at, ok := here.Begun.At(frame)
		if !ok {
			return
		}
		f.Wake.MS = append(f.Wake.MS, millis(at-due))
		if at-due < heldFrom {
			longest = 0
			return
		}
		if longest == 0 {
			f.Held.Count++
		}
		f.Held.MS += millis(max(at-due-longest, 0))
		longest = max(longest, at-due)
	})
}

// latencies are from a sample to what comes of it, on the owner's machine and on machine i.
func (m *measuring) latencies(i int, from, to int64, f *Figures) {
	here := &m.machines[i]
	m.begins(here, from, to, f)
	for k := range here.Seats {
		s := &here.Seats[k]
		owner, ok := m.owners[s.Seat]
		if !ok {
			continue
		}
		there := &m.machines[owner]
		shift := there.Epoch - here.Epoch
		add := func(l *Latency, to *diagnostics.Series, frame, since int64) {
			if at, ok := to.At(frame); ok {
				l.MS = append(l.MS, millis(at-since-shift))
			}
		}
		within(&there.Begun, from-shift, to-shift, func(frame, sampled int64) {
			applies := frame + int64(delayAt(there.Delays, frame))
			seen := &f.Reach
			if s.Mine {
				seen = &f.Press
			} else {
				add(&f.Way, &s.Arrived, applies, sampled)
			}
			if m.pressed == nil || m.pressed(owner, frame) {
				add(seen, &s.Shown, applies, sampled)
			}
		})
		if owner > i {
			m.apart(here, there, from, to, &f.Apart)
		}
	}
}

// apart compares when two machines' frames were due.
func (m *measuring) apart(here, there *diagnostics.FrameTimes, from, to int64, l *Latency) {
	within(&here.Due, from, to, func(frame, due int64) {
		if at, ok := there.Due.At(frame); ok {
			l.MS = append(l.MS, math.Abs(millis(at+there.Epoch-here.Epoch-due)))
		}
	})
}

// speed returns the number of frames that a machine's own console has shown, by those that a DS shows.
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
func delayAt(delays []diagnostics.Delay, frame int64) int {
	delay := 0
	for _, d := range delays {
		if d.Frame <= frame {
			delay = d.Delay
		}
	}
	return delay
}

// add takes the delays of a machine.
func (d *Delays) add(t diagnostics.FrameTimes, from, to int64) {
	var at []int64
	for i, c := range t.Delays {
		when, _ := t.Begun.At(c.Frame)
		if i > 0 && when >= from && when < to {
			at = append(at, when)
		}
	}
	if n := len(t.Delays); n > 0 {
		d.Last = append(d.Last, t.Delays[n-1].Delay)
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

// latencies are all of its distributions.
func (f *Figures) latencies() []*Latency {
	return []*Latency{&f.Way, &f.Apart, &f.Press, &f.Reach, &f.Wake, &f.Own.Latency, &f.Others.Latency}
}

// finish sorts everything and counts.
func (f *Figures) finish() {
	slices.Sort(f.Lates.MS)
	slices.Sort(f.Lates.Needs)
	for _, l := range f.latencies() {
		l.finish()
	}
	for _, g := range []*Gaps{&f.Own, &f.Others} {
		over := func(limit float64) float64 { return perMinute(g.Longer(limit), g.Minutes) }
		g.Over25, g.Over33, g.Over50 = over(25), over(33), over(50)
	}
}

// Percentile is the value below which the share p of an ascending list lies; 0 for an empty one.
func Percentile(list []float64, p float64) float64 {
	if len(list) == 0 {
		return 0
	}
	return list[min(int(p*float64(len(list))), len(list)-1)]
}

func millis(us int64) float64 { return float64(us) / 1e3 }
