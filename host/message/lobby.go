package message

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

type Room struct{ Room room.Room }

func (m *Room) Fields(c *wire.Coder) { m.Room.Fields(c) }

// Beat is the part of a player that changes all the time.
type Beat struct {
	Machine      int
	Ping, Jitter time.Duration
	Loss         int // of 1000
	Repeated     int // of the newest inputdelay.Recent frames
	Way          string
	Paths        []room.Path
	Up, Down     room.Progress
}

// Equal compares two beats.
func (b Beat) Equal(o Beat) bool {
	return b.Machine == o.Machine && b.Ping == o.Ping && b.Jitter == o.Jitter && b.Loss == o.Loss && b.Repeated == o.Repeated && b.Way == o.Way &&
		b.Up == o.Up && b.Down == o.Down && slices.Equal(b.Paths, o.Paths)
}

// Heartbeat tells clients the state of all connections, and the newest frame after which all machines agree.
type Heartbeat struct {
	Beats  []Beat
	Agreed int64
}

func (m *Heartbeat) Fields(c *wire.Coder) {
	wire.List(c, "players", &m.Beats, ds.MaxSeats, func(c *wire.Coder, b *Beat) {
		room.MachineField(c, &b.Machine)
		c.Duration("ping", &b.Ping)
		c.Duration("jitter", &b.Jitter)
		wire.Number(c, "loss", &b.Loss, 0, 1000)
		wire.Number(c, "repeated", &b.Repeated, 0, inputdelay.Recent)
		c.Text("way", &b.Way, room.MaxReason)
		room.PathsField(c, &b.Paths)
		c.Within("up", b.Up.Fields)
		c.Within("down", b.Down.Fields)
	})
	room.FrameField(c, "agreed", &m.Agreed)
}

type Status struct{ room.Status }

func (m *Status) Fields(c *wire.Coder) {
	wire.Number(c, "revision", &m.Revision, 0, 1<<32-1)
	c.Bool("ready", &m.Ready)
	c.Text("problem", &m.Problem, room.MaxSentence)
	wire.List(c, "missing games", &m.Missing, ds.MaxSeats, func(c *wire.Coder, sum *[32]byte) { c.Fixed("sha256", sum[:]) })
	c.Within("up", m.Up.Fields)
	c.Within("down", m.Down.Fields)
	room.PathsField(c, &m.Paths)
}

type Game struct{ ROM *room.ROMID }

func (m *Game) Fields(c *wire.Coder) { room.OptionalGame(c, &m.ROM) }

type Chat struct{ Text string }

func (m *Chat) Fields(c *wire.Coder) { c.Text("text", &m.Text, room.MaxChat) }

// ChatLine is something said in the room, by the player of a seat or, with seat -1 and
// no name, by the room itself.
type ChatLine struct {
	Seat ds.Seat
	Name string
	Text string
}

func (m *ChatLine) Fields(c *wire.Coder) {
	wire.Number(c, "seat", &m.Seat, -1, ds.MaxSeats-1)
	c.Text("name", &m.Name, room.MaxName)
	c.Text("text", &m.Text, room.MaxChat)
}

// LocalPlayers lists the further players at a machine.
type LocalPlayers struct{ LocalPlayers []room.LocalPlayer }

func (m *LocalPlayers) Fields(c *wire.Coder) { room.LocalPlayersField(c, &m.LocalPlayers) }
