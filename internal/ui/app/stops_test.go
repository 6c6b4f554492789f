package app

import (
	"slices"
	"strings"
	"testing"

	"github.com/nettplay/nettplay/emucore"
	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// target finds a widget that is in sight, by its name.
func (h *hand) target(name string) (r draw.Rect, there bool) {
	h.rest()
	for _, w := range h.ui.Targets() {
		if w.Name == name {
			return w.Seen, true
		}
	}
	return r, false
}

// use clicks a widget.
func (h *hand) use(t *testing.T, name string) {
	t.Helper()
	r, there := h.target(name)
	if !there {
		t.Fatalf("there is no %s; the screen says %q", name, h.texts())
	}
	h.click(r.X+5, r.Y+5)
}

// TestFailedStartIsSeen: a start that fails is said above Start, on the tab of the room, and counts as unread
// in the chat. It goes with the next start.
func TestFailedStartIsSeen(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, small, 1)
	h.rest()
	m.session.Notice(notice.StartFailed{Cause: hostroom.CauseCore, Machines: []int{1}, Why: "Bob's computer failed: the core crashed"})
	if !h.says("The game did not start: Bob's computer failed: the core") {
		t.Errorf("the lobby says %q", h.texts())
	}
	if !h.says("Chat (1)") || !strings.HasPrefix(m.title(), "(1) ") {
		t.Errorf("it is not counted as unread: %q, %q", h.texts(), m.title())
	}
	preparing := testRoom(hostroom.PhasePreparing, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true))
	m.session.Notice(notice.RoomNotice{Room: preparing})
	preparing.Phase = hostroom.PhaseLobby
	m.session.Notice(notice.RoomNotice{Room: preparing})
	if h.says("did not start") {
		t.Errorf("after another start the lobby says %q", h.texts())
	}
}

// TestRefusedIsSeen: who does not get in is said above Start where that can be mended, until they are in. Who
// mistypes a password is a line of the chat.
func TestRefusedIsSeen(t *testing.T) {
	m, c := hosted(t)
	h := newHand(t, m, small, 1)
	m.session.Notice(notice.JoinFailed{Nickname: "Dora", Code: hostroom.CodePassword, Words: "Dora gave a wrong password"})
	if h.says("Dora gave") || m.session.Room.Unread() > 0 {
		t.Errorf("of a password the lobby says %q", h.texts())
	}
	m.session.Notice(notice.JoinFailed{Nickname: "Dora", Code: hostroom.CodeCore, Words: "Dora cannot join: the room plays on another core"})
	if _, there := h.target("mend cores"); !there || !h.says("Dora cannot join") || m.session.Room.Unread() != 1 {
		t.Errorf("of a core the lobby says %q, %d unread", h.texts(), m.session.Room.Unread())
	}
	m.session.Notice(notice.JoinFailed{Nickname: "Dora", Code: hostroom.CodeFull, Words: "Dora cannot join: all 4 seats are taken"})
	h.use(t, "mend seat")
	if !slices.Equal(c.said, []string{"settings"}) || c.settings.Seats != 5 || h.says("Dora cannot") {
		t.Errorf("one more seat: %q, %d seats; the lobby says %q", c.said, c.settings.Seats, h.texts())
	}
	m.session.Notice(notice.JoinFailed{Nickname: "Dora", Code: hostroom.CodeCore, Words: "Dora cannot join: the room plays on another core"})
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", true), playerIn(2, 2, "Dora", false))})
	if h.says("Dora cannot") {
		t.Errorf("with Dora there the lobby says %q", h.texts())
	}
}

