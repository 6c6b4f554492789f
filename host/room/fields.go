package room

import (
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/wire"
)

func (p *LocalPlayer) fields(c *wire.Coder) {
	c.Text("nickname", &p.Nickname, MaxName)
	c.Within("firmware", func(c *wire.Coder) { FirmwareFields(c, &p.Firmware) })
	OptionalGame(c, &p.ROM)
}

// LocalPlayersField is a list of further players on a machine.
func LocalPlayersField(c *wire.Coder, v *[]LocalPlayer) {
	wire.List(c, "other players", v, MaxLocalPlayers, func(c *wire.Coder, p *LocalPlayer) { c.Within("other player", p.fields) })
}

// Entries of lists, at most.
const (
	MaxOptions = 64
	MaxBIOS    = 8
	maxPaths   = ds.MaxMachines - 1
	MaxKey     = 64      // bytes of an option's key or value
	MaxBytes   = 1 << 40 // of a progress
)

// The ranges of settings.
const (
	MinRTC       = 946684800 // 2000-01-01, where a DS clock begins
	maxRTC       = ds.MaxRTC
	maxHashEvery = 3600 // frames: a minute
	maxSkew      = 16   // frames
)

// MaxKeptFrames bounds what can have been played before a moment.
const MaxKeptFrames = 1 << 60

func (r *Room) Fields(c *wire.Coder) {
	c.Within("settings", r.Settings.Fields)
	wire.Number(c, "phase", &r.Phase, int64(PhaseLobby), int64(PhasePlaying))
	RoundField(c, &r.Round)
	wire.Number(c, "revision", &r.Revision, 0, 1<<32-1)
	MachineField(c, &r.Host)
	wire.Number(c, "epoch", &r.Epoch, 0, 1<<32-1)
	wire.Number(c, "voters", &r.Voters, 0, 1<<16-1)
	wire.List(c, "players", &r.Players, ds.MaxSeats, playerFields)
	wire.List(c, "spectators", &r.Spectators, MaxSpectators, spectatorFields)
}

func (s *Settings) Fields(c *wire.Coder) {
	c.Text("room name", &s.Room, MaxName)
	wire.Number(c, "seats", &s.Seats, MinSeats, ds.MaxSeats)
	wire.Number(c, "players needed to start", &s.MinPlayers, 1, ds.MaxSeats)
	wire.Number(c, "input delay", &s.Delay, 0, ds.MaxDelay)
	wire.Number(c, "automatic input delay", &s.AutoDelay, 0, int64(autodelay.MaxPreset))
	wire.Number(c, "clock at the start", &s.RTC, MinRTC, maxRTC)
	c.Bool("clock of the start", &s.ClockNow)
	wire.Number(c, "frames between hash reports", &s.HashEvery, 1, maxHashEvery)
	wire.Number(c, "skew", &s.Skew, 0, maxSkew)
	c.Bool("no late join", &s.NoLateJoin)
	c.Bool("keep consoles", &s.KeepConsoles)
	wire.Number(c, "sync", &s.Sync, int64(Lockstep), int64(Rollback))
	c.Within("core", s.Core.Fields)
	wire.List(c, "core options", &s.Options, MaxOptions, func(c *wire.Coder, o *Option) {
		c.Text("option", &o.Key, MaxKey)
		c.Text("value", &o.Value, MaxKey)
	})
	wire.List(c, "bios files", &s.BIOS, MaxBIOS, BiosFields)
	FrameField(c, "frames of a game", &s.Frames)
	wire.Number(c, "spectators", &s.Spectators, 0, MaxSpectators)
	wire.Number(c, "seconds that spectators are behind", &s.SpectateDelay, 0, MaxSpectateDelay)
	c.Within("kept moment", s.Continues.fields)
	s.Cheats.fields(c)
}

func (l *Cheats) fields(c *wire.Coder) {
	cheat.List(c, &l.List)
	if len(l.List) > 0 {
		c.Fixed("game of the cheats", l.Game[:])
	} else if c.Reading() {
		l.Game = [32]byte{}
	}
}

