package room

import (
	"errors"
	"net/netip"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
)

// Session is the session in which the player is, or was: the room, its games, and how
// the last one ended. The screens of a room share it.
type Session struct {
	*screen.Shared
	Room      *Room    // nil outside of one
	Ending    Ending   // of the last session
	Addresses []string // of this machine in its local networks

	settings *settings.Screen
	cores    *cores.Screen
	control  Control // of the running session; nil when there is none
	again    func()  // lets the player try the last room again
	orElse   func(error) (done bool)
	anyCore  [32]byte // SHA-256 of the core with which the player plays although it failed its check
	badLine  string   // nickname of whose line alone is bad, for the game host; "" for nobody's
	reenter  func()   // enters the last room at once, as it was entered
}

// Ending is how a session ended.
type Ending struct {
	screen.Trouble
	Again bool // the same room can be tried again
	Core  bool // it was because of the core, which failed its check
	Port  int  // a free one, when that of the room is in use; else 0
	// RoomsCore is what the room plays on, if the player can get it where the game host did; else nil.
	RoomsCore *room.UsedCore
}

// NewSession makes the state of a program that is in no room.
func NewSession(set *settings.Screen, list *cores.Screen) *Session {
	return &Session{Shared: set.Shared, settings: set, cores: list}
}

// Open implements screen.Screen: it shows where the room is now.
func (s *Session) Open() { s.Show(s.Where(screen.Lobby)) }

// Back implements screen.Screen for most screens of a room.
func (s *Session) Back() bool {
	s.AskLeave()
	return true
}

// Enter begins a session.
func (s *Session) Enter(r Room, open OpenSession, again func()) {
	now := r
	s.Room, s.InRoom, s.again, s.orElse, s.badLine = &now, true, again, nil, ""
	open.AnyCore = s.anyCore != [32]byte{} && s.anyCore == s.Core.Core.SHA256
	s.reenter = func() { s.Enter(r, open, again) }
	s.Do(open)
}

// OrElse has do called if the room that is being entered does not let us in. Where that does not help (it is not
// done), the player is told why.
func (s *Session) OrElse(do func(err error) (done bool)) { s.orElse = do }

