package game

import (
	"fmt"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// Advance starts every frame that may run now. [Game.Wake] tells when it wants to be
// called again.
func (g *Game) Advance(now time.Time) error {
	g.wait, g.pace.looked = time.Duration(Never), now
	if g.failed {
		return nil
	}
	if err := g.meet(); err != nil {
		return err
	}
	if g.feed.clock.on {
		if err := g.tick(now); err != nil {
			return err
		}
	}
	for _, s := range g.seats {
		if s.busy || s.frame >= s.end || !g.allowed(s.frame) {
			continue
		}
		if s.mine {
			wait, err := g.begin(s, now)
			if err != nil {
				return err
			}
			if wait > 0 {
				g.wait = min(g.wait, wait)
				continue
			}
		}
		if err := g.next(s, now); err != nil {
			return err
		}
	}
	if g.follows() {
		g.noteStarved(now)
	} else {
		g.stalledOnAir(now)
	}
	return g.openAir()
}

// Wake returns the time until something changes though nothing arrives: a frame is due, or a datagram.
func (g *Game) Wake(now time.Time) time.Duration { return min(g.wait, g.Due(now)) }

// begin begins our own console's next frame by sampling its input, unless the frame is
// not due or another machine is too far behind. It returns how long to wait, 0 when the
// frame has begun.
func (g *Game) begin(s *seat, now time.Time) (time.Duration, error) {
	if g.feed.clock.on {
		if s.frame < g.begun {
			return 0, nil
		}
		return time.Duration(Never), nil // tick says when
	}
	if s.frame < g.begun {
		// Another of our seats has begun it, or we have and wait for the input queue.
		return 0, g.push(s)
	}
	if w := g.pace.wait(now); w > 0 {
		return w, nil
	}
	if g.stall.block(g.feed.pressure.Behind(s.frame), now) {
		return time.Duration(Never), nil
	}
	g.meterBegin(s.frame, now)
	g.pace.begin(now)
	g.begun = s.frame + 1
	return 0, g.push(s)
}

// push samples the input of local frame s.frame once and puts it into the input queue.
func (g *Game) push(s *seat) error {
	if s.sampled > s.frame {
		return nil
	}
	s.sampled = s.frame + 1
	_, _, err := s.queue.Push(s.frame, g.sample(s.number, s.frame).Normal())
	if err != nil {
		return fmt.Errorf("input of seat %v at frame %d: %w", s.number, s.frame, err)
	}
	return g.offer(s)
}

// next runs what a seat's console can run, by inputs that are here or by guesses.
func (g *Game) next(s *seat, now time.Time) error {
	if s.dead {
		s.guesses.list = nil
	}
	for !s.busy && s.frame < s.end && g.allowed(s.frame) {
		in, ok := s.queue.At(s.frame)
		switch {
		case ok && g.guessed(s, in):
			if err := g.Finish(g.confirm(s, in)); err != nil {
				return err
			}
			continue
		case ok:
			g.submit(s, in, now)
		default:
			g.guess(s, now)
		}
		return nil
	}
	return nil
}

// submit lets a console run its next frame.
func (g *Game) submit(s *seat, in inputdelay.Input, now time.Time) {
	g.recordInput(s, in)
	if s.dead {
		s.frame++
		s.queue.Forget(s.frame)
		g.atEnd(s, false)
		g.wait = 0 // no outcome has Advance called again
		return
	}
	after := s.frame + 1
	s.busy, s.since = true, now
	s.run.submit(job{in: in, step: true, hash: g.hashes.wants(after) || after == s.end, sram: s.mine, rewind: s.corrected()})
}

// Finish takes an outcome. After an error, which is a [*ConsoleError] where a console
// failed, no console runs any more, and the outcomes of those that still did count for
// nothing; see [Game.GoOnWithout].
func (g *Game) Finish(o Outcome) error {
	s := g.seat(o.seat)
	s.busy = false
	if g.failed {
		return nil
	}
	if o.err != nil {
		g.failed = true
		return &ConsoleError{Seat: s.number, Frame: s.frame, Err: o.err}
	}
	if err := g.radio.collect(); err != nil {
		return err
	}
	if o.job.guess {
		s.guesses.list = append(s.guesses.list, o)
		return nil
	}
	if o.job.step {
		if g.meter != nil {
			g.meter.Shown(s.number, s.frame, o.at)
		}
		s.frame++
		s.queue.Forget(s.frame)
		g.steps.add(o.took)
		if g.pace.unlimited {
			g.feed.mails.tell(g.me)
		}
	}
	if o.job.hash {
		g.noteHash(s, o)
	}
	g.atEnd(s, o.job.hash)
	return nil
}

// GoOnWithout lets the game go on after a console failed. Its seat has inputs and frames
// like the others, but no console until a resync brings one.
func (g *Game) GoOnWithout(seat ds.Seat) {
	g.failed = false
	g.seat(seat).dead = true
}
