package screen

import "github.com/nettplay/nettplay/internal/saves"

// SetUnsaved takes the saves that the disk did not take, and offers to try again.
func (s *Shared) SetUnsaved(list []saves.UnwrittenSave) {
	if len(list) == 0 && len(s.Unsaved) > 0 {
		s.Tell("Your save is written now.")
	}
	s.Unsaved = list
	if len(list) == 0 {
		return
	}
	s.Question = &Question{
		Words: "Your save of " + list[0].Name + " is not on the disk",
		Hint:  Sentence(list[0].Why.Error()) + " Free some space, then try again. Until then it is kept in memory while this window is open, and the next game starts from it.",
		Yes:   "Try again", No: "Later", Do: s.Engine.RetrySaves, Harmless: true,
	}
}

// Quit ends the program, unless a save would be lost with it: then it asks.
func (s *Shared) Quit() {
	if len(s.Unsaved) == 0 {
		s.Engine.Quit()
		return
	}
	s.Closing = false
	s.GoHome()
	s.Question = &Question{
		Words: "Close nettplay, and lose your save of " + s.Unsaved[0].Name + "?",
		Hint:  Sentence(s.Unsaved[0].Why.Error()) + " It is in memory only.",
		Yes:   "Lose it and close", No: "Stay", Do: func() { s.Closing = true; s.Engine.Quit() },
	}
}
