package app

import (
	"encoding/hex"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/replay"
	"github.com/nettplay/nettplay/internal/ui/library"
)

// What the player does outside of a room.

// goTo shows another screen; Back leads here again.
func (m *Model) goTo(s Screen) {
	if m.Screen == s {
		return
	}
	if i := slices.Index(m.back, s); i >= 0 {
		m.back = m.back[:i]
	} else {
		m.back = append(m.back, m.Screen)
	}
	m.show(s)
}

// show changes the screen, and looks for rooms for as long as the screen for that
// is there.
func (m *Model) show(s Screen) {
	if was, is := m.Screen == ScreenJoin, s == ScreenJoin; was != is {
		m.command(Browse{On: is})
	}
	m.Screen = s
}

// home forgets the way back.
func (m *Model) home() {
	m.back = nil
	m.show(ScreenHome)
}

// Back goes to the screen before this one. In a room it asks first; while a game
// runs it opens or closes the menu.
func (m *Model) Back() {
	switch {
	case m.Trouble != nil:
		m.Trouble = nil
	case m.Question != nil:
		m.Question = nil
	case m.Screen == ScreenPlaying:
		m.ToggleMenu()
	case m.Screen == ScreenLobby || m.Screen == ScreenJoining || m.Screen == ScreenStarting:
		m.AskLeave()
	case m.Screen == ScreenWatching:
		m.Watching = nil
		m.command(StopReplay{})
		m.pop()
	case m.Screen == ScreenSettings:
		m.closeSettings()
		m.pop()
	case m.Screen == ScreenWelcome || m.Screen == ScreenHome:
	default:
		m.pop()
	}
}

func (m *Model) pop() {
	if len(m.back) == 0 {
		m.show(ScreenHome)
		return
	}
	s := m.back[len(m.back)-1]
	m.back = m.back[:len(m.back)-1]
	m.show(m.stillThere(s))
}

// stillThere is where Back leads: things have gone on meanwhile.
func (m *Model) stillThere(s Screen) Screen {
	switch s {
	case ScreenJoining, ScreenLobby, ScreenStarting, ScreenPlaying:
	default:
		return s
	}
	switch r := m.Room; {
	case r == nil:
		return ScreenHome
	case r.Playing:
		return ScreenPlaying
	case r.Local > 0:
		return ScreenStarting
	case r.Known:
		return ScreenLobby
	}
	return ScreenJoining
}

// FinishWelcome ends the first steps.
func (m *Model) FinishWelcome() {
	m.Memory.Welcomed = true
	m.command(SaveMemory{})
	m.home()
}

// GoHost begins to open a room: with the game first.
func (m *Model) GoHost() { m.pickFor(ForHost) }

// GoAlone begins to play on this machine alone.
func (m *Model) GoAlone() { m.pickFor(ForAlone) }

// GoJoin shows the rooms.
func (m *Model) GoJoin() {
	if m.needCore() {
		return
	}
	m.Join = JoinForm{Password: m.Join.Password}
	m.goTo(ScreenJoin)
}

// GoRecordings shows the recordings.
func (m *Model) GoRecordings() {
	m.command(ListReplays{})
	m.goTo(ScreenRecordings)
}

// GoSettings shows the settings.
func (m *Model) GoSettings() {
	m.openSettings()
	m.goTo(ScreenSettings)
}

// GoAbout shows what this program is.
func (m *Model) GoAbout() { m.goTo(ScreenAbout) }

// pickFor shows the games.
func (m *Model) pickFor(p Purpose) {
	if m.needCore() {
		return
	}
	m.Purpose, m.Query = p, ""
	m.lightLast()
	m.goTo(ScreenGames)
}

// lightLast lights the game that was picked last: most play one for weeks.
func (m *Model) lightLast() {
	m.Lit = 0
	for i, g := range m.Shown() {
		if hex.EncodeToString(g.ROM.SHA256[:]) == m.Memory.LastGame {
			m.Lit = i
		}
	}
}

