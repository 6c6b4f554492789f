package app

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/nettplay/nettplay/internal/ds"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/session"
)

// What the player does in a room, and what happens there.

// maxLines is how much of the chat is kept.
const maxLines = 200

// Opened tells that the session has begun, and how to act on it.
func (m *Model) Opened(c Control) {
	m.control = c
	if m.Closing {
		m.command(EndSession{})
	}
}

// Notice takes what the session tells.
func (m *Model) Notice(n session.Notice) {
	r := m.Room
	if r == nil {
		return
	}
	switch n := n.(type) {
	case session.RoomNotice:
		m.Room.Machine = n.Me
		m.roomChanged(n.Room)
	case session.Opened:
		m.opened(n.Addr)
	case session.Message:
		m.line(Line{n.From, n.Text})
	case session.Transfer:
		r.Transfer = n
	case session.CatchingUp:
		r.Behind = &n
	case session.Playing:
		m.begun(n)
	case session.Waiting:
		m.waiting(n.For)
	case session.Blockers:
		r.Blockers = n.Words
	case session.Paused:
		r.Paused = n.Paused
	case session.Figures:
		r.Figures = n
	case session.GameOver:
		m.ended(n)
	case session.LineBroken:
		m.lineBroken(n)
	case session.LineRestored:
		r.Away = slices.DeleteFunc(r.Away, func(b session.LineBroken) bool { return b.Machine == n.Machine })
		m.Tell("The line is there again.")
	}
}

// opened makes the player the game host: of a room that was opened, or handed on.
func (m *Model) opened(addr string) {
	r := m.Room
	if r.Local > 0 || r.Hosting {
		return
	}
	r.Hosting = true
	if at, err := netip.ParseAddrPort(addr); err == nil {
		r.Port = int(at.Port())
	}
}

// lineBroken tells that somebody's line is broken. The game host may go on without.
func (m *Model) lineBroken(n session.LineBroken) {
	m.Say("The line to " + orHost(n.Nickname) + " is broken. The game waits for it to come back.")
	if m.Room.Hosting {
		m.Room.Away = append(m.Room.Away, n)
		m.Room.Menu = true // with what can be done about it
	}
}

// GoOnWithout does not wait any longer for a player whose line is broken.
func (m *Model) GoOnWithout(machine int) {
	r := m.Room
	r.Away = slices.DeleteFunc(r.Away, func(b session.LineBroken) bool { return b.Machine == machine })
	if m.control != nil {
		m.control.GoOnWithout(machine)
	}
	r.Menu = false
}

// orHost is a player's name, or what they are when it is not known.
func orHost(name string) string {
	if name == "" {
		return "the game host"
	}
	return name
}

// roomChanged takes the room as it is now.
func (m *Model) roomChanged(room host.Room) {
	r := m.Room
	first := !r.Known
	r.Known, r.Room = true, room
	r.Me = r.mySeat()
	if r.Local == 0 && first && m.Screen == ScreenJoining {
		m.show(ScreenLobby)
	}
	if room.Phase == host.PhaseLobby && r.Playing {
		m.gameOver()
	}
	if room.Phase != host.PhasePreparing {
		r.Transfer = session.Transfer{}
	}
	if room.Phase != host.PhasePlaying {
		r.Behind = nil
	}
	m.announce()
}

// mySeat is the player's own seat, -1 when there is none.
func (r *Room) mySeat() int {
	for _, p := range r.Room.Players {
		if p.Machine == r.Machine && p.Local == 0 {
			return p.Seat
		}
	}
	return -1
}

// Mine is the player's own line of the roster.
func (r *Room) Mine() (host.Player, bool) {
	for _, p := range r.Room.Players {
		if p.Seat == r.Me {
			return p, true
		}
	}
	return host.Player{}, false
}

// Present is how many players are there.
func (r *Room) Present() (n int) {
	for _, p := range r.Room.Players {
		if p.Present {
			n++
		}
	}
	return n
}

// line adds to the chat. The room says some things twice in a row when one thing
// has two consequences.
func (m *Model) line(l Line) {
	r := m.Room
	if l.From == "" && len(r.Lines) > 0 && slices.Contains(r.Lines[max(0, len(r.Lines)-3):], l) {
		return
	}
	r.Lines = append(r.Lines, l)
	r.Lines = r.Lines[max(0, len(r.Lines)-maxLines):]
}

