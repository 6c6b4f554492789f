package app

import (
	"errors"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/config"
	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// ring is the name of the widget that has the ring, "" for none.
func (h *hand) ring() string {
	for range 3 {
		h.rest()
	}
	for _, g := range h.ui.Targets() {
		if g.ID == h.ui.Focused() {
			return g.Name
		}
	}
	return ""
}

// goTo moves the ring to a widget by Tab.
func (h *hand) goTo(t *testing.T, name string) {
	t.Helper()
	h.rest()
	if h.ring() == name {
		return
	}
	for range len(h.ui.Targets()) + 2 {
		if h.press("Tab"); h.ring() == name {
			return
		}
	}
	t.Fatalf("Tab does not lead to %q", name)
}

// TestRingAfterAGame: after each end of a game the ring is on Start or Ready, wherever it was when the game began, and
// what is still typed for the game goes nowhere.
func TestRingAfterAGame(t *testing.T) {
	me := 0
	roster := func(phase hostroom.Phase, ready bool) notice.RoomNotice {
		return notice.RoomNotice{Me: me, Room: testRoom(phase, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", ready))}
	}
	blocked := notice.Blockers{List: []hostroom.Blocker{{Cause: hostroom.CauseReady, Machine: 1, Seat: 1, Words: "Bob is not ready"}}}
	for _, tt := range []struct {
		who, before, want string
		hosting, turned   bool
	}{
		{who: "host", before: "kick", want: "start", hosting: true},
		{who: "host", before: "log", want: "start", hosting: true},
		{who: "host", before: "say", want: "start", hosting: true},
		{who: "host", before: "settings", want: "start", hosting: true},
		{who: "guest", before: "say", want: "ready"},
		{who: "guest", before: "leave", want: "ready"},
		{who: "guest in a narrow window, at the chat", before: "say", want: "ready", turned: true},
	} {
		t.Run(tt.who+" "+tt.before, func(t *testing.T) {
			m, c := hosted(t)
			if me = 0; !tt.hosting {
				me = 1
				m.session.Room.Hosting = false
				m.session.Notice(roster(hostroom.PhaseLobby, true))
			}
			size := large
			if tt.turned {
				size = small
			}
			h := newHand(t, m, size, 1)
			h.rest()
			if tt.turned {
				m.lobby.Tab = 1
				h.rest()
			}
			h.press("Tab")
			h.goTo(t, tt.before)
			m.session.Notice(roster(hostroom.PhasePreparing, true))
			m.session.Notice(notice.Blockers{})
			h.rest()
			m.session.Notice(notice.Playing{})
			h.rest()
			m.session.Notice(notice.GameOver{Why: "Bob has left"})
			m.session.Notice(roster(hostroom.PhaseLobby, false))
			m.session.Notice(blocked)
			if got := h.ring(); got != tt.want {
				t.Errorf("the ring is on %q, not %q", got, tt.want)
			}
			h.write("zx")
			if h.says("zx") {
				t.Error("what was typed for the game is in the chat")
			}
			if tt.hosting {
				m.session.Notice(roster(hostroom.PhaseLobby, true))
				m.session.Notice(notice.Blockers{})
				h.rest()
			}
			h.in.Now += calmFor // nobody has pressed anything for so long
			said := len(c.said)
			h.press("Return")
			if got := strings.Join(c.said[said:], " "); got != "start" && got != "ready true" {
				t.Errorf("Enter says %q", got)
			}
		})
	}
}

// TestRingStaysWithTheRoster: who comes, goes or gets ready does not move the ring; a friend who has it and goes
// hands it to Start.
func TestRingStaysWithTheRoster(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, large, 1)
	h.rest()
	ann, bob := playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", false)
	for _, at := range []string{"log", "settings", "kick"} {
		h.goTo(t, at)
		for _, ready := range []bool{true, false} {
			bob.Ready = ready
			m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob, playerIn(2, 2, "Cleo", ready))})
			m.session.Notice(notice.Blockers{})
			if got := h.ring(); got != at {
				t.Errorf("with others in the room the ring went from %q to %q", at, got)
			}
		}
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann, bob)})
		m.session.Notice(notice.Blockers{List: []hostroom.Blocker{{Cause: hostroom.CauseReady, Machine: 1, Seat: 1, Words: "Bob is not ready"}}})
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, ann)})
	if got := h.ring(); got != "start" {
		t.Errorf("with Bob gone, who had it, the ring is on %q", got)
	}
}

// atWelcome is a first start with a ROM folder.
func atWelcome(t *testing.T) (*Shell, *hand) {
	t.Helper()
	m := homeShell(t)
	cfg := config.Defaults()
	cfg.Player.Nickname, cfg.ROMs.Folders = "Ann", []string{"/roms"}
	m.Config, m.Memory, m.Current = cfg, memory.Memory{}, screen.Welcome
	m.CoreFound(screen.Core{Trouble: &screen.Trouble{Title: "No core was found"}})
	h := newHand(t, m, large, 1)
	h.rest()
	return m, h
}

// TestFirewallIsExplainedFirst: where the system asks about its firewall, the first steps say so before it does.
func TestFirewallIsExplainedFirst(t *testing.T) {
	m, h := atWelcome(t)
	m.welcome.Firewall = ""
	h.rest()
	if h.says("firewall") {
		t.Errorf("on a system that asks nothing it says %q", h.texts())
	}
	m.welcome.Firewall = "Press Allow."
	h.rest()
	if !h.says("4. Your computer's firewall") || !h.says("Press Allow.") {
		t.Errorf("it says %q", h.texts())
	}
}

