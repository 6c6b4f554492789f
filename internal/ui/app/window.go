package app

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
)

// What the player does to the window while a game runs. It goes into the settings,
// so that the next game is like this one.

// set changes settings outside of their form.
func (m *Model) set(change func(*config.Config)) {
	cfg := cloneConfig(m.Config)
	change(&cfg)
	if cfg.Validate() != nil {
		return
	}
	before := m.Config
	m.Config = cfg
	m.Settings.Draft = cloneConfig(cfg)
	m.command(SaveSettings{})
	m.changed(before)
}

// ToggleSound switches the sound on or off.
func (m *Model) ToggleSound() {
	m.set(func(c *config.Config) { c.Audio.Enabled = !c.Audio.Enabled })
	if m.Config.Audio.Enabled {
		m.Say("Sound on")
		return
	}
	m.Say("Sound off")
}

// ToggleRecording lets games be recorded, or not. A recording begins with a game.
func (m *Model) ToggleRecording() {
	m.set(func(c *config.Config) { c.Recording.Enabled = !c.Recording.Enabled })
	if m.Config.Recording.Enabled {
		m.Say("Games are recorded, from the next room on")
		return
	}
	m.Say("Games are not recorded any more, from the next room on")
}

// ToggleFullscreen fills the display, or goes back to a window.
func (m *Model) ToggleFullscreen() {
	m.set(func(c *config.Config) { c.Video.Fullscreen = !c.Video.Fullscreen })
}

// Louder changes the volume by so many percent.
func (m *Model) Louder(percent int) {
	m.set(func(c *config.Config) { c.Audio.Volume = min(max(c.Audio.Volume+percent, 0), 100) })
	m.Say(fmt.Sprintf("Volume %d %%", m.Config.Audio.Volume))
}

// Fast runs a game on this machine alone as fast as it can, or not any more.
func (m *Model) Fast(on bool) {
	if m.control != nil && m.Room != nil && m.Room.Local > 0 {
		m.control.MaxSpeed(on)
	}
}
