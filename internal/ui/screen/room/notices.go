package room

import (
	"cmp"
	"net/netip"
	"slices"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

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
		s.opened(n)
	case notice.Message:
		s.said(n)
	case notice.CatchingUp:
		r.Behind = &n
	case notice.Transfer:
		r.Fetched = n.Down
	case notice.Playing:
		s.begun()
	case notice.Blockers:
		r.Blockers = n.List
	case notice.StartFailed:
		s.startFailed(n)
	case notice.JoinFailed:
		s.joinFailed(n)
	case notice.Banned:
		r.Banned = n.List
	case notice.BadLine:
		s.badLine = n.Nickname
	case notice.SaveDiffers:
		r.Differ = append(r.Differ, n)
		s.askAside()
	case notice.SaveMisfit:
		r.Misfits = append(r.Misfits, n)
		s.askMisfit()
	case notice.MomentKept:
		s.Tell("This moment is saved. “Continue”, on the first screen, resumes from here another day.")
	case notice.Clipped:
		s.Tell(n.Words())
	case notice.Paused:
		r.Run.Paused = n.Paused
	case notice.Power:
		r.Run.power(n)
		r.line(Line{Text: n.Words()})
	case notice.Figures:
		r.Run.Figures = n
	case notice.GameOver:
		s.ended(n)
	case notice.Disconnected:
		s.disconnected(n)
	case notice.Reconnected:
		r.Run.back(n.Machine)
		if slices.Contains(r.lost, n.Machine) { // not one that comes to its next game host
			s.TellOf("connection", "The connection is back.")
		}
		r.lost = slices.DeleteFunc(r.lost, func(m int) bool { return m == n.Machine })
	}
}

// power notes which of our own consoles are off.
func (r *Run) power(n notice.Power) {
	r.Off = slices.DeleteFunc(r.Off, func(seat ds.Seat) bool { return seat == n.Seat })
	if n.Mine && n.Off {
		r.Off = append(r.Off, n.Seat)
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

// startFailed takes that a game does not begin.
func (s *Session) startFailed(n notice.StartFailed) {
	r := s.Room
	r.Failed = &n
	r.line(Line{Text: n.String(), New: true})
	s.Call()
}

// joinFailed takes that somebody did not get in. What can be mended shows until it is.
func (s *Session) joinFailed(n notice.JoinFailed) {
	r, unseen := s.Room, s.Current != screen.Playing || !s.Front
	switch n.Code {
	case room.CodeCore, room.CodeBIOS, room.CodeProtocol, room.CodeFull:
		r.Refused = &n
		r.line(Line{Text: n.Words, New: unseen})
		s.Call()
	default: // a wrong password, somebody in a hurry: they try again
		r.line(Line{Text: n.Words})
	}
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

// Rollback tells whether the room's core bears rollback.
func (s *Session) Rollback(possible bool) {
	if s.Room != nil {
		s.Room.NoRollback = !possible
	}
}

// StillLeaving tells whether the room before this one has still to be left.
func (s *Session) StillLeaving(on bool) {
	if s.Room != nil {
		s.Room.After = on
	}
}

// opened makes the player the game host: of a new room, or after a host migration.
func (s *Session) opened(n notice.Opened) {
	r := s.Room
	if r.Local > 0 || r.Hosting {
		return
	}
	r.Hosting, r.Password = true, n.Locked
	s.Say("You are the game host now.")
	if at, err := netip.ParseAddrPort(n.Addr); err == nil {
		r.Port = int(at.Port())
	}
	if r.Known {
		s.lookForCheats()
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
	was, _ := before.Player(r.Machine)
	if is, there := r.Mine(); there && was.Problem != "" && is.Problem == "" {
		r.Misfits = nil // all of them fit now
	}
	s.gameChosen(before)
	if first {
		r.entered = now.Host
		s.RememberAddress(r.Typed)
	}
	s.noteWayBack()
	if r.Local == 0 && first && s.Current == screen.Joining {
		s.Show(screen.Lobby)
	}
	if now.Phase == room.PhaseLobby && r.Run.Playing {
		s.gameOver()
	}
	r.Run.look(now.Players)
	r.mended(now)
	if s.reopening && Others(now, r.Machine) == 0 {
		s.Leave()
	}
	if now.Phase != room.PhasePlaying {
		r.Behind, r.Fetched = nil, room.Progress{}
	}
	s.announce()
	s.lookForCheats()
}

// mended forgets what stopped somebody, and is over.
func (r *Room) mended(now room.Room) {
	if now.Phase != room.PhaseLobby {
		r.Failed = nil
	}
	came := func(p room.Player) bool { return p.Present && r.Refused != nil && p.Nickname == r.Refused.Nickname }
	if now.Phase == room.PhasePlaying || slices.ContainsFunc(now.Players, came) {
		r.Refused = nil
	}
}

// gameChosen takes note of the game that we play, and of another one that the game host has
// chosen.
func (s *Session) gameChosen(before room.Room) {
	r := s.Room
	if mine, there := r.Mine(); there && r.Local == 0 && (r.Game == nil || r.Game.ROM.SHA256 != mine.ROM.SHA256) {
		r.Game = s.Games.Find(mine.ROM.SHA256)
	}
	was, knew := hostGame(before)
	is, knows := hostGame(r.Room)
	if knew && knows && !r.Hosting && before.Host == r.Room.Host && was.SHA256 != is.SHA256 {
		r.Chosen = is.Title
	}
}

// hostGame returns the game of a room's game host.
func hostGame(r room.Room) (room.ROMID, bool) {
	p, known := r.Player(r.Host)
	return p.ROM, known
}

// begun shows the game.
func (s *Session) begun() {
	r := s.Room
	r.Run, r.Last, r.Behind, r.Chosen = Run{Playing: true}, nil, nil, ""
	if r.Game != nil {
		s.Memory.Play(r.Game.ROM.SHA256, s.Now)
		s.Engine.SaveMemory()
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

// disconnected says that a player's connection is lost. The game host may go on without that player, and whoever
// takes over the room without the game host.
func (s *Session) disconnected(n notice.Disconnected) {
	words := "The connection to " + cmp.Or(n.Nickname, "the game host") + " is lost. The game waits for it to come back."
	if !s.Room.Run.Playing && n.Words != "" {
		words = screen.Sentence(n.Words)
	}
	s.SayOf("connection", words)
	s.Room.lost = append(s.Room.lost, n.Machine)
	if s.Room.Hosting || n.MayGoOn {
		s.Room.Run.wait(n)
	}
}
