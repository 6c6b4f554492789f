package app

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/internal/saves"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestCloseAtEveryMoment: closing the window leaves the room first, whatever is
// on the screen, and ends the program once.
func TestCloseAtEveryMoment(t *testing.T) {
	m := homeShell(t)
	m.session.Close()
	if got := kinds(calls(m)); got != "Quit" {
		t.Errorf("at home: %q", got)
	}
	moments := map[string]func(*Shell){
		"in the lobby": func(*Shell) {},
		"in a game":    func(m *Shell) { m.session.Notice(notice.Playing{}) },
		"in the menu":  func(m *Shell) { m.session.Notice(notice.Playing{}); m.GoBack() },
		"while asked":  func(m *Shell) { m.session.AskLeave() },
	}
	for name, moment := range moments {
		m, _ := hosted(t)
		moment(m)
		calls(m)
		m.session.Close()
		m.session.Close()
		if got := kinds(calls(m)); got != "EndSession" {
			t.Errorf("%s: closing wants %q", name, got)
		}
		m.session.Over(notice.Report{}, nil)
		if got := kinds(calls(m)); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
	// Before the session has told how to act on it.
	m = homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	calls(m)
	m.session.Close()
	if got := kinds(calls(m)); got != "EndSession" {
		t.Errorf("while a room opens: %q", got)
	}
}

// TestCloseAsks: closing the window asks where others, or what was not saved, would be lost,
// and nowhere else.
func TestCloseAsks(t *testing.T) {
	for name, c := range map[string]struct {
		make func() *Shell
		asks string // in the question; "" for none
	}{
		"at home":             {func() *Shell { return homeShell(t) }, ""},
		"in a lobby of two":   {func() *Shell { m, _ := hosted(t); return m }, "Another player becomes the game host"},
		"in a game of two":    {func() *Shell { return gameScene([]string{"Ann", "Bob"}, 1, nil)(t) }, "ends the game for Bob"},
		"in a game of three":  {func() *Shell { return gameScene(longNames[:3], 1, nil)(t) }, "becomes the game host"},
		"in a game by itself": {func() *Shell { return gameScene([]string{"Ann", "Amy"}, 2, nil)(t) }, "Nobody else"},
		"as one of three": {func() *Shell {
			m := gameScene(longNames[:3], 1, nil)(t)
			m.session.Room.Hosting = false
			return m
		}, "The others play on."},
		"as a guest in the lobby": {func() *Shell {
			m, _ := hosted(t)
			m.session.Room.Hosting = false
			return m
		}, ""},
	} {
		m := c.make()
		h := newHand(t, m, small, 1)
		h.rest()
		calls(m)
		h.frame(func(in *widgets.Input) { in.Close = true })
		if c.asks == "" {
			if m.Question != nil || !m.Closing {
				t.Errorf("%s: closing asks %+v", name, m.Question)
			}
			continue
		}
		if m.Question == nil || !strings.Contains(m.Question.Hint, c.asks) || kinds(calls(m)) != "" {
			t.Errorf("%s: closing asks %+v", name, m.Question)
			continue
		}
		h.press("Return") // the default is to stay
		if m.Question != nil || m.Closing || kinds(calls(m)) != "" {
			t.Errorf("%s: no to the question closes", name)
		}
		m.session.AskClose()
		h.rest()
		h.press("Tab", "Return")
		if got := kinds(calls(m)); got != "EndSession" || !m.Closing {
			t.Errorf("%s: yes to the question wants %q", name, got)
		}
		m.session.Over(notice.Report{}, nil)
		if got := kinds(calls(m)); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
}

// TestLeavingShows: what takes a while says so, and hears nothing meanwhile.
func TestLeavingShows(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, small, 1)
	m.session.Leave()
	if h.rest(); h.ui.Busy() {
		t.Error("what may be over in a moment flashes")
	}
	h.in.Now += time.Second
	if h.rest(); !h.ui.Busy() {
		t.Error("nothing shows that the room is being left")
	}
	m.session.Over(notice.Report{}, nil)
	if h.rest(); h.ui.Busy() || m.Current != screen.Home {
		t.Error("it still shows when that is over")
	}
}

func TestLeaveAsks(t *testing.T) {
	m, _ := hosted(t)
	calls(m)
	m.GoBack()
	if m.Question == nil || !strings.Contains(m.Question.Words, "Leave your room") {
		t.Fatalf("closing a room with others in it asks %+v", m.Question)
	}
	m.Answer(false)
	if got := kinds(calls(m)); got != "" || m.Question != nil {
		t.Errorf("no means %q", got)
	}
	m.GoBack()
	m.Answer(true)
	if got := kinds(calls(m)); got != "EndSession" {
		t.Errorf("yes means %q", got)
	}
	m.session.Over(notice.Report{}, nil)
	at(t, m, screen.Home)
}

// TestLeaveSaysWhatEnds: the question calls it as the button of the menu does, and names a player for whom
// the game ends with it.
func TestLeaveSaysWhatEnds(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(notice.Playing{})
	m.session.AskLeave()
	expectWords(t, "the question", m.Question.Words+" "+m.Question.Hint, "Leave the room?", "This ends the game for Bob, too.")
	m.session.Room.Room.Players = append(m.session.Room.Room.Players, playerIn(2, 2, "Cleo", true))
	m.session.AskLeave()
	expectWords(t, "the question", m.Question.Words+" "+m.Question.Hint, "Leave the room?", "The others play on")
	m.session.Room.Local = 2
	m.session.AskLeave()
	expectWords(t, "the question", m.Question.Words, "End the game?")
}

// TestQuitAsks: the first screen's button asks too, where a save would be lost with the program.
func TestQuitAsks(t *testing.T) {
	m := homeShell(t)
	m.Unsaved = []saves.UnwrittenSave{{Name: "Trading Post", Why: errors.New("no space left on device")}}
	h := newHand(t, m, small, 1)
	clickWidget(t, h, "Quit")
	if m.Question == nil || !strings.Contains(m.Question.Words, "lose your save of Trading Post") || wants(calls(m), "Quit") {
		t.Fatalf("the program ends over it: %+v", m.Question)
	}
	m.Answer(false)
	m.Unsaved = nil
	clickWidget(t, h, "Quit")
	if m.Question != nil || !wants(calls(m), "Quit") {
		t.Errorf("the program does not end: %+v", m.Question)
	}
}

// closing is an engine whose last room is still being left: its router is asked. posted runs what it has posted since, until
// that has happened.
func closing(t *testing.T) (m *Shell, e *engine, left func(), until func(what string, happened func() bool)) {
	t.Helper()
	posts := make(chan func(*Shell), 100)
	e = newEngine(Places{}, "test", &recordedIO{}, func(f func(*Shell)) { posts <- f })
	before := &running{e: e, stop: func() {}, done: make(chan struct{})}
	e.running = before
	m = homeShell(t)
	e.shell = m
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	return m, e, func() { close(before.done) }, func(what string, happened func() bool) {
		t.Helper()
		for late := time.After(20 * time.Second); !happened(); {
			select {
			case f := <-posts:
				f(m)
			case <-late:
				t.Fatalf("it does not come to this: %s", what)
			}
		}
	}
}

// openNow has the engine do what opens a room, and makes sure that the window need not wait for it.
func openNow(t *testing.T, m *Shell, e *engine) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, c := range calls(m) {
			if open, is := opening(c); is {
				open.Moment = filepath.Join(t.TempDir(), "none.npmoment") // it ends as soon as it begins
				e.OpenSession(open)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("the window stands while the last room is left")
	}
}

// TestNextRoomWaits: a room is opened once the one before is left, which may take seconds; the window says so,
// and takes no for an answer.
func TestNextRoomWaits(t *testing.T) {
	m, e, left, until := closing(t)
	openNow(t, m, e)
	until("it says what it waits for", func() bool { return m.session.Room.After })
	h := newHand(t, m, small, 1)
	h.rest()
	expectWords(t, "the window", strings.Join(h.texts(), " "), "Leaving the last room")
	left()
	until("it goes on", func() bool { return m.session.Room == nil || !m.session.Room.After })
	until("it has tried", func() bool { return m.Current == screen.Ended })
	<-e.running.done
}

func TestNextRoomIsCancelled(t *testing.T) {
	m, e, left, until := closing(t)
	openNow(t, m, e)
	until("it says what it waits for", func() bool { return m.session.Room.After })
	m.session.AskLeave()
	for _, c := range calls(m) {
		if c.name == "EndSession" {
			e.EndSession()
		}
	}
	until("the player is home", func() bool { return m.Current == screen.Home })
	openAgain := e.running
	left()
	<-openAgain.done
	e.jobs.Wait()
}

// TestProgramEndsBehindTheWindow: what still has to end when the player closes the program is waited for where the window
// goes on.
func TestProgramEndsBehindTheWindow(t *testing.T) {
	_, e, left, _ := closing(t)
	wait, ended := e.leave(), make(chan struct{}) // returns at once
	go func() {
		defer close(ended)
		wait()
	}()
	select {
	case <-ended:
		t.Fatal("the program ends over a room that is being left")
	case <-time.After(50 * time.Millisecond):
	}
	left()
	<-ended
}
