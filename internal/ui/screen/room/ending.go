package room

import (
	"errors"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/corecheck"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/settings"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// Ending is the end of a session.
type Ending struct {
	screen.Trouble
	Again bool // the same room can be tried again
	Core  bool // it was because of the core, which failed its check
	// Trust is the SHA-256 of the core about which the player is asked, if it was because of that; else zero.
	Trust [32]byte
	Crash bool // a core ended that was to run
	Port  int  // a free one, when that of the room is in use; else 0
	// RoomsCore is the core of the room, if the player can get it where the game host did; else nil.
	RoomsCore *room.UsedCore
	NeedsCore bool // a core from the page Cores helps: the room plays on another one, or there is none
}

// Over tells that the session has ended: with an error, or well.
func (s *Session) Over(_ notice.Report, err error) {
	r := s.Room
	s.Room, s.InRoom, s.control, s.Question, s.Wait = nil, false, nil, nil, ""
	s.engine.StopAnnouncing()
	if r == nil {
		return
	}
	s.left(r, err)
	if s.Closing {
		s.Quit()
		return
	}
	if back, is := notice.WayBack(err); is && r.Known {
		s.joinOther(r, back, err)
		return
	}
	if err == nil && s.reopening {
		s.openAgain(r)
		return
	}
	s.reopening = false
	if err == nil {
		s.GoHome()
		return
	}
	if do := s.orElse; !r.Known && do != nil && do(err) {
		return
	}
	s.Ending = Ending{Trouble: explain(err, r), Again: s.again != nil}
	if port, is := errors.AsType[*launch.PortError](err); is {
		s.Ending.Port = port.Free
	}
	_, s.Ending.Core = errors.AsType[*corecheck.FailedError](err)
	if asks, is := errors.AsType[*corecheck.UntrustedError](err); is {
		s.Ending.Trust = asks.Core.SHA256
	}
	s.Ending.Crash = emucore.CrashedOrHung(err)
	if r.Known {
		s.edit = widgets.Button{} // the room let us in: the form was right
	}
	failed, is := errors.AsType[*notice.Failure](err)
	if is && failed.Core != nil && s.cores.Knows(*failed.Core) && s.Ending.Again {
		s.Ending.RoomsCore, s.Ending.Hint = failed.Core, "You can get the very build that the room plays on, from where the game host got it."
	}
	_, none := errors.AsType[*emucore.NoCoreError](err)
	s.Ending.NeedsCore = none || is && failed.Code == room.CodeCore
	s.Forget()
	s.Show(screen.Ended)
}

// joinOther joins the other part of a room that fell apart.
func (s *Session) joinOther(r *Room, back string, why error) {
	s.Forget()
	s.Enter(Room{Address: back, Called: r.Room.Settings.Room, Game: r.Game},
		OpenSession{Join: &JoinForm{Address: back, Password: s.password, OwnGame: r.Game}, Game: r.Game, LocalPlayers: s.entered.LocalPlayers},
		func() { s.joinOther(r, back, why) })
	s.Say(screen.Sentence(why.Error()))
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
	}
}

// RetryTrusted enters the last room again, with the core that runs with the player's rights.
func (s *Session) RetryTrusted() {
	s.Trusted = append(s.Trusted, s.Ending.Trust)
	if s.reenter != nil && s.Room == nil {
		s.reenter()
	}
}

// ChooseCore leads to the cores of the settings.
func (s *Session) ChooseCore() {
	s.settings.At = settings.PageCore
	s.GoHome()
	s.Go(screen.Settings)
}

// SeeCores leads to the page of the cores.
func (s *Session) SeeCores() {
	s.GoHome()
	s.Go(screen.Cores)
}

// GetCore asks the player whether to get the core of the room that did not let us in, and joins again
// with it.
func (s *Session) GetCore() {
	if s.Ending.RoomsCore != nil {
		s.cores.GetForRoom(*s.Ending.RoomsCore, s.reenter)
	}
}

// RetryAt opens the last room again on another port, and keeps that port in the settings.
func (s *Session) RetryAt(port int) {
	s.settings.Set(func(c *config.Config) { c.Net.Port = port })
	s.Retry()
}
