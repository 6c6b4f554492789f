package relay

import (
	"math/rand/v2"
	"sort"
)

// rooms is the order in which the open rooms of an index changed, so that those who browse
// are told what changed since they asked last, each room once.
type rooms struct {
	epoch uint64             // of this start of the relay: numbers of another one mean nothing
	last  uint64             // number of the newest change
	floor uint64             // below it, rooms that are gone are not known any more
	log   []change           // by number
	at    map[Locator]uint64 // the newest change of each room, also of those that are gone while log has it
}

type change struct {
	number uint64
	key    Locator
}

const (
	keptGone = 1024 // changes beyond twice the rooms after which the log is cleared of old ones
	maxSteps = 256  // of the log for one question
)

func newRooms() *rooms {
	return &rooms{epoch: rand.Uint64(), at: map[Locator]uint64{}}
}

// changed notes that a room is new, another one or gone; live is the number of rooms.
func (r *rooms) changed(key Locator, live int, there func(Locator) bool) {
	r.last++
	r.log = append(r.log, change{r.last, key})
	r.at[key] = r.last
	if len(r.log) > 2*live+2*keptGone {
		r.compact(there)
	}
}

// compact drops what was overtaken, and all but the newest rooms that are gone.
func (r *rooms) compact(there func(Locator) bool) {
	kept, recent := r.log[:0], r.last-min(r.last, keptGone)
	for _, c := range r.log {
		switch {
		case r.at[c.key] != c.number:
		case there(c.key) || c.number > recent:
			kept = append(kept, c)
		default:
			delete(r.at, c.key)
			r.floor = c.number
		}
	}
	r.log = kept
}

// page is a question about open rooms, and its answer.
type page struct {
	epoch uint64
	next  uint64 // what changed up to this number is known to the asker
	whole uint64 // what was gone up to this number is not in what the asker knows
	more  bool   // there is more
	reset bool   // what the asker knew before is worth nothing
	rooms []Entry
}

// since answers a question with at most so many bytes of rooms.
func (r *rooms) since(p page, most int, find func(Locator) []byte) page {
	p.more, p.reset, p.rooms = false, false, nil
	if p.epoch != r.epoch || p.whole < r.floor || p.next > r.last || p.whole > r.last {
		p = page{epoch: r.epoch, reset: true, whole: r.last}
	}
	number := p.next
	from := sort.Search(len(r.log), func(i int) bool { return r.log[i].number > number })
	for i, c := range r.log[from:] {
		if r.at[c.key] == c.number {
			e := Entry{KindRoom, c.key, find(c.key)}
			if most -= len(e.Key) + 2 + len(e.Body); most < 0 {
				p.more = true
				break
			}
			p.rooms = append(p.rooms, e)
		}
		p.next = c.number
		if i == maxSteps {
			p.more = true
			break
		}
	}
	if !p.more {
		p.whole = max(p.whole, p.next)
	}
	return p
}
