package main

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/autodelay"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/language"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
)

// told is what a console writes for some notices, on a terminal of so many
// columns, or on none.
func told(columns int, change func(*console), notices ...notice.Notice) string {
	var out bytes.Buffer
	c := newConsole(&environment{stderr: &out, columns: columns}, false)
	if change != nil {
		change(c)
	}
	for _, n := range notices {
		c.notice(n)
	}
	return out.String()
}

func expect(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("%q is not in:\n%s", part, got)
		}
	}
}

func lobby(players ...room.Player) notice.RoomNotice {
	for i := range players {
		players[i].Seat, players[i].Present = ds.Seat(i), true
		players[i].ROM.Title = "Kart"
	}
	settings := room.Settings{Room: "Ann's room", Seats: 4, MinPlayers: 2, Delay: 1}
	return notice.RoomNotice{Room: room.Room{Settings: settings, Players: players, Phase: room.PhaseLobby}}
}

func TestRosterIsToldOnceAndInColumns(t *testing.T) {
	ann, bob := room.Player{Nickname: "Ann", Ready: true}, room.Player{Nickname: "Bartholomé", Ready: true}
	both := lobby(ann, bob)
	got := told(0, nil, both, both)
	want := "Ann's room: 2 of 4 seats taken, input delay 1 frame\n" +
		"  seat 1   Ann         Kart: ready\n" +
		"  seat 2   Bartholomé  Kart: ready\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A delay that keeps itself has no number before the game begins.
func TestRosterTellsTheDelay(t *testing.T) {
	n := lobby(room.Player{Nickname: "Ann", Ready: true})
	n.Room.Settings.AutoDelay = autodelay.Party
	expect(t, told(0, nil, n), "1 of 4 seats taken, input delay auto (party)\n")
}

func TestRosterHasThoseWhoWatch(t *testing.T) {
	n := lobby(room.Player{Nickname: "Ann", Ready: true})
	n.Room.Spectators = []room.Spectator{{Nickname: "Uma"}, {Number: 2, Nickname: "Vic"}}
	expect(t, told(0, nil, n), "1 of 4 seats taken", "  watching: Uma, Vic\n")
}

func TestRosterNamesWhatHoldsUpTheStart(t *testing.T) {
	got := told(0, nil, lobby(room.Player{Nickname: "Ann", Ready: true}, room.Player{Nickname: "Bob", Problem: "Bob's computer does not have Kart"}))
	expect(t, got, "Bob  Kart: Bob's computer does not have Kart\n")
}

// While a machine looks for the games there is no roster worth telling, only a
// line that goes away.
func TestLookingIsNoRoster(t *testing.T) {
	looking := lobby(room.Player{Nickname: "Ann", Cause: room.CauseCheck, Problem: "your computer is still looking at the games and settings of the room"})
	if got := told(0, nil, looking); got != "" {
		t.Errorf("without a terminal: %q", got)
	}
	if got := told(80, nil, looking); !strings.HasPrefix(got, "\r\x1b[KYour computer is still looking") || strings.Contains(got, "\n") {
		t.Errorf("on a terminal: %q", got)
	}
}

func TestLongTitlesAreCut(t *testing.T) {
	room := lobby(room.Player{Nickname: "Ann", Ready: true})
	room.Room.Players[0].ROM.Title = strings.Repeat("x", 60)
	expect(t, told(0, nil, room), " "+strings.Repeat("x", 39)+"…: ready")
}

// The line at the bottom comes back below each line that stays, never wraps and
// is gone in the end.
func TestBottomLine(t *testing.T) {
	var out bytes.Buffer
	c := newConsole(&environment{stderr: &out, columns: 20}, false)
	c.notice(notice.Waiting{For: []string{"Bob", "Cleo", "Dan"}})
	c.notice(notice.Message{From: "Bob", Text: "hello"})
	c.over(notice.Report{}, errors.New("told elsewhere"), false)
	want := "\r\x1b[KWaiting for Bob, C…" + "\r\x1b[K" + "<Bob> hello\n" + "\r\x1b[KWaiting for Bob, C…" + "\r\x1b[K"
	if out.String() != want {
		t.Errorf("got %q\nwant %q", out.String(), want)
	}
}

func TestProgressBar(t *testing.T) {
	got := told(80, nil,
		notice.CatchingUp{Behind: 120},
		notice.Transfer{},
		notice.Transfer{Down: room.Progress{Done: 5e6, Total: 20e6}},
		notice.Transfer{Up: room.Progress{Done: 20e6, Total: 20e6}, Down: room.Progress{Done: 1, Total: 1}})
	want := "\r\x1b[KCatching up with the game: 2 s behind" + "\r\x1b[K" +
		"\r\x1b[KReceiving saves and states [#######.......................] 5.0 of 20.0 MB" +
		"\r\x1b[KSending saves and states [##############################] 20.0 of 20.0 MB"
	if got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestOpenedTellsHowToJoin(t *testing.T) {
	usual := told(0, nil, notice.Opened{Addr: "0.0.0.0:21204"})
	expect(t, usual, "  nettplay join 127.0.0.1   (on this computer)\n", "open on UDP port 21204")
	other := told(0, nil, notice.Opened{Addr: "0.0.0.0:4000", Locked: true})
	expect(t, other, "  nettplay join 127.0.0.1:4000 --password ...   (on this computer)\n")
}

// TestInvitationIsToldOnce: what is known of the router changes, the line to send does not.
func TestInvitationIsToldOnce(t *testing.T) {
	var out bytes.Buffer
	c := newConsole(&environment{stderr: &out}, false)
	c.invited(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Asking your router"})
	c.invited(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Your router lets nobody in"})
	for range 2 {
		c.invited(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Your router lets nobody in", Code: "RE9C-X4JK-K757-8HF0", CodeAt: "RE9C-X4JK-K757-8HF0@relay.example.org"})
	}
	for range 2 {
		c.invited(launch.Invitation{Text: "nettplay://join/AQEC", Words: "Your router lets nobody in", Code: "RE9C-X4JK-K757-8HF0", CodeAt: "RE9C-X4JK-K757-8HF0@relay.example.org", Web: "https://relay.example.org/join#AQEC"})
	}
	if n := strings.Count(out.String(), "\nhttps://relay.example.org/join#AQEC\n"); n != 1 {
		t.Errorf("the link of the web is told %d times:\n%s", n, out.String())
	}
	expect(t, out.String(), "\nnettplay://join/AQEC\n", "Your router lets nobody in", "  RE9C-X4JK-K757-8HF0@relay.example.org\n")
	if n := strings.Count(out.String(), "RE9C"); n != 1 {
		t.Errorf("the code is told %d times:\n%s", n, out.String())
	}
	if n := strings.Count(out.String(), "nettplay://"); n != 1 {
		t.Errorf("told %d times:\n%s", n, out.String())
	}
}

// TestInvitationFitsATerminal: sentences are broken into lines, the line to send is not, and
// an answer is to be pasted only where something is read.
func TestInvitationFitsATerminal(t *testing.T) {
	link := "nettplay://join/" + strings.Repeat("a", 200)
	v := launch.Invitation{Text: link, Words: "Your router is behind another router, so friends elsewhere may not get through.", Back: true}
	for _, stdin := range []io.Reader{nil, strings.NewReader("")} {
		var out bytes.Buffer
		newConsole(&environment{stdin: stdin, stderr: &out}, false).invited(v)
		for line := range strings.Lines(out.String()) {
			if len(line) > 80 && strings.TrimSpace(line) != link {
				t.Errorf("a long line: %q", line)
			}
		}
		if got := strings.Contains(strings.Join(strings.Fields(out.String()), " "), "paste it here and press Enter"); got != (stdin != nil) {
			t.Errorf("with stdin %v: %s", stdin, out.String())
		}
	}
}

// TestAnswerIsShownWhenItIsNeeded: once, also where the router takes longer than the game host,
// and not to somebody who is in.
func TestAnswerIsShownWhenItIsNeeded(t *testing.T) {
	answer := launch.Invitation{Answer: true, Text: "nettplay://answer/1"}
	in := notice.RoomNotice{}
	for name, x := range map[string]struct {
		events []any
		shown  bool
	}{
		"needed":        {[]any{answer, notice.Unanswered{}}, true},
		"later":         {[]any{notice.Unanswered{}, answer}, true},
		"not needed":    {[]any{answer, in}, false},
		"already in":    {[]any{in, answer}, false},
		"another later": {[]any{notice.Unanswered{}, in, answer}, false},
	} {
		var out bytes.Buffer
		c := newConsole(&environment{stderr: &out}, false)
		for _, e := range x.events {
			switch e := e.(type) {
			case launch.Invitation:
				c.invited(e)
			case notice.Notice:
				c.notice(e)
			}
		}
		if got := strings.Count(out.String(), answer.Text); got > 1 || got == 1 != x.shown {
			t.Errorf("%s: shown %d times:\n%s", name, got, out.String())
		}
	}
}

// TestAnswersAreTakenFromTheTerminal: what a player pastes lets the friend in, whatever stands
// around it; a line that means nothing gets a word.
func TestAnswersAreTakenFromTheTerminal(t *testing.T) {
	var out bytes.Buffer
	c := newConsole(&environment{stdin: strings.NewReader("hello\nBen: nettplay://answer/1 !\nnettplay://join/1\n"), stderr: &out}, false)
	var taken []string
	c.listen(t.Context(), orders{letIn: func(text string) error {
		taken = append(taken, text)
		if !strings.Contains(text, "answer") {
			return errors.New("this is no answer")
		}
		return nil
	}})
	if want := []string{"Ben: nettplay://answer/1 !", "nettplay://join/1"}; !slices.Equal(taken, want) {
		t.Errorf("taken: %q", taken)
	}
	expect(t, out.String(), "Your friend has 20 seconds to come in.", "This is no answer.", `nettplay does not know "hello". You can type: keep NAME`)
}

// TestSaveThatDiffers: the player is asked by what can be done: where nothing can be typed only
// the flag helps, and a save of unknown age has none.
func TestSaveThatDiffers(t *testing.T) {
	n := notice.SaveDiffers{Game: "Kart", At: time.Date(2026, 11, 21, 18, 30, 0, 0, time.Local)}
	got := strings.Join(strings.Fields(told(0, nil, n)), " ")
	if want := "The game goes on with the save of the kept moment. Your save of Kart of 21 November 2026 18:30 is another: it would be set aside, in a file beside your saves. Start with --set-aside to allow it."; got != want {
		t.Errorf("got %q", got)
	}
	n.At = time.Time{}
	expect(t, differWords(n, true), "Your save of Kart is another", `Type "aside" and Enter to allow it, or start with --set-aside.`)
}

// A game that went well, but whose save is lost, is not all well.
func TestLostSaveIsAFailure(t *testing.T) {
	var out bytes.Buffer
	c := &call{env: &environment{stderr: &out}}
	report := notice.Report{Unsaved: []string{"the save of seat 1 could not be kept: the disk is full"}}
	if err := c.leaveBehind(&closers{}, report, nil); err == nil || !strings.Contains(err.Error(), "the disk is full") || errors.As(err, new(*exitError)) {
		t.Errorf("it ends with %v", err)
	}
	var exit *exitError
	if err := c.leaveBehind(&closers{}, report, &notice.Failure{Result: notice.ResultDesync, Err: errors.New("desync")}); !errors.As(err, &exit) || exit.code != exitDesync {
		t.Errorf("after a desync it ends with %v", err)
	}
	expect(t, out.String(), "the disk is full")
}

// TestConsoleSpeaks: a player at a terminal is told things in the language of the settings, what others write stays, and
// what reads a pipe gets English.
func TestConsoleSpeaks(t *testing.T) {
	t.Setenv(language.Variable, "")
	for columns, want := range map[int]string{80: "Du hast den Raum verlassen.\n<Ann> Host\n", 0: "You have left the room.\n<Ann> Host\n"} {
		var out strings.Builder
		c := newConsole(&environment{stderr: &out, columns: columns}, false)
		c.speak("de")
		c.say("You have left the room.")
		c.notice(notice.Message{From: "Ann", Text: "Host"})
		if out.String() != want {
			t.Errorf("with %d columns: %q, want %q", columns, out.String(), want)
		}
	}
}
