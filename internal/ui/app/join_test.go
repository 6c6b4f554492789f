package app

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/lan"
	"github.com/nettplay/nettplay/internal/session/notice"
	"github.com/nettplay/nettplay/internal/ui/memory"
	"github.com/nettplay/nettplay/internal/ui/screen"
)

// TestJoinAgainFromTheList: a room of the list that was left can be joined again by a click.
// Rooms that come and go move neither the choice nor what is below the list.
func TestJoinAgainFromTheList(t *testing.T) {
	m := homeShell(t)
	fullShelf(m)
	h := newHand(t, m, small, 1)
	join := func() {
		t.Helper()
		m.Go(screen.Join)
		m.join.Rooms = sampleRooms()[:1]
		h.rest()
		h.click(300, 120)
		if m.join.Form.Address != "192.168.1.9:21204" {
			t.Fatalf("a click on the room chooses %q", m.join.Form.Address)
		}
		h.click(570, 446) // Join
		at(t, m, screen.Joining)
		m.session.Opened(&fakeControl{})
		m.session.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Bob", true), playerIn(1, 1, "Ann", true)), Me: 1})
	}
	join()
	m.session.Over(notice.Report{}, nil)
	join()
	m.session.Over(notice.Report{}, nil)

	m.Go(screen.Join)
	m.join.Rooms = sampleRooms()[:1]
	m.join.ChooseRoom(m.join.Rooms[0])
	m.join.Rooms = sampleRooms()
	m.join.Rooms[0], m.join.Rooms[2] = m.join.Rooms[2], m.join.Rooms[0]
	m.join.Rooms[2].Playing = true
	h.rest()
	if f := m.join.Form; f.Address != "192.168.1.9:21204" || !f.Room.Playing {
		t.Errorf("when the list changes, the form has %q, %+v", f.Address, f.Room)
	}
	for n := range 3 {
		m.join.Rooms = sampleRooms()[:n]
		h.rest()
		m.join.ChooseRoom(sampleRooms()[0])
		h.click(300, 286)
		if h.write("x"); m.join.Form.Address == "192.168.1.9:21204" {
			t.Errorf("with %d rooms the address is not where it was", n)
		}
	}
}

// TestRoomGoesElsewhere: a chosen room that another host takes over is still chosen, where it is now. One that is gone
// leaves no address behind that nobody has written, and the screen says so.
func TestRoomGoesElsewhere(t *testing.T) {
	m := homeShell(t)
	fullShelf(m)
	h := newHand(t, m, small, 1)
	m.Go(screen.Join)
	m.join.Rooms = sampleRooms()
	m.join.ChooseRoom(m.join.Rooms[1])
	m.join.Form.Password = "typed"
	m.join.Rooms = slices.Delete(sampleRooms(), 1, 2)
	h.rest()
	if texts := strings.Join(h.texts(), "\n"); !strings.Contains(texts, "That room is no longer on your network.") || strings.Contains(texts, m.join.Form.Address) {
		t.Errorf("of a room that is gone the screen says %q", texts)
	}

	moved := sampleRooms()[1]
	moved.Host, moved.Addr = "Cem", netip.MustParseAddrPort("192.168.1.77:5000")
	m.join.Rooms = append(m.join.Rooms, moved)
	h.rest()
	if f := m.join.Form; f.Address != "192.168.1.77:5000" || f.Room == nil || f.Room.Host != "Cem" || f.Password != "typed" {
		t.Errorf("of a room that has moved the form has %+v", f)
	}
	m.join.ChooseRoom(sampleRooms()[1])
	m.join.Rooms = []lan.Found{moved, moved}
	m.join.Rooms[1].Addr = netip.MustParseAddrPort("192.168.1.78:5000")
	h.rest()
	if f := m.join.Form; f.Address != sampleRooms()[1].Addr.String() {
		t.Errorf("of two rooms of one name %q is chosen", f.Address)
	}
}

// TestFirstRoomIsChosen: the first room that comes is chosen, and Enter joins it. Later ones change nothing, nor does one
// that comes while the player writes an address.
func TestFirstRoomIsChosen(t *testing.T) {
	m := homeShell(t)
	fullShelf(m)
	h := newHand(t, m, small, 1)
	m.Go(screen.Join)
	h.rest()
	m.join.Form.Password = "typed"
	m.join.Rooms = sampleRooms()[:1]
	h.rest()
	if f := m.join.Form; f.Room == nil || f.Address != sampleRooms()[0].Addr.String() || f.Password != "typed" {
		t.Fatalf("the form has %+v", f)
	}
	rooms := sampleRooms()
	slices.Reverse(rooms)
	m.join.Rooms = rooms
	h.rest()
	if f := m.join.Form; f.Address != sampleRooms()[0].Addr.String() {
		t.Errorf("when others come, %q is chosen", f.Address)
	}
	h.press("Return")
	at(t, m, screen.Joining)

	m.GoHome()
	m.Go(screen.Join)
	h.rest()
	m.join.Form.Address = "192.0.2.1"
	m.join.Rooms = sampleRooms()
	h.rest()
	if f := m.join.Form; f.Room != nil || f.Address != "192.0.2.1" {
		t.Errorf("a room takes the place of what is written: %+v", f)
	}
}

