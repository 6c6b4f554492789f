package host

import (
	"time"

	"github.com/nettplay/nettplay/emucore"
)

// Entries of lists, at most.
const (
	maxOptions = 64
	maxBIOS    = 8
	maxKey     = 64      // bytes of an option's key or value
	maxROM     = 1 << 30 // bytes
	maxBytes   = 1 << 40 // of a progress
)

type roomMsg struct{ Room Room }

func (*roomMsg) kind() kind { return kindRoom }

func (m *roomMsg) fields(c *coder) { m.Room.fields(c) }

func (r *Room) fields(c *coder) {
	c.within("settings", r.Settings.fields)
	number(c, "phase", &r.Phase, int64(PhaseLobby), int64(PhasePlaying))
	roundField(c, &r.Round)
	number(c, "terms", &r.Terms, 0, 1<<32-1)
	machineField(c, &r.Host)
	number(c, "epoch", &r.Epoch, 0, 1<<32-1)
	number(c, "voters", &r.Voters, 0, 1<<16-1)
	list(c, "players", &r.Players, MaxSeats, playerFields)
	list(c, "spectators", &r.Spectators, MaxSpectators, spectatorFields)
}

func (s *Settings) fields(c *coder) {
	c.text("room name", &s.Room, maxName)
	number(c, "seats", &s.Seats, 2, MaxSeats)
	number(c, "min players", &s.MinPlayers, 1, MaxSeats)
	number(c, "delay", &s.Delay, 0, MaxDelay)
	number(c, "rtc", &s.RTC, minRTC, maxRTC)
	number(c, "hash every", &s.HashEvery, 1, maxHashEvery)
	number(c, "skew", &s.Skew, 0, maxSkew)
	c.bool("no late join", &s.NoLateJoin)
	c.bool("keep consoles", &s.KeepConsoles)
	c.within("core", s.Core.fields)
	list(c, "options", &s.Options, maxOptions, func(c *coder, o *Option) {
		c.text("option", &o.Key, maxKey)
		c.text("value", &o.Value, maxKey)
	})
	list(c, "bios files", &s.BIOS, maxBIOS, biosFields)
	frameField(c, "frames", &s.Frames)
	number(c, "spectators", &s.Spectators, 0, MaxSpectators)
	number(c, "spectate delay", &s.SpectateDelay, 0, MaxSpectateDelay)
}

func (id *CoreID) fields(c *coder) {
	c.text("name", &id.Name, maxName)
	c.text("version", &id.Version, maxName)
	c.fixed("sha256", id.SHA256[:])
}

func biosFields(c *coder, b *BIOSHash) {
	c.text("bios file", &b.Name, maxName)
	c.fixed("bios sha256", b.SHA256[:])
}

func (id *ROMID) fields(c *coder) {
	c.fixed("sha256", id.SHA256[:])
	c.text("title", &id.Title, maxName)
	number(c, "size", &id.Size, 0, maxROM)
}

// optionalGame is a game, or nil for the game host's.
func optionalGame(c *coder, id **ROMID) {
	own := *id != nil
	c.bool("own game", &own)
	if !own || c.err != nil {
		return
	}
	if c.reading {
		*id = new(ROMID)
	}
	c.within("game", (*id).fields)
}

func firmwareFields(c *coder, f *emucore.Firmware) {
	c.raw("nickname", &f.Nickname, 40)
	c.fixed("mac", f.MAC[:])
	number(c, "language", &f.Language, 0, 255)
	number(c, "colour", &f.Colour, 0, 255)
	number(c, "birthday", &f.BirthMonth, 0, 255)
	number(c, "birthday", &f.BirthDay, 0, 255)
	if c.err == nil {
		c.err = checkFirmware(*f)
	}
}

func playerFields(c *coder, p *Player) {
	machineField(c, &p.Machine)
	seatField(c, &p.Seat)
	number(c, "player of the machine", &p.Local, 0, MaxOthers)
	c.text("nickname", &p.Nickname, maxName)
	c.within("firmware", func(c *coder) { firmwareFields(c, &p.Firmware) })
	c.within("game", p.ROM.fields)
	c.bool("own game", &p.OwnROM)
	c.bool("ready", &p.Ready)
	c.text("problem", &p.Problem, maxSentence)
	c.text("note", &p.Note, maxSentence)
	c.text("program version", &p.Program, maxProgram)
	c.bool("present", &p.Present)
	c.duration("ping", &p.Ping)
	c.duration("jitter", &p.Jitter)
	number(c, "loss", &p.Loss, 0, 1000)
	c.within("up", p.Up.fields)
	c.within("down", p.Down.fields)
	c.fixed("public key", p.Sign[:])
	addrsField(c, &p.Addrs)
}

func (p *Progress) fields(c *coder) {
	number(c, "done", &p.Done, 0, maxBytes)
	number(c, "total", &p.Total, 0, maxBytes)
}

// beat is the part of a player that changes all the time.
type beat struct {
	Machine      int
	Ping, Jitter time.Duration
	Loss         int // of 1000
	Up, Down     Progress
}

type pulseMsg struct {
	Beats  []beat
	Agreed int64
}

func (*pulseMsg) kind() kind { return kindPulse }

func (m *pulseMsg) fields(c *coder) {
	list(c, "players", &m.Beats, MaxSeats, func(c *coder, b *beat) {
		machineField(c, &b.Machine)
		c.duration("ping", &b.Ping)
		c.duration("jitter", &b.Jitter)
		number(c, "loss", &b.Loss, 0, 1000)
		c.within("up", b.Up.fields)
		c.within("down", b.Down.fields)
	})
	frameField(c, "agreed", &m.Agreed)
}

type statusMsg struct{ Status }

func (*statusMsg) kind() kind { return kindStatus }

func (m *statusMsg) fields(c *coder) {
	number(c, "terms", &m.Terms, 0, 1<<32-1)
	c.bool("ready", &m.Ready)
	c.text("problem", &m.Problem, maxSentence)
	list(c, "missing games", &m.Missing, MaxSeats, func(c *coder, sum *[32]byte) { c.fixed("sha256", sum[:]) })
	c.within("up", m.Up.fields)
	c.within("down", m.Down.fields)
}

type gameMsg struct{ ROM *ROMID }

func (*gameMsg) kind() kind { return kindGame }

func (m *gameMsg) fields(c *coder) { optionalGame(c, &m.ROM) }

type chatMsg struct{ Text string }

func (*chatMsg) kind() kind { return kindChat }

func (m *chatMsg) fields(c *coder) { c.text("text", &m.Text, maxChat) }

type lineMsg struct{ ChatLine }

func (*lineMsg) kind() kind { return kindLine }

func (m *lineMsg) fields(c *coder) {
	number(c, "seat", &m.Seat, -1, MaxSeats-1)
	c.text("name", &m.Name, maxName)
	c.text("text", &m.Text, maxChat)
}

func seatField(c *coder, v *int)                 { number(c, "seat", v, 0, MaxSeats-1) }
func machineField(c *coder, v *int)              { number(c, "machine", v, 0, MaxMachines-1) }
func roundField(c *coder, v *uint32)             { number(c, "round", v, 0, 1<<32-1) }
func frameField(c *coder, name string, v *int64) { number(c, name, v, 0, MaxFrame) }
