package viewer

import (
	"strings"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/player"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// SpectatedRoom is the room of a spectator.
type SpectatedRoom struct {
	Address string
	Typed   string // the address that the player typed; "" for a room of the list
	Known   bool   // Room is valid: we were let in
	Room    room.Room
	Said    string // what the room, or somebody in it, said last
	Games   int    // that were seen to their end
}

// Spectate watches a room. typed is the address as the player typed it, "" for a room of the
// list: it is remembered if the room is there.
func (v *Screen) Spectate(address, typed, password, title string) {
	v.begin(Watching{Title: title, Room: &SpectatedRoom{Address: address, Typed: typed}}, func() { v.Spectate(address, typed, password, title) })
	v.engine.WatchRoom(address, password)
}

// Notice takes a notice of the spectated room.
func (v *Screen) Notice(n notice.Notice) {
	if v.Watching == nil || v.Watching.Room == nil {
		return
	}
	r := v.Watching.Room
	switch n := n.(type) {
	case notice.RoomNotice:
		if !r.Known {
			v.RememberAddress(r.Typed)
		}
		r.Known, r.Room = true, n.Room
		v.Watching.Title = n.Room.Settings.Room
	case notice.Message:
		if r.Said = screen.Sentence(n.Text); n.From != "" {
			r.Said = n.From + ": " + n.Text
		}
	case notice.GameOver:
		r.Games++
		v.Watching.Player, v.Watching.Status = nil, player.Status{}
	}
}

// waitingRoom draws the spectated room while it has no game to show.
func (v *Screen) waitingRoom(u *widgets.UI, w *Watching) {
	v.Message(u, 460, func() {
		title, words := w.WaitingWords()
		u.Headline(title)
		if words != "" {
			u.Paragraph(words)
		}
		if !w.Room.Known || w.Room.Room.Phase != room.PhaseLobby {
			u.Progress(widgets.Progress{Value: -1})
		}
		if w.Room.Said != "" {
			u.Note(w.Room.Said)
		}
		leave := "Leave"
		if !w.Room.Known {
			leave = "Cancel"
		}
		u.Bar(nil, widgets.Button{Text: leave, Name: "leave", Do: v.stop})
	})
}

// WaitingWords names the room, and says why it has no game to show.
func (w *Watching) WaitingWords() (title, words string) {
	r := w.Room
	if !r.Known {
		return "Connecting …", r.Address
	}
	switch {
	case r.Room.Phase == room.PhasePlaying:
		words = "The game so far is fetched."
	case r.Room.Phase == room.PhasePreparing:
		words = "A game is about to begin."
	case r.Games > 0:
		words = "The game is over. The next one appears here as soon as it starts."
	default:
		words = "The game has not started. It appears here as soon as it does."
	}
	return r.Room.Settings.Room, playersWords(r.Room) + words
}

// playersWords names the players of a room.
func playersWords(room room.Room) string {
	var names []string
	for _, p := range room.Players {
		if p.Present {
			names = append(names, p.Nickname)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "With " + strings.Join(names, ", ") + ". "
}

// lateFrames is the number of frames that a spectator must be behind to count as late: more than arrive
// at once.
const lateFrames = 180

// liveWords says that the player watches, and how far behind the game.
func liveWords(s player.Status, delay int) string {
	behind := s.Length - s.Frame
	switch {
	case !s.Live:
		return "The game is over. You see the end of it."
	case !s.Playing:
		return "Watching, paused, " + screen.Minutes(ds.FrameTime(behind)) + " behind"
	case behind > lateFrames:
		return "Watching, catching up: " + screen.Minutes(ds.FrameTime(behind)) + " behind"
	case s.Waiting:
		return "Watching: waiting for the game to go on …"
	}
	if delay > 0 {
		return "Watching live, " + screen.BehindWords(delay)
	}
	return "Watching live"
}
