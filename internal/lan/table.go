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
	seen time.Time
}

// Hear takes a datagram that came from an address, and tells whether the list
// has changed. A datagram that is no beacon changes nothing.
func (t *Table) Hear(now time.Time, from netip.Addr, datagram []byte) (changed bool) {
	changed = t.expire(now)
	n, err := ParseBeacon(datagram)
	if err != nil {
		return changed
	}
	heard := entry{Found{Beacon: n, Addr: netip.AddrPortFrom(from.Unmap(), uint16(n.Port))}, now}
	i := slices.IndexFunc(t.rooms, func(e entry) bool { return e.ID == n.ID && e.samePlace(heard.Found) })
	if n.gone {
		if i >= 0 {
			t.rooms = slices.Delete(t.rooms, i, i+1)
		}
		return changed || i >= 0
	}
	if i < 0 {
		return t.add(heard) || changed
	}
	changed = changed || t.rooms[i].Found != heard.Found
	t.rooms[i] = heard
	return changed
}

// samePlace reports whether two beacons of one ID can be of one room: the way over
// which it was heard is the same.
func (f Found) samePlace(o Found) bool { return f.Addr.Addr() == o.Addr.Addr() }

// add takes a room into the list if there is place for it.
func (t *Table) add(heard entry) bool {
	same := 0
	for _, e := range t.rooms {
		if e.samePlace(heard.Found) {
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
// first and then by address.
func (t *Table) Rooms(now time.Time) []Found {
	t.expire(now)
	best := map[uint64]Found{}
	for _, e := range t.rooms {
		if old, ok := best[e.ID]; !ok || nearer(e.Found, old) {
			best[e.ID] = e.Found
		}
	}
	list := make([]Found, 0, len(best))
	for _, f := range best {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b Found) int {
		return cmp.Or(cmp.Compare(a.Room, b.Room), a.Addr.Compare(b.Addr), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// nearer reports whether a is the shorter way to a room than b.
func nearer(a, b Found) bool {
	if a.Here() != b.Here() {
		return a.Here()
	}
	return a.Addr.Compare(b.Addr) < 0
}
