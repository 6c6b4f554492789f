package app

import (
	"errors"
	"fmt"
	"image"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/invite"
	"github.com/nettplay/nettplay/internal/launch"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/online"
	"github.com/nettplay/nettplay/internal/seal"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/testing/must"
	"github.com/nettplay/nettplay/internal/ui/draw"
	"github.com/nettplay/nettplay/internal/ui/library"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
	"github.com/nettplay/nettplay/internal/ui/screen/room"
	"github.com/nettplay/nettplay/internal/ui/screen/start"
	"github.com/nettplay/nettplay/internal/ui/widgets"
)

// invitedBy is an invitation to a machine of the test room.
func invitedBy(key byte, relays ...string) string {
	return invite.Invitation{
		Secret: seal.Secret{7}, Key: seal.Public{key}, Relays: relays,
		Addresses: []netip.AddrPort{netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, key}), 21204)},
	}.Text()
}

// reachable is a player at a machine who can be reached as invitedBy says.
func reachable(machine int, name string) hostroom.Player {
	p := playerIn(ds.Seat(machine), machine, name, true)
	p.Key, p.Addrs = [32]byte{byte(10 + machine)}, []string{fmt.Sprintf("192.0.2.%d:21204", 10+machine), "name.example:1"}
	return p
}

// joinedBy has Ann join a room of Bob's, in which Cem is too, by an address.
func joinedBy(t *testing.T, address string) *Shell {
	t.Helper()
	m := homeShell(t)
	m.join.Paste(address)
	if m.session.Room == nil {
		m.Go(screen.Join)
		m.join.Form.Address = address
		m.join.EnterRoom()
	}
	m.session.Opened(&fakeControl{})
	tellRoom(m, 0)
	at(t, m, screen.Lobby)
	return m
}

// tellRoom tells of that room, with a game host.
func tellRoom(m *Shell, host int) {
	now := testRoom(hostroom.PhaseLobby, reachable(0, "Bob"), reachable(1, "Cem"), reachable(2, "Ann"))
	now.Host, now.Settings.Room = host, "Bob's room"
	m.session.Notice(notice.RoomNotice{Room: now, Me: 2})
}

// again is the program started anew, as its files remember.
func again(t *testing.T, m *Shell) *Shell {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app.json")
	must.Succeed(t, m.Memory.Save(path, memory.Memory{}))
	n := newShell(m.Config, memory.Load(path), "test", &draw.Store{})
	n.Tick(m.Now)
	n.CoreFound(m.Core)
	n.Games = m.Games
	calls(n)
	return n
}

// opened is the session that is wanted now, if any is.
func opened(m *Shell) (open *room.OpenSession) {
	for _, c := range calls(m) {
		if c, is := opening(c); is {
			open = &c
		}
	}
	return open
}

// pressHome presses a button of the first screen.
func pressHome(t *testing.T, m *Shell, name string) {
	t.Helper()
	h := newHand(t, m, large, 1)
	h.rest()
	for _, target := range h.ui.Targets() {
		if target.Name == name {
			h.click(target.Rect.Center().X, target.Rect.Center().Y)
			return
		}
	}
	t.Fatalf("there is no %q: %q", name, h.texts())
}

// homeHas reports whether the first screen has a button.
func homeHas(t *testing.T, m *Shell, name string) bool {
	t.Helper()
	h := newHand(t, m, large, 1)
	h.rest()
	return slices.ContainsFunc(h.ui.Targets(), func(t widgets.Target) bool { return t.Name == name })
}

