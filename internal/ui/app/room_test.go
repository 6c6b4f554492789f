package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
)

// TestEveryFailureHasWordsAndAWay: whatever ends a session, there is a sentence,
// and a way on.
func TestEveryFailureHasWordsAndAWay(t *testing.T) {
	for name, err := range map[string]error{
		"refused":   &notice.Failure{Result: notice.ResultLost, Err: errors.New("the password is wrong"), Hint: "ask for it"},
		"lost":      &notice.Failure{Result: notice.ResultLost, Err: errors.New("the game host is silent")},
		"desync":    &notice.Failure{Result: notice.ResultDesync, Err: errors.New("Bob's console differs at frame 60")},
		"core":      &notice.Failure{Result: notice.ResultCore, Err: &emucore.CrashError{Core: "DeSmuME", Signal: "SIGSEGV"}, Hint: notice.CoreHint(&emucore.CrashError{})},
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
		calls(m)
		m.session.Retry()
		if !strings.Contains(kinds(calls(m)), "OpenSession") {
			t.Errorf("%s: trying again does nothing", name)
		}
		m.session.Over(notice.Report{}, err)
		m.GoBack()
		at(t, m, screen.Home)
	}
}

// TestWaysOnAfterTheEnd: another address is offered where the room did not let us in, and other cores where ours has crashed.
func TestWaysOnAfterTheEnd(t *testing.T) {
	crash := &notice.Failure{Result: notice.ResultCore, Err: &emucore.CrashError{Core: "DeSmuME", Signal: "SIGSEGV"}}
	lost := &notice.Failure{Result: notice.ResultLost, Err: errors.New("the game host is silent")}
	for name, c := range map[string]struct {
		shell          *Shell
		address, cores bool
	}{
		"not let in":  {endedScene(lost)(t), true, false},
		"lost later":  {endedWithin(lost)(t), false, false},
		"a crash":     {endedWithin(crash)(t), false, true},
		"crashed yet": {endedScene(crash)(t), false, true},
	} {
		h := newHand(t, c.shell, small, 1)
		h.rest()
		if h.says("Change the address") != c.address || h.says("Cores") != c.cores {
			t.Errorf("%s: %q", name, h.texts())
		}
	}
}

// TestAnotherBuildIsNoFailure: a room on another build of the core does not let us in, and
// nothing has failed.
func TestAnotherBuildIsNoFailure(t *testing.T) {
	refused := &notice.Failure{
		Result: notice.ResultCore, Err: errors.New("the room plays on DeSmuME 1 (2a4f), your computer on DeSmuME 2 (77aa)"),
		Hint: "all must have the same build", Refused: true,
	}
	m := endedScene(refused)(t)
	if e := m.session.Ending; e.Title != "You could not join the room" || e.Hint == "" {
		t.Errorf("a player is told %+v", e)
	}
	m = atHome(func(m *Shell) {
		m.Go(screen.Join)
		m.join.ChooseRoom(sampleRooms()[0])
		m.join.EnterRoom()
		m.session.Over(notice.Report{}, refused)
	})(t)
	if e := m.session.Ending; e.Title != "You could not join Bob's room" {
		t.Errorf("a player who chose a room is told %+v", e)
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
		m.session.Notice(notice.Blockers{List: []hostroom.Blocker{{Cause: hostroom.CauseReady, Machine: 1, Seat: 1, Words: "Bob is not ready"}, {Cause: hostroom.CauseReady, Machine: 2, Seat: 2, Words: "Carl is not ready"}}})
		at(t, m, screen.Lobby)
		h.rest()
		return strings.Join(h.texts(), " ")
	}
	if words := over("Bob has left"); !strings.Contains(words, "The game is over. Bob has left.") || !strings.Contains(words, "Bob is not ready. Carl is not ready.") {
		t.Errorf("the lobby says %q", words)
	}
	if words := over(""); strings.Contains(words, "The game is over") || c.said[0] != "end" {
		t.Errorf("having ended the game ourselves (%q), the lobby says %q", c.said, words)
	}
}

func TestAnnounceFollowsTheRoom(t *testing.T) {
	m := homeShell(t)
	m.games.PickFor(start.ForHost)
	m.games.Pick(m.Games.Games[0])
	m.host.Form.Password = "x"
	m.host.OpenRoom()
	m.session.Opened(&fakeControl{})
	calls(m)
	beacon := func() (b lan.Beacon, on bool) {
		t.Helper()
		for _, c := range slices.Backward(calls(m)) {
			switch c.name {
			case "Announce":
				return c.args[0].(lan.Beacon), true
			case "StopAnnouncing":
				return b, false
			}
		}
		t.Fatal("nothing is said to the local network")
		return b, false
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))})
	b, on := beacon()
	want := lan.Beacon{
		Port: 21204, ROM: [8]byte{1}, Players: 2, Seats: 4, Password: true, Late: true,
		Room: "Ann's room", Host: "Ann", Game: "Pad test", Core: "DeSmuME", Program: "test",
	}
	if !on || b != want {
		t.Errorf("announced: %+v, want %+v", b, want)
	}
	playing := testRoom(hostroom.PhasePlaying, playerIn(0, 0, "Ann", true))
	playing.Settings.Spectators, playing.Settings.NoLateJoin = 1, true
	m.session.Notice(notice.RoomNotice{Room: playing})
	if b, _ := beacon(); !b.Playing || !b.Watch || b.Late {
		t.Errorf("a game that runs, and that one may watch, is announced as %+v", b)
	}
	playing.Spectators = []hostroom.Spectator{{Nickname: "Uma"}}
	m.session.Notice(notice.RoomNotice{Room: playing})
	if b, on := beacon(); !on || b.Watch {
		t.Error("a room that nobody more may watch is announced as one to be watched")
	}
	m.session.Leave()
	if _, on := beacon(); on {
		t.Error("a room that closes is still announced")
	}
	m.Config.Room.Announce = false
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
	if _, on := beacon(); on {
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

// When a player's connection breaks, the game host is asked what to do, and can go on without.
func TestGoingOnWithoutSomebody(t *testing.T) {
	m, c := hosted(t)
	m.session.Notice(notice.Playing{})
	m.Toasts = nil
	m.session.Notice(notice.Reconnected{Machine: 1}) // to the next game host, say: its loss was not told
	if len(m.Toasts) != 0 {
		t.Errorf("of a connection that was not lost it is said: %+v", m.Toasts)
	}
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
