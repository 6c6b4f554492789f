package migration

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// MaxLead is by how many frames a machine can have been promised more than another one
// that knows the same game host. The one who knows less plays no further than the
// inputs it has, at most a delay beyond the game host's own console then; the game host
// waits for it when it is 16 frames behind; its slowest console is at most that twice
// and a delay behind its own; and a longer delay moves the horizon.
const MaxLead = 3 * (ds.MaxBehind + ds.MaxDelay + timeline.HorizonSpare)

// Ballot is a vote: the signature of a machine.
type Ballot struct {
	Machine int
	Sign    [64]byte
}

// Handover is a game host's word on who comes after it.
type Handover struct {
	From, To int
	Epoch    uint32 // of the one who comes
	Sign     [64]byte
}

func (b *Ballot) fields(c *wire.Coder) {
	room.MachineField(c, &b.Machine)
	c.Fixed("signature", b.Sign[:])
}

func (h *Handover) fields(c *wire.Coder) {
	room.MachineField(c, &h.From)
	room.MachineField(c, &h.To)
	wire.Number(c, "epoch", &h.Epoch, 1, 1<<32-1)
	c.Fixed("signature", h.Sign[:])
}
