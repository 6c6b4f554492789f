package game

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

// delays are the input delays of a seat as they were decided: on every machine, while the
// queues only know those of the machine's own seats.
type delays struct {
	first int // before the first change
	list  []delayChange
}

// delayChange is a delay that inputs have from a frame on, the frame at which they apply.
type delayChange struct {
	from  int64
	delay int
}

// maxDelayChanges is the number of changes that are kept. They are decided seconds apart, and inputs
// are on their way for less than that.
const maxDelayChanges = 16

// change notes that inputs sampled at local frames >= at have another delay. The frames between the
// old delay and the new one repeat an input or have been sent before, so they count for the old.
func (d *delays) change(at int64, delay int) {
	from := at + int64(max(d.decided(), delay))
	d.list = slices.DeleteFunc(d.list, func(c delayChange) bool { return c.from >= from })
	d.list = append(d.list, delayChange{from, delay})
	if len(d.list) > maxDelayChanges {
		d.first, d.list = d.list[0].delay, slices.Delete(d.list, 0, 1)
	}
}

// of is the delay of the input that applies at a frame.
func (d *delays) of(frame int64) int {
	delay := d.first
	for _, c := range d.list {
		if c.from <= frame {
			delay = c.delay
		}
	}
	return delay
}

// decided is the newest delay, which may not be in force yet.
func (d *delays) decided() int {
	if n := len(d.list); n > 0 {
		return d.list[n-1].delay
	}
	return d.first
}

// setDelay changes the input delay of all seats.
func (g *Game) setDelay(d timeline.Decision) error {
	for m := range g.feed.offsets {
		g.setOffset(m, 0)
	}
	for _, s := range g.seats {
		if err := g.setDelayOf(s, d); err != nil {
			return err
		}
	}
	return nil
}

// setSeatDelay changes the input delay of one seat, and how far its machine plays behind.
func (g *Game) setSeatDelay(d timeline.Decision) error {
	s := g.seat(d.Seat)
	if s == nil {
		return nil // a recording of a late joiner has the seat later
	}
	g.setOffset(s.owner, d.Offset)
	return g.setDelayOf(s, d)
}

// setOffset notes how far a machine plays behind the others. Needs that were measured are moved, as if it
// always had been so.
func (g *Game) setOffset(machine, offset int) {
	by := 4 * (offset - g.feed.offsets[machine])
	g.feed.offsets[machine] = offset
	for _, s := range g.seats {
		switch {
		case by == 0 || s.mine:
		case machine == g.me:
			s.arrivals.Shift(-by)
		case machine == s.owner:
			s.arrivals.Shift(by)
		}
	}
}

func (g *Game) setDelayOf(s *seat, d timeline.Decision) error {
	s.delays.change(d.Frame, d.Delay)
	if !s.mine && (!g.feed.clock.on || s.vacant()) {
		return nil // in clocked play this machine may come to stamp it
	}
	return s.queue.SetDelay(d.Frame, d.Delay)
}

// KnowDelays tells a late joiner's game the delays of the seats that were there before, at
// the frame of the resync: all, or the newest decision on those of some seats.
func (g *Game) KnowDelays(all int, of map[ds.Seat]timeline.Decision) {
	for _, s := range g.seats {
		d, own := of[s.number]
		if own {
			g.feed.offsets[s.owner] = d.Offset
		}
		switch {
		case s.mine:
		case own:
			s.delays = delays{first: d.Delay}
		default:
			s.delays = delays{first: all}
		}
	}
}

// chooseDelay takes note of what a player has chosen.
func (g *Game) chooseDelay(d timeline.Decision) {
	switch d.Kind {
	case timeline.SetDelay:
		g.feed.chosen = new(autodelay.Off)
	case timeline.AutoDelay:
		g.feed.chosen = new(d.Auto)
	}
}

// AutoDelay returns the preset of the automatic input delay, in a game that began with one: a player
// may have chosen another one since, or a number.
func (g *Game) AutoDelay(first autodelay.Preset) autodelay.Preset {
	if g.feed.chosen != nil {
		return *g.feed.chosen
	}
	return first
}

