package app

import (
	"context"
	"errors"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/viewer"
	"github.com/nettplay/nettplay/internal/watch"
)

// Watching somebody's room, without playing.

// watchRoom watches a room and says why it is over.
func (e *engine) watchRoom(ctx context.Context, c viewer.WatchRoom, cfg config.Config, show *showing) *screen.Trouble {
	w, err := e.machine(cfg, show.core, show.games).Watch(ctx, launch.Watch{Address: c.Address, Password: c.Password})
	if err != nil {
		return watchTrouble(err, false)
	}
	inside := false // of the watch's goroutine
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
		show.begins(p)
	}
	_, err = watch.Run(ctx, w)
	if err == nil {
		err = errors.New("the game is over, and the room is closed")
	}
	return watchTrouble(err, inside)
}

// watchTrouble says why a room is not watched any more, or could not be at all.
func watchTrouble(err error, inside bool) *screen.Trouble {
	t := &screen.Trouble{Title: "You cannot watch this room", Words: screen.Sentence(err.Error())}
	if inside {
		t.Title = "There is nothing more to watch"
	}
	var f *notice.Failure
	if errors.As(err, &f) {
		t.Hint = screen.InWindow(screen.Sentence(f.Hint))
		switch {
		case f.Refused:
		case f.Result == notice.ResultDesync:
			t.Title = "You saw another game than the players"
		case f.Result == notice.ResultCore:
			t.Title = "The game cannot be watched here"
		}
	}
	return t
}
