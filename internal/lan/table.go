package lan

import (
	"cmp"
	"net/netip"
	"slices"
	"time"
)

// The bounds of a list.
const (
	MaxRooms      = 64 // in all
	MaxPerAddress = 4  // of one address: nobody has more rooms open than that
)

// Expiry is the time that a room is still listed after its last beacon: three may be lost on the way.
const Expiry = 4 * time.Second

// Found is a room that was heard of.
type Found struct {
	Beacon
	Addr netip.AddrPort // where to join: the beacon's source with the room's port
}

// Here reports whether the room is on this machine.
func (f Found) Here() bool { return f.Addr.Addr().IsLoopback() }

// Table is the list of rooms that were heard of lately. It is pure: datagrams and
// times are handed in. The zero value is ready to use; one goroutine owns it.
type Table struct {
	rooms []entry
}

type entry struct {
	Found
	first, seen time.Time
	denied      bool // it went on after somebody had said that it is closing
}

// Hear takes a datagram that came from an address, and tells whether the list
// has changed. A datagram that is no beacon changes nothing.
func (t *Table) Hear(now time.Time, from netip.Addr, datagram []byte) (changed bool) {
	changed = t.expire(now)
	n, err := ParseBeacon(datagram)
	if err != nil {
		return changed
	}
	heard := entry{Found: Found{Beacon: n, Addr: netip.AddrPortFrom(from.Unmap(), uint16(n.Port))}, first: now, seen: now}
	i := slices.IndexFunc(t.rooms, func(e entry) bool { return e.ID == n.ID && e.Addr == heard.Addr })
	switch {
	case n.gone && (i < 0 || t.rooms[i].denied):
		return changed
	case n.gone:
		was := t.rooms[i].gone
		t.rooms[i].gone = true
		return changed || !was
	case i < 0:
		return t.add(heard) || changed
	}
	old := t.rooms[i]
	heard.first, heard.denied = old.first, old.denied || old.gone
	changed = changed || old.Found != heard.Found
	t.rooms[i] = heard
	return changed
}

// add takes a room into the list if there is place for it.
func (t *Table) add(heard entry) bool {
	same := 0
	for _, e := range t.rooms {
		if e.Addr.Addr() == heard.Addr.Addr() {
			same++
		}
	}
	if same >= MaxPerAddress || len(t.rooms) >= MaxRooms {
		return false
	}
	t.rooms = append(t.rooms, heard)
	return true
}

// expire forgets what was not heard of for long.
func (t *Table) expire(now time.Time) bool {
	before := len(t.rooms)
	t.rooms = slices.DeleteFunc(t.rooms, func(e entry) bool { return now.Sub(e.seen) > Expiry })
	return len(t.rooms) != before
}

// Rooms returns the rooms of the list, each once, by name: a room that is heard
// over several networks is listed with the shortest way to it, on this machine
// first and then by address. One that comes later does not take its place: it may be a
// stranger's who repeats its beacon.
func (t *Table) Rooms(now time.Time) []Found {
	t.expire(now)
	best := map[uint64]entry{}
	for _, e := range t.rooms {
		if old, ok := best[e.ID]; !e.gone && (!ok || nearer(e, old)) {
			best[e.ID] = e
		}
	}
	list := make([]Found, 0, len(best))
	for _, e := range best {
		list = append(list, e.Found)
	}
	slices.SortFunc(list, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Room, b.Room), a.Addr.Compare(b.Addr), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// together is the time within which a room is heard over all of its networks.
const together = 2 * Interval

// nearer reports whether a is the shorter way to a room than b, or the one that is known for long.
func nearer(a, b entry) bool {
	switch d := a.first.Sub(b.first); {
	case a.Here() != b.Here():
		return a.Here()
	case d.Abs() > together:
		return d < 0
	}
	return a.Addr.Compare(b.Addr) < 0
}