// asleep is a gap between two looks at the game after which this machine itself was late, and not
// what arrived in the meantime. A machine looks at its game at least every beat.
const asleep = 2 * beat

// noteArrivals measures the inputs that have just come from a machine for the first time: how long an input delay
// would have had to be for each to be here in time. See package autodelay.
func (g *Game) noteArrivals(now time.Time, from int, fresh []mirror.SeatFrame) {
	if !g.pace.started || g.pace.unlimited || now.Sub(g.pace.looked) > asleep || !g.allowed(g.begun) || g.rolls.settling(g.begun) {
		return
	}
	for len(fresh) > 0 {
		n := 1
		for n < len(fresh) && fresh[n].Seat == fresh[0].Seat {
			n++
		}
		if s := g.seat(fresh[0].Seat); s != nil && !s.vacant() {
			sampled := fresh[0].Frame - int64(s.delays.of(fresh[0].Frame))
			s.arrive(arrival{g.need(now, sampled), n}, &g.feed.steps[from])
		}
		fresh = fresh[n:]
	}
}

// need returns the quarters of a frame from the owner's machine sampling an input, at a local frame,
// until it is here, by the beat at which this machine begins its frames.
func (g *Game) need(now time.Time, sampled int64) int {
	const far = 1 << 10 // frames
	ahead := min(max(g.begun-sampled, -far), far)
	after := min(max(now.Sub(g.pace.due), -time.Minute), time.Minute)
	quarter := ds.FrameTime(1) / 4
	q := time.Duration(4*ahead)*quarter + after
	return int((q + quarter - 1) / quarter)
}

// Arrivals tells how the inputs of the other machines' seats arrive here, for a preset, by seat.
func (g *Game) Arrivals(p autodelay.Preset) map[ds.Seat]autodelay.Arrival {
	list := make(map[ds.Seat]autodelay.Arrival)
	for _, s := range g.seats {
		if !s.mine && !s.vacant() {
			list[s.number] = s.arrivals.Sum(p, s.delays.decided()+g.rolls.depth).Less(4 * g.rolls.depth)
		}
	}
	return list
}

// Delays are all seats that are played, with the delay that was decided for each last.
func (g *Game) Delays() (list []autodelay.Seat) {
	for _, s := range g.seats {
		if !s.vacant() {
			list = append(list, autodelay.Seat{Seat: s.number, Machine: s.owner, Delay: s.delays.decided(), Offset: g.feed.offsets[s.owner]})
		}
	}
	return list
}

// Machines that have fallen out of step, at a start or after one of them stood still, come together
// again within seconds by their pacers; no input delay is to follow that. So needs are taken as they are
// with all machines in step: less what this machine was ahead then.

// stepSpan is the number of measurements of a lead that are looked at. Their median hears of no
// datagram that was late on its way, and of a machine that was late after half of them.
const stepSpan = 15

// step is the newest leads over one machine, in frames.
type step struct {
	leads [stepSpan]float64
	count int
}

func (s *step) add(frames float64) {
	s.leads[s.count%stepSpan] = min(max(frames, -16), 16)
	s.count++
}

// inStep is by how many frames machines that are in step seem to be apart: leads are whole and half frames.
const inStep = 0.75

// out is by how many quarters of a frame this machine is ahead, beyond what counts as in step.
func (s *step) out() int {
	if s.count < stepSpan {
		return 0
	}
	leads := s.leads
	slices.Sort(leads[:])
	lead := leads[stepSpan/2]
	return int(4 * (lead - min(max(lead, -inStep), inStep)))
}

// arrival is a need that waits until it is known how the machines stood.
type arrival struct{ need, inputs int }

// arrive notes an arrival, and counts the one of half a span before.
func (s *seat) arrive(a arrival, in *step) {
	s.waiting = append(s.waiting, a)
	if len(s.waiting) <= stepSpan/2 || in.count < stepSpan {
		return
	}
	for len(s.waiting) > stepSpan/2 {
		s.arrivals.Add(s.waiting[0].need-in.out(), s.waiting[0].inputs)
		s.waiting = slices.Delete(s.waiting, 0, 1)
	}
}