// TestBackToTheRoom: after leaving, after the end of the connection, and after the program itself went amid it, one press
// leads back into the last room: to whoever is its game host.
func TestBackToTheRoom(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		host    int // of the room, when Ann was there last
		want    []string
	}{
		"by invitation":                    {invitedBy(10), 0, []string{invitedBy(10), invitedBy(11)}},
		"after a handover":                 {invitedBy(10), 1, []string{invitedBy(11), invitedBy(10)}},
		"where a relay knows the code":     {invitedBy(10, "relay.example.org:21206"), 1, []string{invite.CodeOf(seal.Secret{7}).String() + "@relay.example.org", invitedBy(11, "relay.example.org:21206"), invitedBy(10, "relay.example.org:21206")}},
		"by code":                          {"RE9C-X4JK-K757-8HF0", 0, []string{"RE9C-X4JK-K757-8HF0", "192.0.2.10:21204"}},
		"on one network":                   {"192.168.1.9:21204", 0, []string{"192.168.1.9:21204", "192.0.2.10:21204"}},
		"on one network, after a handover": {"192.168.1.9:21204", 1, []string{"192.0.2.11:21204"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := joinedBy(t, c.address)
			tellRoom(m, c.host)
			crashed := again(t, m)
			m.session.Leave()
			m.session.Over(notice.Report{}, nil)
			lost := joinedBy(t, c.address)
			tellRoom(lost, c.host)
			lost.session.Over(notice.Report{}, &notice.Failure{Result: notice.ResultLost, Err: errors.New("the connection is lost")})
			lost.GoHome()
			for how, m := range map[string]*Shell{"left": m, "crashed": crashed, "left, and started anew": again(t, m), "lost": lost} {
				calls(m)
				at(t, m, screen.Home)
				pressHome(t, m, "back to room")
				var tried []string
				for open := opened(m); open != nil; open = opened(m) {
					tried = append(tried, open.Join.Address)
					if m.session.Room.Called != "Bob's room" || open.Hurry != (len(tried) < len(c.want)) {
						t.Errorf("%s: it enters %+v, hurry %v", how, m.session.Room, open.Hurry)
					}
					m.session.Over(notice.Report{}, &notice.Failure{Result: notice.ResultLost, Err: errors.New("it does not answer")})
				}
				at(t, m, screen.Ended)
				if !slices.Equal(tried, c.want) {
					t.Errorf("%s: tried are\n%q, want\n%q", how, tried, c.want)
				}
				if m.GoHome(); m.Memory.Room == nil || !m.Memory.Room.Silent || !homeHas(t, m, "back to room") {
					t.Errorf("%s: a room that does not answer now is forgotten: %+v", how, m.Memory.Room)
				}
			}
		})
	}
}

// TestEnterLeadsBack: out of a room Enter alone leads back into it, whichever button led there.
func TestEnterLeadsBack(t *testing.T) {
	m := homeShell(t)
	h := newHand(t, m, large, 1)
	h.rest()
	h.clickText("Join")
	at(t, m, screen.Join)
	m.join.Form.Address = invitedBy(10)
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	tellRoom(m, 0)
	h.rest()
	m.session.Leave()
	m.session.Over(notice.Report{}, nil)
	h.rest()
	h.rest()
	calls(m)
	h.key(widgets.KeyEnter)
	at(t, m, screen.Joining)
	if open := opened(m); open == nil || open.Join.Address != invitedBy(10) {
		t.Errorf("Enter opens %+v", open)
	}
}

// TestNoWayBack: a room that is known to be over is forgotten, with all that was a secret of it.
func TestNoWayBack(t *testing.T) {
	closed := &notice.Failure{Result: notice.ResultLost, Err: errors.New("the room is closed"), Closed: true}
	banned := &notice.Failure{Result: notice.ResultLost, Err: errors.New("you are banned from this room"), Refused: true, Code: hostroom.CodeBanned}
	for name, end := range map[string]func(m *Shell){
		"it is closed":       func(m *Shell) { m.session.Over(notice.Report{}, closed) },
		"it has ended":       func(m *Shell) { m.session.Over(notice.Report{}, nil) },
		"the others left":    func(m *Shell) { aloneInRoom(m); m.session.Leave(); m.session.Over(notice.Report{}, nil) },
		"crashed when alone": aloneInRoom,
		"not let in again": func(m *Shell) {
			m.session.Leave()
			m.session.Over(notice.Report{}, nil)
			pressHome(t, m, "back to room")
			m.session.Over(notice.Report{}, banned)
		},
		"long ago": func(m *Shell) {
			m.session.Leave()
			m.session.Over(notice.Report{}, nil)
			m.Tick(m.Now.Add(memory.RoomAge + time.Minute))
		},
	} {
		m := joinedBy(t, invitedBy(10))
		if m.Memory.Room == nil {
			t.Fatal("nothing is remembered")
		}
		calls(m)
		end(m)
		m.GoHome()
		if homeHas(t, m, "back to room") || m.Memory.Room != nil || !strings.Contains(kinds(calls(m)), "SaveMemory") {
			t.Errorf("%s: there is a way back, %+v", name, m.Memory.Room)
		}
	}
}

// aloneInRoom tells that the others have left.
func aloneInRoom(m *Shell) {
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, reachable(2, "Ann")), Me: 2})
}

// TestBackFromHosting: who hosted a room that the others go on with comes back to them; a room alone is over.
func TestBackFromHosting(t *testing.T) {
	m, _ := hosted(t)
	m.session.Invite(launch.Invitation{Text: invitedBy(10)})
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, reachable(0, "Ann"), reachable(1, "Cem"))})
	if got := m.Memory.Room; got == nil || !slices.Equal(got.Ways, []string{invitedBy(11)}) {
		t.Errorf("the way back is %+v", got)
	}
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, reachable(0, "Ann"))})
	if got := m.Memory.Room; got != nil {
		t.Errorf("into a room that is over leads %+v", got)
	}
}

