package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	romstest "github.com/nettplay/nettplay/roms-test"
)

// TestBeginInARoom: a start that is told to host or join does so as soon as the core
// is known, and says why when it cannot.
func TestBeginInARoom(t *testing.T) {
	must.HaveLinux(t, "words for Linux")
	paths, err := romstest.WriteFiles(t.TempDir(), romstest.ROM{Name: "pad.nds", Data: romstest.Pad})
	must.Succeed(t, err)
	for name, begin := range map[string]func(*Shell){
		"host": OpenGame(paths[0], "secret", 2, func(c *config.Config) {
			c.Room.Seats, c.Room.Delay, c.Room.LateJoin, c.Room.Spectators = 3, 7, false, 5
			c.Room.KeepConsoles, c.Room.Sync = true, config.Clocked
		}), "join": JoinAddress("10.0.0.1:5000", "secret", 3),
	} {
		m := newShell(config.Defaults(), memory.Memory{}, "test", fontStore())
		begin(m)
		calls(m)
		m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME"}})
		at(t, m, screen.Joining)
		open := opened(m)
		switch {
		case name == "host" && (open.Host == nil || open.Host.Seats != 3 || open.Host.Delay != 7 || open.Host.Password != "secret" || open.Host.LateJoin || open.Host.Spectators != 5 || open.Host.Sync != config.Clocked || m.Config.Room.Sync != config.Clocked || !m.Config.Room.KeepConsoles || len(open.LocalPlayers) != 1):
			t.Errorf("host opens %+v", open.Host)
		case name == "join" && (open.Join == nil || open.Join.Address != "10.0.0.1:5000" || open.Join.Password != "secret" || len(open.LocalPlayers) != 2):
			t.Errorf("join opens %+v", open.Join)
		}
	}
	m := newShell(config.Defaults(), memory.Memory{}, "test", fontStore())
	OpenGame("/nowhere/game.nds", "", 1, func(*config.Config) {})(m)
	m.CoreFound(screen.Core{Found: true})
	if m.Trouble == nil || !strings.Contains(m.Trouble.Words, "gone") {
		t.Errorf("a game that is not there: %+v", m.Trouble)
	}
	m = newShell(config.Defaults(), memory.Memory{}, "test", fontStore())
	JoinAddress("10.0.0.1", "", 1)(m)
	m.CoreFound(screen.Core{Trouble: screen.NoCore(&emucore.NoCoreError{AptLine: emucore.AptLine})})
	if m.Trouble == nil || m.Trouble.Copy == "" {
		t.Errorf("without a core: %+v", m.Trouble)
	}
}

// asksAboutLink fails the test unless the player is asked whether to join the room of a link, and nothing else happens.
func asksAboutLink(t *testing.T, m *Shell, words, hint string) *screen.Question {
	t.Helper()
	at(t, m, screen.Home)
	if m.Question == nil || m.Question.Words != words || !strings.Contains(m.Question.Hint, hint) || strings.Contains(kinds(calls(m)), "OpenSession") {
		t.Fatalf("it asks %+v", m.Question)
	}
	return m.Question
}

// TestWindowThatIsOpenTakes: what a desktop opens comes to the window that is there, before and after the core
// is known, as long as the player does nothing else in it; a friend's answer comes to the lobby. A link joins nothing
// before the player has said so, once.
func TestWindowThatIsOpenTakes(t *testing.T) {
	m := newShell(config.Defaults(), memory.Memory{Welcomed: true}, "test", fontStore())
	if m.Take("/home/ann/notes.txt") || m.Take("https://example.org/") || !m.Take(sampleWeb) || m.Take("/roms/game.nds") {
		t.Error("at the start it takes a note, or no invitation, or two things")
	}
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "DeSmuME"}})
	asksAboutLink(t, m, "Join the room of this link?", "not met")
	m.Answer(false)
	if at(t, m, screen.Home); m.Question != nil || kinds(calls(m)) != "" {
		t.Error("who says no joins, or is asked again")
	}

	m = homeShell(t)
	m.Met = func(seal.Public) string { return "Anna" }
	m.Go(screen.Settings)
	if !m.Take(sampleInvitation) {
		t.Error("it does not take an invitation")
	}
	q := asksAboutLink(t, m, "Join Anna's room?", "met Anna before")
	if !m.Take(sampleWeb) || !m.Take("nettplay://join/1abc") || m.Question != q {
		t.Error("while it asks about a link, another one opens a window, or takes its place")
	}
	if m.Take("/home/ann/game.nplog") {
		t.Error("while it asks about a link it plays a recording")
	}
	m.Answer(true)
	at(t, m, screen.Joining)
	if got := m.session.Room.Address; got != sampleInvitation || m.Question != nil {
		t.Errorf("it joins %q, and asks %+v", got, m.Question)
	}
	if m.Take(sampleInvitation) || m.Take("/home/ann/game.nplog") {
		t.Error("it leaves a room for another one")
	}

	for _, link := range []string{sampleInvitation[:60], "nettplay://RE9C-X4JK-K757-8HF0@evil.example:1", strings.Replace(sampleInvitation, "join", "answer", 1)} {
		if m = homeShell(t); !m.Take(link) || m.Question != nil || kinds(calls(m)) != "" || len(m.Toasts) != 1 {
			t.Errorf("%s: it asks %+v, says %v", link, m.Question, m.Toasts)
		}
		at(t, m, screen.Home)
	}

	m, c := hosted(t)
	if !m.Take("nettplay://answer/1abc") || m.Take(sampleInvitation) || !slices.Equal(c.said, []string{"let in nettplay://answer/1abc"}) {
		t.Errorf("in the lobby it does %q", c.said)
	}

	m = homeShell(t)
	m.cores.GetForRoom(hostroom.UsedCore{}, func() { t.Error("a room is joined") })
	if m.Take(sampleInvitation) {
		t.Error("while a core is got for a room it takes another room")
	}
	if m.Drop("/home/ann/game.nplog"); m.viewer.Watching != nil {
		t.Error("while a core is got for a room it plays a recording")
	}

	m = homeShell(t)
	if !m.Take("/home/ann/game.npmoment") {
		t.Error("it does not take a kept moment")
	}
	at(t, m, screen.Moments)
}
