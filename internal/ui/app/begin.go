package app

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/emucore/savefile"
	"github.com/nettplay/nettplay/internal/cheat"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/phrase"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
)

// OpenGame opens a room for a game right after the start, with so many local
// players. override may change what the settings say of the room, for this one.
func OpenGame(path, password string, players int, override func(*config.Config)) func(*Shell) {
	return func(s *Shell) {
		s.whenReady(func() {
			g, err := library.Look(path)
			if err != nil {
				s.Trouble = &screen.Trouble{Title: "This is not a game", Words: path + ": " + library.Why(path, err)}
				return
			}
			s.games.Purpose = start.ForHost
			s.GoHome()
			s.games.Pick(g)
			cfg := settings.Clone(s.Config)
			override(&cfg)
			*s.host.Form = room.HostForm{Room: cfg.Room, Password: password}
			s.Config.Room.KeepConsoles = cfg.Room.KeepConsoles // which the form does not show
			s.seat(players)
			s.host.OpenRoom()
		})
	}
}

// ContinueMoment opens a room right after the start, in which a kept moment goes on. override
// is as for [OpenGame].
func ContinueMoment(path, password string, override func(*config.Config)) func(*Shell) {
	return func(s *Shell) {
		s.whenReady(func() {
			s.GoHome()
			cfg := settings.Clone(s.Config)
			override(&cfg)
			s.Config = cfg
			s.Go(screen.Moments)
			s.moments.Password = password
			s.Engine.OpenMoment(path)
		})
	}
}

// Opens tells whether the program opens a file of this name: a recording, a kept moment or
// a game.
func Opens(path string) bool {
	return slices.Contains([]string{replay.Extension, replay.MomentExtension}, strings.ToLower(filepath.Ext(path))) || emucore.IsGameFile(path)
}

// Take opens a link or a file that another start of the program offers, unless the player is busy here:
// then that opens a window of its own. The answer of a friend goes to the lobby. While the player is asked about a link,
// more of them are dropped: else a web page could fill the desktop with windows.
func (s *Shell) Take(what string) bool {
	link := invite.IsLink(what)
	switch {
	case strings.HasPrefix(what, invite.Answer) && s.Current == screen.Lobby && s.session.Room != nil && s.session.Room.Hosting:
		s.lobby.TakeAnswer(what)
		return true
	case link && s.Question != nil && s.Question == s.linked:
		return true
	case s.InRoom || s.viewer.Watching != nil || s.Question != nil || s.cores.Busy() || s.ready != nil || !link && !Opens(what):
		return false
	case link:
		OpenLink(what)(s)
	default:
		OpenFile(what)(s)
	}
	if !s.Core.Looking {
		s.started()
	}
	return true
}

// Drop takes a file or folder that was dropped on the window.
func (s *Shell) Drop(path string) {
	switch {
	case s.InRoom && (s.Current == screen.Lobby || s.Current == screen.Games) && emucore.IsGameFile(path): // it may be missing there
		s.Engine.AddGame(path)
	case cheat.IsFile(path) && !(s.InRoom && s.Current == screen.Lobby && s.session.TakeCheats(path)):
		s.SayOf("drop", "The game host chooses cheats, in the lobby: drop this file there.")
	case cheat.IsFile(path):
	case s.InRoom:
		s.SayOf("drop", "Leave the room first: then files can be dropped here.")
	case s.viewer.Watching != nil:
		s.SayOf("drop", "Go back first: then files can be dropped here.")
	case s.cores.Busy():
		s.SayOf("drop", "Wait for the core first: then files can be dropped here.")
	case strings.EqualFold(filepath.Ext(path), replay.Extension):
		s.viewer.Watch(viewer.RecordingAt(path))
	case strings.EqualFold(filepath.Ext(path), replay.MomentExtension):
		s.Go(screen.Moments)
		s.Engine.OpenMoment(path)
	case savefile.IsName(path):
		s.saves.Drop(path)
	default:
		s.Engine.AddGame(path)
	}
}

