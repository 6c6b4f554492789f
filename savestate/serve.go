package savestate

import (
	"fmt"
	"slices"
	"time"
)

// serving is the half of an Exchange that sends parts.
type serving struct {
	wants     []*upload // in the order of their tags
	lastTag   uint32    // the highest so far
	served    Progress  // of what is no longer in wants
	given     int64     // bytes of messages that the link got on this connection
	confirmed int64     // of them, that the peer has
	flight    []flown   // chunks that it may not have
	due       time.Time // when the next chunk may go, where there is a limit
}

// flown is a chunk that was given to the link.
type flown struct {
	at     int64 // of the bytes given, where it ends
	upload *upload
	upTo   int64 // offset in the part
}

const (
	// ahead is how many bytes wait in the link at least: it should never have nothing to send, and what else the exchange
	// says waits behind them. On a fast line it is as much as is on its way.
	ahead     = 64 << 10
	mostAhead = 512 << 10 // with all that may be on its way, less than the backlog of a link
	// catchUp is the time by which the owner may be late without a limit's rate suffering.
	catchUp = 20 * time.Millisecond
)

// upload is a part that the peer wants. Its bytes are nil while the store has
// none.
type upload struct {
	tag                uint32
	part               Part
	packed             []byte
	start, sent, acked int64 // offsets
}

func (u *upload) waiting() bool { return u.packed == nil }
func (u *upload) rest() int64   { return u.part.PackedSize - u.sent }

func (x *Exchange) handleWant(w *want) error {
	if w.tag <= x.lastTag {
		return fmt.Errorf("tag: %d after %d", w.tag, x.lastTag)
	}
	x.lastTag = w.tag
	if !x.parts[w.part] {
		x.say(kindRefuse, &refuse{w.tag, refusedUnknown})
		return nil
	}
	if w.offset >= w.part.PackedSize {
		return fmt.Errorf("offset: %d is not below the size, %d", w.offset, w.part.PackedSize)
	}
	if len(x.wants) >= maxWants {
		return fmt.Errorf("more than %d at a time", maxWants)
	}
	if len(x.wants) == 0 {
		x.served = Progress{}
	}
	x.wants = append(x.wants, &upload{
		tag: w.tag, part: w.part, packed: x.store.find(w.part), start: w.offset, sent: w.offset, acked: w.offset,
	})
	return nil
}

// confirm takes how many bytes the peer has not confirmed of those that the link got: the others have arrived.
func (x *Exchange) confirm(unconfirmed int64) {
	x.confirmed = max(x.confirmed, x.given-unconfirmed)
	for len(x.flight) > 0 && x.flight[0].at <= x.confirmed {
		f := x.flight[0]
		if x.flight = x.flight[1:]; len(x.flight) == 0 {
			x.flight = nil
		}
		u := f.upload
		x.moved += max(0, f.upTo-max(u.acked, x.high[u.part]))
		x.high[u.part] = max(f.upTo, x.high[u.part])
		if u.acked = f.upTo; u.acked == u.part.PackedSize {
			x.endUpload(u)
		}
	}
}

func (x *Exchange) handleStop(m *stop) error {
	u := x.findUpload(m.tag)
	if u == nil {
		return usedTag(m.tag, x.lastTag)
	}
	x.endUpload(u)
	return nil
}

func (x *Exchange) findUpload(tag uint32) *upload {
	for _, u := range x.wants {
		if u.tag == tag {
			return u
		}
	}
	return nil
}

// endUpload forgets an upload that is complete or no longer wanted.
func (x *Exchange) endUpload(u *upload) {
	x.served.add(u.acked, u.acked)
	x.wants = slices.DeleteFunc(x.wants, func(v *upload) bool { return v == u })
	x.flight = slices.DeleteFunc(x.flight, func(f flown) bool { return f.upload == u })
}

// refuseWithdrawn ends uploads that wait for parts that are no longer offered.
func (x *Exchange) refuseWithdrawn() {
	for _, u := range slices.Clone(x.wants) {
		if !x.parts[u.part] && u.sent == u.start {
			x.say(kindRefuse, &refuse{u.tag, refusedWithdrawn})
			x.endUpload(u)
		}
	}
}

func (x *Exchange) settleServing() {
	for _, u := range x.wants {
		if u.waiting() {
			u.packed = x.store.find(u.part)
		}
	}
}

// next returns the first part that has bytes to send.
func (s *serving) next() *upload {
	for _, u := range s.wants {
		if !u.waiting() && u.rest() > 0 {
			return u
		}
	}
	return nil
}

// appendChunks adds the chunks that the link takes now.
func (x *Exchange) appendChunks(now time.Time, flying, unsent int64, out [][]byte) [][]byte {
	most := min(max(ahead, flying), mostAhead)
	for u := x.next(); u != nil && unsent < most && !now.Before(x.due); u = x.next() {
		n := min(MaxChunk, u.rest())
		m := encode(kindChunk, &chunk{tag: u.tag, offset: u.sent, bytes: u.packed[u.sent : u.sent+n]})
		out = append(out, m)
		u.sent += n
		x.given += int64(len(m))
		unsent += int64(len(m))
		x.flight = append(x.flight, flown{x.given, u, u.sent})
		if x.config.Rate > 0 {
			x.due = later(x.due, now.Add(-catchUp)).Add(time.Duration(n) * time.Second / time.Duration(x.config.Rate))
		}
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Serving tells how much the peer has of the parts it wanted from us, since it last wanted none.
func (x *Exchange) Serving() Progress {
	p := x.served
	for _, u := range x.wants {
		p.add(u.acked, u.part.PackedSize)
	}
	return p
}

// resetServing forgets all wants: the peer wants again on the new connection.
func (x *Exchange) resetServing() {
	x.serving = serving{}
}
