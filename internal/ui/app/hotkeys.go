package app

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
)

// What the player does to the window while a game runs. It goes into the settings,
// so that the next game is like this one.

// ToggleSound switches the sound on or off.
func (m *Shell) ToggleSound() {
	m.settings.Set(func(c *config.Config) { c.Audio.Enabled = !c.Audio.Enabled })
	if m.Config.Audio.Enabled {
		m.Say("Sound on")
		return
	}
	m.Say("Sound off")
}

// ToggleRecording lets games be recorded, or not. A recording begins with a game.
func (m *Shell) ToggleRecording() {
	m.settings.Set(func(c *config.Config) { c.Recording.Enabled = !c.Recording.Enabled })
	if m.Config.Recording.Enabled {
		m.Say("Games are recorded, from the next room on")
		return
	}
	m.Say("Games are not recorded any more, from the next room on")
}

// ToggleFullscreen fills the display, or goes back to a window.
func (m *Shell) ToggleFullscreen() {
	m.settings.Set(func(c *config.Config) { c.Video.Fullscreen = !c.Video.Fullscreen })
}

// Louder changes the volume by so many percent.
func (m *Shell) Louder(percent int) {
	m.settings.Set(func(c *config.Config) { c.Audio.Volume = min(max(c.Audio.Volume+percent, 0), 100) })
	m.Say(fmt.Sprintf("Volume %d %%", m.Config.Audio.Volume))
}