// TestStopsAndButtons: whatever holds up a start, or stops one, has the button that mends it, where our player can.
func TestStopsAndButtons(t *testing.T) {
	const ours, others = 0, 1
	for _, tt := range []struct {
		cause   hostroom.Cause
		machine int
		hosting bool
		button  string // "" for none
	}{
		{hostroom.CausePlayers, -1, true, "mend invite"},
		{hostroom.CauseReady, ours, true, "mend ready"},
		{hostroom.CauseReady, others, true, ""},
		{hostroom.CauseGone, others, true, "mend away"},
		{hostroom.CauseBuild, others, true, "mend away"},
		{hostroom.CauseGame, ours, true, "open file"},
		{hostroom.CauseGame, ours, false, "open file"},
		{hostroom.CauseGame, others, true, "mend game"},
		{hostroom.CauseSave, ours, true, "mend save"},
		{hostroom.CauseSave, ours, false, "mend save"},
		{hostroom.CauseOptions, ours, false, "mend core"},
		{hostroom.CauseOptions, others, true, "mend away"},
		{hostroom.CauseCore, ours, true, "mend core"},
		{hostroom.CauseCore, ours, false, "mend core"},
		{hostroom.CauseCore, others, true, "mend away"},
		{hostroom.CauseCore, others, false, ""},
		{hostroom.CauseROMFile, ours, false, "open file"},
		{hostroom.CauseLate, others, true, "mend away"},
		{hostroom.CauseDiffer, others, true, "mend away"},
		{hostroom.CauseCalledOff, ours, true, ""},
		{hostroom.CauseOther, others, true, ""},
	} {
		m, c := hosted(t)
		wireless(m)
		m.session.Invite(launch.Invitation{Text: sampleInvitation})
		r := m.session.Room
		r.Hosting = tt.hosting
		for i := range r.Room.Players { // which is nowhere on this machine
			r.Room.Players[i].ROM.SHA256 = [32]byte{77}
		}
		switch {
		case tt.cause > hostroom.CauseCheck || tt.cause == hostroom.CauseOther || !tt.hosting && tt.machine == others:
			m.session.Notice(notice.StartFailed{Cause: tt.cause, Machines: []int{tt.machine}, Why: "something is wrong"})
		case tt.hosting:
			m.session.Notice(notice.Blockers{List: []hostroom.Blocker{{Cause: tt.cause, Machine: tt.machine, Seat: -1, Words: "something is wrong"}}})
		default:
			r.Room.Players[0].Problem, r.Room.Players[0].Cause = "something is wrong", tt.cause
		}
		h := newHand(t, m, large, 1)
		h.rest()
		var found []string
		for _, w := range h.ui.Targets() {
			if strings.HasPrefix(w.Name, "mend") || w.Name == "open file" {
				found = append(found, w.Name)
			}
		}
		if got := strings.Join(found, " "); got != tt.button || !strings.Contains(strings.ToLower(strings.Join(h.texts(), " ")), "something is wrong") {
			t.Errorf("cause %d of machine %d, hosting %v: %q, not %q; the lobby says %q", tt.cause, tt.machine, tt.hosting, got, tt.button, h.texts())
		}
		if tt.button == "mend ready" {
			if h.use(t, tt.button); !slices.Equal(c.said, []string{"ready true"}) {
				t.Errorf("the button says %q", c.said)
			}
		}
	}
}

// TestDeafCoreIsSaid: list, form and lobby say that games cannot find each other, with the core that mends it.
func TestDeafCoreIsSaid(t *testing.T) {
	melon := emucore.Core{Name: "melonDS DS", Version: "1.2.0", Path: "/m", Wireless: true, SHA256: [32]byte{8}}
	deaf := emucore.Core{Name: "DeSmuME", Version: "1", Path: "/d", SHA256: [32]byte{7}}
	for _, here := range []bool{true, false} {
		m := homeShell(t)
		m.Core.Core, m.Core.All = deaf, []emucore.Core{deaf}
		button := "get wireless"
		if here {
			m.Core.All, button = []emucore.Core{melon, deaf}, "use wireless"
		}
		h := newHand(t, m, large, 1)
		h.rest()
		said := func(where string) {
			t.Helper()
			if _, there := h.target(button); !there || !h.says("On DeSmuME friends cannot meet in a game.") {
				t.Errorf("%s says %q", where, h.texts())
			}
		}
		m.games.PickFor(0)
		said("the list")
		m.games.Pick(m.Games.Games[0])
		said("the form")
		m.host.OpenRoom()
		c := &fakeControl{}
		m.session.Opened(c)
		now := testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))
		now.Settings.Core, now.Settings.Seats = hostroom.CoreID{Name: deaf.Name, SHA256: deaf.SHA256}, 6
		m.session.Notice(notice.RoomNotice{Room: now})
		said("the lobby")
		if !here {
			m.session.Room.Hosting = false
			if _, there := h.target(button); there || !h.says("The game host can choose melonDS DS.") {
				t.Errorf("a guest is told %q", h.texts())
			}
			continue
		}

		calls(m)
		h.use(t, button)
		if got := kinds(calls(m)); got != "SaveSettings FindCore EndSession" || m.Config.Core.Name != melon.Path {
			t.Errorf("the button wants %q; the settings choose %q", got, m.Config.Core.Name)
		}
		m.session.Over(notice.Report{}, nil)
		at(t, m, screen.Joining)
		open := opened(m)
		if open.Host == nil || !open.Again || open.Host.Seats != 6 || open.Game == nil || m.Core.Core != melon {
			t.Errorf("the room opens again with %+v, on %s", open, m.Core.Core.Name)
		}
	}
}

// TestReopenRemovesOthers: those who are in a room that opens again are removed first, after a question. Without
// them there is nobody to whom the room would go over.
func TestReopenRemovesOthers(t *testing.T) {
	m, c := hosted(t)
	melon := emucore.Core{Name: "melonDS DS", Path: "/m", Wireless: true, SHA256: [32]byte{8}}
	m.Core.All = []emucore.Core{melon}
	calls(m)
	h := newHand(t, m, large, 1)
	h.use(t, "use wireless")
	if m.Question == nil || len(c.said) > 0 {
		t.Fatalf("without a question: %q", c.said)
	}
	m.Answer(true)
	if !slices.Equal(c.said, []string{"kick 1"}) || strings.Contains(kinds(calls(m)), "EndSession") {
		t.Errorf("then it does %q", c.said)
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true))})
	if got := kinds(calls(m)); got != "EndSession" {
		t.Errorf("with the others gone it wants %q", got)
	}
	m.session.Over(notice.Report{}, nil)
	if got := kinds(calls(m)); got != "OpenSession" {
		t.Errorf("after the end it wants %q", got)
	}
}

