package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// MaxTrace is the number of frames one Rerun can have.
const MaxTrace = 1024

// Rerun has the hashes of a console, frame by frame, when a machine played it again.
type Rerun struct {
	Round uint32
	Seat  ds.Seat
	From  int64       // after the frames after this one
	Trace []TraceHash // one for each frame, at most MaxTrace
}

// TraceHash is a console's state after a frame: the low 32 bits of the hash of each of its regions.
type TraceHash struct{ RAM, SRAM, Video, Air uint32 }

func (m *Rerun) Fields(c *wire.Coder) {
	room.RoundField(c, &m.Round)
	room.SeatField(c, &m.Seat)
	room.FrameField(c, "from", &m.From)
	wire.List(c, "frames", &m.Trace, MaxTrace, func(c *wire.Coder, h *TraceHash) {
		for _, v := range []*uint32{&h.RAM, &h.SRAM, &h.Video, &h.Air} {
			sum := uint64(*v)
			c.Short("hash", &sum)
			*v = uint32(sum)
		}
	})
}
