package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// TestEveryFailureHasWordsAndAWay: whatever ends a session, there is a sentence,
// and a way on.
func TestEveryFailureHasWordsAndAWay(t *testing.T) {
	for name, err := range map[string]error{
		"refused":   &notice.Failure{Result: notice.ResultLost, Err: errors.New("the password is wrong"), Hint: "ask for it"},
		"lost":      &notice.Failure{Result: notice.ResultLost, Err: errors.New("the game host is silent")},
		"desync":    &notice.Failure{Result: notice.ResultDesync, Err: errors.New("Bob's console differs at frame 60")},
		"core":      &notice.Failure{Result: notice.ResultCore, Err: errors.New("the core crashed (SIGSEGV)"), Hint: "another core (\"nettplay cores\")"},
		"port":      fmt.Errorf("listen on UDP :21204: %w", link.ErrPortInUse),
		"core gone": &emucore.NoCoreError{Name: "melonds", Found: []string{"DeSmuME"}},
		"any":       errors.New("something else"),
	} {
		m, _ := hosted(t)
		m.session.Over(notice.Report{}, err)
		at(t, m, screen.Ended)
		e := m.session.Ending
		if e.Title == "" || !strings.HasSuffix(e.Words, ".") || strings.ToUpper(e.Words[:1]) != e.Words[:1] || !e.Again {
			t.Errorf("%s: %+v", name, e)
		}
		if strings.Contains(e.Hint, "\"nettplay ") {
			t.Errorf("%s: the hint tells of a command line: %s", name, e.Hint)
		}
		m.Commands()
		m.session.Retry()
		if !strings.Contains(kinds(m.Commands()), "OpenSession") {
			t.Errorf("%s: trying again does nothing", name)
		}
		m.session.Over(notice.Report{}, err)
		m.GoBack()
		at(t, m, screen.Home)
	}
}

// TestAnotherBuildIsNoFailure: a room on another build of the core does not let us in, and
// nothing has failed.
func TestAnotherBuildIsNoFailure(t *testing.T) {
	refused := &notice.Failure{
		Result: notice.ResultCore, Err: errors.New("the room plays on DeSmuME 1 (2a4f), your machine on DeSmuME 2 (77aa)"),
		Hint: "all must have the same build", Refused: true,
	}
	m := endedScene(refused)(t)
	if e := m.session.Ending; e.Title != "You could not join the room" || e.Hint == "" {
		t.Errorf("a player is told %+v", e)
	}
	if trouble := watchTrouble(refused, false); trouble.Title != "You cannot watch this room" {
		t.Errorf("a spectator is told %+v", trouble)
	}
}

// TestDesyncInARoomThatGoesOn: back in the lobby, with the reason.
func TestDesyncInARoomThatGoesOn(t *testing.T) {
	m, _ := hosted(t)
	m.session.Notice(notice.Playing{})
	m.session.Notice(notice.GameOver{Err: &notice.Failure{Result: notice.ResultDesync, Err: errors.New("consoles differ")}})
	at(t, m, screen.Lobby)
	if m.session.Room.Last == nil || m.session.Room.Last.Title == "" || m.session.Room.Last.Hint == "" {
		t.Errorf("how the game ended: %+v", m.session.Room.Last)
	}
}