// begun shows the game.
func (m *Model) begun(n session.Playing) {
	r := m.Room
	r.Playing, r.Saves, r.Last, r.Behind = true, n.Saves, nil, nil
	r.Paused, r.Menu, r.Waiting, r.Away, r.Figures = false, false, nil, nil, session.Figures{}
	if r.Game != nil {
		m.Memory.Play(r.Game.ROM.SHA256, m.now)
		m.command(SaveMemory{})
	}
	m.back = nil
	m.show(ScreenPlaying)
	m.announce()
}

func (m *Model) waiting(names []string) {
	if len(m.Room.Waiting) == 0 && len(names) > 0 {
		m.Room.WaitSince = m.now
	}
	m.Room.Waiting = names
}

// gameOver leads back to the lobby.
func (m *Model) gameOver() {
	r := m.Room
	r.Playing, r.Menu, r.Paused, r.Waiting, r.Away = false, false, false, nil, nil
	if r.Local == 0 && (m.Screen == ScreenPlaying) {
		m.show(ScreenLobby)
	}
}

// ended tells how a game of the room ended; the room goes on.
func (m *Model) ended(n session.GameOver) {
	r := m.Room
	if n.Err != nil {
		t := explain(n.Err, r)
		r.Last = &t
	}
	m.gameOver()
	if r.Local > 0 {
		m.Leave()
	}
}

// announce tells the local network of our room as it is now.
func (m *Model) announce() {
	r := m.Room
	if !r.Hosting || !r.Known || !m.Config.Room.Announce {
		m.command(Announce{On: false})
		return
	}
	mine, _ := r.Mine()
	about := lan.Beacon{
		Port: r.Port, ROM: [8]byte(mine.ROM.SHA256[:8]), Password: r.Password, Wireless: m.Core.Core.Wireless,
		Core: m.Core.Core.Name, Program: m.Version,
	}
	m.command(Announce{On: true, Beacon: about.With(r.Room)})
}

// Ready tells whether the player wants to start.
func (m *Model) Ready(ready bool) {
	if m.control != nil {
		m.control.Ready(ready)
	}
}

// Start starts the game, on the game host.
func (m *Model) Start() {
	if m.control != nil && m.Room != nil && m.Room.Hosting {
		m.control.Start()
	}
}

// SendChat says something to everyone.
func (m *Model) SendChat(text string) {
	if text = strings.TrimSpace(text); text != "" && m.control != nil {
		m.control.Chat(text)
	}
}

// SetDelay changes the input delay: in the lobby for the next game, in a game
// for all from some frame on.
func (m *Model) SetDelay(frames int) {
	if m.control == nil || m.Room == nil || !m.Room.Hosting {
		return
	}
	frames = min(max(frames, 0), ds.MaxDelay)
	if m.Room.Playing {
		m.control.Delay(frames)
		return
	}
	m.control.Settings(func(s host.Settings) host.Settings { s.Delay = frames; return s })
}

// SetSeats changes how many players there is room for.
func (m *Model) SetSeats(seats int) {
	if m.control == nil || m.Room == nil || !m.Room.Hosting {
		return
	}
	seats = min(max(seats, 2, m.Room.Present()), ds.MaxSeats)
	m.control.Settings(func(s host.Settings) host.Settings {
		s.Seats, s.MinPlayers = seats, min(s.MinPlayers, seats)
		return s
	})
}

// SetLateJoin lets others come into the room's games while they run, or not.
func (m *Model) SetLateJoin(on bool) {
	m.setRoom(func(s *host.Settings) { s.NoLateJoin = !on })
}

// SetKeepConsoles lets consoles stay in a game whose players leave it, or not.
func (m *Model) SetKeepConsoles(on bool) {
	m.setRoom(func(s *host.Settings) { s.KeepConsoles = on })
}

// SetSpectators changes how many may watch.
func (m *Model) SetSpectators(n int) {
	m.setRoom(func(s *host.Settings) { s.Spectators = min(max(n, 0), host.MaxSpectators) })
}

// SetSpectateDelay changes how many seconds those who watch are behind.
func (m *Model) SetSpectateDelay(seconds int) {
	m.setRoom(func(s *host.Settings) { s.SpectateDelay = min(max(seconds, 0), host.MaxSpectateDelay) })
}

// setRoom changes the terms of our own room, for the next game.
func (m *Model) setRoom(change func(*host.Settings)) {
	if m.control == nil || m.Room == nil || !m.Room.Hosting {
		return
	}
	m.control.Settings(func(s host.Settings) host.Settings { change(&s); return s })
}

// SetClock changes what the consoles' clocks show at the start, seconds since
// 1970.
func (m *Model) SetClock(rtc int64) {
	if m.control != nil && m.Room != nil && m.Room.Hosting {
		m.control.Settings(func(s host.Settings) host.Settings { s.RTC = rtc; return s })
	}
}