// needCore shows what is missing when there is no core to play with.
func (m *Model) needCore() bool {
	if m.Core.Found {
		return false
	}
	if m.Core.Looking {
		m.Say("One moment: still looking for an emulator core.")
	} else {
		m.Trouble = m.Core.Trouble
	}
	return true
}

// Pick takes a game of the list for what it is wanted for.
func (m *Model) Pick(g library.Game) {
	m.Picked = &g
	m.Memory.LastGame = hex.EncodeToString(g.ROM.SHA256[:])
	m.command(SaveMemory{})
	switch m.Purpose {
	case ForHost:
		m.fillForms()
		m.goTo(ScreenHost)
	case ForAlone:
		m.goTo(ScreenAlone)
	case ForJoin:
		m.Join.OwnGame = &g
		if m.control != nil && m.Room != nil {
			m.control.ROM(g.ROM)
			m.pop()
			return
		}
		m.pop()
	}
}

// PickOwn lets the player choose another game than the game host's.
func (m *Model) PickOwn() {
	m.Purpose, m.Query = ForJoin, ""
	m.lightLast()
	m.goTo(ScreenGames)
}

// PlaySame goes back to the game host's game, before joining.
func (m *Model) PlaySame() { m.Join.OwnGame = nil }

// Shown is the list of games as it is to be seen: searched and sorted.
func (m *Model) Shown() []library.Game {
	games := library.Find(m.Games.Games, m.Query)
	if m.Memory.ByPlayed {
		library.Sort(games, library.ByPlayed, m.Memory.PlayedAt())
	}
	return games
}

// SortByPlayed changes the order of the games.
func (m *Model) SortByPlayed(on bool) {
	if m.Memory.ByPlayed != on {
		m.Memory.ByPlayed = on
		m.command(SaveMemory{})
	}
}

// Drop takes a file or folder that was dropped on the window.
func (m *Model) Drop(path string) {
	switch {
	case m.Room != nil:
		m.Say("Leave the room first: then files can be dropped here.")
		return
	case m.Watching != nil:
		m.Say("Go back first: then files can be dropped here.")
		return
	}
	switch {
	case strings.EqualFold(filepath.Ext(path), replay.Extension):
		m.Watch(Recording{Path: path, Game: filepath.Base(path)})
	case isSaveName(path):
		m.dropSave(path)
	default:
		m.command(AddGame{path})
	}
}

// Added tells what became of a file that was dropped: it is a game, or a folder
// for the list of ROM folders, or else trouble. When somebody is picking a game,
// or at home, a single game is picked at once.
func (m *Model) Added(g *library.Game, folder string, trouble *Trouble) {
	switch {
	case trouble != nil:
		m.Trouble = trouble
	case folder != "":
		m.addFolder(folder)
	case g != nil && m.Screen == ScreenGames:
		m.Pick(*g)
	case g != nil && m.Screen == ScreenHome && m.Core.Found:
		m.Purpose = ForHost
		m.back = append(m.back, ScreenHome)
		m.Screen = ScreenGames
		m.Pick(*g)
	case g != nil:
		m.Tell("“" + g.Title + "” is in your games now.")
	}
}

// addFolder puts a folder into the settings.
func (m *Model) addFolder(folder string) {
	if slices.Contains(m.Config.ROMs.Folders, folder) {
		m.Say("That folder is in your games already.")
		return
	}
	m.Config.ROMs.Folders = append(slices.Clone(m.Config.ROMs.Folders), folder)
	if err := m.Config.Validate(); err != nil {
		m.Config.ROMs.Folders = m.Config.ROMs.Folders[:len(m.Config.ROMs.Folders)-1]
		m.Trouble = &Trouble{Title: "That folder cannot be added", Words: problemWords(err), Hint: "At most 32 folders are possible."}
		return
	}
	m.Settings.Draft.ROMs.Folders = slices.Clone(m.Config.ROMs.Folders)
	m.command(SaveSettings{})
	m.command(ScanGames{})
	m.Tell("Looking for games in " + folder)
}

