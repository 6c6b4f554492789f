package autodelay

import "github.com/nettplay/nettplay/internal/wire"

// The window over which needs are looked at: 30 slices of 120 inputs, so 60 s of a game that runs at
// its rate. One in 2,000 inputs can be seen in it.
const (
	sliceInputs  = 120
	windowSlices = 30
	// recentSlices are the last 20 s, over which a shorter delay must have been enough; the
	// newest slices tell whether the line has just changed.
	recentSlices = 10
	newestSlices = 2
	// MaxNeed is the longest need that is told apart, in quarters of a frame: 32 frames.
	MaxNeed = 128
)

// slice is the needs of inputs that came one after the other.
type slice struct {
	inputs int
	needs  [MaxNeed + 1]uint16 // arrivals by need
}

// Arrivals are the needs of one seat's inputs on this machine, over a sliding window. The zero value
// is an empty one, of about 8 kB.
type Arrivals struct {
	ring [windowSlices]slice
	at   int // the slice that is being filled
}

// Add notes that inputs came together, which were all here for the first time, and the need of the oldest
// of them in quarters of a frame. The console waits once for all of them, and for the oldest
// longest: so an outage counts once, not once for each frame that it took.
func (a *Arrivals) Add(need, inputs int) {
	s := &a.ring[a.at]
	if s.inputs >= sliceInputs {
		a.at = (a.at + 1) % windowSlices
		s = &a.ring[a.at]
		*s = slice{}
	}
	need = min(max(need, 0), MaxNeed)
	if inputs > 0 && s.needs[need] < 1<<16-1 {
		s.inputs += min(inputs, sliceInputs)
		s.needs[need]++
	}
}

// Arrival tells how a seat's inputs arrive at one machine, for a preset. All needs are in quarters of a
// frame, 0 to MaxNeed.
type Arrival struct {
	Inputs int // in the window, 0 to MaxInputs
	Late   int // of them, at the delay that is in force
	Need   int // what the preset's share asks for, over the window
	Recent int // the same of the last 20 s
	Newest int // the need that one in twenty exceeded in the last 2 to 4 s
	Middle int // half of the inputs need no more
	Spread int // 19 of 20 need no more than so much above the middle
}

// MaxInputs is the limit of inputs in the window.
const MaxInputs = windowSlices * 2 * sliceInputs

// Sum sums the window up, at a delay in frames.
func (a *Arrivals) Sum(p Preset, delay int) Arrival {
	is := p.policy()
	all, recent, newest := a.last(windowSlices), a.last(recentSlices), a.last(newestSlices)
	l := Arrival{Inputs: all.inputs, Late: all.late(4 * delay)}
	l.Need = all.need(is.cap, is.allowed(all.inputs))
	l.Recent = recent.need(is.cap, recent.inputs/is.share)
	l.Newest = newest.exceeded(newest.arrivals() / 20)
	l.Middle = all.exceeded(all.arrivals() / 2)
	l.Spread = all.exceeded(all.arrivals()/20) - l.Middle
	return l
}

// Less is the same where nobody needs so many quarters of a frame of each need: those that a machine guesses.
func (l Arrival) Less(quarters int) Arrival {
	for _, need := range []*int{&l.Need, &l.Recent, &l.Newest, &l.Middle} {
		*need = max(*need-quarters, 0)
	}
	return l
}

// last is the sum of the last n slices, the one that is being filled included.
func (a *Arrivals) last(n int) (sum slice) {
	for i := range n {
		s := &a.ring[(a.at-i+windowSlices)%windowSlices]
		sum.inputs += s.inputs
		for need, count := range s.needs {
			sum.needs[need] += count
		}
	}
	return sum
}

func (s *slice) arrivals() (n int) {
	for _, count := range s.needs {
		n += int(count)
	}
	return n
}

// late counts the arrivals that need more than so much.
func (s *slice) late(need int) (n int) {
	for _, count := range s.needs[min(max(need+1, 0), MaxNeed+1):] {
		n += int(count)
	}
	return n
}

// exceeded is the smallest need that at most so many arrivals exceed.
func (s *slice) exceeded(allowed int) int {
	over := 0
	for need := MaxNeed; need > 0; need-- {
		if over += int(s.needs[need]); over > allowed {
			return need
		}
	}
	return 0
}

// need is the smallest need that at most so many arrivals exceed. An arrival that needs more than the
// longest delay counts only where it is not rare: no longer delay would help it.
func (s *slice) need(longest, allowed int) int {
	if outages := s.late(4 * longest); outages*10 <= s.arrivals() {
		allowed += outages
	}
	return s.exceeded(allowed)
}

// Fields are the fields of an arrival in a message.
func (l *Arrival) Fields(c *wire.Coder) {
	wire.Number(c, "inputs", &l.Inputs, 0, MaxInputs)
	wire.Number(c, "late", &l.Late, 0, MaxInputs)
	wire.Number(c, "need", &l.Need, 0, MaxNeed)
	wire.Number(c, "recent need", &l.Recent, 0, MaxNeed)
	wire.Number(c, "newest need", &l.Newest, 0, MaxNeed)
	wire.Number(c, "middle need", &l.Middle, 0, MaxNeed)
	wire.Number(c, "spread of needs", &l.Spread, 0, MaxNeed)
}
