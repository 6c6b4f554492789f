package app

import (
	"slices"
	"testing"

	"github.com/nettplay/nettplay/internal/ui/gameview"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// TestQuestionOwnsTheKeyboard: with a question over the game's menu, keys reach neither the
// menu nor the chat below it, and Enter ends nothing.
func TestQuestionOwnsTheKeyboard(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, nil)(t)
	c := &fakeControl{}
	m.session.Opened(c)
	calls(m)
	h := newHand(t, m, small, 1)
	h.rest()
	h.press("Escape")
	if !m.session.Room.Run.Menu {
		t.Fatal("Escape does not open the menu")
	}
	h.press("Tab", "Tab")
	m.session.AskEndGame()
	h.rest()
	h.press("Tab", "Tab", "Tab", "Tab", "Return")
	if len(c.said) != 0 || m.Question != nil || !m.session.Room.Run.Menu {
		t.Errorf("going round in the question: %q, asked %+v", c.said, m.Question)
	}
	if got := kinds(calls(m)); got != "" {
		t.Errorf("the menu below the question did %s", got)
	}
	m.session.AskEndGame()
	h.rest()
	h.press("Tab", "Return")
	if !slices.Equal(c.said, []string{"end"}) {
		t.Errorf("Tab and Enter in the question: %q", c.said)
	}
	h.press("Escape")
	if at(t, m, screen.Playing); m.session.Room.Run.Menu {
		t.Error("Escape does not close the menu")
	}
}

// TestMenuPlaysOnByEnter: the menu's default.
func TestMenuPlaysOnByEnter(t *testing.T) {
	m := gameScene([]string{"Ann", "Bob"}, 1, func(m *Shell, b *hub) { b.view.Do(gameview.NextLayout) })(t)
	h := newHand(t, m, small, 1)
	h.rest()
	h.press("Escape", "Return")
	if m.session.Room.Run.Menu {
		t.Error("Enter does not play on")
	}
}
