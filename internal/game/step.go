package game

import "slices"

// Machines that have fallen out of step, at a start or after one of them stood still, come together
// again within seconds by their pacers; no input delay is to follow that. So needs are taken as they are
// with all machines in step: less what this machine was ahead then.

// stepSpan is the number of measurements of a lead that are looked at. Their median hears of no
// datagram that was late on its way, and of a machine that was late after half of them.
const stepSpan = 15

// step is the newest leads over one machine, in frames.
type step struct {
	leads [stepSpan]float64
	count int
}

func (s *step) add(frames float64) {
	s.leads[s.count%stepSpan] = min(max(frames, -16), 16)
	s.count++
}

// inStep is by how many frames machines that are in step seem to be apart: leads are whole and half frames.
const inStep = 0.75

// out is by how many quarters of a frame this machine is ahead, beyond what counts as in step.
func (s *step) out() int {
	if s.count < stepSpan {
		return 0
	}
	leads := s.leads
	slices.Sort(leads[:])
	lead := leads[stepSpan/2]
	return int(4 * (lead - min(max(lead, -inStep), inStep)))
}

// arrival is a need that waits until it is known how the machines stood.
type arrival struct{ need, inputs int }

// arrive notes an arrival, and counts the one of half a span before.
func (s *seat) arrive(a arrival, in *step) {
	s.waiting = append(s.waiting, a)
	if len(s.waiting) <= stepSpan/2 || in.count < stepSpan {
		return
	}
	for len(s.waiting) > stepSpan/2 {
		s.arrivals.Add(s.waiting[0].need-in.out(), s.waiting[0].inputs)
		s.waiting = slices.Delete(s.waiting, 0, 1)
	}
}
