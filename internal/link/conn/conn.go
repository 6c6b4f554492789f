// Package conn is a connection between two machines as one pure state machine: datagrams and times come in;
// datagrams, events and the time of the next look go out. It has no goroutine, no clock and no socket. Package udp
// drives it by a socket, package memnet by an agenda, so that both keep the same promises by the same code.
//
//	c.Receive(datagram, now)                     // whatever came, already authenticated
//	c.Send(channel, message, now)
//	for d := c.Next(buf, now); d != nil; ... {}  // after each call, and at Deadline
//	for ev, ok := c.Event(now); ok; ... {}
//	wait until c.Deadline(now), or for the next call
//
// What is beneath may lose, double, delay and reorder datagrams, and nothing else. In this package is the whole answer
// to "why was this input late?":
//
//   - send.go: what goes first. An input goes at once, before Control, and that before Bulk; acknowledgements, pings and
//     their answers wait up to 20 ms to go with an input.
//   - pacer.go, control.go: when Bulk may go. It keeps a short queue in front of the line, by what timed datagrams
//     suffer, so that an input comes less than a frame later for it.
//   - loss.go: what was lost, and goes again: ranges of acknowledged datagrams, and times, as in RFC 9002.
//   - stream.go: reliable channels as streams of bytes; frame.go: the layout of datagrams.
//   - meter.go: the figures of the line, by pings; pathmtu.go: how large a datagram may be.
package conn

