package inputdelay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Limits of a queue.
const (
	// Window is the number of frames a queue holds at once, counted from the oldest
	// that is not forgotten: 8.5 seconds.
	Window = 512
	// maxChanges is the limit of delay changes that wait for their frame.
	maxChanges = 64
)

// ErrFull says that an input lies beyond the window of a queue: the console has
// to run (and [Queue.Forget] be called) first, or its sender is further
// ahead than the rules allow.
var ErrFull = errors.New("input queue is full")

// Queue is the input of one seat on one machine, frame by frame. The owner of
// the seat (in clocked play the game host) feeds it with [Queue.Push], all others with [Queue.Put]; everybody
// reads it with [Queue.At].
//
// A sample that the owner takes before local frame f applies at frame f+delay.
// The first delay frames have no sample and are neutral (-). With delay 2:
//
//	local frame    0  1  2  3  4
//	sampled        a  b  c  d  e
//	frame          0  1  2  3  4  5  6
//	applied        -  -  a  b  c  d  e
//
// When the delay grows, from 2 to 4 at local frame 3, the frames that no sample
// falls on repeat the last input:
//
//	local frame    0  1  2  3  4
//	sampled        a  b  c  d  e
//	frame          0  1  2  3  4  5  6  7  8
//	applied        -  -  a  b  c  c  c  d  e
//
// When it shrinks, from 4 to 2 at local frame 3, the frames of some samples are
// taken already. They are kept and join the first sample that has a frame of its
// own; what was held in any of them is held in that one, so a short press is
// never lost:
//
//	local frame    0  1  2  3  4  5  6
//	sampled        a  b  c  d  e  f  g
//	frame          0  1  2  3  4  5  6  7      8
//	applied        -  -  -  -  a  b  c  d|e|f  g
//
// A frame that has its input keeps it: changes of the delay never rewrite or
// skip one.
//
// The zero value is not usable; call [NewQueue]. A Queue is about 3 kB and never
// grows. Not safe for concurrent use.
type Queue struct {
	first int64 // first frame of all
	base  int64 // oldest frame kept; the window is [base, base+Window)
	next  int64 // all frames below are present; base <= next <= base+Window
	used  int64 // newest forgotten frame that was not neutral; first-1 if none

	inputs [Window]Input // by frame modulo Window
	source [Window]source

	cutFrom, cutTo int64 // the newest cut beyond the window; see Queue.Cut

	// The owner's side.
	sample  int64    // local frame of the next sample
	delay   int      // in force for the sample before that
	changes []change // that wait for their local frame, ascending
	last    Input    // newest input given a frame, repeated when the delay grows
	held    Input    // of samples that found no frame; neutral if none
}

// source is where the input of a frame comes from.
type source uint8

const (
	missing source = iota
	given          // by the owner
	cut            // by [Queue.Cut]
)

// change is a delay that applies to the samples of local frames >= at.
type change struct {
	at    int64
	delay int
}

// NewQueue makes the queue of a seat that plays from frame first on, with the
// frames first to first+delay-1 neutral and present. first is 0 at a cold start
// and the state's frame otherwise; delay is 0 to [ds.MaxDelay] frames. All machines
// make their copy with the same numbers.
func NewQueue(first int64, delay int) (*Queue, error) {
	if first < 0 || first > ds.MaxFrame {
		return nil, fmt.Errorf("input queue from frame %d: only frames 0 to %d exist", first, int64(ds.MaxFrame))
	}
	if err := checkDelay(delay); err != nil {
		return nil, err
	}
	q := &Queue{first: first, base: first, next: first, used: first - 1, sample: first, delay: delay}
	for f := first; f < first+int64(delay); f++ {
		q.fill(f, Input{})
	}
	q.advance()
	return q, nil
}

// checkDelay returns an error for a delay out of range.
func checkDelay(delay int) error {
	if delay < 0 || delay > ds.MaxDelay {
		return fmt.Errorf("input delay of %d frames: only 0 to %d is possible", delay, ds.MaxDelay)
	}
	return nil
}

// At returns the input of a frame and whether the queue has it. Inputs that have
// not arrived yet or were forgotten are missing.
func (q *Queue) At(frame int64) (Input, bool) {
	if !q.inWindow(frame) || q.source[slot(frame)] == missing {
		return Input{}, false
	}
	return q.inputs[slot(frame)], true
}

// Newest returns the newest frame up to which no input is missing. It is the
// frame before the queue's first when there is none, so -1 at a cold start.
func (q *Queue) Newest() int64 { return q.next - 1 }

