package host

import "github.com/nettplay/nettplay/emucore"

// speaker is who says so in a first message, whatever the version.
type speaker struct {
	Protocol uint16
	Program  string
}

func (s *speaker) fields(c *coder) {
	number(c, "protocol", &s.Protocol, 1, 1<<16-1)
	c.text("program version", &s.Program, maxProgram)
}

// magicField tells messages of nettplay from those of anything else.
func magicField(c *coder) {
	b := []byte(magic)
	if c.fixed("magic", b); c.err == nil && string(b) != magic {
		c.fail("magic", "%q, not %q: this is not nettplay", b, magic)
	}
}

type helloMsg struct {
	speaker
	Nonce [32]byte
}

func (*helloMsg) kind() kind { return kindHello }

func (m *helloMsg) fields(c *coder) {
	magicField(c)
	m.speaker.fields(c)
	if c.reading && c.err == nil && m.Protocol != Protocol {
		c.b = nil // of another version
		return
	}
	c.fixed("nonce", m.Nonce[:])
}

type refusedMsg struct {
	speaker
	Refusal
}

func (*refusedMsg) kind() kind { return kindRefused }

func (m *refusedMsg) fields(c *coder) {
	magicField(c)
	m.speaker.fields(c)
	number(c, "code", &m.Code, 0, 255)
	c.text("sentence", &m.Sentence, maxSentence)
	c.text("hint", &m.Hint, maxSentence)
	if c.reading && m.Protocol != Protocol {
		c.b = nil // of another version
	}
}

type challengeMsg struct {
	speaker
	Room   string
	Locked bool // needs a password
	Nonce  [32]byte
	Salt   [16]byte
}

func (*challengeMsg) kind() kind { return kindChallenge }

func (m *challengeMsg) fields(c *coder) {
	m.speaker.fields(c)
	c.text("room name", &m.Room, maxName)
	c.bool("locked", &m.Locked)
	c.fixed("nonce", m.Nonce[:])
	c.fixed("salt", m.Salt[:])
}

type joinMsg struct {
	Nickname string
	Firmware emucore.Firmware
	Core     CoreID
	BIOS     []BIOSHash
	ROM      *ROMID // nil: the game host's
	Others   []LocalPlayer
	Sign     [32]byte // public key of the machine
	Addrs    []string // where it can be reached
	Proof    [32]byte // last: it covers all that stands before it
}

func (*joinMsg) kind() kind { return kindJoin }

func (m *joinMsg) fields(c *coder) {
	c.text("nickname", &m.Nickname, maxName)
	c.within("firmware", func(c *coder) { firmwareFields(c, &m.Firmware) })
	c.within("core", m.Core.fields)
	list(c, "bios files", &m.BIOS, maxBIOS, biosFields)
	optionalGame(c, &m.ROM)
	othersField(c, &m.Others)
	c.fixed("public key", m.Sign[:])
	addrsField(c, &m.Addrs)
	c.fixed("proof", m.Proof[:])
}

type welcomeMsg struct {
	Machine, Seat int
	Proof         [32]byte
	Room          Room
}

func (*welcomeMsg) kind() kind { return kindWelcome }

func (m *welcomeMsg) fields(c *coder) {
	machineField(c, &m.Machine)
	seatField(c, &m.Seat)
	c.fixed("proof", m.Proof[:])
	m.Room.fields(c)
}

type returnMsg struct {
	Machine   int
	Round     uint32   // the game that it plays
	Decisions int      // of that game, as far as it knows
	Digest    [32]byte // of those decisions
	Promised  int64    // the horizon up to which it may have played with them
	Proof     [64]byte // signature; last: it covers all that stands before it
}

func (*returnMsg) kind() kind { return kindReturn }

func (m *returnMsg) fields(c *coder) {
	machineField(c, &m.Machine)
	roundField(c, &m.Round)
	number(c, "decisions", &m.Decisions, 0, maxDecisions)
	c.fixed("digest", m.Digest[:])
	frameField(c, "promised", &m.Promised)
	c.fixed("proof", m.Proof[:])
}

type backMsg struct {
	Proof [64]byte // signature
	Room  Room
}

func (*backMsg) kind() kind { return kindBack }

func (m *backMsg) fields(c *coder) {
	c.fixed("proof", m.Proof[:])
	m.Room.fields(c)
}

type leaveMsg struct{ Why string }

func (*leaveMsg) kind() kind { return kindLeave }

func (m *leaveMsg) fields(c *coder) { c.text("why", &m.Why, maxReason) }

type closedMsg struct {
	Reason CloseReason
	Why    string
}

func (*closedMsg) kind() kind { return kindClosed }

func (m *closedMsg) fields(c *coder) {
	number(c, "reason", &m.Reason, int64(ClosedByHost), int64(ClosedMoved))
	c.text("why", &m.Why, maxSentence)
}