import (
	"fmt"
	"math"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// Phase is where a connection stands:
//
//	opening --Opened--> open --Leave--> flushing --all confirmed--> leaving
//	   |                 |                  |                          |
//	   +------------ End, bye, broken protocol, silence --- answer, time --> over
//
// In over a last word may still be sent, and events be taken.
type Phase uint8

// The phases.
const (
	Opening  Phase = iota // nothing can be sent yet
	Open                  // the usual
	Flushing              // Leave waits until all is confirmed
	Leaving               // the bye is repeated until it is answered
	Over                  // only its events are left
)

const (
	flushTime = 4 * time.Second        // for what is queued at Leave
	leaveTime = time.Second            // for the answer to a bye
	quickTime = 500 * time.Millisecond // of either, when there is little time
	byeEvery  = 100 * time.Millisecond // between repetitions of a bye
	lastWords = 3                      // datagrams that tell of an end that waits for no answer: one may be lost

	maxInputs = 64 // that wait to be sent. Of more the oldest are dropped: the newest input repeats what is not acknowledged
)

// Config holds what the driver knows.
type Config struct {
	Silence time.Duration // until a silent peer is given up
	Around  int           // bytes that stand around a datagram on the line: sealing, ENet
	Needed  func() bool   // whether somebody else needs the connection still, when it is flushing; nil: nobody
}

// Conn is one end of a connection. It is for one goroutine at a time.
type Conn struct {
	cfg   Config
	start time.Time // its clock's zero

	phase  Phase
	began  time.Time   // of the phase
	reason link.Reason // of our Leave
	quick  bool
	bye    time.Time // of the last bye
	last   []byte    // frame that tells of the end
	say    int       // how often it is still to be said
	heard  time.Time

	events  events
	inputs  [][]byte
	out     [streams]outStream
	in      [streams]inStream
	sending sending
	coming  coming
	loss    loss
	meter   Meter
	pings   [pingsKept]uint64 // numbers of the datagrams with pings, by their own numbers
	pacer   *pacer
	remote  remote // the other side's clock
	probing probing
	path    pathMTU
	f       frame // used again

	sent, received int64 // datagrams that count
	repaired       int64
}

const pingsKept = 64

// New makes an end of a connection that is opening.
func New(now time.Time, cfg Config) *Conn {
	c := &Conn{cfg: cfg, start: now, began: now, heard: now, pacer: newPacer(), loss: newLoss()}
	for ch := range link.Channel(streams) {
		c.out[ch], c.in[ch] = newOut(ch), newIn(ch)
	}
	c.Path(link.PathLeast, link.PathBase, MaxDatagram+cfg.Around)
	return c
}

// MaxDatagram is the longest datagram in bytes, on a path that carries it: an Ethernet's 1,500 are not used up, so that
// tunnels have room. It is less than what ENet sends in one piece.
const MaxDatagram = 1270

// Path begins to find out what a new path carries: least bytes for sure, base most likely, and top perhaps, all that is
// around included.
func (c *Conn) Path(least, base, top int) { c.path.Reset(least, base, top) }

// Size is the longest datagram that the path is known to carry.
func (c *Conn) Size() int { return c.path.Size() - c.cfg.Around }

// Phase is where the connection stands.
func (c *Conn) Phase() Phase { return c.phase }

// Began is when the phase did.
func (c *Conn) Began() time.Time { return c.began }

// SetSilence changes the time until a silent peer is given up.
func (c *Conn) SetSilence(d time.Duration) { c.cfg.Silence = d }

// Heard is when something was last heard of the other side.
func (c *Conn) Heard() time.Time { return c.heard }

// Hear notes that something authentic was heard beside datagrams.
func (c *Conn) Hear(now time.Time) { c.heard = now }

// Excuse does not count as the peer's silence what was our own sleep: a process that was stopped, or gets too little of
// the processor, has to hear first.
func (c *Conn) Excuse(slept time.Duration, now time.Time) {
	if c.heard = c.heard.Add(slept); c.heard.After(now) {
		c.heard = now
	}
}

func (c *Conn) enter(p Phase, now time.Time) { c.phase, c.began = p, now }

// Opened says that datagrams can be sent from now on.
func (c *Conn) Opened(now time.Time) {
	if c.phase == Opening {
		c.enter(Open, now)
		c.heard = now
		c.events.connected = true
	}
}

// Send queues a message, and copies it. It fails as a link's Send does.
func (c *Conn) Send(ch link.Channel, data []byte, now time.Time) error {
	if err := link.CheckMessage(ch, data); err != nil {
		return err
	}
	if c.phase >= Flushing {
		return link.ErrUnknownPeer
	}
	if ch != link.Input {
		return c.out[ch].push(data)
	}
	if len(c.inputs) == maxInputs {
		c.inputs = append(c.inputs[:0], c.inputs[1:]...)
	}
	c.inputs = append(c.inputs, append([]byte(nil), data...))
	return nil
}

// Leave says goodbye once all that was sent has arrived. Only the first words count, but haste always does.
func (c *Conn) Leave(why string, quick bool, now time.Time) {
	c.quick = c.quick || quick
	r := link.Reason{By: link.ByLocal, Text: link.Words(why, link.MaxReason)}
	switch c.phase {
	case Opening:
		c.End(r, true, now)
	case Open:
		c.reason = r
		c.enter(Flushing, now)
		c.inputs = nil
	}
}

// patience is d, or less when there is no time.
func (c *Conn) patience(d time.Duration) time.Duration {
	if c.quick {
		return quickTime
	}
	return d
}

// End ends the connection at once. With tell, the other side is told, without waiting for an answer.
func (c *Conn) End(r link.Reason, tell bool, now time.Time) {
	if c.phase == Over {
		return
	}
	if tell {
		k := frameBye
		if r.By == link.ByTimeout {
			k = frameLost
		}
		c.last, c.say = append([]byte{byte(k)}, link.Words(r.Text, link.MaxReason)...), lastWords
	}
	if c.phase == Opening {
		c.events = events{}
		c.reason = r
	} else {
		c.events.ended = &link.Event{Kind: link.Disconnected, Reason: r}
	}
	c.enter(Over, now)
	c.inputs = nil
	for i := range c.out {
		c.out[i] = outStream{}
	}
}

// Left ends the connection because it is over for the other side, for a reason.
func (c *Conn) Left(r link.Reason, now time.Time) {
	if c.phase == Flushing || c.phase == Leaving {
		r = c.reason
	}
	c.End(r, false, now)
}

// Failure is why a connection never was open.
func (c *Conn) Failure() link.Reason { return c.reason }

// broken ends the connection because the other side broke the protocol.
func (c *Conn) broken(err error, now time.Time) {
	c.End(link.Reason{By: link.ByLocal, Text: link.Words("the other side broke the protocol: "+err.Error(), link.MaxReason)}, true, now)
}

// Silent reports whether nothing was heard for longer than is waited. The driver says whether that is the other side's
// fault, and gives it up.
func (c *Conn) Silent(now time.Time) bool { return c.phase != Over && now.Sub(c.heard) > c.cfg.Silence }

// GiveUp ends the connection to a silent peer.
func (c *Conn) GiveUp(now time.Time) {
	c.End(link.Reason{By: link.ByTimeout, Text: fmt.Sprintf("nothing was heard for %g seconds", c.cfg.Silence.Seconds())}, true, now)
}

// Event takes the next event, with its kind, channel, data and reason.
func (c *Conn) Event(now time.Time) (ev link.Event, ok bool) {
	ev, size, ok := c.events.pop()
	if ok && size > 0 {
		c.in[ev.Channel].taken += size
	}
	return ev, ok
}

// Pending is the number of events to take.
func (c *Conn) Pending() int { return c.events.len() }

// Stats are the figures of the connection, but for bytes on the line and the route.
func (c *Conn) Stats(now time.Time) link.Stats {
	st := c.meter.Stats()
	st.Silent = max(0, now.Sub(c.heard))
	st.SentDatagrams, st.ReceivedDatagrams = c.sent, c.received
	st.ControlBacklog, st.BulkBacklog = c.out[link.Control].bytes, c.out[link.Bulk].bytes
	st.BulkUnsent = int64(c.out[link.Bulk].end - c.out[link.Bulk].next)
	st.Repaired = c.repaired
	return st
}

// since is a time by the connection's own clock.
func (c *Conn) since(now time.Time) time.Duration { return now.Sub(c.start) }

// micros is a moment as stamps carry it: it wraps around after 71 minutes.
func micros(d time.Duration) uint32 { return uint32(d.Microseconds() & math.MaxUint32) }

// A remote clock turns the other side's micros into durations on one line, whatever it started from.
type remote struct {
	known bool
	last  uint32
	now   time.Duration
}

// read takes a moment that is less than half an hour from the one read before.
func (r *remote) read(m uint32) time.Duration {
	if r.known {
		r.now += time.Duration(int32(m-r.last)) * time.Microsecond
	}
	r.known, r.last = true, m
	return r.now
}
