package app

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
)

// Changes by hotkeys while a game runs go into the settings, so that the next game is like
// this one.

// ToggleSound switches the sound on or off.
func (s *Shell) ToggleSound() {
	s.toggle(func(c *config.Config) *bool { return &c.Audio.Enabled }, "Sound on", "Sound off")
}

// ToggleRecording lets games be recorded, or not. A recording begins with a game.
func (s *Shell) ToggleRecording() {
	s.toggle(func(c *config.Config) *bool { return &c.Recording.Enabled },
		"Games are recorded, from the next room on", "Games are not recorded any more, from the next room on")
}

// toggle switches a setting, and says so.
func (s *Shell) toggle(at func(*config.Config) *bool, on, off string) {
	s.settings.Set(func(c *config.Config) { *at(c) = !*at(c) })
	if *at(&s.Config) {
		off = on
	}
	s.Say(off)
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
