package mirror

import (
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Pressure tracks the frame of each machine and determines whom to wait for: copies
// that do not talk to each other may drift apart, but not by more than
// [ds.MaxBehind] frames, or inputs would pile up on the way to the slowest.
//
// The zero value is ready, with no machine. Not safe for concurrent use.
type Pressure struct {
	frames []MachineFrame // ascending by machine, frames never negative
}

// Add watches a machine, which is at frame 0 until its first report. A machine
// that is already watched keeps its frame.
func (p *Pressure) Add(machine int) {
	if i, found := p.find(machine); !found {
		p.frames = slices.Insert(p.frames, i, MachineFrame{Machine: machine})
	}
}

// Remove stops watching a machine.
func (p *Pressure) Remove(machine int) {
	if i, found := p.find(machine); found {
		p.frames = slices.Delete(p.frames, i, i+1)
	}
}

// Report records that a machine has reached a frame: the next one of its slowest
// console. Reports come late and out of order, so the frame only ever rises. Those of
// machines that are not watched are ignored.
func (p *Pressure) Report(machine int, frame int64) {
	if i, found := p.find(machine); found {
		p.frames[i].Frame = max(p.frames[i].Frame, frame)
	}
}

// Behind returns the machines, ascending, that are more than [ds.MaxBehind] frames
// behind a frame: a machine that wants to run that frame waits for them. It is
// nil when there are none.
func (p *Pressure) Behind(frame int64) (machines []int) {
	for _, f := range p.frames {
		// f.Frame is not negative, so this subtraction cannot overflow where
		// frame-ds.MaxBehind could.
		if frame > f.Frame && frame-f.Frame > ds.MaxBehind {
			machines = append(machines, f.Machine)
		}
	}
	return machines
}

// Frames returns all machines that are watched and their frames, ascending by
// machine. The slice belongs to p and is valid until its next call.
func (p *Pressure) Frames() []MachineFrame { return p.frames }

// Slowest returns the machine that is furthest behind, the first of several, and
// its frame. ok is false when no machine is watched.
func (p *Pressure) Slowest() (machine int, frame int64, ok bool) {
	for _, f := range p.frames {
		if !ok || f.Frame < frame {
			machine, frame, ok = f.Machine, f.Frame, true
		}
	}
	return machine, frame, ok
}

// find returns a machine's index in frames, or where it would be inserted.
func (p *Pressure) find(machine int) (i int, found bool) {
	return slices.BinarySearchFunc(p.frames, machine, func(f MachineFrame, machine int) int {
		return f.Machine - machine
	})
}
