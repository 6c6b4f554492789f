package game

import (
	"errors"
	"time"

	"github.com/nettplay/nettplay/inputdelay"
)

// Host migration in clocked play: another machine stamps on where the earlier game host has
// ended. See migration.go for lockstep.

// lacked is the oldest frame of a seat that another machine may lack, as far as we know.
func (g *Game) lacked(s *seat) int64 {
	_, slowest, ok := g.feed.pressure.Slowest()
	if !g.feed.clock.on || !ok {
		return s.from()
	}
	return min(max(s.from(), slowest), s.newest()+1)
}

// rewireClocked is Rewire for clocked play.
//
// No frame is stamped twice differently for those whose inputs the new game host knows: it
// goes on after the newest frame that any of them had ([Game.TakeBundle]), and a machine that
// gives its vote takes nothing more from the earlier game host. A machine that is not among
// them may have inputs that nobody else has. It forgets those that it has not played. If it
// has played some, it is not like the others, which shows as any desync does, and is repaired
// as one.
func (g *Game) rewireClocked() error {
	g.feed.clock.starved, g.pace.lead, g.pace.follows = time.Time{}, 0, g.follows()
	if g.hosting() {
		return g.takeClock()
	}
	for _, s := range g.seats {
		s.queue.Retract(s.recorded)
		s.stamper = nil
		if s.mine {
			g.feed.out.AddSeat(s.number, g.begun)
		}
	}
	g.mirrorWith(g.host)
	for _, s := range g.seats {
		if !s.mine || s.vacant() {
			continue
		}
		from := max(s.own.oldest(), s.queue.Newest()-int64(g.Delay()))
		for frame := from; frame < s.own.next; frame++ {
			if err := g.sendSample(s, frame, s.own.inputs[frame%pastFrames]); err != nil {
				return err
			}
		}
	}
	g.feed.mails.tell(-1)
	return nil
}

// takeClock has this machine stamp from now on, where the earlier game host has ended.
func (g *Game) takeClock() error {
	delay, next := g.Delay(), int64(0)
	for _, s := range g.seats {
		if !s.vacant() {
			next = max(next, s.queue.Newest()+1)
		}
	}
	g.begun = max(0, next-int64(delay))
	for _, s := range g.seats {
		last, _ := s.input(s.queue.Newest())
		if err := s.queue.Continue(g.begun, delay, last); err != nil {
			return err
		}
		s.stamper = inputdelay.NewStamper(g.begun, last)
		for frame := max(g.begun, s.own.oldest()); s.mine && frame < s.own.next; frame++ {
			s.stamper.Sample(frame, s.own.inputs[frame%pastFrames])
		}
		s.offered = max(s.from(), s.newest()+1-reach)
		g.feed.out.AddSeat(s.number, s.offered)
	}
	g.mirrorAll()
	for _, s := range g.seats {
		if err := errors.Join(g.fillVacant(s), g.offerKept(s)); err != nil {
			return err
		}
	}
	g.feed.mails.tell(-1)
	return nil
}