// TestCloseAtEveryMoment: closing the window leaves the room first, whatever is
// on the screen, and ends the program once.
func TestCloseAtEveryMoment(t *testing.T) {
	m := homeShell(t)
	m.session.Close()
	if got := kinds(m.Commands()); got != "Quit" {
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
		m.Commands()
		m.session.Close()
		m.session.Close()
		if got := kinds(m.Commands()); got != "EndSession" {
			t.Errorf("%s: closing wants %q", name, got)
		}
		m.session.Over(notice.Report{}, nil)
		if got := kinds(m.Commands()); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
	// Before the session has told how to act on it.
	m = homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	m.Commands()
	m.session.Close()
	if got := kinds(m.Commands()); got != "EndSession" {
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
		m.Commands()
		h.frame(func(in *widgets.Input) { in.Close = true })
		if c.asks == "" {
			if m.Question != nil || !m.Closing {
				t.Errorf("%s: closing asks %+v", name, m.Question)
			}
			continue
		}
		if m.Question == nil || !strings.Contains(m.Question.Hint, c.asks) || kinds(m.Commands()) != "" {
			t.Errorf("%s: closing asks %+v", name, m.Question)
			continue
		}
		h.press("Return") // the default is to stay
		if m.Question != nil || m.Closing || kinds(m.Commands()) != "" {
			t.Errorf("%s: no to the question closes", name)
		}
		m.session.AskClose()
		h.rest()
		h.press("Tab", "Return")
		if got := kinds(m.Commands()); got != "EndSession" || !m.Closing {
			t.Errorf("%s: yes to the question wants %q", name, got)
		}
		m.session.Over(notice.Report{}, nil)
		if got := kinds(m.Commands()); got != "Quit" {
			t.Errorf("%s: after the session %q", name, got)
		}
	}
}

// TestWhoEndedTheGame: the lobby says who ended the game, and what is to be done now. The one
// who did it knows.
func TestWhoEndedTheGame(t *testing.T) {
	m, c := hosted(t)
	h := newHand(t, m, small, 1)
	over := func(why string) string {
		t.Helper()
		m.session.Notice(notice.Playing{})
		if why == "" {
			m.session.AskEndGame()
			m.Answer(true)
			why = c.said[len(c.said)-1]
		}
		m.session.Notice(notice.GameOver{Why: why})
		m.session.Notice(notice.Blockers{Words: []string{"Bob is not ready yet", "Carl is not ready yet"}})
		at(t, m, screen.Lobby)
		h.rest()
		return strings.Join(h.texts(), " ")
	}
	if words := over("Bob has left"); !strings.Contains(words, "The game is over. Bob has left.") || !strings.Contains(words, "Bob is not ready yet. Carl is not ready yet.") {
		t.Errorf("the lobby says %q", words)
	}
	if words := over(""); strings.Contains(words, "The game is over") || c.said[0] != "end" {
		t.Errorf("having ended the game ourselves (%q), the lobby says %q", c.said, words)
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
	m.Commands()
	m.GoBack()
	if m.Question == nil || !strings.Contains(m.Question.Words, "Leave your room") {
		t.Fatalf("closing a room with others in it asks %+v", m.Question)
	}
	m.Answer(false)
	if got := kinds(m.Commands()); got != "" || m.Question != nil {
		t.Errorf("no means %q", got)
	}
	m.GoBack()
	m.Answer(true)
	if got := kinds(m.Commands()); got != "EndSession" {
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

func TestAnnounceFollowsTheRoom(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.Password = "x"
	m.host.OpenRoom()
	m.session.Opened(&fakeControl{})
	m.Commands()
	beacon := func() room.Announce {
		t.Helper()
		list := m.Commands()
		for _, c := range slices.Backward(list) {
			if a, ok := c.(room.Announce); ok {
				return a
			}
		}
		t.Fatal("nothing is said to the local network")
		return room.Announce{}
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
	a := beacon()
	want := lan.Beacon{
		Port: 21204, ROM: [8]byte{1}, Players: 2, Seats: 4, Password: true, Late: true,
		Room: "Ann's room", Host: "Ann", Game: "Pad test", Core: "DeSmuME", Program: "test",
	}
	if !a.On || a.Beacon != want {
		t.Errorf("announced: %+v, want %+v", a.Beacon, want)
	}
	playing := testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true))
	playing.Settings.Spectators, playing.Settings.NoLateJoin = 1, true
	m.session.Notice(notice.RoomNotice{Room: playing})
	if a := beacon(); !a.Beacon.Playing || !a.Beacon.Watch || a.Beacon.Late {
		t.Errorf("a game that runs, and that one may watch, is announced as %+v", a.Beacon)
	}
	playing.Spectators = []hostroom.Spectator{{Nickname: "Uma"}}
	m.session.Notice(notice.RoomNotice{Room: playing})
	if a := beacon(); a.Beacon.Watch {
		t.Error("a room that nobody more may watch is announced as one to be watched")
	}
	m.session.Leave()
	if a := beacon(); a.On {
		t.Error("a room that closes is still announced")
	}
	m.Config.Room.Announce = false
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
	if a := beacon(); a.On {
		t.Error("a private room is announced")
	}
}

func TestChatIsBoundedAndSaysThingsOnce(t *testing.T) {
	m, _ := hosted(t)
	for range 3 {
		m.session.Notice(notice.Message{Text: "Bob has left"})
	}
	if len(m.session.Room.Lines) != 1 {
		t.Errorf("%d lines", len(m.session.Room.Lines))
	}
	for i := range 1000 {
		m.session.Notice(notice.Message{From: "Bob", Text: fmt.Sprint(i)})
	}
	if len(m.session.Room.Lines) != room.MaxLines {
		t.Errorf("%d lines are kept", len(m.session.Room.Lines))
	}
}

// TestLateNotices: what a session still says after its end changes nothing.
func TestLateNotices(t *testing.T) {
	m, _ := hosted(t)
	m.session.Over(notice.Report{}, nil)
	for _, n := range []notice.Notice{
		notice.RoomNotice{},
		notice.Message{Text: "x"},
		notice.Playing{},
		notice.Waiting{},
		notice.Figures{},
		notice.GameOver{},
		notice.Paused{},
		notice.Blockers{},
		notice.Transfer{},
		notice.Opened{},
		notice.Connecting{},
	} {
		m.session.Notice(n)
		at(t, m, screen.Home)
	}
}

// When a player's line breaks, the game host is asked what to do, and can go on without.
func TestGoingOnWithoutSomebody(t *testing.T) {
	m, c := hosted(t)
	m.session.Notice(notice.Playing{})
	m.session.Notice(notice.Disconnected{Machine: 1, Nickname: "Bob"})
	if !m.session.Room.Run.Menu || len(m.session.Room.Run.Disconnected) != 1 {
		t.Fatalf("%+v", m.session.Room)
	}
	m.session.Notice(notice.Reconnected{Machine: 1})
	if len(m.session.Room.Run.Disconnected) != 0 {
		t.Error("Bob is still away")
	}
	m.session.Notice(notice.Disconnected{Machine: 1, Nickname: "Bob"})
	m.session.GoOnWithout(1)
	if !slices.Contains(c.said, "without 1") || m.session.Room.Run.Menu {
		t.Errorf("%v", c.said)
	}

	// Somebody whose program was killed comes again as another machine.
	m.session.Notice(notice.Disconnected{Machine: 1, Nickname: "Bob"})
	gone := playerIn(1, 1, "Bob", true)
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true), gone)})
	if len(m.session.Room.Run.Disconnected) != 1 {
		t.Error("the game does not wait for Bob, who is still in the room")
	}
	gone.Present = false
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true), gone, playerIn(2, 2, "Bob", true))})
	if run := m.session.Room.Run; len(run.Disconnected) != 0 || run.Menu {
		t.Errorf("Bob is here again, but the game waits for %+v, and the menu that came for him is there: %t", run.Disconnected, run.Menu)
	}
}