// TestPasswordOfAnInvitation: an invitation to a room with a password asks for it, and once more if it was wrong.
func TestPasswordOfAnInvitation(t *testing.T) {
	refusal := notice.Refused(hostroom.Refusal{Code: hostroom.CodePassword, Sentence: "this is not the password of the room"})
	m := homeShell(t)
	h := pasting(t, m, sampleInvitation)
	h.paste()
	at(t, m, screen.Joining)
	if open := opened(m); open.Join.Password != "" {
		t.Fatalf("the first try has the password %q", open.Join.Password)
	}
	for i, title := range []string{"The room has a password", "That was not the room's password"} {
		m.session.Over(notice.Report{}, refusal)
		if !h.says(title) {
			t.Fatalf("after try %d the screen %v says %q", i+1, m.Current, h.texts())
		}
		h.write("secret")
		h.press("Return")
		at(t, m, screen.Joining)
		if open := opened(m); open.Join == nil || open.Join.Password != "secret" || open.Join.Address != sampleInvitation {
			t.Errorf("try %d joins with %+v", i+2, open.Join)
		}
	}

	m = homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "203.0.113.7"
	m.join.Spectate()
	calls(m)
	m.askToWatch(lastWatched(m))
	h = newHand(t, m, small, 1)
	if !h.says("The room has a password") {
		t.Fatalf("to watch, the screen %v says %q", m.Current, h.texts())
	}
	h.write("secret")
	h.press("Return")
	at(t, m, screen.Watching)
}

// TestRoomsBeginAtTheirTop: nothing of one room is left in the next one: not how far its lobby was scrolled, nor
// the tab, nor a line that was not sent. A screen that is opened anew begins at its top, too; a way back does not.
func TestRoomsBeginAtTheirTop(t *testing.T) {
	m, _ := hosted(t)
	h := newHand(t, m, small, 1)
	top := func() float32 {
		h.rest()
		for _, w := range h.ui.Canvas().Texts() {
			if strings.HasPrefix(w.Text, "Ann  (you)") {
				return w.Place.Y
			}
		}
		return -1
	}
	scroll := func() {
		h.move(300, 200)
		h.frame(func(in *widgets.Input) { in.Wheel = draw.Pt(0, -20) })
		h.rest()
	}
	first := top()
	scroll()
	scrolled := top()
	if first < 0 || scrolled == first {
		t.Fatalf("the lobby is not scrolled: %v, %v", first, scrolled)
	}
	m.Go(screen.Settings)
	h.rest()
	m.GoBack()
	if y := top(); y != scrolled {
		t.Errorf("back from the settings, the lobby is at %v, not %v", y, scrolled)
	}
	m.lobby.Tab = 1
	h.rest()
	h.write("never sent")
	m.session.Over(notice.Report{}, nil)
	h.rest()
	m.games.PickFor(0)
	m.games.Pick(m.Games.Games[0])
	m.host.OpenRoom()
	m.session.Opened(&fakeControl{})
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Ann", true), playerIn(1, 1, "Bob", false))})
	if y := top(); y != first {
		t.Errorf("the next lobby is at %v, not %v; the tab is %d", y, first, m.lobby.Tab)
	}
	m.lobby.Tab = 1
	if h.says("never sent") {
		t.Error("a line for the last room is in the field")
	}
}

// TestInvitationStays: the invitation is there in a full room, for those who would watch, and after a handover
// once there is one; an answer is none.
func TestInvitationStays(t *testing.T) {
	m, _ := hosted(t)
	wireless(m)
	m.session.Invite(launch.Invitation{Text: sampleInvitation})
	r := m.session.Room
	r.Room.Settings.Seats, r.Room.Settings.Spectators = 2, 4
	h := newHand(t, m, tall, 1)
	if _, there := h.target("invitation"); !there || !h.says("Friends can watch") {
		t.Errorf("a full room says %q", h.texts())
	}
	r.Invited = launch.Invitation{Text: "nettplay://answer/x", Answer: true}
	if _, there := h.target("invitation"); there {
		t.Error("the answer of before a handover is offered as an invitation")
	}
	r.Hosting = false
	m.session.Notice(notice.Opened{Addr: "0.0.0.0:21204"})
	m.session.Invite(launch.Invitation{Text: sampleInvitation, Code: "7K3P-9W0M-D2FA-X4GT", CodeAt: "7K3P-9W0M-D2FA-X4GT@relay.example.org"})
	if _, there := h.target("invitation"); !there || !h.says("7K3P-9W0M-D2FA-X4GT") {
		t.Errorf("after a handover the lobby says %q", h.texts())
	}
}

// lastWatched is the room that is being watched.
func lastWatched(m *Shell) launch.Watch {
	return launch.Watch{Address: m.viewer.Watching.Room.Address}
}
