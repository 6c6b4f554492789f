package room

import (
	"strings"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// Ready tells the room whether the player wants to start.
func (s *Session) Ready(ready bool) {
	if s.control != nil {
		s.control.Ready(ready)
		s.Room.Chosen = ""
	}
}

// Start starts the game, on the game host.
func (s *Session) Start() {
	if s.hosting() {
		s.control.Start()
	}
}

// CallOff calls off the game that is being prepared, on the game host.
func (s *Session) CallOff() {
	if s.hosting() {
		s.control.CallOff()
	}
}

// ChooseGame takes another game for the room, on the game host.
func (s *Session) ChooseGame(rom *emucore.ROM) {
	if s.hosting() {
		s.control.ROM(rom)
	}
}

// SendChat says something to everyone.
func (s *Session) SendChat(text string) {
	if text = strings.TrimSpace(text); text != "" && s.control != nil {
		s.control.Chat(text)
	}
}

// SetDelay changes the input delay: in the lobby for the next game, in a game for all from some frame
// on. It is automatic no longer then.
func (s *Session) SetDelay(frames int) {
	frames = min(max(frames, 0), ds.MaxDelay)
	if s.hosting() && s.Room.Run.Playing {
		s.control.Delay(frames)
		return
	}
	s.change(func(s *room.Settings) { s.Delay, s.AutoDelay = frames, autodelay.Off })
}

// SetAutoDelay makes the input delay automatic, or a number: in the lobby that of the next game, in a
// game from now on.
func (s *Session) SetAutoDelay(p autodelay.Preset) {
	if s.hosting() && s.Room.Run.Playing {
		s.control.AutoDelay(p)
		return
	}
	s.change(func(s *room.Settings) { s.AutoDelay = p })
}

// SetSeats changes how many players there is room for.
func (s *Session) SetSeats(seats int) {
	s.change(func(to *room.Settings) {
		to.Seats = min(max(seats, 2, s.Room.Present()), ds.MaxSeats)
		to.MinPlayers = min(to.MinPlayers, to.Seats)
	})
}

// SetLateJoin lets others come into the room's games while they run, or not.
func (s *Session) SetLateJoin(on bool) {
	s.change(func(s *room.Settings) { s.NoLateJoin = !on })
}

// SetSync changes how machines keep together in the room's next game.
func (s *Session) SetSync(sync room.Sync) {
	s.change(func(s *room.Settings) { s.Sync = sync })
}

// SetSpectators changes how many spectators the room takes.
func (s *Session) SetSpectators(n int) {
	s.change(func(s *room.Settings) { s.Spectators = min(max(n, 0), room.MaxSpectators) })
}

// SetSpectateDelay changes how many seconds spectators are behind.
func (s *Session) SetSpectateDelay(seconds int) {
	s.change(func(s *room.Settings) { s.SpectateDelay = min(max(seconds, 0), room.MaxSpectateDelay) })
}

// hosting reports whether the player hosts the room, and its session hears.
func (s *Session) hosting() bool { return s.control != nil && s.Room != nil && s.Room.Hosting }

// change changes the settings of our own room, for the next game.
func (s *Session) change(change func(*room.Settings)) {
	if s.hosting() {
		s.control.Settings(func(s room.Settings) room.Settings { change(&s); return s })
	}
}

// AskKick asks before it removes a player.
func (s *Session) AskKick(p room.Player) {
	s.askKick(p.Nickname, "They can join again unless you ban them. A ban stays in force when somebody else becomes the host.", func(c Control, ban bool) { c.Kick(p.Seat, "", ban) })
}

// AskKickSpectator asks before it removes a spectator.
func (s *Session) AskKickSpectator(p room.Spectator) {
	s.askKick(p.Nickname, "They are only watching. They can come back unless you ban them. A ban stays in force when somebody else becomes the host.", func(c Control, ban bool) { c.KickSpectator(p.Number, "", ban) })
}

func (s *Session) askKick(name, hint string, kick func(c Control, ban bool)) {
	do := func(ban bool) func() {
		return func() {
			if s.control != nil {
				kick(s.control, ban)
			}
		}
	}
	s.Question = &screen.Question{
		Words: "Remove " + name + " from the room?", Hint: hint, Yes: "Remove", No: "Cancel", Do: do(false),
		Else: "Ban from this room", DoElse: do(true),
	}
}

// Pardon lets somebody come again who is banned.
func (s *Session) Pardon(key [32]byte) {
	if s.hosting() {
		s.control.Pardon(key)
	}
}

// GoOnWithout stops waiting for a disconnected player.
func (s *Session) GoOnWithout(machine int) {
	r := s.Room
	r.Run.back(machine)
	if s.control != nil {
		s.control.GoOnWithout(machine)
	}
	r.Run.Menu = false
}

// ToggleMenu opens or closes the menu over the game. The game goes on behind it
// unless it is paused, which is for all to see. On one machine alone it pauses by
// itself.
func (s *Session) ToggleMenu() {
	r := s.Room
	if r == nil || !r.Run.Playing {
		return
	}
	r.Run.Menu, r.Run.called, r.Run.screens = !r.Run.Menu, false, false
	if r.Local > 0 {
		s.Pause(r.Run.Menu)
	}
}

// Pause stops the consoles of all players at a frame, or lets them go on.
func (s *Session) Pause(paused bool) {
	if s.control != nil {
		s.control.Pause(paused)
	}
}

// Clip keeps the last half minute of the game.
func (s *Session) Clip() {
	if s.control != nil {
		s.control.Clip()
	}
}

// SwitchOn switches on our own consoles that their game has switched off, and closes the menu.
func (s *Session) SwitchOn() {
	if s.control != nil {
		s.control.SwitchOn()
	}
	if s.Room != nil && s.Room.Run.Menu {
		s.ToggleMenu()
	}
}

// Fast switches full speed on or off, for a game on this machine alone.
func (s *Session) Fast(on bool) {
	if s.control != nil && s.Room != nil && s.Room.Local > 0 {
		s.control.MaxSpeed(on)
	}
}

// AskEndGame asks before the game ends for all; the room stays.
func (s *Session) AskEndGame() {
	s.Question = &screen.Question{
		Words: "End the game for everybody?", Hint: "Saves are kept, and all are back in the lobby.", Yes: "End the game", No: "Keep playing",
		Do: func() {
			if s.control != nil && s.Room != nil {
				s.Room.Run.ending = true
				s.control.EndGame(s.Config.Player.Nickname + " ended the game")
			}
		},
	}
}
