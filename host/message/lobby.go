package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// Banned tells a player's machine whom the room keeps out: it may become game host.
type Banned struct{ List []room.Banned }

func (m *Banned) Fields(c *wire.Coder) { room.BannedField(c, &m.List) }

type Room struct{ Room room.Room }

func (m *Room) Fields(c *wire.Coder) { m.Room.Fields(c) }

// Beat is a machine's, for one of its players.
type Beat struct {
	Machine int
	room.Beat
}

// Heartbeat tells clients the state of all connections, and the newest frame after which all machines agree.
type Heartbeat struct {
	Beats  []Beat
	Agreed int64
}

func (m *Heartbeat) Fields(c *wire.Coder) {
	wire.List(c, "players", &m.Beats, ds.MaxSeats, func(c *wire.Coder, b *Beat) {
		room.MachineField(c, &b.Machine)
		room.BeatFields(c, &b.Beat)
	})
	room.FrameField(c, "agreed", &m.Agreed)
}

type Status struct{ room.Status }

func (m *Status) Fields(c *wire.Coder) {
	wire.Number(c, "revision", &m.Revision, 0, 1<<32-1)
	c.Bool("ready", &m.Ready)
	c.Text("problem", &m.Problem, room.MaxSentence)
	room.CauseField(c, &m.Cause)
	wire.List(c, "missing games", &m.Missing, ds.MaxSeats, func(c *wire.Coder, sum *[32]byte) { c.Fixed("sha256", sum[:]) })
	room.NearField(c, &m.Near, ds.MaxSeats)
	c.Within("up", m.Up.Fields)
	c.Within("down", m.Down.Fields)
	room.DepthField(c, &m.Depth)
	room.OwnDelayField(c, &m.OwnDelay)
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