// AskKick asks before somebody is sent away.
func (m *Model) AskKick(p host.Player) {
	m.askAway(p.Nickname, "They can join again.", func(c Control, why string) { c.Kick(p.Seat, why) })
}

// AskKickSpectator asks before somebody who watches is sent away.
func (m *Model) AskKickSpectator(s host.Spectator) {
	m.askAway(s.Nickname, "They only watch, and can come again.", func(c Control, why string) { c.KickSpectator(s.Number, why) })
}

func (m *Model) askAway(name, hint string, kick func(c Control, why string)) {
	m.Question = &Question{
		Words: "Send " + name + " away?", Hint: hint, Yes: "Send away", No: "Cancel",
		Do: func() {
			if m.control != nil {
				kick(m.control, "the game host sent you away")
			}
		},
	}
}

// ToggleMenu opens or closes the menu over the game. The game goes on behind it
// unless it is paused, which is for all to see. On one machine alone it pauses by
// itself.
func (m *Model) ToggleMenu() {
	r := m.Room
	if r == nil || !r.Playing {
		return
	}
	r.Menu = !r.Menu
	if r.Local > 0 {
		m.Pause(r.Menu)
	}
}

// Pause stops the consoles of all players at a frame, or lets them go on.
func (m *Model) Pause(paused bool) {
	if m.control != nil {
		m.control.Pause(paused)
	}
}

// AskEndGame asks before the game ends for all; the room stays.
func (m *Model) AskEndGame() {
	m.Question = &Question{
		Words: "End the game for everybody?", Hint: "Saves are kept, and all are back in the lobby.", Yes: "End the game", No: "Play on",
		Do: func() {
			if m.control != nil {
				m.control.EndGame("the game host ended the game")
			}
		},
	}
}

// AskLeave asks before the player leaves, where that matters to others.
func (m *Model) AskLeave() {
	r := m.Room
	switch {
	case r == nil:
		m.home()
	case r.Hosting && r.Present() > 1:
		m.Question = &Question{
			Words: "Leave your room?", Hint: "It passes to one of the others. Your save is kept.", Yes: "Leave", No: "Stay", Do: m.Leave,
		}
	case r.Playing:
		hint := "The others play on. Your save is kept."
		if r.Local > 0 {
			hint = "Your save is kept. What the game itself has not saved is lost."
		}
		m.Question = &Question{Words: "Leave the game?", Hint: hint, Yes: "Leave", No: "Play on", Do: m.Leave}
	default:
		m.Leave()
	}
}

// Leave leaves the room in good order. Over comes when that is done.
func (m *Model) Leave() {
	m.command(Announce{On: false})
	m.command(EndSession{})
}

// Answer answers the question.
func (m *Model) Answer(yes bool) {
	q := m.Question
	m.Question = nil
	if q != nil && yes {
		q.Do()
	}
}

// Close ends the program: at once, or when the room has been left in good order.
// Nothing is asked; what can be lost by it is kept.
func (m *Model) Close() {
	if m.Closing {
		return
	}
	m.Closing = true
	m.command(Announce{On: false})
	if m.Room == nil {
		m.command(Quit{})
		return
	}
	m.command(EndSession{})
}

// Over tells that the session has ended: with an error, or well.
func (m *Model) Over(_ session.Report, err error) {
	r := m.Room
	m.Room, m.control, m.Question = nil, nil, nil
	m.command(Announce{On: false})
	if r == nil {
		return
	}
	if m.Closing {
		m.command(Quit{})
		return
	}
	if err == nil {
		m.home()
		return
	}
	m.Ended = Ended{Trouble: explain(err, r), Again: m.again != nil}
	var port *portError
	if errors.As(err, &port) {
		m.Ended.Port = port.free
	}
	m.back = nil
	m.show(ScreenEnded)
}

// Retry tries the last room again.
func (m *Model) Retry() {
	if m.again != nil && m.Room == nil {
		m.again()
	}
}

// RetryAt tries the last room again, on another port, which is the room's from now on.
func (m *Model) RetryAt(port int) {
	m.set(func(c *config.Config) { c.Net.Port = port })
	m.Retry()
}

// title is what the window's frame says: what is played, and with whom.
func (m *Model) title() string {
	r := m.Room
	switch {
	case m.Watching != nil:
		return m.Watching.Title + " – nettplay"
	case r == nil || !r.Known && r.Game == nil:
		return "nettplay"
	case !r.Known || r.Local > 0:
		return r.Game.Title + " – nettplay"
	}
	return fmt.Sprintf("%s (%d of %d) – nettplay", r.Room.Settings.Room, r.Present(), r.Room.Settings.Seats)
}
