package room

import (
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// A room plays on one core from its opening on. Our own is opened again for another core, by the same
// invitation.

// reopen opens our room again with the core of the settings. It asks before it removes others.
func (s *Session) reopen() {
	r := s.Room
	if r == nil || s.entered.Host == nil || s.control == nil || r.Run.Playing || r.Room.Settings.Core.SHA256 == s.Core.Core.SHA256 {
		return
	}
	if Others(r.Room, r.Machine) == 0 {
		s.closeToReopen()
		return
	}
	s.Question = &screen.Question{
		Words: "Open the room again with " + s.Core.Core.Name + "?",
		Hint:  "The others come in again by the same invitation, and need the same core: nettplay offers it to them.",
		Yes:   "Open it again", No: "Not now", Do: s.closeToReopen,
	}
}

// closeToReopen removes the others, who would go on without us else, and leaves then.
func (s *Session) closeToReopen() {
	r := s.Room
	if r == nil || s.control == nil {
		return
	}
	s.reopening, s.Wait = true, "Opening the room again …"
	if Others(r.Room, r.Machine) == 0 {
		s.Leave()
		return
	}
	for _, p := range r.Room.Players {
		if p.Present && p.Local == 0 && p.Machine != r.Machine {
			s.control.Kick(p.Seat, "the room opens again with "+s.Core.Core.Name+": join again", false)
		}
	}
}

// openAgain opens the room that was r, as it was when it closed.
func (s *Session) openAgain(r *Room) {
	open, again := s.entered, s.again
	form, set := *open.Host, r.Room.Settings
	form.Seats, form.LateJoin, form.Spectators = set.Seats, !set.NoLateJoin, set.Spectators
	open.Host, open.Again = &form, true
	if r.Game != nil {
		open.Game = r.Game
	}
	now := Room{Hosting: true, Game: open.Game, Password: r.Password, Port: r.Port}
	s.Forget()
	s.Enter(now, open, again)
}
