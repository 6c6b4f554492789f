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

// Handover is a game host's word on who comes after it: its last word, with which it leaves, or a
// standing one, which holds when it is lost. A standing one that names the game host itself names nobody.
type Handover struct {
	From, To int
	Epoch    uint32 // of the one who comes
	Serial   uint32 // of standing ones, of which the newest holds; 0: the last word
	Sign     [64]byte
}

// Standing tells whether it holds only when the game host is lost, and then for the room alone.
func (h Handover) Standing() bool { return h.Serial > 0 }

func (b *Ballot) fields(c *wire.Coder) {
	room.MachineField(c, &b.Machine)
	c.Fixed("signature", b.Sign[:])
}

func (h *Handover) fields(c *wire.Coder) {
	room.MachineField(c, &h.From)
	room.MachineField(c, &h.To)
	wire.Number(c, "epoch", &h.Epoch, 1, 1<<32-1)
	wire.Number(c, "serial", &h.Serial, 0, 1<<32-1)
	c.Fixed("signature", h.Sign[:])
}