// TestRingNeverComesToABin: the ring of a button that is gone goes to the filled one, behind a dialog too; and a
// folder goes after a question only, whose ring is on Cancel.
func TestRingNeverComesToABin(t *testing.T) {
	m, h := atWelcome(t)
	h.goTo(t, "get wireless")
	m.Trouble = &screen.Trouble{Title: "Nothing came"}
	h.rest()
	m.CoreFound(screen.Core{Found: true, Core: emucore.Core{Name: "melonDS DS", Wireless: true}})
	h.press("Return")
	if got := h.ring(); got != "begin" {
		t.Errorf("the ring is on %q, not on Begin", got)
	}
	h.goTo(t, "remove")
	h.press("Return")
	if m.Question == nil || len(m.Config.ROMs.Folders) != 1 {
		t.Fatalf("Enter on the bin removes: %v", m.Config.ROMs.Folders)
	}
	if h.press("Return"); m.Question != nil || len(m.Config.ROMs.Folders) != 1 {
		t.Errorf("Enter in the question removes: %v", m.Config.ROMs.Folders)
	}
	h.press("Return")
	m.Answer(true)
	if got := h.ring(); len(m.Config.ROMs.Folders) != 0 || got != "begin" {
		t.Errorf("after yes there is %v, and the ring is on %q", m.Config.ROMs.Folders, got)
	}
}

// TestFirstStartOffline: a core that does not come names the other way, and Enter begins then.
func TestFirstStartOffline(t *testing.T) {
	m, h := atWelcome(t)
	h.goTo(t, "get wireless")
	h.press("Return")
	m.cores.Failed(errors.New("no network"))
	if !h.says("RetroArch") {
		t.Errorf("the box says %q", h.texts())
	}
	h.press("Return")
	if got := h.ring(); m.Trouble != nil || got != "begin" {
		t.Fatalf("the ring is on %q, with %v", got, m.Trouble)
	}
	h.press("Return")
	at(t, m, screen.Home)
}

// TestFailedPageHasTheRing: a page on which a session ended has the ring on its filled button, the first time and the
// second, and Try again tries at once.
func TestFailedPageHasTheRing(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, large, 1)
	for range 2 {
		h.goTo(t, "settings")
		m.session.Over(notice.Report{}, &launch.PortError{Free: 21206, Err: errors.New("in use")})
		if got := h.ring(); got != "port" {
			t.Errorf("the ring is on %q", got)
		}
		h.goTo(t, "home")
		calls(m)
		m.session.Retry()
		m.session.Opened(&fakeControl{})
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
	}

	m = homeShell(t)
	h = newHand(t, m, large, 1)
	m.join.Take("203.0.113.7")
	calls(m)
	m.session.Over(notice.Report{}, notice.Refused(hostroom.Refusal{Code: hostroom.CodeFull, Sentence: "all seats are taken"}))
	h.press("Tab")
	if got := h.ring(); got != "again" && got != "home" {
		t.Errorf("the ring is on %q", got)
	}
	h.goTo(t, "again")
	h.press("Return")
	if at(t, m, screen.Joining); !strings.Contains(kinds(calls(m)), "OpenSession") {
		t.Error("Try again does not try")
	}
}

// TestInvitationOutlivesTheList: on the form of an invitation Enter joins, and the arrows do not lose the invitation.
func TestInvitationOutlivesTheList(t *testing.T) {
	m := homeShell(t)
	h := newHand(t, m, large, 1)
	m.join.Take("203.0.113.7")
	m.session.Over(notice.Report{}, errors.New("nobody is there"))
	calls(m)
	m.join.Rooms = []lan.Found{{Beacon: lan.Beacon{Room: "Bob's room", Players: 1, Seats: 4}}}
	h.goTo(t, "edit")
	h.press("Return")
	at(t, m, screen.Join)
	m.join.Rooms = []lan.Found{{Beacon: lan.Beacon{Room: "Bob's room", Players: 1, Seats: 4}}}
	h.goTo(t, "rooms")
	if h.press("Return"); m.Current != screen.Joining {
		t.Fatalf("Enter on a list with nothing lit leads to %v", m.Current)
	}
	m.session.Over(notice.Report{}, errors.New("nobody is there"))
	h.goTo(t, "edit")
	h.press("Return")
	m.join.Rooms = []lan.Found{{Beacon: lan.Beacon{Room: "Bob's room", Players: 1, Seats: 4}}}
	h.goTo(t, "rooms")
	h.press("Down")
	if m.join.Form.Room == nil || !h.says("203.0.113.7") {
		t.Errorf("after Down the form has %+v and says %q", m.join.Form, h.texts())
	}
	h.goTo(t, "address")
	calls(m)
	h.press("Return")
	if at(t, m, screen.Joining); m.session.Room.Address != launch.Address("203.0.113.7") {
		t.Errorf("Enter in the field joins %q", m.session.Room.Address)
	}
}

// TestGameMissing: Ready cannot be pressed without the game, and Enter looks for its file.
func TestGameMissing(t *testing.T) {
	m, _ := hosted(t)
	r := m.session.Room
	r.Hosting, r.Machine = false, 1
	h := newHand(t, m, large, 1)
	h.goTo(t, "ready")
	for i := range r.Room.Players {
		r.Room.Players[i].ROM.SHA256 = [32]byte{77}
	}
	r.Room.Players[1].Cause, r.Room.Players[1].Problem = hostroom.CauseGame, "you do not have the game"
	if got := h.ring(); got != "open file" {
		t.Errorf("the ring is on %q", got)
	}
	if _, there := h.target("ready"); there {
		t.Error("Ready can be pressed without the game")
	}
	h.press("Return")
	at(t, m, screen.Files)
}
