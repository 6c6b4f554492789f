package inputdelay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Push takes the sample of local frame f, taken before the owner's console runs
// f. Local frames follow each other without a gap, from the queue's first. It
// returns the frames from to to-1 that got their input by it: one when the delay
// rests, several when it has grown, none (from == to) when it has shrunk and the
// sample waits for the next one. Read them with [Queue.At] and send them.
//
// A sample whose frame lies beyond the window is ErrFull; nothing has happened
// then, and the same sample may be pushed again later.
func (q *Queue) Push(f int64, in Input) (from, to int64, err error) {
	if f != q.sample {
		return 0, 0, fmt.Errorf("push the sample of local frame %d: the next one is %d", f, q.sample)
	}
	target := f + int64(q.Delay())
	if target > ds.MaxFrame {
		return 0, 0, fmt.Errorf("push the sample for frame %d: the last frame is %d", target, int64(ds.MaxFrame))
	}
	if target-q.base >= Window {
		return 0, 0, fmt.Errorf("push the sample for frame %d: the queue takes frames %d to %d: %w",
			target, q.base, q.base+Window-1, ErrFull)
	}
	q.adopt(f)
	q.sample++
	in = merge(q.held, in.Normal())
	if target < q.next {
		q.held = in
		return q.next, q.next, nil
	}
	from = q.next
	for gap := from; gap < target; gap++ {
		q.fill(gap, q.last)
	}
	q.fill(target, in)
	q.held, q.last = Input{}, in
	q.advance()
	return from, q.next, nil
}

// Delay returns the input delay, in frames, of the next sample.
func (q *Queue) Delay() int {
	delay := q.delay
	for _, c := range q.changes {
		if c.at > q.sample {
			break
		}
		delay = c.delay
	}
	return delay
}

// SetDelay gives the samples of local frames >= at another delay, 0 to
// [ds.MaxDelay] frames. Several changes may wait for their frames, up to 64; a
// second one for the same frame replaces the first. A frame whose sample was
// already pushed is an error.
//
// Only the owner's queue needs it: to the other machines the inputs come with the
// frames they apply at.
func (q *Queue) SetDelay(at int64, delay int) error {
	if err := checkDelay(delay); err != nil {
		return err
	}
	if at < q.sample || at > ds.MaxFrame {
		return fmt.Errorf("input delay %d from local frame %d on: the next sample is of frame %d", delay, at, q.sample)
	}
	i, found := slices.BinarySearchFunc(q.changes, at, func(c change, at int64) int { return cmp.Compare(c.at, at) })
	if found {
		q.changes[i].delay = delay
		return nil
	}
	if len(q.changes) >= maxChanges {
		return fmt.Errorf("input delay %d from local frame %d on: %d changes are waiting already", delay, at, maxChanges)
	}
	q.changes = slices.Insert(q.changes, i, change{at, delay})
	return nil
}