// TestBackOfANeighbourWhoHosts: who joined by an address of the local network, and has taken over the room since, comes
// back to the others where they are.
func TestBackOfANeighbourWhoHosts(t *testing.T) {
	m := joinedBy(t, "192.0.2.10:21204")
	tellRoom(m, 2)
	want := []string{"192.0.2.10:21204", "192.0.2.11:21204"}
	if got := m.Memory.Room; got == nil || !slices.Equal(got.Ways, want) {
		t.Errorf("the way back is %+v, not %v", got, want)
	}
}

// TestPasswordOfTheWayBack: it is known as long as the program runs, asked for after that, and in no file.
func TestPasswordOfTheWayBack(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address, m.join.Form.Password = invitedBy(10), "secret-word"
	m.join.EnterRoom()
	m.session.Opened(&fakeControl{})
	tellRoom(m, 0)
	m.session.Leave()
	m.session.Over(notice.Report{}, nil)
	anew := again(t, m)
	calls(m)
	pressHome(t, m, "back to room")
	if open := opened(m); open.Join.Password != "secret-word" {
		t.Errorf("the password is %q", open.Join.Password)
	}
	if strings.Contains(fmt.Sprintf("%+v", *anew.Memory.Room), "secret-word") {
		t.Errorf("the file has the password: %+v", anew.Memory.Room)
	}
	pressHome(t, anew, "back to room")
	opened(anew)
	anew.session.Over(notice.Report{}, &notice.Failure{Refused: true, Code: hostroom.CodePassword, Err: errors.New("the room has a password")})
	at(t, anew, screen.Home)
	h := newHand(t, anew, large, 1)
	h.rest()
	h.write("secret-word")
	h.key(widgets.KeyEnter)
	if open := opened(anew); open == nil || open.Join.Password != "secret-word" || open.Join.Address != invitedBy(10) {
		t.Errorf("with the password it opens %+v", open)
	}
}

// TestNothingMovesUnderThePointer: what leads back to a room stays where it is while games are found and rooms come.
func TestNothingMovesUnderThePointer(t *testing.T) {
	for _, size := range []image.Point{smallest, {X: 800, Y: 560}, large} {
		m := homeShell(t)
		m.Memory.Play(m.Games.Games[0].ROM.SHA256, now.Add(-time.Hour))
		m.Memory.Room = &memory.Room{Name: "Bob's room", Ways: []string{"192.0.2.1:1"}, At: now.Unix()}
		found := m.Games
		places := func() map[string]draw.Point { // by quarters of the window: a scroll bar makes them a little narrower
			h := newHand(t, m, size, 1)
			h.rest()
			at := map[string]draw.Point{}
			for _, target := range h.ui.Targets() {
				if target.Name == "back to room" || target.Name == "host again" {
					at[target.Name] = draw.Point{X: float32(4 * int(target.Rect.Center().X) / size.X), Y: target.Rect.Y}
				}
			}
			return at
		}
		for what, list := range map[string]library.List{"no game": {}, "games that are not read": {Games: unread(found.Games)}} {
			list.Scanning = true
			m.Games = list
			before := places()
			m.Games = found
			after := places()
			m.join.Rooms = sampleRooms()
			later := places()
			m.join.Rooms = nil
			if len(before) != 1 || len(after) != 2 || before["back to room"] != after["back to room"] || !maps.Equal(after, later) {
				t.Errorf("%v, %s: before the scan is over %v, after it %v, with a room %v", size, what, before, after, later)
			}
		}
		m.Games = library.List{}
		if homeHas(t, m, "host again") {
			t.Error("a game that is gone can be hosted again")
		}
	}
}

// unread are games of which no more is known than their headers.
func unread(games []library.Game) (list []library.Game) {
	for _, g := range games {
		r := *g.ROM
		r.SHA256 = [32]byte{}
		g.ROM = &r
		list = append(list, g)
	}
	return list
}

// TestHostAgain: one press opens a room for the game that was played last, as the settings say.
func TestHostAgain(t *testing.T) {
	m := homeShell(t)
	if homeHas(t, m, "host again") || homeHas(t, m, "back to room") {
		t.Error("a first start has something to come back to")
	}
	m.Memory.Play([32]byte{1}, now.Add(-time.Hour))
	m.Memory.Play([32]byte{2}, now.Add(-time.Minute))
	m.Memory.Play([32]byte{99}, now) // which is gone
	m.Config.Room.Seats = 5
	m.host.Form.Password = "old"
	pressHome(t, m, "host again")
	at(t, m, screen.Joining)
	open := opened(m)
	if open == nil || open.Host == nil || open.Game.Title != "Zebra" || open.Host.Seats != 5 || open.Host.Password != "" {
		t.Errorf("it opens %+v", open)
	}
}

