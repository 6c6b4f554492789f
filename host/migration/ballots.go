package migration

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/wire"
)

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
