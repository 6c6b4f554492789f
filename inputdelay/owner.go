package inputdelay

import (
	"fmt"
	"slices"

	"github.com/nettplay/nettplay/internal/ds"
)

// Push takes the sample of local frame f, taken before the owner's console runs
// f. Local frames follow each other without a gap, from the line's first. It
// returns the frames from to to-1 that got their input by it: one when the delay
// rests, several when it has grown, none (from == to) when it has shrunk and the
// sample waits for the next one. Read them with [Line.At] and send them.
//
// A sample whose frame lies beyond the window is ErrFull; nothing has happened
// then, and the same sample may be pushed again later.
func (l *Line) Push(f int64, in Input) (from, to int64, err error) {
	if f != l.sample {
		return 0, 0, fmt.Errorf("push the sample of local frame %d: the next one is %d", f, l.sample)
	}
	target := f + int64(l.Delay())
	if target > ds.MaxFrame {
		return 0, 0, fmt.Errorf("push the sample for frame %d: the last frame is %d", target, int64(ds.MaxFrame))
	}
	if target-l.base >= Window {
		return 0, 0, fmt.Errorf("push the sample for frame %d, room for frames %d to %d: %w",
			target, l.base, l.base+Window-1, ErrFull)
	}
	l.adopt(f)
	l.sample++
	in = merge(l.held, in.Normal())
	if target < l.next {
		l.held = in
		return l.next, l.next, nil
	}
	from = l.next
	for gap := from; gap < target; gap++ {
		l.fill(gap, l.last)
	}
	l.fill(target, in)
	l.held, l.last = Input{}, in
	l.advance()
	return from, l.next, nil
}

// Delay returns the input delay, in frames, of the next sample.
func (l *Line) Delay() int {
	delay := l.delay
	for _, c := range l.changes {
		if c.at > l.sample {
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
// Only the owner's line needs it: to the other machines the inputs come with the
// frames they apply at.
func (l *Line) SetDelay(at int64, delay int) error {
	if err := checkDelay(delay); err != nil {
		return err
	}
	if at < l.sample || at > ds.MaxFrame {
		return fmt.Errorf("input delay %d from local frame %d on: the next sample is of frame %d", delay, at, l.sample)
	}
	i, found := slices.BinarySearchFunc(l.changes, at, func(c change, at int64) int {
		return int(min(max(c.at-at, -1), 1))
	})
	if found {
		l.changes[i].delay = delay
		return nil
	}
	if len(l.changes) >= maxChanges {
		return fmt.Errorf("input delay %d from local frame %d on: %d changes are waiting already", delay, at, maxChanges)
	}
	l.changes = slices.Insert(l.changes, i, change{at, delay})
	return nil
}

// adopt puts the changes up to a local frame in force.
func (l *Line) adopt(frame int64) {
	for len(l.changes) > 0 && l.changes[0].at <= frame {
		l.delay = l.changes[0].delay
		l.changes = slices.Delete(l.changes, 0, 1)
	}
}
