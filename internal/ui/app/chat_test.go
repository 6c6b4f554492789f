package app

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// says reports whether a screen has a text.
func (h *hand) says(text string) bool {
	return slices.ContainsFunc(h.texts(), func(s string) bool { return strings.Contains(s, text) })
}

// TestChatTab: the tab of the chat takes the keyboard, and says how much of it is new until
// it is open: marks stay for a while.
func TestChatTab(t *testing.T) {
	m, c := hosted(t)
	h := newHand(t, m, small, 1)
	h.rest()
	m.session.Notice(notice.Message{From: "Ann", Text: "mine"})
	m.session.Notice(notice.Message{Text: "Bob joined"})
	if h.says("Chat (") {
		t.Error("our own line, or the room's, counts as new")
	}
	for i := range 2 {
		m.session.Notice(notice.Message{From: "Bob", Text: fmt.Sprint(i)})
	}
	if !h.says("Chat (2)") || !strings.HasPrefix(m.title(), "(2) ") {
		t.Errorf("two new lines are not counted: %q, %q", h.texts(), m.title())
	}
	h.in.Now += time.Minute
	h.rest()
	h.click(570, 34) // the tab
	h.write("hello")
	h.press("Return")
	if !slices.Equal(c.said, []string{"chat hello"}) {
		t.Errorf("written after a click on the tab: %q", c.said)
	}
	marked := func() bool {
		return slices.ContainsFunc(m.session.Room.Lines, func(l room.Line) bool { return l.New })
	}
	if n := m.session.Room.Unread(); n != 0 || strings.HasPrefix(m.title(), "(") {
		t.Errorf("with the chat open, %d lines are counted as new", n)
	}
	if !marked() {
		t.Error("what has just come into sight is not marked")
	}
	h.in.Now += 4 * time.Second
	h.rest()
	if marked() {
		t.Error("after four seconds lines are marked")
	}
}

// TestCalled: a line, somebody who joins, and the start of a game call a player whose window
// is not in front, and only then.
func TestCalled(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, image.Pt(1000, 700), 1)
	three := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true), playerIn(2, 2, "Carl", true))
	two := testRoom(hostroom.PhaseLobby, three.Players[0], three.Players[1])
	for _, front := range []bool{true, false} {
		h.in.Focused = front
		h.rest()
		m.session.Notice(notice.GameOver{})
		m.session.Notice(notice.RoomNotice{Room: two})
		for what, n := range map[string]notice.Notice{
			"a line of Bob's": notice.Message{From: "Bob", Text: "hi"},
			"a line of ours":  notice.Message{From: "Ann", Text: "hi"},
			"who joins":       notice.RoomNotice{Room: three},
			"the room":        notice.Message{Text: "the input delay is 6 frames now"},
		} {
			calls(m)
			m.session.Notice(n)
			want := !front && what != "a line of ours" && what != "the room"
			if got := wants(calls(m), "Alert"); got != want {
				t.Errorf("in front %t: %s calls the player: %t", front, what, got)
			}
		}
		h.in.Now += time.Minute
		h.rest()
		h.in.Now += time.Minute
		h.rest()
		if (m.session.Room.Unread() == 0) != front {
			t.Errorf("in front %t: %d lines are new after two minutes", front, m.session.Room.Unread())
		}
		calls(m)
		m.session.Notice(notice.Playing{Room: two})
		if got := wants(calls(m), "Alert"); got == front {
			t.Errorf("in front %t: a game that begins calls the player: %t", front, got)
		}
	}
}

// TestLobbysLinesStayThere: what was said in the lobby is not laid over the game.
func TestLobbysLinesStayThere(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, func(_ *Shell, b *hub) {
		b.Notice(notice.Message{From: "Bob", Text: "shall we?"})
		b.Begin(nil, nil)
		b.Notice(notice.Message{From: "Bob", Text: "good luck"})
	})(t)
	h := newHand(t, m, small, 1)
	h.rest()
	if h.says("shall we?") || !h.says("good luck") {
		t.Errorf("over the game stands %q", h.texts())
	}
	h.frame(func(in *widgets.Input) {
		p := widgets.KeyPress{Key: widgets.KeyTab, Name: "Tab"}
		in.Press, in.Keys = p, []widgets.KeyPress{p}
	})
	if h.rest(); !h.says("shall we?") {
		t.Errorf("in the open chat stands %q", h.texts())
	}
}
