package host

import (
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

type roomMsg struct{ Room room.Room }

func (m *roomMsg) Fields(c *wire.Coder) { m.Room.Fields(c) }

// beat is the part of a player that changes all the time.
type beat struct {
	Machine      int
	Ping, Jitter time.Duration
	Loss         int // of 1000
	Up, Down     room.Progress
}

type pulseMsg struct {
	Beats  []beat
	Agreed int64
}

func (m *pulseMsg) Fields(c *wire.Coder) {
	wire.List(c, "players", &m.Beats, ds.MaxSeats, func(c *wire.Coder, b *beat) {
		room.MachineField(c, &b.Machine)
		c.Duration("ping", &b.Ping)
		c.Duration("jitter", &b.Jitter)
		wire.Number(c, "loss", &b.Loss, 0, 1000)
		c.Within("up", b.Up.Fields)
		c.Within("down", b.Down.Fields)
	})
	room.FrameField(c, "agreed", &m.Agreed)
}

type statusMsg struct{ room.Status }

func (m *statusMsg) Fields(c *wire.Coder) {
	wire.Number(c, "revision", &m.Revision, 0, 1<<32-1)
	c.Bool("ready", &m.Ready)
	c.Text("problem", &m.Problem, room.MaxSentence)
	wire.List(c, "missing games", &m.Missing, ds.MaxSeats, func(c *wire.Coder, sum *[32]byte) { c.Fixed("sha256", sum[:]) })
	c.Within("up", m.Up.Fields)
	c.Within("down", m.Down.Fields)
}

type gameMsg struct{ ROM *room.ROMID }

func (m *gameMsg) Fields(c *wire.Coder) { room.OptionalGame(c, &m.ROM) }

type chatMsg struct{ Text string }

func (m *chatMsg) Fields(c *wire.Coder) { c.Text("text", &m.Text, room.MaxChat) }

type chatLineMsg struct{ ChatLine }

func (m *chatLineMsg) Fields(c *wire.Coder) {
	wire.Number(c, "seat", &m.Seat, -1, ds.MaxSeats-1)
	c.Text("name", &m.Name, room.MaxName)
	c.Text("text", &m.Text, room.MaxChat)
}
