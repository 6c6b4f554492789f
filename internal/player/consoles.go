package player

import (
	"math"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
)

// consoleSpan is a console of a recording and the frames that it has: the first one, and
// the one before which it left.
type consoleSpan struct {
	plan     room.SeatPlan
	from, to int64
}

// Consoles are those of the recording, by seat, with the ones whose players came into the
// running game; of a live log, as far as it is known. Any goroutine may ask, and may keep
// the list.
func (p *Player) Consoles() []room.SeatPlan {
	return p.consolesIf(func(consoleSpan) bool { return true })
}

// ConsolesAt returns those of [Player.Consoles] that exist when so many frames are done: without the
// ones whose players have not come yet, or have left.
func (p *Player) ConsolesAt(frame int64) []room.SeatPlan {
	return p.consolesIf(func(c consoleSpan) bool { return c.from <= frame && frame < c.to })
}

func (p *Player) consolesIf(is func(consoleSpan) bool) (list []room.SeatPlan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.consoles {
		if is(c) {
			list = append(list, c.plan)
		}
	}
	return list
}

// know notes the consoles of the log, and from where it can go on. It is for the goroutine of Run, or before that.
func (p *Player) know() {
	p.mu.Lock()
	defer p.mu.Unlock()
	log := p.cfg.Log
	for _, s := range log.Seats[len(p.consoles):] {
		p.consoles = append(p.consoles, consoleSpan{s.Plan, s.From, math.MaxInt64})
	}
	for _, d := range log.Decisions[p.decided:] {
		if i := slices.IndexFunc(p.consoles, func(c consoleSpan) bool { return c.plan.Seat == d.Seat }); d.Kind == timeline.Leave && i >= 0 {
			p.consoles[i].to = min(p.consoles[i].to, d.Frame)
		}
	}
	p.decided = len(log.Decisions)
	if p.cold {
		p.places = nil
		for _, x := range log.Ready() {
			p.places = append(p.places, x.Frame)
		}
	}
}
