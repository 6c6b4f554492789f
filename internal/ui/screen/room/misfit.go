package room

import (
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
)

// A save of ours that does not fit its cartridge keeps nobody from playing: we go without it, or choose
// another.

// misfitWords says what is the matter with a save.
func misfitWords(n notice.SaveMisfit) string {
	return "Your save of " + screen.Printable(n.Game) + " has " + savefile.SizeWords(n.Have) + ", with data beyond the " +
		savefile.SizeWords(n.Chip) + " that the cartridge holds."
}

// askMisfit asks which it is to be.
func (s *Session) askMisfit() {
	s.Question = &screen.Question{
		Words: "Your save does not fit", Hint: misfitWords(s.Room.Misfits[0]) + " It stays as it is, whichever you choose.",
		Yes: "Play without it", Else: "Choose another", No: "Not now", Harmless: true,
		Do: s.withoutSave, DoElse: s.chooseSave,
	}
}

// withoutSave has the game begin with a blank cartridge.
func (s *Session) withoutSave() {
	if s.control != nil && s.Room != nil {
		s.Room.Misfits = nil
		s.control.WithoutSave()
	}
}

// chooseSave asks for the file of another save.
func (s *Session) chooseSave() {
	if s.Room == nil || len(s.Room.Misfits) == 0 {
		return
	}
	n := s.Room.Misfits[0]
	of := files.Kept{Title: n.Game, Game: saves.Game{SHA256: n.ROM, Title: n.Game}, Options: saves.Options{Console: n.Console}}
	s.AskPath(files.Importing(func(path string) { s.engine.ImportSave(of, path, false) }))
}

// SavesChanged has the room look at our saves once more.
func (s *Session) SavesChanged() {
	if s.control != nil && s.Room != nil {
		s.control.SavesChanged()
	}
}
