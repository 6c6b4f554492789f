package launch

import (
	"time"

	"github.com/nettplay/nettplay/config"
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
	return room.Settings{
		Room: RoomName(cfg), Seats: max(seats, room.MinSeats), MinPlayers: room.MinSeats, Delay: cfg.Room.Delay, AutoDelay: autodelay.Named(cfg.Room.AutoDelay),
		RTC: cfg.Room.RTC.At(time.Now()), HashEvery: cfg.Room.HashEvery, Skew: cfg.Room.Skew,
		NoLateJoin: !cfg.Room.LateJoin, KeepConsoles: cfg.Room.KeepConsoles, Clocked: cfg.Room.Sync == config.Clocked,
		Spectators: cfg.Room.Spectators, SpectateDelay: int(cfg.Room.SpectateDelay.Round(time.Second).Seconds()),
	}
}

// soloSettings are the settings of a game on this machine alone: it begins when all
// consoles are there, and nobody can watch.
func soloSettings(cfg config.Config, consoles, delay int) room.Settings {
	s := RoomSettings(cfg, consoles)
	s.MinPlayers, s.Delay, s.AutoDelay, s.Spectators, s.Clocked = consoles, delay, autodelay.Off, 0, false
	return s
}
