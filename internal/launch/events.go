package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// Events writes what happens in rooms to a file, a line of JSON each, for overlays of a stream and other programs. It
// has no invitations, codes, addresses or keys. Its methods may be called on any goroutine and wait for nothing but
// Close; a nil *Events does nothing.
type Events struct {
	file  *os.File
	lines chan []byte
	done  chan struct{}
}

// Event is a line of the file. Fields that it has no use for are left out.
type Event struct {
	At    time.Time `json:"at"`
	Event string    `json:"event"` // room, joined, left, started, over, chat, note, paused, resumed, waiting, clip
	Who   string    `json:"who,omitempty"`
	Text  string    `json:"text,omitempty"`
	// Room, Game and Players are for room, joined, left and started.
	Room    string   `json:"room,omitempty"`
	Game    string   `json:"game,omitempty"`
	Players []string `json:"players,omitempty"`
	For     []string `json:"for,omitempty"` // waiting: whom the game waits for; nobody: it goes on
}

// maxEvents is how many lines may wait for the disk. Further ones are lost: a game waits for no overlay.
const maxEvents = 256

// OpenEvents opens the file at a path, and adds to what it has.
func OpenEvents(path string) (*Events, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("writing events: %w", err)
	}
	e := &Events{file: f, lines: make(chan []byte, maxEvents), done: make(chan struct{})}
	go func() {
		defer close(e.done)
		for line := range e.lines {
			_, _ = f.Write(line) // without a disk there is no overlay, and still a game
		}
		_ = f.Close()
	}()
	return e, nil
}

// Close writes what waits, and ends. No notice may come after it.
func (e *Events) Close() {
	if e != nil {
		close(e.lines)
		<-e.done
	}
}

// Notified is a session's Notify that writes events, and then tells next. Its calls come one after the other.
func (e *Events) Notified(next func(notice.Notice)) func(notice.Notice) {
	if e == nil {
		return next
	}
	t := teller{veil: invite.NewVeil(nil)}
	return func(n notice.Notice) {
		for _, x := range t.take(n) {
			x.At = time.Now().UTC()
			if b, err := json.Marshal(x); err == nil {
				select {
				case e.lines <- append(b, '\n'):
				default:
				}
			}
		}
		next(n)
	}
}

// teller makes events of notices. It is pure.
type teller struct {
	veil  *invite.Veil
	known bool
	room  Event // the newest room, whose players are those who are there
}

func (t *teller) take(n notice.Notice) []Event {
	switch n := n.(type) {
	case notice.RoomNotice:
		return t.changed(n.Room)
	case notice.Playing:
		t.changed(n.Room)
		return []Event{t.of("started", "")}
	case notice.GameOver:
		x := Event{Event: "over", Text: n.Why}
		if n.Err != nil {
			x.Text = n.Err.Error()
		}
		x.Text = t.veil.Hide(x.Text)
		return []Event{x}
	case notice.Message:
		x := Event{Event: "note", Text: t.veil.Hide(n.Text)}
		if n.From != "" {
			x.Event, x.Who = "chat", n.From
		}
		return []Event{x}
	case notice.Power:
		return []Event{{Event: "note", Who: n.Nickname, Text: n.Words()}}
	case notice.Paused:
		return []Event{{Event: map[bool]string{true: "paused", false: "resumed"}[n.Paused]}}
	case notice.Waiting:
		return []Event{{Event: "waiting", For: n.For}}
	case notice.Clipped:
		if n.Kept {
			return []Event{{Event: "clip"}}
		}
	}
	return nil
}

// of is an event about the room.
func (t *teller) of(what, who string) Event {
	x := t.room
	x.Event, x.Who = what, who
	return x
}

// changed takes the room as it is now, and tells who came and who left.
func (t *teller) changed(r room.Room) (list []Event) {
	was, first := t.room.Players, !t.known
	t.known, t.room = true, Event{Room: t.veil.Hide(r.Settings.Room)}
	for _, p := range r.Players {
		if p.Present {
			t.room.Players = append(t.room.Players, p.Nickname)
			if p.Machine == r.Host && t.room.Game == "" {
				t.room.Game = p.ROM.Title
			}
		}
	}
	if first {
		return []Event{t.of("room", "")}
	}
	for _, name := range t.room.Players {
		if !slices.Contains(was, name) {
			list = append(list, t.of("joined", name))
		}
	}
	for _, name := range was {
		if !slices.Contains(t.room.Players, name) {
			list = append(list, t.of("left", name))
		}
	}
	return list
}
