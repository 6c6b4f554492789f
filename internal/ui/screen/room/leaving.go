package room

import (
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// Back implements screen.Screen for most screens of a room. A slip of Escape leaves no room: it asks also where a
// button that says so does not have to.
func (s *Session) Back() bool {
	r := s.Room
	if words, _ := s.stake(); r == nil || !r.Known || words != "" {
		s.AskLeave() // on the way in there is nothing to leave yet
		return true
	}
	q := &screen.Question{Words: "Leave the room?", Hint: "You can come back by the same invitation.", Yes: "Leave", No: "Stay", Do: s.Leave}
	if r.Hosting {
		q.Words, q.Hint, q.Yes, q.No = "Close the room?", "Nobody else is in it, and nobody can come in any more.", "Close the room", "Stay"
	}
	s.Question = q
	return true
}

// AskLeave asks before the player leaves, where that matters.
func (s *Session) AskLeave() {
	words, hint := s.stake()
	switch {
	case s.Room == nil:
		s.GoHome()
	case words == "":
		s.Leave()
	default:
		s.Question = &screen.Question{Words: words + "?", Hint: hint, Yes: "Leave", No: "Stay", Do: s.Leave}
	}
}

// AskClose asks before the program ends, where leaving the room or the game matters.
func (s *Session) AskClose() {
	words, hint := s.stake()
	if meet := s.settings.MeetHere(); words == "" && meet != "" && !s.Closing {
		s.Question = &screen.Question{Words: meet + " Close nettplay anyway?", Hint: settings.HelpEnds, Yes: "Close", No: "Stay", Do: s.Close}
		return
	}
	if words == "" || s.Closing {
		s.Close()
		return
	}
	s.Question = &screen.Question{Words: words + " and close nettplay?", Hint: hint, Yes: "Leave and close", No: "Stay", Do: s.Close}
}

// stake says what the player would leave now, and what comes of that; "" when it does not
// matter.
func (s *Session) stake() (words, hint string) {
	r := s.Room
	switch {
	case r == nil:
		return "", ""
	case r.Run.Playing && r.Local > 0:
		return "End the game", "Your save is kept. Progress that the game itself has not saved is lost."
	case r.Run.Playing && Others(r.Room, r.Machine) == 0:
		return "Leave the room", "Nobody else is in it. Your save is kept."
	case r.Run.Playing && Others(r.Room, r.Machine) == 1:
		return "Leave the room", "This ends the game for " + phrase.List(othersNames(r)) + ", too. All saves are kept."
	case r.Run.Playing && r.Hosting:
		return "Leave the room", "The others play on, and one of them becomes the game host. Your save is kept."
	case r.Run.Playing:
		return "Leave the room", "The others play on. Your save is kept."
	case r.Hosting && r.Present() > 1:
		return "Leave your room", "Another player becomes the game host."
	}
	return "", ""
}

// othersNames are the players at other machines than ours.
func othersNames(r *Room) (names []string) {
	for _, p := range r.Room.Players {
		if p.Present && p.Machine != r.Machine {
			names = append(names, p.Nickname)
		}
	}
	return names
}

// Leave leaves the room in good order. Over comes when that is done.
func (s *Session) Leave() {
	s.Wait, s.leaving = "Leaving …", true
	s.engine.StopAnnouncing()
	s.engine.EndSession()
}

// Close ends the program: at once, or when the player has left the room in good order. It
// asks nothing.
func (s *Session) Close() {
	if s.Closing {
		return
	}
	s.Closing = true
	if s.Room == nil {
		s.engine.StopAnnouncing()
		s.Quit()
		return
	}
	s.Leave()
}
