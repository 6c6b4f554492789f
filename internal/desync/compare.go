package desync

import (
	"maps"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Reports are votes on the odd machine, once all have reported a frame and before.

// Report takes the hashes of a seat's console on a machine after frame frames.
// It returns a verdict when this report completes a frame and the machines do
// not agree on it, or shows that a machine is outvoted. Reports of unknown machines
// or seats, repeated ones and those older than what is remembered are ignored.
func (c *Comparer) Report(machine int, seat ds.Seat, frame int64, h Hashes) (Verdict, bool) {
	if _, known := c.owner[seat]; !known || !slices.Contains(c.machines, machine) || frame <= c.agreed[seat] {
		return Verdict{}, false
	}
	e := c.at(seat, frame)
	if _, twice := e.by[machine]; twice {
		return Verdict{}, false
	}
	e.by[machine] = h
	if v, bad := c.complete(seat, e); bad {
		return v, true
	}
	return c.outvoted(seat, e)
}

// Remove forgets a machine that left. Frames that waited only for its report are
// compared now; at most one verdict, that of the lowest seat, is returned.
func (c *Comparer) Remove(machine int) (Verdict, bool) {
	c.machines = slices.DeleteFunc(c.machines, func(m int) bool { return m == machine })
	for _, seat := range slices.Sorted(maps.Keys(c.pending)) {
		for _, e := range slices.Clone(c.pending[seat]) {
			delete(e.by, machine)
			if v, bad := c.complete(seat, e); bad {
				return v, true
			}
		}
	}
	return Verdict{}, false
}

// complete compares an entry once all machines are in it.
func (c *Comparer) complete(seat ds.Seat, e *entry) (Verdict, bool) {
	if len(c.machines) == 0 || len(e.by) < len(c.machines) {
		return Verdict{}, false
	}
	c.pending[seat] = slices.DeleteFunc(c.pending[seat], func(x *entry) bool { return x == e })
	for region := range regions {
		if odd, alone, differs := c.odd(seat, e, region); differs && e.judged {
			return Verdict{}, false
		} else if differs {
			return Verdict{Frame: e.frame, Agreed: c.agreed[seat], Seat: seat, Region: region, Machine: odd, Alone: alone}, true
		}
	}
	c.agreed[seat] = max(c.agreed[seat], e.frame)
	// Machines report by rising frames: what a machine has left out by now was lost with its
	// connection, or told to an earlier game host. It is not silent.
	c.pending[seat] = slices.DeleteFunc(c.pending[seat], func(x *entry) bool { return x.frame < e.frame })
	return Verdict{}, false
}

// outvoted finds a difference in a frame that some machines have not reported, once another
// report has come, where the rest cannot change much: more than half of all agree against one;
// or half of all, more than those that say something else, which have waited for the rest for
// [patience] frames. No such frame counts as agreed.
func (c *Comparer) outvoted(seat ds.Seat, newest *entry) (Verdict, bool) {
	list := c.pending[seat]
	if i, _ := search(list, newest.frame-patience+1); i > 0 && waited(list[i-1], newest) {
		if v, bad := c.judge(seat, list[i-1], len(c.machines)); bad {
			return v, true
		}
	}
	return c.judge(seat, newest, len(c.machines)+1)
}

// waited reports whether more than half of the machines that have reported a frame have reported
// a later one. One alone could do that in a hurry.
func waited(e, later *entry) bool {
	on := 0
	for m := range later.by {
		if _, told := e.by[m]; told {
			on++
		}
	}
	return 2*on > len(e.by)
}

// judge finds a machine that is outvoted in an entry, once, where twice the votes must be at
// least so many.
func (c *Comparer) judge(seat ds.Seat, e *entry, least int) (Verdict, bool) {
	for region := range regions {
		right, votes := c.votes(e, region)
		if e.judged || 2*votes < least || 2*votes <= len(e.by) {
			continue
		}
		for _, m := range c.machines {
			if h, told := e.by[m]; told && h[region] != right {
				e.judged = true
				return Verdict{Frame: e.frame, Agreed: c.agreed[seat], Seat: seat, Region: region, Machine: m, Alone: true}, true
			}
		}
	}
	return Verdict{}, false
}

// odd finds the machine to blame for a region: the lowest one that is not with
// the strict majority. Without a majority the console's owner is right, since
// the console is its own, and the lowest machine that differs from it is odd;
// when the owner is gone, the lowest machine stands in for it. It is alone against a
// majority.
func (c *Comparer) odd(seat ds.Seat, e *entry, region Region) (machine int, alone, differs bool) {
	right, alone := c.majority(e, region)
	if !alone {
		reference := c.machines[0]
		if slices.Contains(c.machines, c.owner[seat]) {
			reference = c.owner[seat]
		}
		right = e.by[reference][region]
	}
	for _, m := range c.machines {
		if e.by[m][region] != right {
			return m, alone, true
		}
	}
	return 0, alone, false
}

// majority is the value that more than half of the machines report.
func (c *Comparer) majority(e *entry, region Region) (uint64, bool) {
	value, votes := c.votes(e, region)
	return value, 2*votes > len(c.machines)
}

// votes counts the machines that report the value that most of them do; of two such values that of the
// lowest machine.
func (c *Comparer) votes(e *entry, region Region) (value uint64, votes int) {
	for _, m := range c.machines {
		h, told := e.by[m]
		if !told {
			continue
		}
		same := 0
		for _, other := range e.by {
			if other[region] == h[region] {
				same++
			}
		}
		if same > votes {
			value, votes = h[region], same
		}
	}
	return value, votes
}
