package app

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
)

// What the player does to the window while a game runs. It goes into the settings,
// so that the next game is like this one.

// ToggleSound switches the sound on or off.
func (s *Shell) ToggleSound() {
	s.settings.Set(func(c *config.Config) { c.Audio.Enabled = !c.Audio.Enabled })
	if s.Config.Audio.Enabled {
		s.Say("Sound on")
		return
	}
	s.Say("Sound off")
}

// ToggleRecording lets games be recorded, or not. A recording begins with a game.
func (s *Shell) ToggleRecording() {
	s.settings.Set(func(c *config.Config) { c.Recording.Enabled = !c.Recording.Enabled })
	if s.Config.Recording.Enabled {
		s.Say("Games are recorded, from the next room on")
		return
	}
	s.Say("Games are not recorded any more, from the next room on")
}

// ToggleFullscreen fills the display, or goes back to a window.
func (s *Shell) ToggleFullscreen() {
	s.settings.Set(func(c *config.Config) { c.Video.Fullscreen = !c.Video.Fullscreen })
}

// Louder changes the volume by so many percent.
func (s *Shell) Louder(percent int) {
	s.settings.Set(func(c *config.Config) { c.Audio.Volume = min(max(c.Audio.Volume+percent, 0), 100) })
	s.Say(fmt.Sprintf("Volume %d %%", s.Config.Audio.Volume))
}
