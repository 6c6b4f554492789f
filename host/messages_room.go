package host

import (
	"time"

	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
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

func (m *roomMsg) Fields(c *wire.Coder) { m.Room.fields(c) }

func (r *Room) fields(c *wire.Coder) {
	c.Within("settings", r.Settings.fields)
	wire.Number(c, "phase", &r.Phase, int64(PhaseLobby), int64(PhasePlaying))
	roundField(c, &r.Round)
	wire.Number(c, "revision", &r.Revision, 0, 1<<32-1)
	machineField(c, &r.Host)
	wire.Number(c, "epoch", &r.Epoch, 0, 1<<32-1)
	wire.Number(c, "voters", &r.Voters, 0, 1<<16-1)
	wire.List(c, "players", &r.Players, ds.MaxSeats, playerFields)
	wire.List(c, "spectators", &r.Spectators, MaxSpectators, spectatorFields)
}

func (s *Settings) fields(c *wire.Coder) {
	c.Text("room name", &s.Room, maxName)
	wire.Number(c, "seats", &s.Seats, 2, ds.MaxSeats)
	wire.Number(c, "min players", &s.MinPlayers, 1, ds.MaxSeats)
	wire.Number(c, "delay", &s.Delay, 0, ds.MaxDelay)
	wire.Number(c, "rtc", &s.RTC, minRTC, maxRTC)
	wire.Number(c, "hash every", &s.HashEvery, 1, maxHashEvery)
	wire.Number(c, "skew", &s.Skew, 0, maxSkew)
	c.Bool("no late join", &s.NoLateJoin)
	c.Bool("keep consoles", &s.KeepConsoles)
	c.Within("core", s.Core.fields)
	wire.List(c, "options", &s.Options, maxOptions, func(c *wire.Coder, o *Option) {
		c.Text("option", &o.Key, maxKey)
		c.Text("value", &o.Value, maxKey)
	})
	wire.List(c, "bios files", &s.BIOS, maxBIOS, biosFields)
	frameField(c, "frames", &s.Frames)
	wire.Number(c, "spectators", &s.Spectators, 0, MaxSpectators)
	wire.Number(c, "spectate delay", &s.SpectateDelay, 0, MaxSpectateDelay)
}

func (id *CoreID) fields(c *wire.Coder) {
	c.Text("name", &id.Name, maxName)
	c.Text("version", &id.Version, maxName)
	c.Fixed("sha256", id.SHA256[:])
}

func biosFields(c *wire.Coder, b *BIOSHash) {
	c.Text("bios file", &b.Name, maxName)
	c.Fixed("bios sha256", b.SHA256[:])
}

func (id *ROMID) fields(c *wire.Coder) {
	c.Fixed("sha256", id.SHA256[:])
	c.Text("title", &id.Title, maxName)
	wire.Number(c, "size", &id.Size, 0, maxROM)
}

// optionalGame is a game, or nil for the game host's.
func optionalGame(c *wire.Coder, id **ROMID) {
	own := *id != nil
	c.Bool("own game", &own)
	if !own || c.Err() != nil {
		return
	}
	if c.Reading() {
		*id = new(ROMID)
	}
	c.Within("game", (*id).fields)
}

func firmwareFields(c *wire.Coder, f *ds.Firmware) {
	c.Raw("nickname", &f.Nickname, 40)
	c.Fixed("mac", f.MAC[:])
	wire.Number(c, "language", &f.Language, 0, 255)
	wire.Number(c, "colour", &f.Colour, 0, 255)
	wire.Number(c, "birthday", &f.BirthMonth, 0, 255)
	wire.Number(c, "birthday", &f.BirthDay, 0, 255)
	if c.Err() == nil {
		c.Set(checkFirmware(*f))
	}
}

func playerFields(c *wire.Coder, p *Player) {
	machineField(c, &p.Machine)
	seatField(c, &p.Seat)
	wire.Number(c, "player of the machine", &p.Local, 0, MaxLocalPlayers)
	c.Text("nickname", &p.Nickname, maxName)
	c.Within("firmware", func(c *wire.Coder) { firmwareFields(c, &p.Firmware) })
	c.Within("game", p.ROM.fields)
	c.Bool("own game", &p.OwnROM)
	c.Bool("ready", &p.Ready)
	c.Text("problem", &p.Problem, maxSentence)
	c.Text("note", &p.Note, maxSentence)
	c.Text("program version", &p.Program, maxProgram)
	c.Bool("present", &p.Present)
	c.Duration("ping", &p.Ping)
	c.Duration("jitter", &p.Jitter)
	wire.Number(c, "loss", &p.Loss, 0, 1000)
	c.Within("up", p.Up.fields)
	c.Within("down", p.Down.fields)
	c.Fixed("public key", p.Sign[:])
	addrsField(c, &p.Addrs)
}

func (p *Progress) fields(c *wire.Coder) {
	wire.Number(c, "done", &p.Done, 0, maxBytes)
	wire.Number(c, "total", &p.Total, 0, maxBytes)
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

func (m *pulseMsg) Fields(c *wire.Coder) {
	wire.List(c, "players", &m.Beats, ds.MaxSeats, func(c *wire.Coder, b *beat) {
		machineField(c, &b.Machine)
		c.Duration("ping", &b.Ping)
		c.Duration("jitter", &b.Jitter)
		wire.Number(c, "loss", &b.Loss, 0, 1000)
		c.Within("up", b.Up.fields)
		c.Within("down", b.Down.fields)
	})
	frameField(c, "agreed", &m.Agreed)
}

type statusMsg struct{ Status }

func (m *statusMsg) Fields(c *wire.Coder) {
	wire.Number(c, "revision", &m.Revision, 0, 1<<32-1)
	c.Bool("ready", &m.Ready)
	c.Text("problem", &m.Problem, maxSentence)
	wire.List(c, "missing games", &m.Missing, ds.MaxSeats, func(c *wire.Coder, sum *[32]byte) { c.Fixed("sha256", sum[:]) })
	c.Within("up", m.Up.fields)
	c.Within("down", m.Down.fields)
}

type gameMsg struct{ ROM *ROMID }

func (m *gameMsg) Fields(c *wire.Coder) { optionalGame(c, &m.ROM) }

type chatMsg struct{ Text string }

func (m *chatMsg) Fields(c *wire.Coder) { c.Text("text", &m.Text, maxChat) }

type chatLineMsg struct{ ChatLine }

func (m *chatLineMsg) Fields(c *wire.Coder) {
	wire.Number(c, "seat", &m.Seat, -1, ds.MaxSeats-1)
	c.Text("name", &m.Name, maxName)
	c.Text("text", &m.Text, maxChat)
}

func seatField(c *wire.Coder, v *ds.Seat) { wire.Number(c, "seat", v, 0, ds.MaxSeats-1) }

func machineField(c *wire.Coder, v *int)              { wire.Number(c, "machine", v, 0, ds.MaxMachines-1) }
func roundField(c *wire.Coder, v *uint32)             { wire.Number(c, "round", v, 0, 1<<32-1) }
func frameField(c *wire.Coder, name string, v *int64) { wire.Number(c, name, v, 0, ds.MaxFrame) }
