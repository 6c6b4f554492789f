package app

import (
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/cores"
	"github.com/nettplay/nettplay/internal/ui/screen/files"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Engine does what the screens want of the world outside: a program does, with an engine.
type Engine interface {
	screen.Engine
	files.Engine
	viewer.Engine
	settings.Engine
	cores.Engine
	room.Engine
	start.Engine
}

// Shell is all screens and what they share. It draws the one that shows, and hands on
// what happens in the window and outside. Like the screens it is pure: an [Engine] does what is to be done
// outside. One goroutine owns it. Make one with NewShell.
type Shell struct {
	*screen.Shared
	Engine     Engine       // that of Shared, with what only some screens ask for
	veil       *invite.Veil // in streamer mode; else nil
	veiled     []string     // the relays whose names it hides
	home       *start.Home
	games      *start.Games
	host       *start.Host
	join       *start.Join
	online     *start.Online
	alone      *start.Alone
	welcome    *start.Welcome
	check      *start.Check
	session    *room.Session
	local      *room.LocalPlayers
	lobby      *room.Lobby
	viewer     *viewer.Screen
	recordings *viewer.Recordings
	moments    *start.Moments
	saves      *files.Saves
	settings   *settings.Screen
	cores      *cores.Screen
	files      *files.Finder

	at      visit               // the screen that shows
	focused map[screen.ID]visit // those that were left last

	// Met says with which nickname a player was met before, "" for a stranger. It may read a file; nil: nobody was met.
	Met func(seal.Public) string

	names  gameNames
	ready  func()           // to be done when the core is known
	linked *screen.Question // the last one about a link that somebody had opened here
	bare   bool             // the background is left out
	told   []string         // short messages that are to be read aloud
	looked time.Time        // when it was last asked whether there are other games or cores
	calm   calm             // presses for a game that has just ended are kept from the lobby
}

// visit is a screen as it was opened last, and what had the keyboard when it was left.
type visit struct {
	of   screen.ID
	name string // by [screen.Nav.Visit]
	had  widgets.ID
}

// NewShell makes the screens of a program that has just started, whose pictures are kept
// in store. Nothing is asked of the engine before Begin.
func NewShell(cfg config.Config, remembered memory.Memory, version string, store *draw.Store, engine Engine) *Shell {
	shared := screen.New(cfg, remembered, version, store, engine)
	s := &Shell{
		Shared: shared, Engine: engine, focused: map[screen.ID]visit{}, settings: settings.New(shared, engine), viewer: viewer.New(shared, engine),
		saves: files.NewSaves(shared, engine), files: files.NewFinder(shared, engine),
	}
	shared.AskPath = s.files.Ask
	form := &room.HostForm{}
	s.cores = cores.New(s.settings, engine)
	s.session = room.NewSession(s.settings, s.cores, engine)
	s.local = room.NewLocalPlayers(s.session, form)
	s.lobby = room.NewLobby(s.session, s.local)
	s.host = start.NewHost(s.settings, s.session, s.local, form)
	s.join = start.NewJoin(s.session, s.local, s.viewer)
	s.alone = start.NewAlone(s.session, s.settings)
	s.check = start.NewCheck(shared, engine)
	s.games = start.NewGames(shared, s.host, s.alone, s.join, s.check)
	s.online = start.NewOnline(s.games, engine)
	s.lobby.PickGame = func() { s.games.PickFor(start.ForRoom) }
	s.moments = start.NewMoments(s.host, engine)
	s.home = start.NewHome(s.games, s.moments, s.online)
	s.welcome = start.NewWelcome(s.settings, s.cores)
	s.recordings = viewer.NewRecordings(s.viewer)
	joining := room.Joining{Session: s.session}
	s.Screens = map[screen.ID]screen.Screen{
		screen.Home: s.home, screen.Welcome: s.welcome, screen.Games: s.games, screen.Host: s.host,
		screen.Join: s.join, screen.Online: s.online, screen.Alone: s.alone, screen.About: start.About{Base: screen.Base{Shared: shared, ID: screen.About}},
		screen.Joining: joining, screen.Starting: joining, screen.Lobby: s.lobby,
		screen.Playing: room.Play{Session: s.session}, screen.Ended: room.Ended{Session: s.session},
		screen.Recordings: s.recordings, screen.Moments: s.moments, screen.Watching: s.viewer, screen.Saves: s.saves, screen.Settings: s.settings,
		screen.Files: s.files, screen.Check: s.check, screen.Cores: s.cores,
	}
	s.Moved, s.Resolve = s.moved, s.session.Where
	s.Reconfigured, s.settings.Changed = func(before config.Config) {
		s.settings.LookChanged(before)
		s.session.ConfigChanged(before)
		if before.Net.HelpFriends || s.Config.Net.HelpFriends {
			s.Engine.HelpFriends() // which knows what has changed
		}
	}, s.host.Fill
	s.Shown = s.shown
	s.Core.Looking, s.Games.Scanning = true, true
	if !remembered.Welcomed {
		s.Current = screen.Welcome
	}
	return s
}

// Begin has the engine do what a program begins with.
func (s *Shell) Begin() {
	s.Engine.FindCore()
	s.Engine.ScanGames()
	if s.Config.Net.HelpFriends {
		s.Engine.HelpFriends()
	}
	if !s.Memory.Welcomed {
		return
	}
	s.Engine.ListMoments()
	s.Engine.Browse(true)
	if seek := s.seeks(screen.Home); seek.On {
		s.Engine.Seek(seek)
	}
}

// moved looks for rooms for as long as the screen for that is there.
func (s *Shell) moved(from, to screen.ID) {
	if was, is := from == screen.Join || from == screen.Home, to == screen.Join || to == screen.Home; was != is {
		s.join.Rooms = nil // those of an earlier time may be gone
		s.Engine.Browse(is)
	}
	if was, is := s.seeks(from), s.seeks(to); was != is || to == screen.Online {
		s.online.Reset()
		s.Engine.Seek(is)
	}
	if to == screen.Home && from != screen.Home {
		s.Engine.ListMoments()
		if s.Memory.Room != nil && slices.Contains([]screen.ID{screen.Lobby, screen.Playing, screen.Ended}, from) {
			delete(s.focused, screen.Home) // out of a room Enter leads back into it, whatever led there
		}
	}
	if from == screen.Check && to != screen.Check {
		s.check.Stop()
	}
}

// seeks is what a screen looks for at the relays: the first one for friends, if the settings say that they may see
// the player, too.
func (s *Shell) seeks(at screen.ID) start.Seek {
	switch {
	case at == screen.Online:
		return start.Seek{On: true, Rooms: true}
	case at == screen.Home && s.Config.Net.Friends && len(s.Config.Net.Relays) > 0:
		return start.Seek{On: true}
	}
	return start.Seek{}
}

// CoreFound tells what came of looking for the core.
func (s *Shell) CoreFound(c screen.Core) {
	c.Looking = false
	if c.Found && s.Trouble != nil && s.Trouble == s.Core.Trouble {
		s.Trouble = nil // the player has done what it says
		s.Tell("The core " + c.Core.Name + " is there now.")
	}
	if was := s.Core; was.Found && c.Found && c.Core.Name != was.Core.Name && !slices.ContainsFunc(c.All, func(o emucore.Core) bool { return o.Name == was.Core.Name }) {
		s.Tell(was.Core.Name + " is no longer on this computer. Games run on " + c.Core.Name + " now.")
	}
	if s.Core = c; c.Trouble != nil {
		c.Trouble.Yes, c.Trouble.Do = "Cores", func() { s.Go(screen.Cores) }
	}
	s.started()
}

// title returns the window's title, without what streamer mode hides: windows are captured with it.
func (s *Shell) title() string {
	title := s.titled()
	if v := s.veiling(); v != nil {
		title = v.Hide(title)
	}
	return title
}

// titled is the game or the room, and how many players are there.
func (s *Shell) titled() string {
	r := s.session.Room
	switch {
	case s.viewer.Watching != nil:
		return s.viewer.Watching.Title + " - nettplay"
	case r == nil || !r.Known && r.Game == nil:
		return "nettplay"
	case !r.Known || r.Local > 0:
		return r.Game.Title + " - nettplay"
	}
	unread := ""
	if n := r.Unread(); n > 0 {
		unread = fmt.Sprintf("(%d) ", n)
	}
	return fmt.Sprintf("%s%s, %d of %d - nettplay", unread, r.Room.Settings.Room, r.Present(), r.Room.Settings.Seats)
}

// hide hides what nobody but the player may see, in streamer mode.
func (s *Shell) hide(u *widgets.UI) {
	if v := s.veiling(); v != nil {
		u.SetVeil(v.Hide)
		return
	}
	u.SetVeil(nil)
}

// veiling is what hides it; nil without streamer mode.
func (s *Shell) veiling() *invite.Veil {
	switch {
	case !s.Config.Video.Streamer:
		s.veil = nil
	case s.veil == nil || !slices.Equal(s.veiled, s.Config.Net.Relays):
		s.veil, s.veiled = invite.NewVeil(s.Config.Net.Relays), s.Config.Net.Relays
	}
	return s.veil
}

// Build draws the screen that shows. widgets.UI.Frame calls it.
func (s *Shell) Build(u *widgets.UI) {
	u.SetTheme(widgets.ThemeOf(s.Config.Video.Theme))
	s.hide(u)
	s.ground(u)
	s.turn(u)
	if !u.Settling() {
		s.hear(u)
	}
	s.look(u)
	s.calm.keep(u)
	u.Scope(s.Visit(), func() { s.Screens[s.Current].Build(u) })
	s.settingsKey(u)
	s.overview(u)
	s.cores.Box(u)
	s.Boxes(u)
	s.whosePad(u)
	u.PadHint(s.Current != screen.Home && s.Current != screen.Welcome)
	if s.Current != screen.Playing && !u.LeaveField() && u.Back() {
		s.GoBack() // in a game, the menu's hotkey does that: B is a button of the console
	}
}

// settingsKey leads to the settings by Ctrl+comma, from wherever nothing runs that has the keys itself.
func (s *Shell) settingsKey(u *widgets.UI) {
	switch s.Current {
	case screen.Playing, screen.Watching, screen.Starting, screen.Joining, screen.Settings, screen.Welcome, screen.Files:
		return
	}
	if !u.Settling() && u.Command(',', widgets.KeyComma) {
		s.Go(screen.Settings)
	}
}

// overview shows what all keys do, when the player wants it.
func (s *Shell) overview(u *widgets.UI) {
	menu := s.session.Room != nil && s.session.Room.Run.Menu && s.Question == nil && s.Trouble == nil
	for _, k := range u.Input().Keys {
		if !k.Up && !k.Repeat && contains(s.Config.Hotkeys.Help, k.Name) && !u.Capturing() && (s.Keys || menu || !u.Covered()) {
			s.Keys = !s.Keys
		}
	}
	if s.Keys {
		s.settings.Overview(u)
	}
}

// whosePad asks the players at this machine for their controllers. The controllers answer themselves.
func (s *Shell) whosePad(u *widgets.UI) {
	if !s.WhosePad.Asks {
		return
	}
	leave := s.Engine.LeavePads
	if u.Modal(widgets.Modal{Name: "whose pad", Title: "Whose controller is whose?", Foot: func() {
		screen.Foot(u, "", widgets.Button{Text: "Leave them as they are", Name: "leave", Do: leave})
	}}, func() {
		u.Paragraph(fmt.Sprintf("Controllers called “%s” came back, and nothing tells them apart.", settings.PrintableName(s.WhosePad.Name)))
		u.Paragraph(fmt.Sprintf("Player %d of this computer: press a button on yours.", s.WhosePad.Player+1))
	}) {
		leave()
	}
}

// lookEvery is the time between two looks for other games and cores while a screen shows that may tell
// of them.
const lookEvery = 2 * time.Second

// look looks for other games and cores, and other files where one is chosen: they come while the
// program runs. While consoles run
// they have the disk to themselves.
func (s *Shell) look(u *widgets.UI) {
	if s.Current == screen.Playing || s.Current == screen.Watching {
		return
	}
	if since := s.Now.Sub(s.looked); !u.Settling() && (since >= lookEvery || since < 0) {
		s.looked = s.Now
		s.Engine.Look()
		if s.Current == screen.Files {
			s.files.LookAgain()
		}
	}
	u.Wake(lookEvery)
}

// openMenu opens the menu of the game that runs, or closes it: a controller asks for it.
func (s *Shell) openMenu() {
	if s.Current == screen.Playing && s.Question == nil && s.Trouble == nil {
		s.session.ToggleMenu()
	}
}

// turn lets the keyboard come back to where it was on a screen, when another one shows, and
// messages go that were about the one before.
func (s *Shell) turn(u *widgets.UI) {
	now := visit{of: s.Current, name: s.Visit()}
	if s.at.name == now.name {
		return
	}
	u.HurryToasts()
	s.at.had = u.Focused()
	s.focused[s.at.of] = s.at
	if left := s.focused[now.of]; left.name == now.name {
		now.had = left.had
	}
	u.SetFocus(now.had)
	if s.at.of == screen.Playing && (now.of == screen.Lobby || now.of == screen.Ended) {
		s.calm.begin(u.Input().Now)
	}
	s.at = now
}

// ground leaves the background out where consoles are drawn over all of it: it is as
// large as they are.
func (s *Shell) ground(u *widgets.UI) {
	w := s.viewer.Watching
	bare := s.Game != nil && (s.Current == screen.Playing && s.InRoom || s.Current == screen.Watching && w != nil && !w.Waits())
	if s.bare && !bare {
		u.Canvas().Fill(u.Canvas().Bounds(), u.Theme().Back) // for this time, it was left out already
	}
	s.bare = bare
	u.SetBare(bare)
}

// hear takes what concerns the whole window.
func (s *Shell) hear(u *widgets.UI) {
	for _, t := range s.Toasts {
		kind := widgets.Normal
		if t.Good {
			kind = widgets.Good
		}
		u.ToastOf(t.Of, kind, t.Text)
	}
	if s.Config.Audio.Speak {
		for _, t := range s.Toasts {
			s.told = append(s.told, t.Text)
		}
	}
	s.Toasts = nil
	in := u.Input()
	s.Front = in.Focused
	for _, path := range in.Dropped {
		s.Drop(path)
	}
	if in.Close {
		s.session.AskClose()
	}
}
