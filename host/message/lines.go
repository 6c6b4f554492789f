package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Lines tells the game host how the inputs of others arrive at a machine, about once a second
// in a room that keeps its input delay by itself.
type Lines struct {
	Round uint32
	List  []SeatLine // by rising seat
}

// SeatLine tells how the inputs of one seat arrive.
type SeatLine struct {
	Seat ds.Seat
	autodelay.Line
}

func (m *Lines) Game() uint32 { return m.Round }

func (m *Lines) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	before := ds.Seat(-1)
	wire.List(c, "lines", &m.List, ds.MaxSeats, func(c *wire.Coder, l *SeatLine) {
		room.SeatField(c, &l.Seat)
		if c.Err() == nil && l.Seat <= before {
			c.Fail("seat", "%v after %v", l.Seat, before)
		}
		before = l.Seat
		l.Line.Fields(c)
	})
}
