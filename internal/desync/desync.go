// Package desync notices when the machines of a game stop being alike.
//
// Every machine hashes every console at agreed frames and reports. A [Comparer]
// collects the reports and, once every machine has reported a seat's frame,
// compares them: the first difference is a [Verdict] that names the frame, the
// seat, the region of the console and the machine that is the odd one out. A
// machine that is outvoted is named before all have reported: in clocked play the
// others go on for seconds without one that is silent.
//
// [First] finds where two runs of one console part, hash by hash, and [History] keeps
// what was reported, for a bug report.
//
// The package is pure: no clock, no network, no goroutine. One goroutine owns
// a Comparer. Where the hashes come from: package emucore; who carries them:
// package host; who acts on a verdict: package internal/session.
package desync

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Region is a part of a console that is hashed by itself.
type Region uint8

// The regions, in the order in which they are blamed: a difference in main RAM
// explains one in the picture.
const (
	RAM Region = iota
	SRAM
	Air
	Video
	regions
)

// String is the region's name as shown to a player.
func (r Region) String() string {
	if r >= regions {
		return fmt.Sprintf("region %d", uint8(r))
	}
	return [regions]string{RAM: "main RAM", SRAM: "save memory", Air: "the radio output", Video: "the picture"}[r]
}

// Hashes are one console's hashes between two frames, indexed by [Region].
type Hashes [regions]uint64

// Keep is the number of frames of one seat that a Comparer remembers while reports are missing: 20 s at
// 60 frames a second, whatever the interval.
const Keep = 1200

// patience is the number of frames that the others have gone on when they are judged without a machine
// that has not reported: a second, in which a report comes on a bad line.
const patience = 60

// Verdict says how machines differ.
type Verdict struct {
	Frame   int64   // frames done when the hashes were taken: the first known difference
	Agreed  int64   // the last frame at which all agreed on this seat, -1 for none
	Seat    ds.Seat // the console
	Region  Region  // the first region that differs
	Machine int     // the odd one out
	Alone   bool    // more than half of the machines that are heard agree on something else
}

// Comparer compares the reports of a fixed set of machines. Its zero value is not
// usable; see [NewComparer].
type Comparer struct {
	machines []int
	owner    map[ds.Seat]int
	pending  map[ds.Seat][]*entry // by seat, by rising frame
	agreed   map[ds.Seat]int64
	silent   map[int]bool
}

type entry struct {
	frame  int64
	by     map[int]Hashes
	judged bool // there was a verdict
}

// NewComparer compares the consoles of the seats in owner, which names the machine
// that owns each seat, on the given machines.
func NewComparer(machines []int, owner map[ds.Seat]int) *Comparer {
	c := &Comparer{
		machines: slices.Sorted(slices.Values(machines)),
		owner:    make(map[ds.Seat]int, len(owner)),
		pending:  make(map[ds.Seat][]*entry),
		agreed:   make(map[ds.Seat]int64),
		silent:   make(map[int]bool),
	}
	for seat, machine := range owner {
		c.owner[seat] = machine
		c.agreed[seat] = -1
	}
	return c
}

// Agreed is the newest frame at which all machines had equal hashes of the
// seat's console, -1 when there was none.
func (c *Comparer) Agreed(seat ds.Seat) int64 {
	if f, ok := c.agreed[seat]; ok {
		return f
	}
	return -1
}

// Silent tells of the lowest machine that has left out a report which others made [Keep]
// frames ago, and every one since.
func (c *Comparer) Silent() (machine int, ok bool) {
	for _, m := range c.machines {
		if c.silent[m] {
			return m, true
		}
	}
	return 0, false
}

// at finds or makes the entry of a frame and drops what is too old to wait for.
func (c *Comparer) at(seat ds.Seat, frame int64) *entry {
	list := c.pending[seat]
	i, found := search(list, frame)
	if found {
		return list[i]
	}
	e := &entry{frame: frame, by: make(map[int]Hashes, len(c.machines))}
	list = slices.Insert(list, i, e)
	newest := list[len(list)-1].frame
	for len(list) > 1 && list[0] != e && list[0].frame < newest-Keep {
		for _, m := range c.machines {
			if _, told := list[0].by[m]; !told {
				c.silent[m] = true
			}
		}
		list = list[1:]
	}
	c.pending[seat] = list
	return e
}

// search finds the place of a frame among entries.
func search(list []*entry, frame int64) (at int, found bool) {
	return slices.BinarySearchFunc(list, frame, func(e *entry, f int64) int { return cmp.Compare(e.frame, f) })
}

// Report is one machine's word of one console.
type Report struct {
	Machine int
	Seat    ds.Seat
	Frame   int64 // frames done
	Hashes  Hashes
}

// History keeps what machines reported for the last [Keep] frames of each console, for
// a bug report. Its zero value is empty.
type History struct {
	lists map[copyOf][]Report // by rising frame
}

// copyOf is a machine's copy of a console.
type copyOf struct {
	machine int
	seat    ds.Seat
}

// Add takes a report. Older ones of that machine's console than the newest, or the
// same again, are ignored.
func (h *History) Add(r Report) {
	if h.lists == nil {
		h.lists = make(map[copyOf][]Report)
	}
	key := copyOf{r.Machine, r.Seat}
	list := h.lists[key]
	if n := len(list); n > 0 && list[n-1].Frame >= r.Frame {
		return
	}
	list = append(list, r)
	for list[0].Frame < r.Frame-Keep {
		list = list[1:]
	}
	h.lists[key] = list
}

// Reports are all that is remembered, by frame, seat and machine.
func (h *History) Reports() []Report {
	var all []Report
	for _, list := range h.lists {
		all = append(all, list...)
	}
	slices.SortFunc(all, func(a, b Report) int {
		return cmp.Or(cmp.Compare(a.Frame, b.Frame), cmp.Compare(a.Seat, b.Seat), cmp.Compare(a.Machine, b.Machine))
	})
	return all
}

// Point is a console's state after so many frames.
type Point struct {
	Frame  int64
	Hashes Hashes
}

// Trace has a console's states after some frames, rising.
type Trace []Point

// Difference is where two traces of one console part.
type Difference struct {
	Frame  int64 // frames done at the first point that differs
	Agreed int64 // frames done at the last common point before it; -1 for none
	Region Region
}

// First finds the first point at which two traces differ in some of the given regions, among the frames
// that are in both. Common is the number of points in both.
func First(a, b Trace, in ...Region) (d Difference, common int, differ bool) {
	d.Agreed = -1
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Frame < b[0].Frame:
			a = a[1:]
			continue
		case b[0].Frame < a[0].Frame:
			b = b[1:]
			continue
		}
		common++
		d.Frame = a[0].Frame
		for _, d.Region = range in {
			if a[0].Hashes[d.Region] != b[0].Hashes[d.Region] {
				return d, common, true
			}
		}
		d.Agreed = d.Frame
		a, b = a[1:], b[1:]
	}
	return Difference{Frame: -1, Agreed: d.Agreed}, common, false
}
