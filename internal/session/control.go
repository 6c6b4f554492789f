package session

import (
	"errors"
	"sync"
	"time"

	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/host/timeline"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/roms"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Control lets a player act on a session while it runs, from any goroutine. Make
// one with [NewControl] and hand it to the session with Config.Control. Before the
// session and after it, nothing happens; what cannot be done at the moment is
// answered with a [notice.Message]. No method waits.
type Control struct {
	mu      sync.Mutex
	session *session // nil when none runs
}

// NewControl makes a control for one session.
func NewControl() *Control { return &Control{} }

// attach lets the control act on a session; nil ends that.
func (c *Control) attach(s *session) {
	if c != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.session = s
	}
}

// do runs a command on the session's goroutine.
func (c *Control) do(command func(s *session, now time.Time) error) {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s == nil {
		return
	}
	s.commands.add(func() {
		if s.over {
			return
		}
		if err := command(s, time.Now()); err != nil {
			s.Say("%v", err)
		}
	})
}

// asHost runs a command that only the game host may give.
func (c *Control) asHost(command func(s *session, now time.Time) error) {
	c.do(func(s *session, now time.Time) error {
		if s.host == nil {
			return errors.New("only the game host can do that")
		}
		return command(s, now)
	})
}

// Tell tells the player something, as the session does.
func (c *Control) Tell(text string) {
	c.do(func(s *session, _ time.Time) error {
		s.Say("%s", text)
		return nil
	})
}

// Ready says that the player wants to start, or does not any more. It counts only
// with Config.AskReady, and not of the game host, who starts the game.
func (c *Control) Ready(ready bool) {
	c.do(func(s *session, now time.Time) error {
		s.ready = ready
		s.reportStatus(now)
		return nil
	})
}

// Chat says something to everyone in the room.
func (c *Control) Chat(text string) {
	c.do(func(s *session, now time.Time) error { return s.room.Chat(now, text) })
}

// Start starts the game; for the game host. The player is told of whatever is in the way.
func (c *Control) Start() {
	c.asHost(func(s *session, now time.Time) error { return s.host.Start(now) })
}

// CallOff calls off the game that is being prepared; for the game host.
func (c *Control) CallOff() {
	c.asHost(func(s *session, now time.Time) error { return s.host.CallOff(now) })
}

// Settings changes the room's settings in the lobby; for the game host. Change
// gets the present ones, on the session's goroutine, and must not block.
func (c *Control) Settings(change func(room.Settings) room.Settings) {
	c.asHost(func(s *session, now time.Time) error {
		settings := change(s.host.Settings())
		settings.Core = s.cfg.coreID()
		return s.host.SetSettings(now, settings)
	})
}

// Pause lets the consoles of all machines stand, at the same frame, or go on.
func (c *Control) Pause(pause bool) {
	c.do(func(s *session, now time.Time) error {
		if s.game == nil {
			return nil
		}
		return s.room.Pause(now, pause)
	})
}

// Clip keeps the last half minute of the game: it marks it in the recording, and the player is told.
func (c *Control) Clip() {
	c.do(func(s *session, _ time.Time) error {
		if s.game == nil {
			return nil
		}
		ok := false
		if s.cfg.Recorder != nil {
			_, ok = s.cfg.Recorder.Clip()
		}
		s.notify(notice.Clipped{Kept: ok})
		return nil
	})
}

// SwitchOn switches on the consoles of our own whose games have switched them off; on the game host also those that
// nobody plays any more.
func (c *Control) SwitchOn() {
	c.do(func(s *session, now time.Time) error {
		if s.game == nil {
			return nil
		}
		var errs []error
		for _, seat := range s.game.Seats() {
			if seat.Off && !seat.Left && (seat.Mine || seat.Vacant && s.host != nil) {
				errs = append(errs, s.room.SwitchOn(now, seat.Seat))
			}
		}
		return errors.Join(errs...)
	})
}

// Delay sets the input delay to a number, automatic no longer: of the running game, at the first frame at
// which all machines can, or of the room; for the game host.
func (c *Control) Delay(frames int) {
	c.asHost(func(s *session, now time.Time) error {
		if s.game != nil {
			_, err := s.host.Decide(now, timeline.Decision{Kind: timeline.SetDelay, Delay: frames})
			return err
		}
		settings := s.host.Settings()
		settings.Delay, settings.AutoDelay = frames, autodelay.Off
		return s.host.SetSettings(now, settings)
	})
}

// AutoDelay makes the input delay of the running game automatic from now on, or with autodelay.Off leaves it as it
// is; in the lobby, that of the next one; for the game host.
func (c *Control) AutoDelay(p autodelay.Preset) {
	c.asHost(func(s *session, now time.Time) error {
		settings := s.host.Settings()
		if s.game == nil {
			settings.AutoDelay = p
			return s.host.SetSettings(now, settings)
		}
		if settings.Sync == room.Clocked {
			return errors.New("in clocked play nobody waits for late inputs: the input delay is a number")
		}
		_, err := s.host.Decide(now, timeline.Decision{Kind: timeline.AutoDelay, Auto: p})
		return err
	})
}

// OwnDelay chooses the input delay of our own presses, in a room with rollback; also while a game runs.
func (c *Control) OwnDelay(d autodelay.Choice) {
	c.do(func(s *session, now time.Time) error {
		s.cfg.OwnDelay = d
		s.reportStatus(now)
		return nil
	})
}

// EndGame ends the running game for all and takes everyone back to the lobby; for
// the game host.
func (c *Control) EndGame(why string) {
	c.asHost(func(s *session, now time.Time) error {
		if s.game == nil {
			return nil
		}
		_, err := s.host.End(now, why)
		return err
	})
}

// ROM chooses our game, in the lobby; nil, for a game client, the game host's.
func (c *Control) ROM(rom *emucore.ROM) {
	c.do(func(s *session, now time.Time) error {
		var id *room.ROMID
		if rom != nil {
			id = new(roms.ID(rom))
		}
		var err error
		switch {
		case s.client != nil:
			err = s.client.SetROM(now, id)
		case id == nil:
			err = errors.New("choose a game")
		default:
			err = s.host.SetROM(now, *id)
		}
		if err == nil {
			s.cfg.ROM = rom
		}
		return err
	})
}

// LocalPlayers says who plays at this machine besides us, as Config.LocalPlayers does; in the lobby.
// The session keeps list.
func (c *Control) LocalPlayers(list []LocalPlayer) {
	c.do(func(s *session, now time.Time) error { return s.sitWith(now, list) })
}

// SRAM sets the contents of our cartridge's backup memory for the next game; nil: blank. The session
// keeps b.
func (c *Control) SRAM(b []byte) {
	c.do(func(s *session, _ time.Time) error {
		s.cfg.SRAM = b
		return nil
	})
}

// MaxSpeed runs the game as fast as the machine can, or at the DS' rate again. With
// others in the game it runs no faster than the slowest of them.
func (c *Control) MaxSpeed(on bool) {
	c.do(func(s *session, _ time.Time) error {
		s.cfg.MaxSpeed = on
		if s.game != nil {
			s.game.SetUnlimited(on)
		}
		return nil
	})
}
