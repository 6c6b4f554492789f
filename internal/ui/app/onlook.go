package app

import (
	"context"
	"errors"
	"strings"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/host"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session"
)

// Watching somebody's room, without playing.

// SeenRoom is a room that is watched.
type SeenRoom struct {
	Address string
	Known   bool // Room is valid: we were let in
	Room    host.Room
	Said    string // what the room, or somebody in it, said last
	Games   int    // that were seen to their end
}

// LookOn watches the room of the form.
func (m *Model) LookOn() {
	form, ok := m.chosenRoom()
	if !ok {
		return
	}
	w := Watching{Title: form.Address, Room: &SeenRoom{Address: form.Address}}
	if form.Room != nil {
		w.Title = form.Room.Room
	}
	m.beginWatching(w, WatchRoom{Address: form.Address, Password: form.Password})
}

// mayWatch tells whether the room of the form may be watched: a room of the list says so,
// any other is asked.
func (m *Model) mayWatch() bool { return m.Join.Room == nil || m.Join.Room.Watch }

// WatchNotice takes what happens in the room that is watched.
func (m *Model) WatchNotice(n session.Notice) {
	if m.Watching == nil || m.Watching.Room == nil {
		return
	}
	r := m.Watching.Room
	switch n := n.(type) {
	case session.RoomNotice:
		r.Known, r.Room = true, n.Room
		m.Watching.Title = n.Room.Settings.Room
	case session.Message:
		if r.Said = sentence(n.Text); n.From != "" {
			r.Said = n.From + ": " + n.Text
		}
	case session.GameOver:
		r.Games++
		m.Watching.Player, m.Watching.Status = nil, session.PlayerStatus{}
	}
}

// watchRoom watches a room and says why it is over.
func (e *engine) watchRoom(ctx context.Context, c WatchRoom, cfg config.Config, show *showing) *Trouble {
	line, err := listen(link.Config{Bind: cfg.Net.Bind, Silence: cfg.Net.Silence})
	if err != nil {
		return watchTrouble(err, false)
	}
	inside := false // of the watch's goroutine
	_, err = session.Watch(ctx, session.WatchConfig{
		Link: line, Addr: c.Address, Nickname: cfg.Player.Nickname, Password: c.Password, Version: e.version,
		Core: show.core, Library: show.games, Show: show.cast.show,
		Notify: func(n session.Notice) {
			if _, ok := n.(session.RoomNotice); ok {
				inside = true
			}
			e.stage.Notice(n)
			show.post(func(m *Model) { m.WatchNotice(n) })
		},
		Watched: func(p *session.Player) {
			show.cast.begin(nil, nil, p.Consoles)
			show.begins(p)
		},
		Told: show.status,
	})
	if err == nil {
		err = errors.New("the game is over, and the room is closed")
	}
	return watchTrouble(err, inside)
}

// watchTrouble says why a room is not watched any more, or could not be at all.
func watchTrouble(err error, inside bool) *Trouble {
	t := &Trouble{Title: "You cannot watch this room", Words: sentence(err.Error())}
	if inside {
		t.Title = "There is nothing more to watch"
	}
	var f *session.Failure
	if errors.As(err, &f) {
		t.Hint = inWindow(sentence(f.Hint))
		switch f.Result {
		case session.ResultDesync:
			t.Title = "What you saw was not the game"
		case session.ResultCore:
			t.Title = "The game cannot be watched here"
		}
	}
	return t
}

// inWindow puts a hint on the command line into the terms of the window.
func inWindow(hint string) string {
	return strings.ReplaceAll(hint, "(\"nettplay cores\")", "(in the settings, under Core)")
}
