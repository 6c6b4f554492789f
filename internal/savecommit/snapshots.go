package savecommit

import (
	"github.com/nettplay/nettplay/internal/ds"
	"github.com/nettplay/nettplay/internal/game"
)

// When the game host lets everyone commit their saves: a game writes its save over many
// frames, so it is let finish, but not for ever.
const (
	calmFrames = 45   // without a change
	longFrames = 1800 // with changes all the time
)

// maxSnapshots is the number of changes that are remembered until all machines have agreed on their
// frames: those of 20 s at a hash every 30 frames.
const maxSnapshots = 40

// snapshots are the cartridges of a game over time.
type snapshots struct {
	own   map[ds.Seat][]snapshot // of our own seats, by rising frame
	known map[ds.Seat]int64      // the newest frame after which a seat's was looked at

	// of all seats, from our own copies, for the game host
	hashes  map[ds.Seat]uint64
	changed int64 // newest frame at which one was seen to change; -1: none since the saves are of
	first   int64 // oldest such frame
	again   int64 // frame before which nothing is committed, since the last try may have come to nothing
}

// snapshot is a cartridge's backup memory from a frame on, until the next one.
type snapshot struct {
	frame int64
	sram  []byte
}

func newSnapshots() snapshots {
	return snapshots{own: make(map[ds.Seat][]snapshot), known: make(map[ds.Seat]int64), hashes: make(map[ds.Seat]uint64), changed: -1}
}

// note takes a console's backup memory after a frame that was hashed.
func (v *snapshots) note(h game.Hashed) {
	if old, known := v.hashes[h.Seat]; known && old != h.Hash.SRAM {
		if v.changed < 0 {
			v.first = h.Frame
		}
		v.changed = max(v.changed, h.Frame)
	}
	v.hashes[h.Seat], v.known[h.Seat] = h.Hash.SRAM, h.Frame
	if h.SRAM == nil {
		return
	}
	list := append(v.own[h.Seat], snapshot{h.Frame, h.SRAM})
	v.own[h.Seat] = list[max(0, len(list)-maxSnapshots):]
}

// at is a seat's backup memory after a frame, nil when it has not changed since the
// start, or when that is too long ago.
func (v *snapshots) at(seat ds.Seat, frame int64) []byte {
	var found []byte
	for _, s := range v.own[seat] {
		if s.frame <= frame {
			found = s.sram
		}
	}
	return found
}

// last is the newest that is known of a seat's backup memory, of the frame after which it
// was seen; nothing when it has not changed since the start.
func (v *snapshots) last(seat ds.Seat) snapshot {
	if list := v.own[seat]; len(list) > 0 {
		return snapshot{max(v.known[seat], list[len(list)-1].frame), list[len(list)-1].sram}
	}
	return snapshot{}
}

// due reports whether changes are to be committed, up to a frame on which all agree.
func (v *snapshots) due(agreed int64) bool {
	if agreed < v.again || agreed < v.changed+calmFrames && agreed < v.first+longFrames {
		return false
	}
	v.again = agreed + longFrames
	return true
}

// committedUpTo notes that the saves are as they were after a frame: later changes are still
// to be committed.
func (v *snapshots) committedUpTo(frame int64) {
	v.again = 0
	if v.changed <= frame {
		v.changed = -1
	} else {
		v.first = max(v.first, frame+1)
	}
}

// replaced has all cartridges committed as they are after a frame, of which own snapshots are given.
func (v *snapshots) replaced(frame int64, own map[ds.Seat][]byte) {
	clear(v.own)
	for seat, sram := range own {
		v.own[seat] = []snapshot{{frame, sram}}
	}
	v.changed, v.first, v.again = frame, frame, 0
}
