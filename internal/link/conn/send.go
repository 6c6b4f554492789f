package conn

import (
	"encoding/binary"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// Class is what a datagram goes for, the first of these that is in it.
type Class uint8

// The classes, in the order in which they go.
const (
	Input Class = iota
	Control
	Bulk
	Talk // acknowledgements, pings, goodbyes
	Classes
)

const (
	rideWait = 20 * time.Millisecond // by which small talk waits for an input to go with, at most
	flowing  = 2 * rideWait          // after an input the next one is expected
	ackWait  = 4 * time.Millisecond  // by which an acknowledgement waits for others, where no input is expected

	// controlFlight is the most bytes of Control on their way. It is not paced: what the room says is short.
	controlFlight = 64 << 10
	sizeEvery     = 50 * time.Millisecond // between two looks for a larger size
)

// sending is what is to go, beside inputs and streams.
type sending struct {
	number uint64 // of the next datagram
	input  time.Time
	ping   time.Time // of the last one
	limit  [streams]bool
	half   byte // id of the last input that went in halves
	second []byte
	looked time.Time // for a larger size
	hurry  bool      // a ping is to follow now
	sizes  [8]sizeProbe
	body   []byte // of the datagram that is being made
}

// sizeProbe is a datagram that shows whether a size gets through.
type sizeProbe struct {
	number uint64
	seq    uint32
}

// flows reports whether a datagram with an input is expected soon.
func (c *Conn) flows(now time.Time) bool { return now.Sub(c.sending.input) < flowing }

// ride is the time until which something that came up then may wait.
func (c *Conn) ride(then, now time.Time) time.Time {
	if c.flows(now) {
		return then.Add(rideWait)
	}
	return then
}

// Next adds the next datagram that goes now to b; nil: there is none. What it returns is b with the datagram behind.
func (c *Conn) Next(b []byte, now time.Time) ([]byte, Class) {
	switch {
	case c.phase == Over && c.say > 0:
		c.say--
		return c.alone(b, c.last), Talk
	case c.phase == Over || c.phase == Opening:
		return nil, Talk
	}
	c.timeOut(now)
	if c.part(now); c.phase == Over {
		return c.Next(b, now)
	}
	if c.phase == Leaving && now.Sub(c.bye) >= byeEvery {
		c.bye = now
		return c.alone(b, append([]byte{byte(frameBye)}, c.reason.Text...)), Talk
	}
	switch {
	case len(c.inputs) > 0 || c.sending.second != nil:
		return c.nextInput(b, now), Input
	case c.controlReady():
		return c.nextData(b, link.Control, now), Control
	case c.bulkReady(now):
		return c.nextData(b, link.Bulk, now), Bulk
	}
	if d := c.nextSize(b, now); d != nil {
		return d, Talk
	}
	if c.talkDue(now) {
		p := c.newDatagram(now)
		c.addTalk(&p, now)
		return c.finish(b, &p), Talk
	}
	return nil, Talk
}

// alone is a datagram of one frame.
func (c *Conn) alone(b, frame []byte) []byte {
	b = c.appendHead(b, true)
	return append(b, frame...)
}

// appendHead begins a datagram that counts.
func (c *Conn) appendHead(b []byte, frames bool) []byte {
	head := uint16(c.sending.number & numberMask)
	if frames {
		head |= headFrames
	}
	c.sending.number++
	c.sent++
	return binary.BigEndian.AppendUint16(b, head)
}

// part goes on with a goodbye: first everything is confirmed, then the bye is answered; neither is waited for too long.
func (c *Conn) part(now time.Time) {
	if c.phase == Flushing {
		waits := !c.out[link.Control].empty() || !c.out[link.Bulk].empty() || c.cfg.Needed != nil && c.cfg.Needed()
		if waits && now.Sub(c.began) < c.patience(flushTime) {
			return
		}
		c.enter(Leaving, now)
		c.bye = time.Time{}
	}
	if c.phase == Leaving && now.Sub(c.began) > c.patience(leaveTime) {
		c.End(c.reason, false, now)
	}
}

func (c *Conn) controlReady() bool {
	s := &c.out[link.Control]
	return s.ready() && s.flight < controlFlight
}

func (c *Conn) bulkReady(now time.Time) bool {
	if !c.out[link.Bulk].ready() {
		c.pacer.rest()
		return false
	}
	return c.pacer.ready(c.since(now))
}

// datagram is one that is being made.
type datagram struct {
	body   []byte // frames
	most   int    // bytes of them
	record record
	elicit bool
}

func (c *Conn) newDatagram(now time.Time) datagram {
	return datagram{body: c.sending.body[:0], most: c.Size() - headSize, record: record{number: c.sending.number, at: now}}
}

// add adds a frame if there is room for it.
func (p *datagram) add(frame []byte) bool {
	if len(p.body)+len(frame) > p.most {
		return false
	}
	p.body = append(p.body, frame...)
	return true
}

// finish makes the datagram, and remembers what is to be acknowledged.
func (c *Conn) finish(b []byte, p *datagram) []byte {
	b = append(c.appendHead(b, true), p.body...)
	c.sending.body = p.body[:0]
	if p.elicit {
		c.loss.sent(p.record)
	}
	c.path.Sent(len(p.body)+headSize+c.cfg.Around, p.record.at)
	return b
}

// nextInput is a datagram with the next input, and all talk that waits.
func (c *Conn) nextInput(b []byte, now time.Time) []byte {
	c.sending.input = now
	p := c.newDatagram(now)
	if c.sending.second != nil {
		p.body = append(append(p.body, byte(frameHalf), c.sending.half, 1), c.sending.second...)
		c.sending.second = nil
		return c.finish(b, &p)
	}
	in := c.inputs[0]
	if c.inputs = c.inputs[1:]; len(c.inputs) == 0 {
		c.inputs = nil
	}
	if len(in) > p.most {
		n := (len(in) + 1) / 2
		c.sending.half++
		c.sending.second = in[n:]
		p.body = append(append(p.body, byte(frameHalf), c.sending.half, 0), in[:n]...)
		return c.finish(b, &p)
	}
	p.most -= 1 + len(in)
	c.addTalk(&p, now)
	if len(p.body) == 0 {
		b = append(c.appendHead(b, false), in...)
		c.path.Sent(headSize+len(in)+c.cfg.Around, now)
		return b
	}
	p.body = append(append(p.body, byte(frameInput)), in...)
	return c.finish(b, &p)
}

// nextData is a datagram with the next pieces of a stream.
func (c *Conn) nextData(b []byte, ch link.Channel, now time.Time) []byte {
	p := c.newDatagram(now)
	if ch == link.Control {
		c.addTalk(&p, now)
	} else {
		c.addAcks(&p, now)
	}
	train := ch == link.Bulk && c.pacer.phase == starting && p.add([]byte{byte(frameTimed)})
	bulk := 0
	for p.record.n < len(p.record.pieces) {
		room := p.most - len(p.body) - dataHeader
		if room <= 0 || !c.out[ch].ready() {
			break
		}
		piece := c.addPiece(&p, ch, room)
		n := int(piece.to - piece.from)
		if ch == link.Control {
			c.pacer.yield(c.since(now), n)
			continue
		}
		c.pacer.sent(c.since(now), n)
		bulk += n
	}
	if train {
		c.probing.fly(flown{p.record.number, c.since(now), bulk})
	}
	p.record.full = p.most-len(p.body) < dataHeader
	return c.finish(b, &p)
}

// addPiece adds a piece of a stream.
func (c *Conn) addPiece(p *datagram, ch link.Channel, room int) span {
	s := &c.out[ch]
	part := s.nextPiece(room)
	p.body = append(p.body, byte(frameData), byte(ch))
	p.body = binary.AppendUvarint(p.body, part.from)
	p.body = binary.AppendUvarint(p.body, part.to-part.from)
	p.body = s.append(p.body, part)
	p.record.pieces[p.record.n] = piece{ch, part}
	p.record.n++
	p.elicit = true
	return part
}

// talkDue reports whether something of what can wait has waited long enough.
func (c *Conn) talkDue(now time.Time) bool {
	at := c.talkAt(now)
	return !at.IsZero() && !now.Before(at)
}

// talkAt is when something goes by itself that has nothing to ride on.
func (c *Conn) talkAt(now time.Time) time.Time {
	at := c.ride(c.pingDue(), now)
	if c.sending.hurry {
		at = now
	}
	g := &c.coming
	if !g.ack.IsZero() {
		wait := ackWait
		if c.flows(now) && !g.quick {
			wait = rideWait
		}
		at = sooner(at, g.ack.Add(wait))
	}
	if len(g.stamps) > 0 {
		if g.stamped.IsZero() {
			return now
		}
		at = sooner(at, g.stamped.Add(ackWait))
	}
	if g.pong {
		at = sooner(at, c.ride(g.pinged, now))
	}
	if len(g.sized) > 0 || c.sending.limit != [streams]bool{} || c.limitNews() {
		at = sooner(at, now)
	}
	if probe, ok := c.probeDue(now); ok {
		at = sooner(at, probe)
	}
	return at
}

// pingDue is when the next ping is.
func (c *Conn) pingDue() time.Time {
	if c.sending.ping.IsZero() {
		return c.began
	}
	return c.sending.ping.Add(c.meter.Interval())
}

// limitNews reports whether the other side should hear of more room in a stream.
func (c *Conn) limitNews() bool {
	for i := range c.in {
		if s := &c.in[i]; s.limit()-s.told >= s.window/8 {
			return true
		}
	}
	return false
}

// addAcks adds what the other side should know of what has come.
func (c *Conn) addAcks(p *datagram, now time.Time) {
	g := &c.coming
	var frame [200 + 12*maxStamps]byte
	if !g.ack.IsZero() && p.add(appendAck(frame[:0], g.got, now.Sub(g.newest))) {
		g.ack, g.quick = time.Time{}, false
	}
	for len(g.stamps) > 0 {
		n := min(len(g.stamps), maxStamps)
		if !p.add(appendStamps(frame[:0], g.stamps[:n])) {
			break
		}
		if g.stamps = g.stamps[n:]; len(g.stamps) == 0 {
			g.stamps = nil
		}
	}
}

// addTalk adds all that waits and fits.
func (c *Conn) addTalk(p *datagram, now time.Time) {
	c.addAcks(p, now)
	g, s := &c.coming, &c.sending
	var frame [64]byte
	if g.pong {
		b := binary.AppendUvarint(append(frame[:0], byte(framePong), g.pingID), g.pingCount)
		b = binary.AppendUvarint(b, uint64(max(now.Sub(g.pinged), 0)/heldUnit))
		g.pong = !p.add(b)
	}
	for i := range c.in {
		in := &c.in[i]
		if !s.limit[i] && in.limit()-in.told < in.window/8 {
			continue
		}
		if p.add(binary.AppendUvarint(append(frame[:0], byte(frameLimit), byte(i)), in.limit())) {
			in.told, s.limit[i] = in.limit(), false
			p.record.limits[i], p.elicit = true, true
		}
	}
	for len(g.sized) > 0 && p.add(binary.AppendUvarint(append(frame[:0], byte(frameSized)), g.sized[0])) {
		g.sized = g.sized[1:]
	}
	if probe, ok := c.probeDue(now); ok && !now.Before(probe) && p.add([]byte{byte(frameTimed)}) {
		c.probing.sent = now
		c.probing.fly(flown{p.record.number, c.since(now), 0})
	}
	if s.hurry || !now.Before(c.pingDue()) {
		c.addPing(p, now)
	}
}

// addPing adds a ping.
func (c *Conn) addPing(p *datagram, now time.Time) {
	if p.most-len(p.body) < 12 {
		return
	}
	seq := c.meter.Ping(now, uint32(c.sent)+1)
	c.pings[seq%pingsKept] = p.record.number
	c.sending.ping, c.sending.hurry = now, false
	p.body = binary.AppendUvarint(append(p.body, byte(framePing), byte(seq)), uint64(uint32(c.sent)+1))
	p.elicit = true
}

// nextSize is a probe of what the path carries, nil for none. It does not count: that it is lost says nothing of the line.
func (c *Conn) nextSize(b []byte, now time.Time) []byte {
	s := &c.sending
	if now.Sub(s.looked) < sizeEvery {
		return nil
	}
	s.looked = now
	seq, bytes := c.path.Due(c.meter.RTT(), now)
	if bytes == 0 {
		return nil
	}
	s.hurry = true // a small datagram behind it tells soon what has come of it
	s.sizes[seq%uint32(len(s.sizes))] = sizeProbe{s.number, seq}
	b = c.appendHead(b, true)
	c.sent--
	b = append(b, byte(frameSize))
	return append(b, make([]byte, max(0, bytes-c.cfg.Around-headSize-1))...)
}

// Deadline is when Next is to be called again if nothing happens; zero: only something that happens changes anything.
func (c *Conn) Deadline(now time.Time) time.Time {
	switch {
	case c.phase == Over && c.say > 0:
		return now
	case c.phase == Over || c.phase == Opening:
		return time.Time{}
	case len(c.inputs) > 0 || c.sending.second != nil || c.controlReady():
		return now
	}
	at := c.heard.Add(c.cfg.Silence + granularity)
	at = sooner(at, c.talkAt(now))
	at = sooner(at, c.loss.deadline())
	if c.out[link.Bulk].ready() {
		if wake, ok := c.pacer.wake(c.since(now)); ok {
			at = sooner(at, c.start.Add(wake))
		}
	}
	switch c.phase {
	case Flushing:
		at = sooner(at, c.began.Add(c.patience(flushTime)))
		if c.cfg.Needed != nil {
			at = sooner(at, now.Add(sizeEvery))
		}
	case Leaving:
		at = sooner(at, c.bye.Add(byeEvery))
	}
	if c.path.Probing() {
		at = sooner(at, c.sending.looked.Add(sizeEvery))
	}
	return at
}