// TestInvitationField: what is pasted there joins at once, what is typed with Enter, and nothing of it stays.
func TestInvitationField(t *testing.T) {
	for text, want := range map[string]string{
		"come: " + sampleWeb: sampleInvitation, "re9c x4jk k757 8hf0": "RE9C-X4JK-K757-8HF0", "friend.example": "friend.example:21204",
	} {
		m := homeShell(t)
		h := pasting(t, m, text)
		for _, target := range h.ui.Targets() {
			if target.Name == "invitation" {
				h.click(target.Rect.Center().X, target.Rect.Center().Y)
			}
		}
		h.paste()
		if m.Current == screen.Home {
			h.key(widgets.KeyEnter)
		}
		at(t, m, screen.Joining)
		if got := m.session.Room.Address; got != want {
			t.Errorf("%q joins %q", text, got)
		}
		m.session.Over(notice.Report{}, nil)
		at(t, m, screen.Home)
		if h.rest(); h.says(text) {
			t.Errorf("%q stays in the field %q", text, h.texts())
		}
	}
}

// TestFriendsAtHome: the first screen looks for friends, and for nothing else, if the player lets friends see them.
func TestFriendsAtHome(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.About)
	calls(m)
	m.GoHome()
	if got := kinds(calls(m)); got != "ListMoments" {
		t.Errorf("without consent it wants %s", got)
	}
	m.Config.Net.Friends, m.Config.Net.Relays = true, []string{"relay.example.org:21206"}
	m.Go(screen.About)
	m.GoHome()
	if got := calls(m); !wants(got, "Seek", start.Seek{On: true}) {
		t.Errorf("it wants %v", got)
	}
	m.online.See(online.View{Friends: []online.Friend{{Nickname: "Bob", State: online.InLobby, Invite: invitedBy(10)}, {Nickname: "Cem"}}})
	pressHome(t, m, "join friend")
	if open := opened(m); open == nil || open.Join.Address != invitedBy(10) {
		t.Errorf("it opens %+v", open)
	}
	m.session.Over(notice.Report{}, nil)
	calls(m)
	m.Go(screen.Online)
	if got := calls(m); !wants(got, "Seek", start.Seek{On: true, Rooms: true}) {
		t.Errorf("for open rooms it wants %v", got)
	}
	again := again(t, m)
	if again.GoHome(); !wants(calls(newShell(m.Config, m.Memory, "test", &draw.Store{})), "Seek", start.Seek{On: true}) {
		t.Error("a start does not look for friends")
	}
}

// TestKeptGameAtHome: a kept game goes on by one press.
func TestKeptGameAtHome(t *testing.T) {
	m := momentsScene(func(*Shell) {})(t)
	m.GoHome()
	pressHome(t, m, "kept 0")
	at(t, m, screen.Host)
	if m.host.Moment == nil || m.host.Moment.Path != "/m/a" {
		t.Errorf("on goes %+v", m.host.Moment)
	}
	if m.GoHome(); homeHas(t, m, "kept 2") {
		t.Error("a file that cannot be read is offered")
	}
}

// TestBackToAClosedRoom: who comes back to a room that nobody hosts any more reads that it is closed.
func TestBackToAClosedRoom(t *testing.T) {
	m := joinedBy(t, invitedBy(10))
	tellRoom(m, 0)
	m.session.Leave()
	m.session.Over(notice.Report{}, nil)
	calls(m)
	pressHome(t, m, "back to room")
	for opened(m) != nil { // each way
		m.session.Over(notice.Report{}, notice.NotReached(&link.DialError{Addr: "192.0.2.10:21204", Why: link.Refused}))
	}
	at(t, m, screen.Ended)
	if e := m.session.Ending; e.Title != "Bob's room is closed" || strings.Contains(e.Words+e.Hint, "listens") || strings.Contains(e.Words, "192.0.2") {
		t.Errorf("it says %+v", e.Trouble)
	}
}

// TestCameBack: who left the running game and came back is not among those who left.
func TestCameBack(t *testing.T) {
	m := joinedBy(t, invitedBy(10))
	left, gone := reachable(1, "Cleo"), reachable(4, "Dan")
	left.Present, gone.Present = false, false
	m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhasePlaying, reachable(0, "Bob"), left, reachable(2, "Ann"), reachable(3, "Cleo"), gone), Me: 2})
	m.Show(screen.Lobby)
	texts := newHand(t, m, large, 1).texts()
	title := slices.Index(texts, "Left the running game")
	if title < 0 || texts[title+1] != "Dan" {
		t.Errorf("%q", texts)
	}
}