// Opened tells that the session has begun, and how to act on it.
func (s *Session) Opened(c Control) {
	s.control = c
	if s.Closing {
		s.Do(EndSession{})
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

// core is the one that the room plays on.
func (s *Session) core() emucore.Core {
	if s.Room != nil && s.Room.Core.Path != "" {
		return s.Room.Core
	}
	return s.Core.Core
}

// Notice takes a notice of the session.
func (s *Session) Notice(n notice.Notice) {
	r := s.Room
	if r == nil {
		return
	}
	switch n := n.(type) {
	case notice.Unanswered:
		r.Unanswered = !r.Matching
	case notice.RoomNotice:
		r.Machine = n.Me
		s.roomChanged(n.Room)
	case notice.Opened:
		s.opened(n.Addr)
	case notice.Message:
		s.said(n)
	case notice.CatchingUp:
		r.Behind = &n
	case notice.Transfer:
		r.Fetched = n.Down
	case notice.Playing:
		s.begun()
	case notice.Blockers:
		r.Blockers = n.Words
	case notice.BadLine:
		s.badLine = n.Nickname
	case notice.SaveDiffers:
		s.saveDiffers(n)
	case notice.MomentKept:
		s.Tell("This moment is kept. “Continue”, on the first screen, goes on from here another day.")
	case notice.Paused:
		r.Run.Paused = n.Paused
	case notice.Figures:
		r.Run.Figures = n
	case notice.GameOver:
		s.ended(n)
	case notice.Disconnected:
		s.disconnected(n)
	case notice.Reconnected:
		r.Run.back(n.Machine)
		s.Tell("The connection is back.")
	}
}

// said takes a line of the chat. In a game it is seen over the consoles.
func (s *Session) said(n notice.Message) {
	r := s.Room
	others := n.From != "" && n.From != s.Config.Player.Nickname
	r.line(Line{From: n.From, Text: n.Text, New: others && (s.Current != screen.Playing || !s.Front)})
	if others {
		s.Call()
	}
}

// opened makes the player the game host: of a new room, or after a host migration.
func (s *Session) opened(addr string) {
	r := s.Room
	if r.Local > 0 || r.Hosting {
		return
	}
	r.Hosting = true
	s.Say("You are the game host now.")
	if at, err := netip.ParseAddrPort(addr); err == nil {
		r.Port = int(at.Port())
	}
}

// roomChanged takes the room as it is now.
func (s *Session) roomChanged(now room.Room) {
	r := s.Room
	first, before := !r.Known, r.Room
	if !first && Others(now, r.Machine) > Others(r.Room, r.Machine) {
		s.Call()
	}
	r.Known, r.Room = true, now
	r.Me = r.mySeat()
	s.gameChosen(before)
	if first {
		s.RememberAddress(r.Typed)
	}
	if r.Local == 0 && first && s.Current == screen.Joining {
		s.Show(screen.Lobby)
	}
	if now.Phase == room.PhaseLobby && r.Run.Playing {
		s.gameOver()
	}
	r.Run.look(now.Players)
	if now.Phase != room.PhasePlaying {
		r.Behind, r.Fetched = nil, room.Progress{}
	}
	s.announce()
}

// gameChosen takes note of the game that we play, and of another one that the game host has
// chosen.
func (s *Session) gameChosen(before room.Room) {
	r := s.Room
	if mine, there := r.Mine(); there && r.Local == 0 && (r.Game == nil || r.Game.ROM.SHA256 != mine.ROM.SHA256) {
		r.Game = nil
		for _, g := range s.Games.Games {
			if g.ROM.SHA256 == mine.ROM.SHA256 {
				r.Game = &g
			}
		}
	}
	was, knew := hostGame(before)
	is, knows := hostGame(r.Room)
	if knew && knows && !r.Hosting && before.Host == r.Room.Host && was.SHA256 != is.SHA256 {
		r.Chosen = is.Title
	}
}

// hostGame returns the game of a room's game host.
func hostGame(r room.Room) (game room.ROMID, known bool) {
	for _, p := range r.Players {
		if p.Machine == r.Host && p.Local == 0 {
			return p.ROM, true
		}
	}
	return game, false
}

// begun shows the game.
func (s *Session) begun() {
	r := s.Room
	r.Run, r.Last, r.Behind, r.Chosen = Run{Playing: true}, nil, nil, ""
	if r.Game != nil {
		s.Memory.Play(r.Game.ROM.SHA256, s.Now)
		s.Do(screen.SaveMemory{})
	}
	s.badLine = ""
	s.Call()
	s.Forget()
	s.Show(screen.Playing)
	s.announce()
}

// gameOver leads back to the lobby.
func (s *Session) gameOver() {
	r := s.Room
	r.Run = Run{Figures: r.Run.Figures}
	if r.Local == 0 && s.Current == screen.Playing {
		s.Show(screen.Lobby)
	}
}

// ended tells how a game of the room ended; the room goes on.
func (s *Session) ended(n notice.GameOver) {
	r := s.Room
	switch {
	case n.Err != nil:
		r.Last = &Last{explain(n.Err, r), true}
	case n.Why != "" && !r.Run.ending:
		r.Last = &Last{Trouble: screen.Trouble{Title: "The game is over", Words: screen.Sentence(n.Why)}}
	}
	s.gameOver()
	if r.Local > 0 {
		s.Leave()
	}
}

// disconnected says that a player's connection is lost. The game host may go on without
// that player.
func (s *Session) disconnected(n notice.Disconnected) {
	s.Say("The connection to " + orHost(n.Nickname) + " is lost. The game waits for it to come back.")
	if s.Room.Hosting {
		s.Room.Run.wait(n)
	}
}

// orHost returns a player's name, or "the game host" for an unknown one.
func orHost(name string) string {
	if name == "" {
		return "the game host"
	}
	return name
}

// announce tells the local network of our room as it is now.
func (s *Session) announce() {
	r := s.Room
	if !r.Hosting || !r.Known || !s.Config.Room.Announce {
		s.Do(Announce{On: false})
		return
	}
	mine, _ := r.Mine()
	about := lan.Beacon{
		Port: r.Port, ROM: [8]byte(mine.ROM.SHA256[:8]), Password: r.Password, Wireless: s.core().Wireless,
		Core: s.core().Name, Program: s.Version,
	}
	s.Do(Announce{On: true, Beacon: about.With(r.Room)})
}

// ConfigChanged applies changed settings to the room.
func (s *Session) ConfigChanged(before config.Config) {
	if before.Room.Announce != s.Config.Room.Announce && s.Room != nil {
		s.announce()
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

// Close ends the program: at once, or when the player has left the room in good order. It
// asks nothing.
func (s *Session) Close() {
	if s.Closing {
		return
	}
	s.Closing = true
	if s.Room == nil {
		s.Do(Announce{On: false})
		s.Quit()
		return
	}
	s.Leave()
}

// Over tells that the session has ended: with an error, or well.
func (s *Session) Over(_ notice.Report, err error) {
	r := s.Room
	s.Room, s.InRoom, s.control, s.Question, s.Wait = nil, false, nil, nil, ""
	s.Do(Announce{On: false})
	if r == nil {
		return
	}
	if s.Closing {
		s.Quit()
		return
	}
	if err == nil {
		s.GoHome()
		return
	}
	if do := s.orElse; !r.Known && do != nil && do(err) {
		return
	}
	s.Ending = Ending{Trouble: explain(err, r), Again: s.again != nil}
	var port *launch.PortError
	if errors.As(err, &port) {
		s.Ending.Port = port.Free
	}
	var core *corecheck.FailedError
	s.Ending.Core = errors.As(err, &core)
	var failed *notice.Failure
	if errors.As(err, &failed) && failed.Core != nil && s.cores.Knows(*failed.Core) && s.Ending.Again {
		s.Ending.RoomsCore, s.Ending.Hint = failed.Core, "You can get the very build that the room plays on, from where the game host got it."
	}
	s.Forget()
	s.Show(screen.Ended)
}

// Retry enters the last room again.
func (s *Session) Retry() {
	if s.again != nil && s.Room == nil {
		s.again()
	}
}

// RetryAnyCore enters the last room again, with the core that failed its check.
func (s *Session) RetryAnyCore() {
	s.anyCore = s.Core.Core.SHA256
	if s.reenter != nil && s.Room == nil {
		s.reenter()
		s.Show(s.Where(screen.Joining))
	}
}

// ChooseCore leads to the cores of the settings.
func (s *Session) ChooseCore() {
	s.settings.At = settings.PageCore
	s.GoHome()
	s.Go(screen.Settings)
}

// Checking takes how far the check of the core is.
func (s *Session) Checking(k launch.Checking) {
	switch r := s.Room; {
	case r == nil:
	case k.All > 0:
		r.Checking = &k
	default:
		r.Checking = nil
		s.said(notice.Message{Text: k.Words})
	}
}

// GetCore asks the player whether to get the core of the room that did not let us in, and joins again
// with it.
func (s *Session) GetCore() {
	if s.Ending.RoomsCore != nil {
		s.cores.GetForRoom(*s.Ending.RoomsCore, func() {
			s.reenter()
			s.Show(screen.Joining)
		})
	}
}

// RetryAt opens the last room again on another port, and keeps that port in the settings.
func (s *Session) RetryAt(port int) {
	s.settings.Set(func(c *config.Config) { c.Net.Port = port })
	s.Retry()
}
