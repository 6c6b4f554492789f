package message

import (
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// magicField tells messages of nettplay from those of anything else.
func magicField(c *wire.Coder) {
	b := []byte(magic)
	if c.Fixed("magic", b); c.Err() == nil && string(b) != magic {
		c.Fail("magic", "%q, not %q: this is not nettplay", b, magic)
	}
}

type Hello struct {
	room.Speaker
	Nonce [32]byte
}

func (m *Hello) Fields(c *wire.Coder) {
	magicField(c)
	m.Speaker.Fields(c)
	if c.Reading() && c.Err() == nil && m.Protocol != Protocol {
		c.Skip() // of another version
		return
	}
	c.Fixed("nonce", m.Nonce[:])
}

type Refused struct {
	room.Speaker
	room.Refusal
}

func (m *Refused) Fields(c *wire.Coder) {
	magicField(c)
	m.Speaker.Fields(c)
	wire.Number(c, "code", &m.Code, 0, 255)
	c.Text("sentence", &m.Sentence, room.MaxSentence)
	c.Text("hint", &m.Hint, room.MaxSentence)
	if c.Reading() && m.Protocol != Protocol {
		c.Skip() // of another version
		return
	}
	if m.Code == room.CodeCore {
		c.Within("core", m.Core.Fields)
	}
}

type Challenge struct {
	room.Speaker
	Room   string
	Locked bool // needs a password
	Nonce  [32]byte
	Salt   [16]byte
}

func (m *Challenge) Fields(c *wire.Coder) {
	m.Speaker.Fields(c)
	c.Text("room name", &m.Room, room.MaxName)
	c.Bool("locked", &m.Locked)
	c.Fixed("nonce", m.Nonce[:])
	c.Fixed("salt", m.Salt[:])
}

type Join struct {
	Nickname     string
	Firmware     ds.Firmware
	Core         room.CoreID
	BIOS         []room.BIOSHash
	ROM          *room.ROMID // nil: the game host's
	LocalPlayers []room.LocalPlayer
	Sign         [32]byte // public key of the machine
	Addrs        []string // where it can be reached
	Proof        [32]byte // last: it covers all that stands before it
}

func (m *Join) Fields(c *wire.Coder) {
	c.Text("nickname", &m.Nickname, room.MaxName)
	c.Within("firmware", func(c *wire.Coder) { room.FirmwareFields(c, &m.Firmware) })
	c.Within("core", m.Core.Fields)
	wire.List(c, "bios files", &m.BIOS, room.MaxBIOS, room.BiosFields)
	room.OptionalGame(c, &m.ROM)
	room.LocalPlayersField(c, &m.LocalPlayers)
	c.Fixed("public key", m.Sign[:])
	room.AddrsField(c, &m.Addrs)
	c.Fixed("proof", m.Proof[:])
}

type Welcome struct {
	Machine int
	Seat    ds.Seat
	Proof   [32]byte
	Door    room.Door
	Room    room.Room
}

func (m *Welcome) Fields(c *wire.Coder) {
	room.MachineField(c, &m.Machine)
	room.SeatField(c, &m.Seat)
	c.Fixed("proof", m.Proof[:])
	m.Door.Fields(c)
	m.Room.Fields(c)
}

type Reconnect struct {
	Machine   int
	Round     uint32   // the game that it plays
	Decisions int      // of that game, as far as it knows
	Digest    [32]byte // of those decisions
	Promised  int64    // the horizon up to which it may have played with them
	Proof     [64]byte // signature; last: it covers all that stands before it
}

func (m *Reconnect) Fields(c *wire.Coder) {
	room.MachineField(c, &m.Machine)
	room.RoundField(c, &m.Round)
	wire.Number(c, "decisions", &m.Decisions, 0, timeline.MaxDecisions)
	c.Fixed("digest", m.Digest[:])
	room.FrameField(c, "promised", &m.Promised)
	c.Fixed("proof", m.Proof[:])
}

type Reconnected struct {
	Proof [64]byte // signature
	Room  room.Room
}

func (m *Reconnected) Fields(c *wire.Coder) {
	c.Fixed("proof", m.Proof[:])
	m.Room.Fields(c)
}

// Spectate asks to watch, in the place of join.
type Spectate struct {
	Nickname string
	Core     room.CoreID
	BIOS     []room.BIOSHash
	Proof    [32]byte // last: it covers all that stands before it
}

func (m *Spectate) Fields(c *wire.Coder) {
	c.Text("nickname", &m.Nickname, room.MaxName)
	c.Within("core", m.Core.Fields)
	wire.List(c, "bios files", &m.BIOS, room.MaxBIOS, room.BiosFields)
	c.Fixed("proof", m.Proof[:])
}

// Admitted lets somebody watch.
type Admitted struct {
	Number int
	Proof  [32]byte
	Room   room.Room
}

func (m *Admitted) Fields(c *wire.Coder) {
	wire.Number(c, "spectator", &m.Number, 0, room.MaxSpectators-1)
	c.Fixed("proof", m.Proof[:])
	m.Room.Fields(c)
}

type Leave struct{ Why string }

func (m *Leave) Fields(c *wire.Coder) { c.Text("why", &m.Why, room.MaxReason) }

// CloseReason is a game host's reason to close its room to a client.
type CloseReason uint8

// The reasons.
const (
	ClosedByHost  CloseReason = 1 // the room is over for all
	ClosedKicked  CloseReason = 2 // this player was removed
	ClosedDropped CloseReason = 3 // this machine was silent or broke the rules
	ClosedMoved   CloseReason = 4 // for who watches: the room goes on with another game host
)

type Closed struct {
	Reason CloseReason
	Why    string
}

func (m *Closed) Fields(c *wire.Coder) {
	wire.Number(c, "reason", &m.Reason, int64(ClosedByHost), int64(ClosedMoved))
	c.Text("why", &m.Why, room.MaxSentence)
}
