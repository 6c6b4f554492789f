package savestate

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// serving is the half of an Exchange that sends parts.
type serving struct {
	pacer   *pacer
	wants   []*upload // in the order of their tags
	lastTag uint32    // the highest so far
	served  Progress  // of what is no longer in wants
}

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

func (x *Exchange) takeWant(_ time.Duration, w *want) error {
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

func (x *Exchange) takeAcks(_ time.Duration, list *acks) error {
	for _, a := range *list {
		if err := x.takeAck(a); err != nil {
			return err
		}
	}
	return nil
}

func (x *Exchange) takeAck(a ack) error {
	sent, ok := x.clock.past(a.echo)
	if !ok {
		return errors.New("echo: nothing was sent then")
	}
	at := x.remote.read(a.clock)
	u := x.findUpload(a.tag)
	if u == nil {
		return usedTag(a.tag, x.lastTag)
	}
	if a.offset <= u.acked || a.offset > u.sent {
		return fmt.Errorf("offset: %d is not in %d to %d", a.offset, u.acked+1, u.sent)
	}
	n := a.offset - u.acked
	x.moved += max(0, a.offset-max(u.acked, x.high[u.part]))
	x.high[u.part] = max(a.offset, x.high[u.part])
	u.acked = a.offset
	x.pacer.acked(n, sent, at)
	if u.acked == u.part.PackedSize {
		x.endUpload(u)
	}
	return nil
}

func (x *Exchange) takeStop(_ time.Duration, m *stop) error {
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

// endUpload forgets one that is complete or not wanted any more.
func (x *Exchange) endUpload(u *upload) {
	x.pacer.dropped(u.sent - u.acked)
	x.served.add(u.acked, u.acked)
	x.wants = slices.DeleteFunc(x.wants, func(v *upload) bool { return v == u })
}

// refuseWithdrawn ends those that wait for what is not offered any more.
func (x *Exchange) refuseWithdrawn() {
	for _, u := range slices.Clone(x.wants) {
		if !x.parts[u.part] && u.sent == u.start {
			x.say(kindRefuse, &refuse{u.tag, refusedWithdrawn})
			x.endUpload(u)
		}
	}
}

func (x *Exchange) lookForServing() {
	for _, u := range x.wants {
		if u.waiting() {
			u.packed = x.store.find(u.part)
		}
	}
}

// next is the first part that has bytes to send.
func (s *serving) next() *upload {
	for _, u := range s.wants {
		if !u.waiting() && u.rest() > 0 {
			return u
		}
	}
	return nil
}

// appendChunks adds the chunks that the pacer lets go now.
func (x *Exchange) appendChunks(now time.Duration, out [][]byte) [][]byte {
	for x.pacer.ready(now) {
		u := x.next()
		if u == nil {
			x.pacer.rest()
			break
		}
		n := min(int64(x.pacer.chunkSize()), u.rest())
		c := chunk{tag: u.tag, offset: u.sent, clock: micros(now), bytes: u.packed[u.sent : u.sent+n]}
		out = append(out, encode(kindChunk, &c))
		u.sent += n
		x.pacer.sent(now, int(n))
	}
	return out
}

func (x *Exchange) wakeChunks(now time.Duration) (time.Duration, bool) {
	if x.next() == nil {
		return 0, false
	}
	return x.pacer.wake(now)
}

// busy reports whether something is being sent or is on its way.
func (s *serving) busy() bool {
	return s.pacer.unacked > 0 || s.next() != nil
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
	x.serving = serving{pacer: newPacer(x.config.Rate)}
}
