package conn

import (
	"bytes"
	"errors"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

const (
	spansKept  = 256 // of numbers that have come: older ones are taken for doubles
	halvesKept = 8   // of inputs, that wait for their others
	sizedMost  = 8   // answers to probes that wait
	stampsMost = 4 * maxStamps
)

// coming is what has come, and is to be answered.
type coming struct {
	got    ranges
	newest time.Time // when the newest datagram came that is to be acknowledged
	ack    time.Time // when the first came that is not; zero: none
	quick  bool      // something is missing, or much comes: the sender should know soon

	pong      bool // a ping is to be answered
	pingID    byte
	pingCount uint64
	pinged    time.Time

	stamps  []stamp
	stamped time.Time // when the first of them came; zero: one was not of Bulk, and is told at once
	sized   []uint64

	halves [halvesKept]half
	next   int // to be forgotten
}

type half struct {
	id, part byte
	bytes    []byte // nil: free
}

// Receive takes a datagram of the other side's, which is not kept. One that breaks the protocol ends the connection.
func (c *Conn) Receive(b []byte, now time.Time) {
	if c.phase == Over || c.phase == Opening && !isLastWord(b) {
		return
	}
	low, frames, rest, err := decodeHead(b)
	if err != nil {
		c.broken(err, now)
		return
	}
	g := &c.coming
	next := uint64(0)
	if len(g.got) > 0 {
		next = g.got[len(g.got)-1].to
	}
	number := expand(low, next)
	if g.got.has(number) || len(g.got) == spansKept && number < g.got[0].from {
		return
	}
	c.heard = now
	gap := number != next
	g.got.add(span{number, number + 1})
	if len(g.got) > spansKept {
		g.got = append(g.got[:0], g.got[len(g.got)-spansKept:]...)
	}
	c.received++
	if !frames {
		c.input(rest)
		return
	}
	bulk, stamps := c.in[link.Bulk].seen, len(g.stamps)
	defer func() {
		if len(g.stamps) > stamps && c.in[link.Bulk].seen == bulk {
			g.stamped = time.Time{}
		}
	}()
	r := reader{b: rest}
	for len(r.b) > 0 && c.phase != Over {
		if err := r.frame(&c.f); err != nil {
			c.broken(err, now)
			return
		}
		if err := c.handleFrame(&c.f, number, gap, now); err != nil {
			c.broken(err, now)
			return
		}
	}
}

// isLastWord reports whether a datagram ends the connection: that may be said before it is open.
func isLastWord(b []byte) bool {
	return len(b) > headSize && b[0]&(headFrames>>8) != 0 && (frameKind(b[headSize]) == frameBye || frameKind(b[headSize]) == frameLost)
}

// handleFrame acts on a frame.
func (c *Conn) handleFrame(f *frame, number uint64, gap bool, now time.Time) error {
	g := &c.coming
	switch f.kind {
	case frameInput:
		c.input(f.bytes)
	case frameHalf:
		c.half(f)
	case frameAck:
		if f.number >= c.sending.number {
			return errors.New("ack: for something that was never sent")
		}
		c.acked(f.spans, f.held, now)
	case framePing:
		c.meter.Pinged(uint32(f.count), uint32(c.received))
		g.pong, g.pingID, g.pingCount, g.pinged = true, f.id, uint64(uint32(c.received)), now
	case framePong:
		c.ponged(f, now)
	case frameLimit:
		return c.allowed(f, gap, now)
	case frameData:
		s := &c.in[f.channel]
		s.seen++
		if err := s.accept(f.number, f.bytes); err != nil {
			return err
		}
		c.events.messages[f.channel] = append(c.events.messages[f.channel], s.whole...)
		clear(s.whole)
		s.whole = s.whole[:0]
		c.elicited(f.channel == link.Bulk || gap, now)
	case frameBye:
		c.last, c.say = []byte{byte(frameByeBye)}, 1
		c.Left(link.Reason{By: link.ByRemote, Text: link.Words(string(f.bytes), link.MaxReason)}, now)
	case frameByeBye:
		if c.phase == Leaving {
			c.End(c.reason, false, now)
		}
	case frameLost:
		c.Left(link.Reason{By: link.ByLoss, Text: link.Words(string(f.bytes), link.MaxReason)}, now)
	case frameTimed:
		if len(g.stamps) == 0 {
			g.stamped = now
		}
		if len(g.stamps) < stampsMost {
			g.stamps = append(g.stamps, stamp{number, micros(c.since(now))})
		}
	case frameStamps:
		for _, s := range f.stamps {
			c.timed(s, now)
		}
	case frameSize:
		c.received--
		if len(g.sized) < sizedMost {
			g.sized = append(g.sized, number)
		}
	case frameSized:
		for _, p := range c.sending.sizes {
			if p.seq > 0 && p.number == f.number {
				c.path.Answered(p.seq, now)
			}
		}
	}
	return nil
}

// elicited notes that a datagram is to be acknowledged.
func (c *Conn) elicited(quick bool, now time.Time) {
	g := &c.coming
	g.newest = now
	if g.ack.IsZero() {
		g.ack = now
	}
	g.quick = g.quick || quick
}

// allowed takes up to where the other side takes bytes.
func (c *Conn) allowed(f *frame, gap bool, now time.Time) error {
	s := &c.out[f.channel]
	if f.number > s.next+windows[f.channel] {
		return errors.New("limit: more than a window")
	}
	s.limit = max(s.limit, f.number)
	c.elicited(gap, now)
	return nil
}

// ponged takes the answer to a ping.
func (c *Conn) ponged(f *frame, now time.Time) {
	m := &c.meter
	seq := m.seq - 1 - uint32(byte(m.seq-1)-f.id)
	sent := m.SentAt(seq)
	if sent.IsZero() || !m.Pong(now, seq, uint32(f.count), f.held) {
		return
	}
	c.path.Alive(sent)
	number := c.pings[seq%pingsKept]
	c.acked([]span{{number, number + 1}}, f.held, now)
}

// input takes an input.
func (c *Conn) input(data []byte) {
	if len(data) <= link.MaxInput {
		c.events.input(bytes.Clone(data))
	}
}

// half takes half of an input.
func (c *Conn) half(f *frame) {
	g := &c.coming
	for i := range g.halves {
		h := &g.halves[i]
		if h.bytes == nil || h.id != f.id {
			continue
		}
		if h.part != f.part {
			one, two := h.bytes, f.bytes
			if f.part == 0 {
				one, two = two, one
			}
			c.input(append(append([]byte(nil), one...), two...))
			h.bytes = nil
		}
		return
	}
	g.halves[g.next] = half{f.id, f.part, append(make([]byte, 0, len(f.bytes)), f.bytes...)}
	g.next = (g.next + 1) % halvesKept
}
