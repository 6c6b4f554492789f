package netbench

import (
	"slices"
	"sort"
	"time"

	"github.com/nettplay/nettplay/internal/diagnostics"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// Ideal computes when inputs would arrive over a case's lines if nothing took time but the lines:
// each machine sends all inputs that are not acknowledged in each frame, at the very moment, all
// machines' frames are due at the same moments, every datagram is taken when it comes, and the
// game host passes on at once what is new. It is pure: the same arguments give the same times.
func Ideal(c Case, delay int, seed uint64, frames int64) []diagnostics.FrameTimes {
	w := new(ideal)
	var neutral [ds.MaxMachines]int64
	for i := range neutral {
		neutral[i] = int64(delay) - 1 // neutral by definition
	}
	for m := range c.Machines {
		w.nodes = append(w.nodes, &node{times: new(diagnostics.FrameRecorder), have: neutral})
		if m > 0 {
			l := &idealLine{imp: c.line(m), acked: [2][ds.MaxMachines]int64{neutral, neutral}}
			for d := range l.dice {
				l.dice[d] = impair.NewDice(lineSeed(seed, m), uint64(d))
			}
			w.lines = append(w.lines, l)
		}
	}
	for f := range frames {
		w.at = time.Unix(0, 0).Add(ds.FrameTime(f))
		w.arrive()
		for m, n := range w.nodes {
			n.times.Begun(f, w.at, w.at, delay)
			n.have[m] = f + int64(delay)
			n.times.Shown(ds.Seat(m), f, w.at)
		}
		for m := range w.nodes {
			w.send(m)
		}
	}
	w.at = w.at.Add(time.Hour)
	w.arrive()
	list := make([]diagnostics.FrameTimes, 0, len(w.nodes))
	for _, n := range w.nodes {
		list = append(list, n.times.Times())
	}
	return list
}

type ideal struct {
	at     time.Time
	nodes  []*node
	lines  []*idealLine // of machine i+1 to machine 0
	flying []flight     // in order of arrival; of those that come at the same time the first sent is first
}

// node is a machine: the newest input it has of each seat. Seat s is machine s's.
type node struct {
	times *diagnostics.FrameRecorder
	have  [ds.MaxMachines]int64
}

// idealLine is a machine's line to the game host. Direction 0 goes to the game host. acked is by
// direction what the receiver there is known to have.
type idealLine struct {
	imp   impair.Impairment
	line  [2]impair.Line
	dice  [2]*impair.Dice
	acked [2][ds.MaxMachines]int64
}

// flight is a datagram on its way: all inputs up to have that from says are lacking, and what
// its sender has.
type flight struct {
	at        time.Time
	to        int // machine
	line      int
	direction int
	have      [ds.MaxMachines]int64
}

// send has a machine send what it has to those it is connected to.
func (w *ideal) send(m int) {
	if m > 0 {
		w.over(m-1, 0, m)
		return
	}
	for i := range w.lines {
		w.over(i, 1, 0)
	}
}

// over sends a datagram over a line.
func (w *ideal) over(i, direction, from int) {
	l, n := w.lines[i], w.nodes[from]
	fate := l.line[direction].Send(w.at, idealSize(n, l, direction, i+1), l.imp, l.dice[direction])
	for _, at := range fate.At[:fate.Copies] {
		to := 0
		if direction == 1 {
			to = i + 1
		}
		place := sort.Search(len(w.flying), func(k int) bool { return w.flying[k].at.After(at) })
		w.flying = slices.Insert(w.flying, place, flight{at: at, to: to, line: i, direction: direction, have: n.have})
	}
}

// idealSize is about as large as the program's datagrams are.
func idealSize(n *node, l *idealLine, direction, client int) int {
	size := 70
	for s := range n.have {
		if (s == client) == (direction == 0) {
			size += int(min(max(n.have[s]-l.acked[direction][s], 0), 100)) * 2
		}
	}
	return size
}

// arrive takes all datagrams that come up to now.
func (w *ideal) arrive() {
	now := w.at
	for len(w.flying) > 0 && !w.flying[0].at.After(now) {
		f := w.flying[0]
		w.flying = w.flying[1:]
		w.at = f.at
		w.take(f)
	}
	w.at = now
}

// take takes a datagram.
func (w *ideal) take(f flight) {
	n, l, fresh := w.nodes[f.to], w.lines[f.line], false
	for s := range w.nodes {
		if (s == f.line+1) != (f.direction == 0) {
			// The other direction's seats: it acknowledges them.
			l.acked[1-f.direction][s] = max(l.acked[1-f.direction][s], f.have[s])
			continue
		}
		for frame := n.have[s] + 1; frame <= f.have[s]; frame++ {
			n.times.Arrived(ds.Seat(s), frame, w.at)
			fresh = true
		}
		n.have[s] = max(n.have[s], f.have[s])
	}
	if f.to == 0 && fresh {
		for i := range w.lines {
			if i != f.line {
				w.over(i, 1, 0)
			}
		}
	}
}
