package app

import (
	"errors"
	"testing"

	hostroom "github.com/nettplay/nettplay/host/room"
	"github.com/nettplay/nettplay/internal/session/notice"
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