// OpenRoom opens the room of the form.
func (m *Model) OpenRoom() {
	if m.Picked == nil || m.needCore() {
		return
	}
	cfg := m.Config
	cfg.Room.Name, cfg.Room.Password = strings.TrimSpace(m.Host.Name), m.Host.Password
	cfg.Room.Seats, cfg.Room.Delay, cfg.Room.LateJoin = m.Host.Players, m.Host.Delay, m.Host.LateJoin
	cfg.Room.Spectators, cfg.Room.SpectateDelay = m.Host.Spectators, m.Host.SpectateDelay
	if err := cfg.Validate(); err != nil {
		m.Trouble = &Trouble{Title: "The room cannot be opened like this", Words: problemWords(err)}
		return
	}
	m.Config = cfg
	m.command(SaveSettings{})
	form, game := m.Host, *m.Picked
	m.enter(Room{Hosting: true, Game: &game, Password: form.Password != "", Port: cfg.Net.Port}, OpenSession{Host: &form, Game: &game, Beside: m.besides()}, m.OpenRoom)
	m.show(ScreenJoining)
}

// ChooseRoom takes a room of the list into the form.
func (m *Model) ChooseRoom(f lan.Found) {
	m.Join.Room = &f
	m.Join.Address = f.Addr.String()
}

// EnterRoom joins the room of the form.
func (m *Model) EnterRoom() {
	form, ok := m.chosenRoom()
	if !ok {
		return
	}
	addr := form.Address
	m.enter(Room{Address: addr, Game: form.OwnGame}, OpenSession{Join: &form, Game: form.OwnGame, Beside: m.besides()}, m.joinAgain)
	m.show(ScreenJoining)
}

// chosenRoom is the form with the whole address, which is remembered. False: none is
// there, or no core; the player knows.
func (m *Model) chosenRoom() (JoinForm, bool) {
	form := m.Join
	if form.Address = WithPort(form.Address); form.Address == "" {
		m.Trouble = &Trouble{Title: "Which room?", Words: "Choose a room of the list, or type the address that your friend tells you."}
		return form, false
	}
	if m.needCore() {
		return form, false
	}
	if form.Room == nil {
		m.Memory.Joined(strings.TrimSpace(m.Join.Address))
		m.command(SaveMemory{})
	}
	return form, true
}

// joinAgain goes back to the form: the address or the password may be wrong.
func (m *Model) joinAgain() {
	m.home()
	m.goTo(ScreenJoin)
}

// PlayAlone starts consoles on this machine alone.
func (m *Model) PlayAlone() {
	if m.Picked == nil || m.needCore() {
		return
	}
	n, game := min(max(m.Consoles, 1), 4), *m.Picked
	m.enter(Room{Local: n, Game: &game}, OpenSession{Local: n, Game: &game}, m.PlayAlone)
	m.show(ScreenStarting)
}

// enter begins a session.
func (m *Model) enter(r Room, open OpenSession, again func()) {
	m.Room = &r
	m.again = again
	m.command(open)
}

// WithPort adds the usual port to an address without one; "" stays "".
func WithPort(addr string) string {
	addr = strings.TrimSpace(addr)
	if _, port, err := net.SplitHostPort(addr); addr == "" || err == nil && port != "" {
		return addr
	}
	name := strings.Trim(addr, "[]")
	if strings.Count(name, ":") == 1 {
		name = strings.TrimSuffix(name, ":")
	}
	return net.JoinHostPort(name, strconv.Itoa(config.DefaultPort))
}

// SetAnnounced shows rooms to others on the local network, or not.
func (m *Model) SetAnnounced(on bool) { m.set(func(c *config.Config) { c.Room.Announce = on }) }

// Copy puts a text into the clipboard.
func (m *Model) Copy(text string) { m.command(CopyText{text}) }
