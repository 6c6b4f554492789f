package relay

import (
	"bytes"
	"container/list"
	"slices"
	"time"
)

// HeardLease is the time that an entry of another relay is kept after it was last heard.
const HeardLease = 15 * time.Second

// Origin is the relay that an entry was heard from: a number that each relay makes up when it
// is started.
type Origin uint64

// index is all that a relay publishes: for holders of its mailboxes, and heard from other
// relays of the same service. The former go before the latter. It is bounded by the bounds of
// what a holder may publish and by the limits of what is heard.
type index struct {
	entries map[slot]*entry
	own     list.List         // of *entry, the one that was announced last at the end
	heard   list.List         // of *entry, the one that was heard last at the end
	bytes   int               // of bodies heard
	changed map[slot]struct{} // of own; nil while nobody asks
	rooms   *rooms
	counts  [len(bounds)]int // of all entries, by kind
	owned   [len(bounds)]int // of own ones
}

// slot is where an entry is.
type slot struct {
	kind Kind
	key  Locator
}

// entry is one with where it comes from.
type entry struct {
	Entry
	holder *holder       // who publishes it here; nil for one that was heard
	from   Origin        // of one that was heard
	until  time.Duration // the same
	spot   *list.Element // in own or heard
}

func newIndex() *index {
	return &index{entries: map[slot]*entry{}, rooms: newRooms()}
}

func (e Entry) slot() slot { return slot{e.Kind, e.Key} }

// entry is one of a kind of which a holder has one at most; nil for none.
func (h *holder) entry(of Kind) *entry {
	if i := slices.IndexFunc(h.entries, func(e *entry) bool { return e.Kind == of }); i >= 0 {
		return h.entries[i]
	}
	return nil
}

// put publishes an entry of a holder, in the place of the one before it: of a kind that is not for
// friends, whatever its key. Its body is copied. It is not ok if another holder has the key.
func (x *index) put(h *holder, e Entry) (ok bool) {
	at := e.slot()
	old := x.entries[at]
	switch {
	case old != nil && old.holder != nil && old.holder != h:
		return false
	case old != nil && old.holder == h && (e.number() < old.number() || bytes.Equal(e.Body, old.Body)):
		return true // came late, or again
	case old != nil:
		x.remove(old)
	}
	if before := h.entry(e.Kind); before != nil && e.Kind != KindFriend {
		x.remove(before)
	}
	e.Body = bytes.Clone(e.Body)
	now := &entry{Entry: e, holder: h}
	now.spot = x.own.PushBack(now)
	h.entries = append(h.entries, now)
	x.owned[e.Kind]++
	x.add(now)
	x.note(at)
	return true
}

// withdraw removes all entries of a holder.
func (x *index) withdraw(h *holder) {
	for _, e := range slices.Clone(h.entries) {
		x.remove(e)
	}
}

// hear takes an entry of another relay. It is not ok if there is no room for it.
func (x *index) hear(from Origin, e Entry, now time.Duration, limits Limits) (ok bool) {
	old := x.entries[e.slot()]
	switch {
	case old == nil && e.Body == nil:
		return true
	case old == nil:
	case old.holder != nil, e.Body == nil && old.from != from, e.Body != nil && e.number() < old.number(),
		e.Body != nil && e.number() == old.number() && old.from != from:
		return true // what is here goes before it
	case old.from == from && bytes.Equal(old.Body, e.Body):
		old.until = now + HeardLease
		x.heard.MoveToBack(old.spot)
		return true
	default:
		if x.remove(old); e.Body == nil {
			return true
		}
	}
	if x.heard.Len() >= limits.Heard || x.bytes+len(e.Body) > limits.Heard*heardBytes {
		return false
	}
	e.Body = bytes.Clone(e.Body)
	fresh := &entry{Entry: e, from: from, until: now + HeardLease}
	fresh.spot = x.heard.PushBack(fresh)
	x.bytes += len(e.Body)
	x.add(fresh)
	return true
}

// expire forgets what was not heard for too long.
func (x *index) expire(now time.Duration) {
	for e := x.heard.Front(); e != nil && now >= e.Value.(*entry).until; e = x.heard.Front() {
		x.remove(e.Value.(*entry))
	}
}

func (x *index) add(e *entry) {
	x.entries[e.slot()] = e
	x.counts[e.Kind]++
	x.listed(e)
}

// listed notes a change of an open room for those who browse.
func (x *index) listed(e *entry) {
	if e.Kind == KindRoom {
		x.rooms.changed(e.Key, x.counts[KindRoom], func(key Locator) bool { return x.entries[slot{KindRoom, key}] != nil })
	}
}

func (x *index) remove(e *entry) {
	delete(x.entries, e.slot())
	x.counts[e.Kind]--
	x.listed(e)
	if e.holder == nil {
		x.heard.Remove(e.spot)
		x.bytes -= len(e.Body)
		return
	}
	x.own.Remove(e.spot)
	x.owned[e.Kind]--
	e.holder.entries = slices.DeleteFunc(e.holder.entries, func(of *entry) bool { return of == e })
	x.note(e.slot())
}

// note notes an entry for Changes.
func (x *index) note(at slot) {
	if x.changed != nil {
		x.changed[at] = struct{}{}
	}
}

// find is the body under a key, nil for none.
func (x *index) find(of Kind, key Locator) []byte {
	if e := x.entries[slot{of, key}]; e != nil {
		return e.Body
	}
	return nil
}

// Hear takes an entry that another relay of the same service publishes, or has ceased to. It
// is kept for HeardLease, unless it is heard again. It is not ok if there is no room for it, or
// it is no entry. Its body is copied.
func (s *Server) Hear(from Origin, e Entry, now time.Duration) (ok bool) {
	if e.check() != nil {
		return false
	}
	s.index.expire(now)
	ok = s.index.hear(from, e, now, s.limits)
	if !ok {
		s.figures.Unheard++
	}
	return ok
}

// Changes are the entries of this relay's own holders that are new, changed or gone since it
// was last called. The first call returns all. Its caller must go on calling it, for what has
// changed is kept until then. Bodies are not to be changed.
func (s *Server) Changes() (list []Entry) {
	if s.index.changed == nil {
		s.index.changed = map[slot]struct{}{}
		return s.Own(1)
	}
	for at := range s.index.changed {
		e := Entry{Kind: at.kind, Key: at.key}
		if now := s.index.entries[at]; now != nil && now.holder != nil {
			e.Body = now.Body
		}
		list = append(list, e)
	}
	clear(s.index.changed)
	return list
}

// Own are entries of this relay's own holders, to be announced again: others with each call, until all
// have come round after so many calls. Bodies are not to be changed.
func (s *Server) Own(calls int) (list []Entry) {
	own := &s.index.own
	for range (own.Len() + calls - 1) / calls {
		e := own.Front()
		own.MoveToBack(e)
		list = append(list, e.Value.(*entry).Entry)
	}
	return list
}
