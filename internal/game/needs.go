package game

import (
	"time"

	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/mirror"
)

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
