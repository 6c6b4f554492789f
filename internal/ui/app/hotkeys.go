package app

import (
	"fmt"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Changes by hotkeys while a game runs go into the settings, so that the next game is like
// this one.

// ToggleSound switches the sound on or off.
func (s *Shell) ToggleSound() {
	s.toggle(func(c *config.Config) *bool { return &c.Audio.Enabled }, "Sound on", "Sound off")
}

// ToggleRecording lets games be recorded, or asks before they no longer are: that counts
// for all to come. A recording begins with a game.
func (s *Shell) ToggleRecording() {
	if !s.Config.Recording.Enabled {
		s.settings.Set(func(c *config.Config) { c.Recording.Enabled = true })
		s.Tell("Games are recorded, from the next room on.")
		return
	}
	s.Question = &screen.Question{
		Words: "Record no more games?", Hint: "Earlier recordings stay. The games of the next rooms are not recorded until you switch it on again.",
		Yes: "Do not record", No: "Keep recording",
		Do: func() { s.settings.Set(func(c *config.Config) { c.Recording.Enabled = false }) },
	}
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
