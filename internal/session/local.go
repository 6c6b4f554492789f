package session

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/inputdelay"
	"github.com/nettplay/nettplay/internal/ds"
)

// localPlayers returns our local players but the primary one, as the room is told of them.
func (c Config) localPlayers() []room.LocalPlayer {
	var list []room.LocalPlayer
	for _, o := range c.LocalPlayers {
		list = append(list, room.LocalPlayer{Nickname: o.Firmware.Nickname, Firmware: o.Firmware})
	}
	return list
}

// seatOwn notes which of our players sits where.
func (s *session) seatOwn() {
	s.locals = make(map[ds.Seat]int)
	for _, p := range s.room.Room().Players {
		if p.Machine == s.me() {
			s.locals[p.Seat] = p.Local
		}
	}
}

// own are our seats in the order of our players.
func (s *session) own() []ds.Seat {
	return slices.SortedFunc(maps.Keys(s.locals), func(a, b ds.Seat) int { return s.locals[a] - s.locals[b] })
}

// localPlayer returns our local player in a seat, nil for our primary player and all other seats.
func (s *session) localPlayer(seat ds.Seat) *LocalPlayer {
	if n := s.locals[seat]; n >= 1 && n <= len(s.cfg.LocalPlayers) {
		return &s.cfg.LocalPlayers[n-1]
	}
	return nil
}

// sitWith changes who plays at this machine besides us, in the lobby.
func (s *session) sitWith(now time.Time, list []LocalPlayer) error {
	cfg := s.cfg
	cfg.LocalPlayers = slices.Clone(list)
	err := s.room.SetLocalPlayers(now, cfg.localPlayers())
	if !errors.Is(err, room.ErrPhase) {
		s.cfg.LocalPlayers = cfg.LocalPlayers // who has no seat is not asked for input
	}
	return err
}

// sample asks for our own seats' input.
func (s *session) sample(seat ds.Seat, frame int64) inputdelay.Input {
	if other := s.localPlayer(seat); other != nil {
		return other.Input(frame)
	}
	return s.cfg.Input(frame)
}
