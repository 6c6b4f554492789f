package game

import (
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
)

// Consoles are put in the places of others at a resync. A late join adds a seat at its frame: all
// others get its console as well, and its machine begins its game in the middle.

// Fresh is a console that was made anew.
type Fresh struct {
	Console Console
	Hash    ds.Hash
}

// Resynced puts the consoles of the resync that is under way in their places, with the air
// between them, and lets the game go on. Delay is the input delay at that frame. It takes
// ownership of the consoles and the radio, also when it fails.
func (g *Game) Resynced(consoles map[ds.Seat]Fresh, radio *Radio, delay int) error {
	r, old := g.resyncs.now, g.radio
	g.radio, g.tornAir = radio, false
	if g.rolls.on {
		g.radio.stepwise()
		for _, gr := range g.rolls.groups {
			gr.air, gr.lost = radio, nil
		}
	}
	defer old.Close()
	for _, number := range r.Seats {
		g.replace(number, consoles[number])
		delete(consoles, number)
	}
	for _, plan := range r.Joins {
		if err := g.join(plan, consoles[plan.Seat], r.Frame(), delay); err != nil {
			for _, c := range consoles {
				c.Console.Close()
			}
			return err
		}
		delete(consoles, plan.Seat)
	}
	if err := g.serveAnew(r); err != nil {
		return err
	}
	if err := g.tuneIn(r); err != nil {
		return err
	}
	g.resyncs.now = nil
	g.release(timeline.Resync)
	return nil
}

// GiveUpResync lets the game go on from the resync that is under way with the consoles that it has. Nobody
// reads them any more.
func (g *Game) GiveUpResync() error {
	r := g.resyncs.now
	g.resyncs.now = nil
	g.release(timeline.Resync)
	for _, number := range r.Seats {
		s := g.seat(number)
		if !s.unplugs {
			continue
		}
		if err := g.unplugNow(s); err != nil {
			return err
		}
	}
	return nil
}

// replace puts a console in the place of a seat's old one, at the same frame.
func (g *Game) replace(number ds.Seat, c Fresh) {
	s := g.seat(number)
	s.run.close()
	s.run = startRunner(number, c.Console, g.show, g.done, unknown)
	s.dead, s.final, s.guesses.list = false, c.Hash, nil
	if s.closed = s.frame >= s.end; s.closed {
		s.reported = s.frame
	}
}

// tuneIn has the consoles of a resync use the air that came with it.
func (g *Game) tuneIn(r *Resync) error {
	for _, s := range g.seats {
		if !slices.Contains(r.Seats, s.number) {
			s.final = ds.Hash{} // it left while the machines were not alike, or has not run yet
		}
	}
	for _, p := range r.Joins {
		g.radio.own(p.Seat, g.seat(p.Seat).run.console)
	}
	for _, number := range r.Seats {
		s := g.seat(number)
		g.radio.own(number, s.run.console)
		if s.unplugs = false; s.left && s.end <= r.Frame() {
			if err := g.unplugNow(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// join gives a late joiner's console a seat.
func (g *Game) join(plan room.SeatPlan, c Fresh, frame int64, delay int) error {
	config := SeatOf(plan, c.Console)
	config.SRAM = unknown
	s, err := g.newSeat(config, frame, delay, delay)
	if err != nil {
		return err
	}
	s.final, s.closed = c.Hash, s.frame >= s.end
	g.seats, g.plan = append(g.seats, s), append(slices.Clone(g.plan), plan)
	slices.SortFunc(g.seats, func(a, b *seat) int { return int(a.number - b.number) })
	SortPlans(g.plan)
	g.feed.pressure.Add(plan.Machine)
	g.feed.pressure.Report(plan.Machine, frame)
	if g.hosting() {
		g.feed.out.AddSeat(plan.Seat, s.offered)
	}
	return nil
}

// SortPlans puts seats in rising order, in which the hashes of all are told. A late joiner
// may have a lower one than those that played before.
func SortPlans(list []room.SeatPlan) {
	slices.SortFunc(list, func(a, b room.SeatPlan) int { return int(a.Seat - b.Seat) })
}

// serveAnew has the game host serve the inputs of all seats to all machines, late joiners
// included, which lack everything from the frame of the resync on.
func (g *Game) serveAnew(r *Resync) error {
	if !g.hosting() || len(r.Joins) == 0 {
		return nil
	}
	again := slices.DeleteFunc(slices.Clone(g.seats), func(s *seat) bool { return s.closed || r.Joined(s.number) })
	for _, s := range again {
		s.offered = s.frame
		g.feed.out.AddSeat(s.number, s.frame)
	}
	// All that are served, before the first input, which would not be kept otherwise.
	g.mirrorAll()
	for _, s := range again {
		if err := g.offer(s); err != nil {
			return err
		}
	}
	return nil
}
