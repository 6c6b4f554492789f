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
	s.settings.Set(func(c *config.Config) { c.Audio.Enabled = !c.Audio.Enabled })
	words := "Sound off"
	if s.Config.Audio.Enabled {
		words = "Sound on"
	}
	s.SayOf("sound", words)
}

// ToggleRecording lets games be recorded, or asks before they no longer are: that counts
// for all to come. A recording begins with a game.
func (s *Shell) ToggleRecording() {
	if !s.Config.Recording.Enabled {
		s.settings.Set(func(c *config.Config) { c.Recording.Enabled = true })
		s.TellOf("recording", "Games will be recorded from the next room on.")
		return
	}
	s.Question = &screen.Question{
		Words: "Record no more games?", Hint: "Earlier recordings stay. The games of the next rooms are not recorded until you switch it on again.",
		Yes: "Do not record", No: "Keep recording",
		Do: func() { s.settings.Set(func(c *config.Config) { c.Recording.Enabled = false }) },
	}
}

// Louder changes the volume by so many percent.
func (s *Shell) Louder(percent int) {
	s.settings.Set(func(c *config.Config) { c.Audio.Volume = min(max(c.Audio.Volume+percent, 0), 100) })
	s.SayOf("sound", fmt.Sprintf("Volume %d%%", s.Config.Audio.Volume))
}
