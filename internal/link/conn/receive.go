package conn

import (
	"bytes"
	"errors"
	"slices"
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

// span is the numbers from..to, without to.
type span struct{ from, to uint64 }

// ranges is a set of numbers, as spans that rise and do not touch. The zero value is empty.
type ranges []span

// find is the index of the first span that ends at n or behind it.
func (r ranges) find(n uint64) int {
	i, _ := slices.BinarySearchFunc(r, n, func(s span, n uint64) int {
		if s.to < n {
			return -1
		}
		return 1
	})
	return i
}

// has reports whether n is in the set.
func (r ranges) has(n uint64) bool {
	i := r.find(n + 1)
	return i < len(r) && r[i].from <= n
}

// add adds the numbers of a span.
func (r *ranges) add(s span) {
	if s.from >= s.to {
		return
	}
	i := r.find(s.from)
	j := i
	for j < len(*r) && (*r)[j].from <= s.to {
		s.from, s.to = min(s.from, (*r)[j].from), max(s.to, (*r)[j].to)
		j++
	}
	*r = slices.Replace(*r, i, j, s)
}

// remove takes the numbers of a span out.
func (r *ranges) remove(s span) {
	if s.from >= s.to {
		return
	}
	i := r.find(s.from + 1)
	j := i
	var left []span
	for j < len(*r) && (*r)[j].from < s.to {
		if old := (*r)[j]; old.from < s.from {
			left = append(left, span{old.from, s.from})
		}
		if old := (*r)[j]; old.to > s.to {
			left = append(left, span{s.to, old.to})
		}
		j++
	}
	*r = slices.Replace(*r, i, j, left...)
}

// MaxPendingInputs is the limit of received inputs that wait for the consumer of events.
const MaxPendingInputs = 128

// events are those that the consumer has not taken. The streams' windows bound its messages.
type events struct {
	connected bool // Connected is to be told
	messages  [streams + 1][]message
	ended     *link.Event // nil for none
	turn      int
}

// input adds a received input, for which the oldest one goes where too many wait.
func (p *events) input(data []byte) {
	inputs := &p.messages[link.Input]
	if len(*inputs) == MaxPendingInputs {
		*inputs = slices.Delete(*inputs, 0, 1)
	}
	*inputs = append(*inputs, message{data: data})
}

func (p *events) len() (n int) {
	if p.connected {
		n++
	}
	if p.ended != nil {
		n++
	}
	for _, list := range p.messages {
		n += len(list)
	}
	return n
}

// pop takes the next event, and how many bytes of a stream it came in. Connected comes first and Disconnected last;
// between, the channels take turns, so that no flood on one holds up another.
func (p *events) pop() (ev link.Event, size uint64, ok bool) {
	if p.connected {
		p.connected = false
		return link.Event{Kind: link.Connected}, 0, true
	}
	for i := range p.messages {
		ch := (p.turn + i) % len(p.messages)
		list := &p.messages[ch]
		if len(*list) == 0 {
			continue
		}
		m := (*list)[0]
		(*list)[0] = message{} // its memory goes with it
		if *list = (*list)[1:]; len(*list) == 0 {
			*list = nil
		}
		p.turn = ch + 1
		return link.Event{Kind: link.Message, Channel: link.Channel(ch), Data: m.data}, m.size, true
	}
	if p.ended != nil {
		ev, p.ended = *p.ended, nil
		return ev, 0, true
	}
	return link.Event{}, 0, false
}
