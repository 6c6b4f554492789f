package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Arrivals tells the game host how the inputs of others arrive at a machine, about once a second
// in a room that keeps its input delay by itself.
type Arrivals struct {
	Round uint32
	List  []SeatArrival // by rising seat
}

// SeatArrival tells how the inputs of one seat arrive.
type SeatArrival struct {
	Seat ds.Seat
	autodelay.Arrival
}

func (m *Arrivals) Game() uint32 { return m.Round }

func (m *Arrivals) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	before := ds.Seat(-1)
	wire.List(c, "arrivals", &m.List, ds.MaxSeats, func(c *wire.Coder, l *SeatArrival) {
		room.SeatField(c, &l.Seat)
		if c.Err() == nil && l.Seat <= before {
			c.Fail("seat", "%v after %v", l.Seat, before)
		}
		before = l.Seat
		l.Arrival.Fields(c)
	})
}