// BiosFields are the fields of a BIOS file's name.
func BiosFields(c *wire.Coder, b *BIOSHash) {
	c.Text("bios file", &b.Name, MaxName)
	c.Fixed("bios sha256", b.SHA256[:])
}

func (id *ROMID) fields(c *wire.Coder) {
	c.Fixed("sha256", id.SHA256[:])
	c.Text("title", &id.Title, MaxName)
	wire.Number(c, "size", &id.Size, 0, MaxROM)
}

// withEdition are the fields of a game in messages. Recordings and kept moments have those of fields.
func (id *ROMID) withEdition(c *wire.Coder) {
	id.fields(c)
	c.Within("edition", id.Edition.fields)
}

// OptionalGame is a game, or nil for the game host's.
func OptionalGame(c *wire.Coder, id **ROMID) {
	own := *id != nil
	c.Bool("own game", &own)
	if !own || c.Err() != nil {
		return
	}
	if c.Reading() {
		*id = new(ROMID)
	}
	c.Within("game", (*id).withEdition)
}

// FirmwareFields are the fields of a console's own settings. They are checked, not cleaned.
func FirmwareFields(c *wire.Coder, f *ds.Firmware) {
	c.Raw("nickname", &f.Nickname, 40)
	c.Fixed("mac", f.MAC[:])
	wire.Number(c, "language", &f.Language, 0, 255)
	wire.Number(c, "colour", &f.Colour, 0, 255)
	wire.Number(c, "birthday", &f.BirthMonth, 0, 255)
	wire.Number(c, "birthday", &f.BirthDay, 0, 255)
	if c.Err() == nil {
		c.Set(CheckFirmware(*f))
	}
}

func playerFields(c *wire.Coder, p *Player) {
	MachineField(c, &p.Machine)
	SeatField(c, &p.Seat)
	wire.Number(c, "player of the machine", &p.Local, 0, MaxLocalPlayers)
	c.Text("nickname", &p.Nickname, MaxName)
	c.Within("firmware", func(c *wire.Coder) { FirmwareFields(c, &p.Firmware) })
	c.Within("game", p.ROM.withEdition)
	c.Bool("own game", &p.OwnROM)
	c.Bool("ready", &p.Ready)
	c.Text("problem", &p.Problem, MaxSentence)
	CauseField(c, &p.Cause)
	c.Text("note", &p.Note, MaxSentence)
	c.Text("program version", &p.Program, MaxProgram)
	c.Bool("present", &p.Present)
	BeatFields(c, &p.Beat)
	c.Fixed("public key", p.Sign[:])
	c.Fixed("installation's key", p.Key[:])
	c.Fixed("build of the core", p.Build[:])
	AddrsField(c, &p.Addrs)
}

// BeatFields are the fields of what changes all the time of a player.
func BeatFields(c *wire.Coder, b *Beat) {
	c.Duration("ping", &b.Ping)
	c.Duration("jitter", &b.Jitter)
	wire.Number(c, "loss", &b.Loss, 0, 1000)
	wire.Number(c, "repeated", &b.Repeated, 0, inputdelay.Recent)
	c.Text("way", &b.Way, MaxReason)
	DepthField(c, &b.Depth)
	OwnDelayField(c, &b.OwnDelay)
	PathsField(c, &b.Paths)
	c.Within("up", b.Up.Fields)
	c.Within("down", b.Down.Fields)
}

// DepthField is a machine's depth in rollback.
func DepthField(c *wire.Coder, d *Depth) { wire.Number(c, "depth", d, 0, int64(MaxDepth)) }

// OwnDelayField is the delay that a machine's players have chosen for their own presses.
func OwnDelayField(c *wire.Coder, d *autodelay.Choice) {
	wire.Number(c, "own delay", d, 0, int64(autodelay.MaxChoice))
}

func (p *Progress) Fields(c *wire.Coder) {
	wire.Number(c, "done", &p.Done, 0, MaxBytes)
	wire.Number(c, "total", &p.Total, 0, MaxBytes)
}

