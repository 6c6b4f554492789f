package app

import (
	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// OpenGame opens a room for a game, as a start does that was told to, with so many local
// players. override may change what the settings say of the room, for this one.
func OpenGame(path string, players int, override func(*config.Config)) func(*Shell) {
	return func(m *Shell) {
		m.whenReady(func() {
			g, err := library.Look(path)
			if err != nil {
				m.Trouble = &screen.Trouble{Title: "This is no game", Words: path + ": " + library.Why(path, err)}
				return
			}
			m.games.Purpose = start.ForHost
			m.GoHome()
			m.games.Pick(g)
			cfg := settings.Clone(m.Config)
			override(&cfg)
			*m.host.Form = start.FormOf(cfg.Room)
			m.Config.Room.KeepConsoles = cfg.Room.KeepConsoles // which the form does not have
			m.seat(players)
			m.host.OpenRoom()
		})
	}
}

// JoinAddress joins a room, as a start does that was told to, with so many local players.
func JoinAddress(address, password string, players int) func(*Shell) {
	return func(m *Shell) {
		m.whenReady(func() {
			m.GoHome()
			m.Go(screen.Join)
			m.join.Form.Address, m.join.Form.Password = address, password
			m.seat(players)
			m.join.EnterRoom()
		})
	}
}

// WatchAddress watches a room, as a start does that was told to.
func WatchAddress(address, password string) func(*Shell) {
	return func(m *Shell) {
		m.whenReady(func() {
			m.GoHome()
			m.Go(screen.Join)
			m.join.Form.Address, m.join.Form.Password = address, password
			m.join.Spectate()
		})
	}
}

// MaxLocalPlayers is how many players the window has room for at one machine.
const MaxLocalPlayers = 1 + memory.MaxLocalPlayers

// seat lets so many players play at this machine.
func (m *Shell) seat(players int) {
	for len(m.local.Names) < min(players, MaxLocalPlayers)-1 {
		m.local.Add()
	}
}

// whenReady does something as soon as the core is found, or shows why there is
// none.
func (s *Shell) whenReady(do func()) {
	s.Memory.Welcomed = true
	s.GoHome()
	s.ready = do
}

// started does what was to be done as soon as the core is known.
func (s *Shell) started() {
	do := s.ready
	s.ready = nil
	switch {
	case do == nil:
	case s.Core.Found:
		do()
	default:
		s.Trouble = s.Core.Trouble
	}
}
