package game

import (
	"errors"
	"fmt"

	"github.com/nettplay/nettplay/inputdelay"
)

// How many frames of inputs are kept: how far machines can be apart. In lockstep a console
// that samples inputs is at most MaxBehind frames ahead of the slowest console anywhere, as
// far as it knows, its inputs are the delay ahead of it; the rest is spare. In clocked play
// it is up to reach.
const (
	pastFrames     = 512
	lockstepFrames = 128
)

// past are the inputs of the newest frames that a console has run.
type past struct {
	first  int64 // frame of the seat, of one that came later
	next   int64
	keep   int64 // at most so many of them are kept, up to pastFrames
	inputs [pastFrames]inputdelay.Input
}

// add takes the input of the next frame.
func (p *past) add(frame int64, in inputdelay.Input) {
	p.inputs[frame%pastFrames], p.next = in, frame+1
}

// oldest is the oldest frame that is kept of a seat, here or in its queue.
func (p *past) oldest() int64 { return max(p.first, p.next-p.keep) }

// input returns a seat's input of a frame from the oldest to the newest of its queue.
func (s *seat) input(frame int64) (inputdelay.Input, bool) {
	if frame < s.past.next && frame >= s.past.oldest() {
		return s.past.inputs[frame%pastFrames], true
	}
	return s.queue.At(frame)
}

// inputs are all that are kept of a seat from a frame on, which is not before the oldest.
func (s *seat) inputs(from int64) []inputdelay.Input {
	var list []inputdelay.Input
	for f := from; f <= s.newest(); f++ {
		in, ok := s.input(f)
		if !ok {
			break
		}
		list = append(list, in)
	}
	return list
}

// recordInput takes down what a seat's console gets in its next frame, once: a console
// that crashed in that frame runs it again.
func (g *Game) recordInput(s *seat, in inputdelay.Input) {
	if s.frame >= s.recorded {
		s.recorded = s.frame + 1
		s.past.add(s.frame, in)
		g.rec.Input(s.number, s.frame, in)
	}
}

// offer hands what is new in a seat's input queue to those who mirror the seat.
func (g *Game) offer(s *seat) error {
	for ; s.offered <= s.newest(); s.offered++ {
		in, ok := s.queue.At(s.offered)
		if !ok {
			return fmt.Errorf("seat %v lost its input of frame %d before it was passed on", s.number, s.offered)
		}
		err := g.feed.out.Put(s.number, s.offered, in)
		if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
			return nil // everybody fills in the rest, as the decision says
		}
		if err != nil {
			return err
		}
		if g.feed.clock.on {
			g.feed.mails.tell(g.me)
		} else {
			g.feed.mails.tell(s.owner)
		}
	}
	return nil
}

// offerKept hands a seat's inputs from s.offered on to those who mirror it, also those that
// its queue has forgotten.
func (g *Game) offerKept(s *seat) error {
	for _, in := range s.inputs(s.offered) {
		err := g.feed.out.Put(s.number, s.offered, in)
		if s.vacant() && errors.Is(err, inputdelay.ErrFull) {
			break // as with offer
		}
		if err != nil {
			return err
		}
		s.offered++
	}
	return nil
}

// fillVacant gives a seat whose player has gone the inputs before its end that nobody had to
// tell the new game host: nothing is pressed in them. All would wait for them for ever.
func (g *Game) fillVacant(s *seat) error {
	for frame := s.queue.Newest() + 1; s.vacant() && !g.TakesPart(s.owner) && frame < s.until; frame++ {
		if err := s.queue.Put(frame, inputdelay.Input{}); err != nil {
			return err
		}
	}
	return nil
}