// SeatField is the field of a seat.
func SeatField(c *wire.Coder, v *ds.Seat) { wire.Number(c, "seat", v, 0, ds.MaxSeats-1) }

// MachineField is the field of a machine's number.
func MachineField(c *wire.Coder, v *int) { wire.Number(c, "machine", v, 0, ds.MaxMachines-1) }

// RoundField is the field of a game's number.
func RoundField(c *wire.Coder, v *uint32) { wire.Number(c, "round", v, 0, 1<<32-1) }

// FrameField is the field of a frame.
func FrameField(c *wire.Coder, name string, v *int64) { wire.Number(c, name, v, 0, ds.MaxFrame) }

// SeatsField is a list of consoles, by rising seat.
func SeatsField(c *wire.Coder, v *[]SeatPlan) {
	before := ds.Seat(-1)
	wire.List(c, "seats", v, ds.MaxSeats, func(c *wire.Coder, s *SeatPlan) {
		s.Fields(c)
		if c.Reading() && c.Err() == nil && s.Seat <= before {
			c.Fail("seats", "seat %v after seat %v", s.Seat, before)
		}
		before = s.Seat
	})
}

func (s *SeatPlan) Fields(c *wire.Coder) {
	SeatField(c, &s.Seat)
	MachineField(c, &s.Machine)
	c.Text("nickname", &s.Nickname, MaxName)
	c.Within("firmware", func(c *wire.Coder) { FirmwareFields(c, &s.Firmware) })
	c.Within("game", s.ROM.fields)
}

// HashesField is a list of consoles' hashes, by rising seat.
func HashesField(c *wire.Coder, v *[]SeatHash) { SeatHashes(c, v, c.Hash) }

// SeatHashes is a list of consoles' hashes by rising seat, each number written by hash.
func SeatHashes(c *wire.Coder, v *[]SeatHash, hash func(field string, v *uint64)) {
	before := ds.Seat(-1)
	wire.List(c, "hashes", v, ds.MaxSeats, func(c *wire.Coder, h *SeatHash) {
		SeatField(c, &h.Seat)
		if c.Err() == nil && h.Seat <= before {
			c.Fail("seat", "%v after %v", h.Seat, before)
		}
		before = h.Seat
		hash("ram", &h.Hash.RAM)
		hash("video", &h.Hash.Video)
		hash("sram", &h.Hash.SRAM)
		hash("air", &h.Air)
	})
}

// AddrsField is a list of addresses of a machine.
func AddrsField(c *wire.Coder, v *[]string) {
	wire.List(c, "addresses", v, maxAddrs, func(c *wire.Coder, a *string) { c.Text("address", a, maxAddr) })
}

func spectatorFields(c *wire.Coder, s *Spectator) {
	wire.Number(c, "spectator", &s.Number, 0, MaxSpectators-1)
	c.Text("nickname", &s.Nickname, MaxName)
	c.Text("program version", &s.Program, MaxProgram)
}

// PathsField is a list of paths.
func PathsField(c *wire.Coder, v *[]Path) {
	wire.List(c, "paths", v, maxPaths, func(c *wire.Coder, p *Path) {
		MachineField(c, &p.Machine)
		c.Duration("round trip", &p.RTT)
		c.Text("way", &p.Way, MaxReason)
	})
}

func (k *Kept) fields(c *wire.Coder) {
	wire.List(c, "seats", &k.Seats, ds.MaxSeats, func(c *wire.Coder, s *KeptSeat) { s.fields(c) })
	if k.Any() {
		c.Text("name", &k.Name, MaxName)
		wire.Number(c, "frames", &k.Frames, 0, MaxKeptFrames)
	}
}

func (s *KeptSeat) fields(c *wire.Coder) {
	SeatField(c, &s.Seat)
	c.Text("nickname", &s.Nickname, MaxName)
	c.Within("firmware", func(c *wire.Coder) { FirmwareFields(c, &s.Firmware) })
	c.Within("game", s.ROM.fields)
	c.Fixed("save sha256", s.SRAM[:])
	c.Bool("open", &s.Open)
}
