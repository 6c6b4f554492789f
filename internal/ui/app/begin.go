package app

import (
	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/library"
)

// OpenGame opens a room for a game, as a start does that was told to. override may change
// what the settings say of the room, for this one.
func OpenGame(path string, override func(*config.Config)) func(*Model) {
	return func(m *Model) {
		m.whenReady(func() {
			g, err := library.Look(path)
			if err != nil {
				m.Trouble = &Trouble{Title: "This is no game", Words: path + ": " + library.Why(path, err)}
				return
			}
			m.Purpose = ForHost
			m.home()
			m.Pick(g)
			cfg := cloneConfig(m.Config)
			override(&cfg)
			m.Host = hostForm(cfg.Room)
			m.OpenRoom()
		})
	}
}

// JoinAddress joins a room, as a start does that was told to.
func JoinAddress(address, password string) func(*Model) {
	return func(m *Model) {
		m.whenReady(func() {
			m.home()
			m.GoJoin()
			m.Join.Address, m.Join.Password = address, password
			m.EnterRoom()
		})
	}
}

// WatchAddress watches a room, as a start does that was told to.
func WatchAddress(address, password string) func(*Model) {
	return func(m *Model) {
		m.whenReady(func() {
			m.home()
			m.GoJoin()
			m.Join.Address, m.Join.Password = address, password
			m.LookOn()
		})
	}
}

// whenReady does something as soon as the core is found, or shows why there is
// none.
func (m *Model) whenReady(do func()) {
	m.Memory.Welcomed = true
	m.home()
	m.ready = do
}

// started does what was to be done as soon as the core is known.
func (m *Model) started() {
	do := m.ready
	m.ready = nil
	switch {
	case do == nil:
	case m.Core.Found:
		do()
	default:
		m.Trouble = m.Core.Trouble
	}
}
