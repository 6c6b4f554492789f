package inputdelay

import "slices"

// How long a Stamper goes on with what it knows, in frames.
const (
	// touchFor is the time the stylus stays on the screen, and somebody blows, without a
	// new sample: a stroke that stands still is a press where nobody pressed.
	touchFor = 6
	// keysFor is the number of frames that buttons stay held without a new sample: a second.
	keysFor = 60
	// lateFor is the greatest age, in frames, of a late sample whose presses count: half a second. A
	// press before that was for another moment of the game.
	lateFor = 30
	// heldFor is the number of frames the presses of late samples last: a game that looks at its
	// buttons every other frame sees them, too.
	heldFor = 2
)

// A Stamper decides what a seat's player does in each frame where one machine stamps the
// inputs of all: from the samples that have arrived from the seat's owner, and never waiting
// for one. Samples and stamps are counted by local frame; a [Queue] adds the input delay.
//
// A frame gets its own sample if that is here in time. Without a new one the last is repeated (r),
// without the stylus after 6 frames, and not at all after 60:
//
//	stamped at     0  1  2  3  4  5  6
//	arrived        0  1        2-4   5,6
//	result         a  b  r  r  e+  e+ g
//
// Late samples that come at once are one: what was held in any of them is held (+) for two
// frames, so that a short press is not lost; of two opposite directions the later one counts.
// Presses that are over half a second late are not made up for.
//
// Make it with [NewStamper]. Nothing here may come from anything but calls in an order: a
// Stamper has no clock. Not safe for concurrent use.
type Stamper struct {
	next   int64 // the local frame that is stamped next
	newest int64 // local frame of the newest sample
	ahead  []sample
	last   Input        // the newest sample that has had its turn
	held   Input        // of late samples
	holds  int          // frames for which held is to be held still
	fresh  bool         // a late sample came since the last stamp
	age    int          // frames since there was something new
	recent [Recent]bool // by frame modulo Recent: it was repeated
	among  int          // of those, that were
}

// sample is the input held at a local frame that is still to come.
type sample struct {
	frame int64
	in    Input
}

// Recent is the number of frames that [Stamper.Repeated] is about: ten seconds.
const Recent = 600

// NewStamper stamps from a local frame on. Last is the seat's input in the frame before that.
func NewStamper(next int64, last Input) *Stamper {
	return &Stamper{next: next, newest: next - 1, last: last.Normal()}
}

// Sample takes the sample of a local frame, and tells whether it is of use: it is not when
// that one or a later one came before. Samples come by rising frame; one that is [Window] or
// more ahead of the frame that is stamped next is not taken.
func (s *Stamper) Sample(frame int64, in Input) bool {
	if frame <= s.newest || frame-s.next >= Window {
		return false
	}
	s.newest = frame
	in = in.Normal()
	if frame >= s.next {
		s.ahead = append(s.ahead, sample{frame, in})
		return true
	}
	if s.last, s.fresh = in, true; s.next-frame <= lateFor {
		s.held, s.holds = join(s.held, in), heldFor
	}
	return true
}

// Stamp returns the input of the next local frame.
func (s *Stamper) Stamp() Input {
	fresh := s.fresh
	for len(s.ahead) > 0 && s.ahead[0].frame <= s.next {
		s.last, fresh = s.ahead[0].in, true
		s.ahead = slices.Delete(s.ahead, 0, 1)
	}
	s.count(!fresh)
	s.next, s.fresh = s.next+1, false
	if s.age++; fresh {
		s.age = 0
	}
	in := Repeat(s.last, s.age)
	if s.holds > 0 {
		if in, s.holds = join(s.held, in), s.holds-1; s.holds == 0 {
			s.held = Input{}
		}
	}
	return in
}

// count notes whether the frame that is stamped next is repeated.
func (s *Stamper) count(repeated bool) {
	was := &s.recent[s.next%Recent]
	if *was {
		s.among--
	}
	if *was = repeated; repeated {
		s.among++
	}
}

// Next returns the local frame that is stamped next.
func (s *Stamper) Next() int64 { return s.next }

// Newest returns the local frame of the newest accepted sample, to be acknowledged.
func (s *Stamper) Newest() int64 { return s.newest }

// Repeated is the number of frames, of the newest [Recent], for which nothing had arrived, so that the last input
// was repeated.
func (s *Stamper) Repeated() int { return s.among }

// Repeat returns what is left of an input that is some frames old, where nothing newer is known.
func Repeat(in Input, age int) Input {
	switch {
	case age >= keysFor:
		return Input{}
	case age >= touchFor:
		in.Keys &^= Touch | Mic
	}
	return in.Normal()
}

// join is merge, but nobody presses a cross in two opposite directions.
func join(earlier, later Input) Input {
	for _, cross := range [...]Keys{KeyLeft | KeyRight, KeyUp | KeyDown} {
		if later.Keys&cross != 0 {
			earlier.Keys &^= cross
		}
	}
	return merge(earlier, later)
}

// Continue has a queue that was filled with [Queue.Put] go on with [Queue.Push]: this machine
// stamps the seat's inputs from now on. Sample is the local frame of the first push, delay the
// input delay in force there, and last the newest input that the queue was given.
func (q *Queue) Continue(sample int64, delay int, last Input) error {
	if err := checkDelay(delay); err != nil {
		return err
	}
	q.sample, q.delay, q.last, q.held = max(sample, q.first), delay, last.Normal(), Input{}
	q.adopt(q.sample)
	return nil
}

// Retract forgets the inputs of the frames from frame on, none of which was applied: another
// machine stamps them now, and may have had none of them from the one before. Inputs
// that were cut stay.
func (q *Queue) Retract(frame int64) {
	for f := max(frame, q.base); f < q.base+Window; f++ {
		if q.source[slot(f)] == given {
			q.source[slot(f)] = missing
		}
	}
	q.next = max(q.base, min(q.next, frame))
	q.advance()
}
