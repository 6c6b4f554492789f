package app

import (
	"context"
	"errors"

	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/spectate"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
)

// Watching somebody's room, without playing.

// WatchRoom implements viewer.Engine.
func (e *engine) WatchRoom(address, password string) {
	e.watch(func(ctx context.Context, machine launch.Machine, show *showing) *screen.Trouble {
		return e.watchRoom(ctx, launch.Watch{Address: address, Password: password}, machine, show)
	})
}

// watchRoom watches a room and says why it is over. If the room plays on another core that is here
// too, that is used.
func (e *engine) watchRoom(ctx context.Context, c launch.Watch, machine launch.Machine, show *showing) *screen.Trouble {
	for {
		inside, err := e.watchOnce(ctx, c, machine, show)
		core, found := machine.RoomsCore(ctx, err)
		if !found && notice.AsksPassword(err) {
			show.post(func(m *Shell) { m.askToWatch(c) })
			return nil
		}
		if asks := e.untrusted(err, func() { e.shell.viewer.Again() }); asks != nil {
			return asks
		}
		if !found {
			trouble := watchTrouble(err, inside)
			show.post(func(m *Shell) { m.offerToWatch(c, err, trouble) })
			return trouble
		}
		machine.Core = core
		show.post(func(m *Shell) { m.Tell(launch.RoomsCoreWords(core)) })
	}
}

// watchOnce watches a room with the core of a machine. inside tells whether the room let it in.
func (e *engine) watchOnce(ctx context.Context, c launch.Watch, machine launch.Machine, show *showing) (inside bool, err error) {
	w, err := machine.Watch(ctx, c)
	if err != nil {
		return false, err
	}
	w.Show, w.Told = show.roster.show, show.status
	w.Notify = launch.Logged(e.log, func(n notice.Notice) {
		if _, ok := n.(notice.RoomNotice); ok {
			inside = true
		}
		e.game.Notice(n)
		show.post(func(m *Shell) { m.viewer.Notice(n) })
	})
	w.Watched = func(p *player.Player) {
		show.roster.begin(nil, nil, p.Consoles)
		show.begins(p, [32]byte{}, nil) // the room knows its game
	}
	_, err = spectate.Watch(ctx, w)
	if err == nil {
		err = errors.New("the game is over, and the room is closed")
	}
	return inside, err
}

// askToWatch asks for the password of a room that is to be watched.
func (s *Shell) askToWatch(c launch.Watch) {
	s.viewer.Over(nil)
	s.join.AskToWatch(room.JoinForm{Address: c.Address, Password: c.Password})
}

// offerToWatch lets a trouble offer the core of a room that cannot be watched with another one, if
// it can be got where the game host got it.
func (s *Shell) offerToWatch(c launch.Watch, err error, trouble *screen.Trouble) {
	if f, is := errors.AsType[*notice.Failure](err); is && f.Core != nil && s.cores.Knows(*f.Core) {
		trouble.Hint, trouble.Yes = "You can get the very build that the room plays on, from where the game host got it.", "Get it"
		trouble.Do = func() {
			s.cores.GetForRoom(*f.Core, func() { s.viewer.Spectate(c.Address, "", c.Password, c.Address) })
		}
	}
}

// watchTrouble says why a room is not watched any more, or could not be at all.
func watchTrouble(err error, inside bool) *screen.Trouble {
	t := screen.Failed("You cannot watch this room", err)
	if inside {
		t.Title = "There is nothing more to watch"
	}
	if f, is := errors.AsType[*notice.Failure](err); is {
		t.Hint = screen.InWindow(screen.Sentence(f.Hint))
		switch {
		case f.Refused:
		case f.Result == notice.ResultDesync:
			t.Title = "You saw a different game from the players'"
		case f.Result == notice.ResultCore:
			t.Title = "The game cannot be watched here"
		}
	}
	return t
}
