package room

import (
	"slices"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Session is the session in which the player is, or was: the room, its games, and how
// the last one ended. The screens of a room share it.
type Session struct {
	*screen.Shared
	Room      *Room    // nil outside of one
	Ending    Ending   // of the last session
	Addresses []string // of this machine in its local networks

	engine   Engine
	settings *settings.Screen
	cores    *cores.Screen
	control  Control // of the running session; nil when there is none
	again    func()  // lets the player try the last room again
	orElse   func(error) (done bool)
	edit     widgets.Button // leads to the form of the last room, should it not let us in; without text there is none
	anyCore  [32]byte       // SHA-256 of the core with which the player plays although it failed its check
	badLine  string         // nickname of whose line alone is bad, for the game host; "" for nobody's
	reenter  func()         // enters the last room at once, as it was entered
	entered  OpenSession    // how the room was entered
	password string         // that was given for the last room
	leaving  bool           // the player wants the session to end
	// reopening is set while our room closes to be opened again, with another core.
	reopening bool
	anew      func() // hears that a room is entered
}

// NewSession makes the state of a program that is in no room.
func NewSession(set *settings.Screen, list *cores.Screen, engine Engine) *Session {
	return &Session{Shared: set.Shared, engine: engine, settings: set, cores: list, anew: func() {}}
}

// Open implements screen.Screen: it shows where the room is now.
func (s *Session) Open() { s.Return(s.Where(screen.Lobby)) }

// Enter begins a session, and shows the way into it.
func (s *Session) Enter(r Room, open OpenSession, again func()) {
	now := r
	s.Room, s.InRoom, s.again, s.orElse, s.edit, s.badLine, s.leaving, s.reopening = &now, true, again, nil, widgets.Button{}, "", false, false
	s.entered = open
	switch {
	case open.Join != nil:
		s.password = open.Join.Password
	case open.Host != nil:
		s.password = open.Host.Password
	}
	open.AnyCore = s.anyCore != [32]byte{} && s.anyCore == s.Core.Core.SHA256
	s.reenter = func() { s.Enter(r, open, again) }
	for _, id := range []screen.ID{screen.Joining, screen.Starting, screen.Lobby, screen.Playing} {
		s.Anew(id) // of another room
	}
	s.anew()
	s.engine.OpenSession(open)
	s.Show(s.Where(screen.Joining))
}

// OrElse has do called if the room that is being entered does not let us in. Where that does not help (it is not
// done), the player is told why.
func (s *Session) OrElse(do func(err error) (done bool)) { s.orElse = do }

// Edit takes the button that leads to the form of the room that is being entered, should it not let us in.
func (s *Session) Edit(b widgets.Button) { s.edit = b }

// Opened tells that the session has begun, and how to act on it.
func (s *Session) Opened(c Control) {
	s.control = c
	if s.Closing {
		s.engine.EndSession()
	}
}

// Invite takes the room's invitation, or the answer to one.
func (s *Session) Invite(v launch.Invitation) {
	if s.Room != nil {
		s.Room.Invited = v
	}
}

// PlaysOn tells that the room plays on another core than that of the settings, which is here too
// and is used in this room.
func (s *Session) PlaysOn(core emucore.Core) {
	if s.Room != nil {
		s.Room.Core = core
		s.Tell(launch.RoomsCoreWords(core))
	}
}

// core is the one that the room plays on, whatever the settings have chosen since.
func (s *Session) core() emucore.Core {
	r := s.Room
	if r == nil {
		return s.Core.Core
	}
	if sum := r.Room.Settings.Core.SHA256; r.Known && sum != ([32]byte{}) {
		if c := screen.At(s.Core.All, slices.IndexFunc(s.Core.All, func(c emucore.Core) bool { return c.SHA256 == sum })); c != nil {
			return *c
		}
	}
	if r.Core.Path != "" {
		return r.Core
	}
	return s.Core.Core
}

// WarnDeaf draws that games cannot find each other on the core of the settings, with what mends it.
func (s *Session) WarnDeaf(u *widgets.UI) { s.cores.Warn(u) }

// announce tells the local network of our room as it is now.
func (s *Session) announce() {
	r := s.Room
	if !r.Hosting || !r.Known || !s.Config.Room.Announce {
		s.engine.StopAnnouncing()
		return
	}
	mine, _ := r.Mine()
	about := lan.Beacon{
		Port: r.Port, ROM: [8]byte(mine.ROM.SHA256[:8]), Password: r.Password, Wireless: s.core().Wireless,
		Core: s.core().Name, Program: s.Version,
	}
	s.engine.Announce(about.With(r.Room))
}

// ConfigChanged applies changed settings to the room.
func (s *Session) ConfigChanged(before config.Config) {
	if before.Room.Announce != s.Config.Room.Announce && s.Room != nil {
		s.announce()
	}
	if own := s.Config.Net.OwnDelay; before.Net.OwnDelay != own && s.control != nil {
		s.control.OwnDelay(autodelay.ChoiceNamed(own))
	}
}

// Where returns the screen that a way back to some screen leads to now: the room has gone
// on meanwhile.
func (s *Session) Where(to screen.ID) screen.ID {
	switch to {
	case screen.Joining, screen.Lobby, screen.Starting, screen.Playing:
	default:
		return to
	}
	switch r := s.Room; {
	case r == nil:
		return screen.Home
	case r.Run.Playing:
		return screen.Playing
	case r.Local > 0:
		return screen.Starting
	case r.Known:
		return screen.Lobby
	}
	return screen.Joining
}