// TestAnotherGameInTheLobby: the game host chooses another game without leaving the room; the
// others are told that they are to get ready for that one.
func TestAnotherGameInTheLobby(t *testing.T) {
	m, c := hosted(t)
	ann, bob := playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true)
	m.lobby.PickGame()
	at(t, m, screen.Games)
	m.games.Pick(m.Games.Games[1])
	at(t, m, screen.Lobby)
	if got := fmt.Sprint(c.said); got != "[rom 2]" {
		t.Errorf("of the session is wanted %s", got)
	}
	ann.ROM = hostroom.ROMID{SHA256: [32]byte{2}, Title: "Zebra"}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob)})
	if r := m.session.Room; r.Game == nil || r.Game.Title != "Zebra" || r.Chosen != "" {
		t.Errorf("the game host's room has the game %+v", r.Game)
	}

	m = homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "a"
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	ann.ROM = bob.ROM
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob), Me: 1})
	if r := m.session.Room; r.Chosen != "" || r.Game == nil || r.Game.Title != "Pad test" {
		t.Errorf("who has just come is told of another game: %q, %+v", r.Chosen, r.Game)
	}
	ann.ROM = hostroom.ROMID{SHA256: [32]byte{2}, Title: "Zebra"}
	bob.ROM, bob.Ready = ann.ROM, false
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob), Me: 1})
	if r := m.session.Room; r.Chosen != "Zebra" || r.Game.Title != "Zebra" {
		t.Errorf("the others are told of %q", r.Chosen)
	}
	m.session.Ready(true)
	if m.session.Room.Chosen != "" {
		t.Error("who is ready again is still told")
	}
}