// Added tells what became of a file that was dropped: it is a game, or a folder
// for the list of ROM folders, or else trouble. When somebody is picking a game,
// or at home, a single game is picked at once.
func (s *Shell) Added(g *library.Game, folder string, trouble *screen.Trouble) {
	switch {
	case trouble != nil:
		s.Trouble = trouble
	case folder != "":
		s.settings.AddFolder(folder)
	case g != nil && s.Current == screen.Games:
		s.games.Pick(*g)
	case g != nil && s.Current == screen.Home && s.Core.Found:
		s.games.Purpose = start.ForHost
		s.GoTo(screen.Games)
		s.games.Pick(*g)
	case g != nil:
		s.Tell("“" + g.Title + "” was added to your games.")
	}
}

// addedAll tells that the games of an archive are in the list.
func (s *Shell) addedAll(n int, file string) {
	s.Tell(phrase.Count(n, "game") + " of " + phrase.Printable(file) + " were added to your games.")
	if s.Current == screen.Home && s.Core.Found {
		s.games.PickFor(start.ForHost)
	}
}

// OpenFile opens a recording, a kept moment or a game right after the start.
func OpenFile(path string) func(*Shell) {
	return func(s *Shell) {
		s.whenReady(func() {
			s.GoHome()
			s.Drop(path)
		})
	}
}

// OpenLink asks whether to join the room of a link that a desktop opens: any web page may have it opened.
func OpenLink(link string) func(*Shell) {
	return func(s *Shell) {
		s.whenReady(func() {
			s.GoHome()
			v, found, err := invite.Find(link)
			switch {
			case err == nil && !found:
				err = errors.New("there is no invitation in this link: copy all of it")
			case err == nil && v.Answer:
				err = invite.ErrAnswer
			}
			if err != nil {
				s.Say(screen.Sentence(err.Error()))
				return
			}
			s.askToJoin(v)
		})
	}
}

// askToJoin asks once whether to join the room of an invitation that the player has not pasted or picked.
func (s *Shell) askToJoin(v invite.Invitation) {
	s.linked = &screen.Question{
		Words: "Join the room of this link?",
		Hint:  "A web page or a message opened it, and you have not met its game host before. Join if you trust who sent it.",
		Yes:   "Join", No: "Cancel", Harmless: true,
		Do: func() { s.join.Paste(v.Text()) },
	}
	if name := s.met(v.Key); name != "" {
		s.linked.Words = "Join " + name + "'s room?"
		s.linked.Hint = "A web page or a message opened its link. You have met " + name + " before."
	}
	s.Question = s.linked
}

// met is the nickname with which a player was met before, "" for a stranger.
func (s *Shell) met(key seal.Public) string {
	if s.Met == nil {
		return ""
	}
	return phrase.Printable(s.Met(key))
}

// JoinAddress joins a room right after the start, with so many local players.
func JoinAddress(address, password string, players int) func(*Shell) {
	return atAddress(address, password, func(s *Shell) {
		s.seat(players)
		s.join.EnterRoom()
	})
}

// WatchAddress watches a room right after the start.
func WatchAddress(address, password string) func(*Shell) {
	return atAddress(address, password, func(s *Shell) { s.join.Spectate() })
}

// atAddress fills in the form to join as soon as the core is found, and does something
// with it.
func atAddress(address, password string, do func(*Shell)) func(*Shell) {
	return func(s *Shell) {
		s.whenReady(func() {
			s.GoHome()
			s.Go(screen.Join)
			s.join.Form.Address, s.join.Form.Password = address, password
			do(s)
		})
	}
}

// MaxLocalPlayers is the number of players at one machine that the window has room for.
const MaxLocalPlayers = 1 + memory.MaxLocalPlayers

// seat lets so many players play at this machine.
func (s *Shell) seat(players int) {
	for len(s.local.Names) < min(players, MaxLocalPlayers)-1 {
		s.local.Add()
	}
}

// whenReady does something as soon as the core is found, or shows why there is
// none.
func (s *Shell) whenReady(do func()) {
	s.Memory.Welcomed = true
	s.GoHome()
	s.ready = do
}

// started runs the function that whenReady kept, now that the core is known.
func (s *Shell) started() {
	do := s.ready
	s.ready = nil
	switch {
	case do == nil:
	case s.Core.Found:
		do()
	default:
		s.Trouble = s.Core.Trouble
	}
}
