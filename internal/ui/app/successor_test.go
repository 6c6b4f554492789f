package app

import (
	"errors"
	"slices"
	"strings"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// shownText is all that a window shows, and what pops up in it.
func shownText(t *testing.T, m *Shell) string {
	t.Helper()
	h := newHand(t, m, large, 1)
	h.rest()
	all := h.texts()
	for _, o := range m.Toasts {
		all = append(all, o.Text)
	}
	return strings.Join(all, " ")
}

// inAnnsRoom is in the lobby of Ann's room, as Bob.
func inAnnsRoom(t *testing.T) (*Shell, *fakeControl) {
	t.Helper()
	m, c := homeShell(t), &fakeControl{}
	m.Go(screen.Join)
	m.join.Form.Address = "a"
	m.join.EnterRoom()
	m.session.Opened(c)
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true)), Me: 1})
	at(t, m, screen.Lobby)
	return m, c
}

// Who takes over the room may go on without its game host amid a game of two; nobody else is asked.
func TestGoingOnWithoutTheGameHost(t *testing.T) {
	for _, may := range []bool{true, false} {
		m, c := inAnnsRoom(t)
		m.session.Notice(notice.Playing{})
		m.session.Notice(notice.Disconnected{Machine: 0, Nickname: "Ann", MayGoOn: may})
		if run := m.session.Room.Run; run.Menu != may || (len(run.Disconnected) > 0) != may {
			t.Fatalf("may %v: %+v", may, run)
		}
		if !may {
			continue
		}
		if shown := shownText(t, m); !strings.Contains(shown, "Go on without Ann") || !strings.Contains(shown, "with you as its game host") {
			t.Errorf("the menu shows %q", shown)
		}
		m.session.GoOnWithout(0)
		if !slices.Contains(c.said, "without 0") || m.session.Room.Run.Menu {
			t.Errorf("%v", c.said)
		}
	}
}

// A loss in the lobby is told in the words of the lobby, where no game waits.
func TestGameHostLostInTheLobby(t *testing.T) {
	m, _ := inAnnsRoom(t)
	m.session.Notice(notice.Disconnected{Machine: 0, Nickname: "Ann", Words: "the connection to the game host Ann was lost; this computer takes over the room unless it comes back at once"})
	if shown := shownText(t, m); !strings.Contains(shown, "this computer takes over the room") || strings.Contains(shown, "The game waits") {
		t.Errorf("the lobby shows %q", shown)
	}
}

// A game host that is alone in its part of a room joins the other part by itself, with its password, and says so.
func TestBackToTheOtherPart(t *testing.T) {
	m, _ := hosted(t)
	m.session.Over(notice.Report{}, &notice.Failure{Result: notice.ResultLost, Err: errors.New("Bob's part of the room is there again: going back to it"), Back: "192.0.2.7:21204"})
	at(t, m, screen.Joining)
	if r := m.session.Room; r == nil || r.Hosting || r.Address != "192.0.2.7:21204" {
		t.Fatalf("%+v", r)
	}
	if shown := shownText(t, m); !strings.Contains(shown, "Bob's part of the room is there again: going back to it.") {
		t.Errorf("shown is %q", shown)
	}
}