// TestFocusOfPagesDoesNotGrow: visits are not kept for ever.
func TestFocusOfPagesDoesNotGrow(t *testing.T) {
	m := homeShell(t)
	fullShelf(m)
	h := newHand(t, m, small, 1)
	for range 3 {
		for _, id := range []screen.ID{screen.Join, screen.About, screen.Settings} {
			m.Go(id)
			h.rest()
			m.GoHome()
			h.rest()
		}
	}
	if n := len(m.focused); n > 5 { // four pages, and none before the first
		t.Errorf("%d places of the keyboard are kept after visits of 4 pages", n)
	}
}

// TestRoomsWithoutAPlace: a room of the list that has no place for the player now says so, before it
// asks for a password, and is not joined by Enter either. One that can be watched offers that.
func TestRoomsWithoutAPlace(t *testing.T) {
	full := lan.Beacon{Players: 2, Seats: 2, Password: true}
	playing := lan.Beacon{Players: 1, Seats: 2, Playing: true, Password: true}
	with := func(b lan.Beacon, change func(*lan.Beacon)) lan.Beacon { change(&b); return b }
	watch := func(b *lan.Beacon) { b.Watch = true }
	late := func(b *lan.Beacon) { b.Late = true }
	for _, c := range []struct {
		room  lan.Beacon
		says  string
		leads string // the button that leads on
	}{
		{full, "All seats are taken.", ""},
		{with(full, watch), "All seats are taken, but you can watch.", "watch"},
		{playing, "A game is running there, and nobody can join until it ends.", ""},
		{with(playing, watch), "A game is running there. Until it ends you can only watch.", "watch"},
		{with(with(full, late), func(b *lan.Beacon) { b.Playing = true }), "All seats are taken.", ""},
		{with(playing, late), "The room needs a password.", "join"},
		{lan.Beacon{Players: 1, Seats: 2, Password: true}, "The room needs a password.", "join"},
	} {
		m := homeShell(t)
		m.Go(screen.Join)
		m.join.Rooms = []lan.Found{{Beacon: c.room, Addr: sampleRooms()[0].Addr}}
		m.join.ChooseRoom(m.join.Rooms[0])
		h := newHand(t, m, large, 1)
		h.rest()
		if !slices.Contains(h.texts(), c.says) {
			t.Errorf("%+v: nothing says %q: %q", c.room, c.says, h.texts())
		}
		lit := ""
		for _, target := range h.ui.Targets() {
			if target.ID == h.ui.Forward() {
				lit = target.Name
			}
		}
		if lit != c.leads {
			t.Errorf("%+v leads on by %q, want %q", c.room, lit, c.leads)
		}
		if m.join.EnterRoom(); (m.Current == screen.Joining) != (c.leads == "join") {
			t.Errorf("%+v is joined: %v", c.room, m.Current)
		}
	}
}

// TestOwnSeatInAFullRoom: after a crash the room counts the player's own seat as taken for a while. It lets its
// player in again, so the list does not stand in the way.
func TestOwnSeatInAFullRoom(t *testing.T) {
	full := lan.Found{Beacon: lan.Beacon{Room: "Ann's room", Players: 3, Seats: 3, Playing: true, Watch: true}, Addr: sampleRooms()[0].Addr}
	for _, c := range []struct {
		was    *memory.Room
		joined bool
	}{
		{nil, false},
		{&memory.Room{Name: "Ann's room", Ways: []string{"n1code", full.Addr.String()}}, true},
		{&memory.Room{Name: "Bob's room", Ways: []string{full.Addr.String()}}, false},
		{&memory.Room{Name: "Ann's room", Ways: []string{"n1code"}}, false},
	} {
		m := homeShell(t)
		m.Memory.Room = c.was
		m.Go(screen.Join)
		m.join.Rooms = []lan.Found{full}
		m.join.ChooseRoom(full)
		h := newHand(t, m, large, 1)
		h.rest()
		if says := slices.Contains(h.texts(), "You were there. Your seat may still be kept for you."); says != c.joined {
			t.Errorf("%+v: said to be there before: %v", c.was, says)
		}
		if m.join.EnterRoom(); (m.Current == screen.Joining) != c.joined {
			t.Errorf("%+v: joined: %v", c.was, m.Current)
		}
	}
}

// TestOnlyRoomsThatWereThereAreRemembered: an address that never worked is not offered again;
// one that was watched is.
func TestOnlyRoomsThatWereThereAreRemembered(t *testing.T) {
	m := homeShell(t)
	m.Go(screen.Join)
	m.join.Form.Address = "typing.misteak"
	m.join.EnterRoom()
	m.session.Over(notice.Report{}, errors.New("no answer"))
	if len(m.Memory.Addresses) != 0 {
		t.Errorf("remembered: %q", m.Memory.Addresses)
	}
	m.GoHome()
	m.Go(screen.Join)
	m.join.Form.Address = " friend.example "
	m.join.Spectate()
	m.viewer.Notice(notice.RoomNotice{Room: testRoom(hostroom.PhaseLobby, playerIn(0, 0, "Bob", true)), Me: -1})
	if len(m.Memory.Addresses) != 1 || m.Memory.Addresses[0] != "friend.example" {
		t.Errorf("remembered: %q", m.Memory.Addresses)
	}
}
