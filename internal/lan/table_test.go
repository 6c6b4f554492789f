package lan

import (
	"fmt"
	"net/netip"
	"testing"
	"time"
)

var began = time.Unix(1_000_000, 0)

func heard(t *testing.T, table *Table, after time.Duration, from string, b Beacon) bool {
	t.Helper()
	return table.Hear(began.Add(after), netip.MustParseAddr(from), b.Append(nil))
}

func names(list []Found) (s []string) {
	for _, f := range list {
		s = append(s, f.Room+" "+f.Addr.String())
	}
	return s
}

func expect(t *testing.T, table *Table, after time.Duration, want ...string) {
	t.Helper()
	if got := names(table.Rooms(began.Add(after))); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after %v the list is %q, want %q", after, got, want)
	}
}

// TestTableAddress: a room is joined at the sender's address, whatever the beacon says.
func TestTableAddress(t *testing.T) {
	var table Table
	b := sample()
	b.Port = 5000
	heard(t, &table, 0, "::ffff:192.168.1.9", b)
	expect(t, &table, 0, "Ann's room 192.168.1.9:5000")
}

func TestTableExpiry(t *testing.T) {
	var table Table
	a, b := sample(), sample()
	b.ID, b.Room = 2, "B"
	if !heard(t, &table, 0, "10.0.0.1", a) || !heard(t, &table, time.Second, "10.0.0.2", b) {
		t.Error("a new room is no change")
	}
	if heard(t, &table, time.Second, "10.0.0.1", a) {
		t.Error("the same beacon again is a change")
	}
	expect(t, &table, 5*time.Second, "Ann's room 10.0.0.1:21204", "B 10.0.0.2:21204")
	heard(t, &table, 5*time.Second, "10.0.0.2", b)
	expect(t, &table, 5*time.Second+time.Millisecond, "B 10.0.0.2:21204")
	expect(t, &table, 9*time.Second+2*time.Millisecond)
}

func TestTableChange(t *testing.T) {
	var table Table
	b := sample()
	heard(t, &table, 0, "10.0.0.1", b)
	b.Players = 2
	if !heard(t, &table, time.Second, "10.0.0.1", b) || table.Rooms(began)[0].Players != 2 {
		t.Error("a player who came is not seen")
	}
}

// TestTableGone: a room disappears at its own word, not at that of another
// machine.
func TestTableGone(t *testing.T) {
	var table Table
	b := sample()
	heard(t, &table, 0, "10.0.0.1", b)
	b.gone = true
	if heard(t, &table, 0, "10.0.0.66", b) {
		t.Error("a stranger closed the room")
	}
	expect(t, &table, 0, "Ann's room 10.0.0.1:21204")
	if !heard(t, &table, 0, "10.0.0.1", b) {
		t.Error("the room is still there when it has closed")
	}
	expect(t, &table, 0)
}

// TestTableOneRoomTwoNetworks: shown once, with the shortest way.
func TestTableOneRoomTwoNetworks(t *testing.T) {
	var table Table
	b := sample()
	heard(t, &table, 0, "192.168.1.9", b)
	heard(t, &table, 0, "10.0.0.9", b)
	expect(t, &table, 0, "Ann's room 10.0.0.9:21204")
	heard(t, &table, 0, "127.0.0.1", b)
	expect(t, &table, 0, "Ann's room 127.0.0.1:21204")
}

// TestForgedBeaconsHideNoRoom: a room that is known keeps its place, whoever repeats its beacon from another address or port,
// or says in its name that it is closing.
func TestForgedBeaconsHideNoRoom(t *testing.T) {
	var table Table
	b := sample()
	const is = "Ann's room 192.168.1.9:21204"
	for now := time.Duration(0); now < 20*time.Second; now += Interval {
		heard(t, &table, now, "192.168.1.9", b)
		if now < 4*time.Second {
			continue
		}
		copied, elsewhere, closing := b, b, b
		elsewhere.Port, closing.gone = 666, true
		heard(t, &table, now, "10.0.0.66", copied)
		heard(t, &table, now, "192.168.1.9", elsewhere)
		heard(t, &table, now, "192.168.1.9", closing)
		if now > 5*time.Second {
			expect(t, &table, now, is)
		}
	}
	b.gone = true
	heard(t, &table, 20*time.Second, "192.168.1.9", b)
	if expect(t, &table, 24*time.Second); len(table.rooms) != 0 {
		t.Errorf("after it is over: %+v", table.rooms)
	}
}

func TestTableIsBounded(t *testing.T) {
	var table Table
	for i := range 100 {
		b := sample()
		b.ID = uint64(i)
		heard(t, &table, 0, "10.0.0.1", b)
	}
	if n := len(table.Rooms(began)); n != MaxPerAddress {
		t.Errorf("one address has %d rooms in the list, want %d", n, MaxPerAddress)
	}
	for i := range 100 {
		b := sample()
		b.ID = uint64(1000 + i)
		heard(t, &table, 0, fmt.Sprintf("10.0.1.%d", i), b)
	}
	if n := len(table.Rooms(began)); n != MaxRooms {
		t.Errorf("the list has %d rooms, want %d", n, MaxRooms)
	}
	// A flood is over when it is over.
	expect(t, &table, Expiry+time.Second)
}
