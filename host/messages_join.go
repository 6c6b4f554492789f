package host

import (
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

// speaker is who says so in a first message, whatever the version.
type speaker struct {
	Protocol uint16
	Program  string
}

func (s *speaker) fields(c *wire.Coder) {
	wire.Number(c, "protocol", &s.Protocol, 1, 1<<16-1)
	c.Text("program version", &s.Program, maxProgram)
}

// magicField tells messages of nettplay from those of anything else.
func magicField(c *wire.Coder) {
	b := []byte(magic)
	if c.Fixed("magic", b); c.Err() == nil && string(b) != magic {
		c.Fail("magic", "%q, not %q: this is not nettplay", b, magic)
	}
}

type helloMsg struct {
	speaker
	Nonce [32]byte
}

func (m *helloMsg) Fields(c *wire.Coder) {
	magicField(c)
	m.speaker.fields(c)
	if c.Reading() && c.Err() == nil && m.Protocol != Protocol {
		c.Skip() // of another version
		return
	}
	c.Fixed("nonce", m.Nonce[:])
}

type refusedMsg struct {
	speaker
	Refusal
}

func (m *refusedMsg) Fields(c *wire.Coder) {
	magicField(c)
	m.speaker.fields(c)
	wire.Number(c, "code", &m.Code, 0, 255)
	c.Text("sentence", &m.Sentence, maxSentence)
	c.Text("hint", &m.Hint, maxSentence)
	if c.Reading() && m.Protocol != Protocol {
		c.Skip() // of another version
	}
}

type challengeMsg struct {
	speaker
	Room   string
	Locked bool // needs a password
	Nonce  [32]byte
	Salt   [16]byte
}

func (m *challengeMsg) Fields(c *wire.Coder) {
	m.speaker.fields(c)
	c.Text("room name", &m.Room, maxName)
	c.Bool("locked", &m.Locked)
	c.Fixed("nonce", m.Nonce[:])
	c.Fixed("salt", m.Salt[:])
}

type joinMsg struct {
	Nickname     string
	Firmware     ds.Firmware
	Core         CoreID
	BIOS         []BIOSHash
	ROM          *ROMID // nil: the game host's
	LocalPlayers []LocalPlayer
	Sign         [32]byte // public key of the machine
	Addrs        []string // where it can be reached
	Proof        [32]byte // last: it covers all that stands before it
}

func (m *joinMsg) Fields(c *wire.Coder) {
	c.Text("nickname", &m.Nickname, maxName)
	c.Within("firmware", func(c *wire.Coder) { firmwareFields(c, &m.Firmware) })
	c.Within("core", m.Core.fields)
	wire.List(c, "bios files", &m.BIOS, maxBIOS, biosFields)
	optionalGame(c, &m.ROM)
	localPlayersField(c, &m.LocalPlayers)
	c.Fixed("public key", m.Sign[:])
	addrsField(c, &m.Addrs)
	c.Fixed("proof", m.Proof[:])
}

type welcomeMsg struct {
	Machine int
	Seat    ds.Seat
	Proof   [32]byte
	Room    Room
}

func (m *welcomeMsg) Fields(c *wire.Coder) {
	machineField(c, &m.Machine)
	seatField(c, &m.Seat)
	c.Fixed("proof", m.Proof[:])
	m.Room.fields(c)
}

type reconnectMsg struct {
	Machine   int
	Round     uint32   // the game that it plays
	Decisions int      // of that game, as far as it knows
	Digest    [32]byte // of those decisions
	Promised  int64    // the horizon up to which it may have played with them
	Proof     [64]byte // signature; last: it covers all that stands before it
}

func (m *reconnectMsg) Fields(c *wire.Coder) {
	machineField(c, &m.Machine)
	roundField(c, &m.Round)
	wire.Number(c, "decisions", &m.Decisions, 0, maxDecisions)
	c.Fixed("digest", m.Digest[:])
	frameField(c, "promised", &m.Promised)
	c.Fixed("proof", m.Proof[:])
}

type reconnectedMsg struct {
	Proof [64]byte // signature
	Room  Room
}

func (m *reconnectedMsg) Fields(c *wire.Coder) {
	c.Fixed("proof", m.Proof[:])
	m.Room.fields(c)
}

type leaveMsg struct{ Why string }

func (m *leaveMsg) Fields(c *wire.Coder) { c.Text("why", &m.Why, maxReason) }

type closedMsg struct {
	Reason CloseReason
	Why    string
}

func (m *closedMsg) Fields(c *wire.Coder) {
	wire.Number(c, "reason", &m.Reason, int64(ClosedByHost), int64(ClosedMoved))
	c.Text("why", &m.Why, maxSentence)
}
