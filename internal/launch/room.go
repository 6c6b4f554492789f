package launch

import (
	"cmp"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
)

// RoomName is the name of the rooms that the player opens.
func RoomName(cfg config.Config) string {
	if cfg.Room.Name != "" {
		return cfg.Room.Name
	}
	return cfg.Player.Nickname + "'s room"
}

// RoomSettings are the settings of a room that the player opens now, with at least so
// many seats. The core's options are not among them: see coreOptions.
func RoomSettings(cfg config.Config, seats int) room.Settings {
	clock := cfg.Room.RTC.Seconds
	if cfg.Room.RTC.Now {
		clock = room.MinRTC // no game has been yet
	}
	return room.Settings{
		Room: RoomName(cfg), Seats: max(seats, room.MinSeats), MinPlayers: room.MinSeats, Delay: cfg.Room.Delay, AutoDelay: autodelay.Named(cfg.Room.AutoDelay),
		RTC: clock, ClockNow: cfg.Room.RTC.Now, HashEvery: cfg.Room.HashEvery, Skew: cfg.Room.Skew,
		NoLateJoin: !cfg.Room.LateJoin, KeepConsoles: cfg.Room.KeepConsoles, Sync: room.SyncNamed(cfg.Room.Sync),
		Spectators: cfg.Room.Spectators, SpectateDelay: int(cfg.Room.SpectateDelay.Round(time.Second).Seconds()),
	}
}

// soloSettings are the settings of a game on this machine alone: it begins when all
// consoles are there, and nobody can watch.
func soloSettings(cfg config.Config, consoles, delay int) room.Settings {
	s := RoomSettings(cfg, consoles)
	s.MinPlayers, s.Delay, s.AutoDelay, s.Spectators, s.Sync = consoles, delay, autodelay.Off, 0, room.Lockstep
	return s
}

// JIT tells whether consoles run with the core's JIT in rooms that the player opens. choice is
// false for a core that has none, or of which nettplay knows none.
func JIT(c config.Core, profile *emucore.Profile) (on, choice bool) {
	_, choice = profile.JITOption(true)
	return profile.Compiles(coreOptions(c, profile)), choice
}

// CoreOptions are the core's options of a room that the player opens, as a console takes them.
func CoreOptions(c config.Core, core emucore.Core) []room.Option {
	return coreOptions(c, emucore.ProfileFor(core.Name))
}

// coreOptions are the core's options of a room that the player opens: core.jit, but where
// core.options says it itself.
func coreOptions(c config.Core, profile *emucore.Profile) []room.Option {
	list := make([]room.Option, 0, len(c.Options)+1)
	for key, value := range c.Options {
		list = append(list, room.Option{Key: key, Value: value})
	}
	if o, ok := profile.JITOption(c.JIT == config.JITOn); ok && c.JIT != config.JITAuto {
		if _, said := c.Options[o.Key]; !said {
			list = append(list, o)
		}
	}
	slices.SortFunc(list, func(a, b room.Option) int { return cmp.Compare(a.Key, b.Key) })
	return list
}