// Oldest returns the oldest frame that the queue may still hold: the first, or
// what the last [Queue.Forget] left.
func (q *Queue) Oldest() int64 { return q.base }

// Put stores the input of a frame, as its owner stamped it. A frame that is
// already there, or was forgotten, is left as it is. Frames may come in any
// order; [Queue.Newest] stays before the first gap. A frame [Window] or more past
// the oldest kept is ErrFull.
func (q *Queue) Put(frame int64, in Input) error {
	if frame < q.next {
		return nil
	}
	if !q.inWindow(frame) {
		return fmt.Errorf("input of frame %d: the queue takes frames %d to %d: %w", frame, q.base, q.base+Window-1, ErrFull)
	}
	q.fill(frame, in.Normal())
	q.advance()
	return nil
}

// Agrees reports whether an input that somebody claims for a frame can be true:
// the queue does not hold another one for it from the owner. Frames that are
// missing, forgotten or cut agree with everything.
func (q *Queue) Agrees(frame int64, in Input) bool {
	if !q.inWindow(frame) || q.source[slot(frame)] != given {
		return true
	}
	return q.inputs[slot(frame)] == in.Normal()
}

// Forget frees the frames below before: they were applied everywhere they are
// needed. It stops at the first missing frame: an input that has not arrived cannot be
// forgotten.
func (q *Queue) Forget(before int64) {
	for before = min(before, q.next); q.base < before; q.base++ {
		if q.inputs[slot(q.base)] != (Input{}) {
			q.used = q.base
		}
		q.source[slot(q.base)] = missing
		if f := q.base + Window; f >= q.cutFrom && f < q.cutTo { // it comes into the window
			q.inputs[slot(f)], q.source[slot(f)] = Input{}, cut
		}
	}
	q.advance()
	// On a machine that only puts, nothing else would ever retire a change.
	if q.sample == q.first {
		q.adopt(q.base)
	}
}

// adopt puts the changes up to a local frame in force.
func (q *Queue) adopt(frame int64) {
	for len(q.changes) > 0 && q.changes[0].at <= frame {
		q.delay = q.changes[0].delay
		q.changes = slices.Delete(q.changes, 0, 1)
	}
}

// Cut makes the frames from to to-1 neutral and present, whatever was there: the
// seat's owner is gone, and all machines agreed on the range. An input that
// still comes for one of them is ignored.
//
// The range may end beyond the window: those frames become present as the window
// comes to them. Only one such cut at a time is possible.
//
// Frames of the range that were forgotten must have been neutral already, as
// they are on a machine that got the neutral inputs before it got the decision. A
// frame that was applied with something held cannot be changed any more: that is
// an error, and nothing is cut then.
func (q *Queue) Cut(from, to int64) error {
	end := q.base + Window
	switch {
	case from < q.first || from > to || to > ds.MaxFrame:
		return fmt.Errorf("cut frames %d to %d of an input queue that begins at frame %d", from, to-1, q.first)
	case to > end && q.cutTo > end:
		return fmt.Errorf("cut frames %d to %d of an input queue, which is cut up to frame %d already", from, to-1, q.cutTo-1)
	case from <= q.used:
		return fmt.Errorf("cut frames %d to %d of an input queue: frame %d was applied with something held", from, to-1, q.used)
	}
	if to > end {
		q.cutFrom, q.cutTo = from, to
	}
	for f := max(from, q.base); f < min(to, end); f++ {
		q.inputs[slot(f)], q.source[slot(f)] = Input{}, cut
	}
	if from < to && to >= q.next {
		q.last, q.held = Input{}, Input{} // of a player who is gone
	}
	q.advance()
	return nil
}

// inWindow reports whether the queue has a slot for the frame. It holds for every
// int64: base is never negative, so nothing overflows.
func (q *Queue) inWindow(frame int64) bool {
	return frame >= q.base && frame-q.base < Window
}

// slot is a frame's place in the ring.
func slot(frame int64) int { return int(frame & (Window - 1)) }

// fill gives a frame of the window its input unless it has one.
func (q *Queue) fill(frame int64, in Input) {
	if q.source[slot(frame)] == missing {
		q.inputs[slot(frame)], q.source[slot(frame)] = in, given
	}
}

// advance moves next past everything that is present.
func (q *Queue) advance() {
	for q.inWindow(q.next) && q.source[slot(q.next)] != missing {
		q.next++
	}
}
