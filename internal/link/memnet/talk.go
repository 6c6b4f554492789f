package memnet

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// An end that hears something may answer, queue an event for its consumer, or go. An event that the
// consumer takes gives room to the sender, which is told so.

// Sizes in bytes of datagrams, about those of the real ones.
const (
	headerSize = 21 // in front of an input or a segment
	talkSize   = 40
)

// tell sends something small to the other end, which hears it if it lives.
func (e *end) tell(class, size int, now time.Time, hear func(o *end, now time.Time)) {
	e.transmit(class, size, now, func(now time.Time) {
		if o := e.other; o != nil && o.listen(size, now) {
			hear(o, now)
		}
	})
}

// listen notes that a datagram has come. It says whether anybody is there; where
// another connection or none has taken the place, the sender is told.
func (e *end) listen(size int, now time.Time) bool {
	if e.phase == stream.Over {
		if home := e.net.links[e.line.from]; home != nil {
			e.transmit(classTalk, talkSize, now, func(now time.Time) {
				if o := e.other; o != nil && o.phase != stream.Over {
					o.left(link.Reason{By: link.ByLoss, Text: "the other side does not know this connection any more"})
				}
			})
		}
		return false
	}
	e.received++
	e.receivedBytes += int64(size)
	e.heard = now
	e.open(now) // whatever it is, it says that the knock was heard
	return true
}

// open is called when a side knows that the other is there.
func (e *end) open(now time.Time) {
	if e.phase != stream.Opening {
		return
	}
	e.phase, e.heard, e.opened = stream.Open, now, true
	e.attempt.settle(e)
	e.home.post(e, link.Event{Kind: link.Connected, Key: keyOf(e.line.to)}, 0)
	e.tick(now)
	for i := range e.streams {
		e.streams[i].flow(now)
	}
}

// tick pings, and looks whether the other side is silent.
func (e *end) tick(now time.Time) {
	if e.phase == stream.Over {
		return
	}
	if now.Sub(e.heard) > e.net.silence {
		e.tell(classTalk, talkSize, now, func(o *end, _ time.Time) {
			o.left(link.Reason{By: link.ByLoss, Text: fmt.Sprintf("nothing was heard for %g seconds", o.net.silence.Seconds())})
		})
		e.quit(link.Reason{By: link.ByTimeout, Text: fmt.Sprintf("nothing was heard for %g seconds", e.net.silence.Seconds())})
		return
	}
	count := uint32(e.sent) + 1
	seq := e.meter.Ping(now, count)
	e.tell(classTalk, talkSize, now, func(o *end, now time.Time) { o.pinged(seq, count, now) })
	e.ticking = e.at(now.Add(e.meter.Interval()), e.tick)
}

func (e *end) pinged(seq, count uint32, now time.Time) {
	got := uint32(e.received)
	e.meter.Pinged(count, got)
	said := e.progress()
	e.tell(classTalk, talkSize, now, func(o *end, now time.Time) {
		o.meter.Pong(now, seq, got, 0)
		o.confirmed(said, now)
	})
}

func (e *end) confirmed(p [stream.Count]stream.Progress, now time.Time) {
	for i := range e.streams {
		e.streams[i].confirmed(p[i])
		e.streams[i].flow(now)
	}
	e.part(now)
}

// sendInput sends an input; one that is doubled on the way arrives once.
func (e *end) sendInput(data []byte, now time.Time) {
	data = bytes.Clone(data)
	came := false
	e.tell(int(link.Input), headerSize+len(data), now, func(o *end, _ time.Time) {
		if !came && o.phase != stream.Opening {
			o.home.post(o, link.Event{Kind: link.Message, Channel: link.Input, Data: data}, 0)
		}
		came = true
	})
}

// flow sends what may be sent.
func (s *duplex) flow(now time.Time) {
	if s.end.phase == stream.Opening || s.end.phase == stream.Over {
		return
	}
	for s.room() > 0 {
		segs := s.out.Take(1, now, nil)
		if len(segs) == 0 {
			return
		}
		number := s.out.TakenUpTo() - 1
		s.flight[number] = &shot{seg: segs[0], wait: s.patience()}
		s.shoot(number, now)
	}
}

func (s *duplex) shoot(number uint64, now time.Time) {
	x := s.flight[number]
	if x == nil {
		return
	}
	ch := s.channel
	s.end.tell(int(ch), headerSize+len(x.seg), now, func(o *end, now time.Time) {
		o.streams[ch].arrive(number, x.seg, now)
	})
	x.again = s.end.at(now.Add(x.wait), func(now time.Time) { s.shoot(number, now) })
	x.wait = min(2*x.wait, 4*s.patience()) // no longer than the real link's repairs
}

// arrive takes a segment from the other side and acknowledges it.
func (s *duplex) arrive(number uint64, seg []byte, now time.Time) {
	if number >= s.in.Progress().Received {
		messages, err := s.in.Accept(bytes.Clone(seg), nil)
		if err != nil {
			s.end.quit(link.Reason{By: link.ByLocal, Text: "the other side broke the protocol: " + err.Error()})
			return
		}
		for _, m := range messages {
			s.end.home.post(s.end, link.Event{Kind: link.Message, Channel: s.channel, Data: m.Data}, m.Segs)
		}
	}
	ch, said := s.channel, s.end.progress()
	s.end.tell(classAck, talkSize, now, func(o *end, now time.Time) {
		o.streams[ch].landed(number)
		o.confirmed(said, now)
	})
}

// queued is an event that waits for the consumer.
type queued struct {
	link.Event
	end  *end
	segs int
}

// post queues an event of e. An input too many takes the place of the oldest.
func (l *Link) post(e *end, ev link.Event, segs int) {
	if l.closed {
		return
	}
	ev.Peer, ev.Addr, ev.Incoming = e.id, e.line.to, !e.dialer
	if ev.Kind == link.Message && ev.Channel == link.Input {
		if e.inputsQueued == stream.MaxPendingInputs {
			oldest := slices.IndexFunc(l.queue, func(q queued) bool { return q.end == e && q.Channel == link.Input && q.Kind == link.Message })
			l.queue = slices.Delete(l.queue, oldest, oldest+1)
			e.inputsDropped++
			e.inputsQueued--
		}
		e.inputsQueued++
	}
	l.queue = append(l.queue, queued{ev, e, segs})
	l.rouse()
}

// rouse has the pump hand on the next event, in a turn if there are turns.
func (l *Link) rouse() {
	if l.roused || len(l.queue) == 0 {
		return
	}
	l.roused = true
	if !l.net.inTurns {
		l.wake <- struct{}{}
		return
	}
	l.net.agenda.At(time.Now(), l.class+1, func(time.Time) {
		l.net.mu.Lock()
		defer l.net.mu.Unlock()
		l.hand()
	})
}

// hand hands on the next event at once, or has the pump wait for room.
func (l *Link) hand() {
	if len(l.events) == cap(l.events) {
		l.wake <- struct{}{}
		return
	}
	if e, ok := l.next(); ok {
		l.events <- e // open, as the link is
		l.roused = false
		l.rouse()
	}
}

// next takes the next event from the queue, and gives room to the sender of a message. It
// does so before the consumer has it, and may send something on the same line.
func (l *Link) next() (e link.Event, ok bool) {
	if len(l.queue) == 0 || l.closed {
		return link.Event{}, false
	}
	q := l.queue[0]
	l.queue = slices.Delete(l.queue, 0, 1) // short, and its memory is used again
	switch {
	case q.Kind != link.Message:
	case q.Channel == link.Input:
		q.end.inputsQueued--
	case q.end.streams[q.Channel].consumed(q.segs):
		said := q.end.progress()
		q.end.tell(classTalk, talkSize, time.Now(), func(o *end, now time.Time) { o.confirmed(said, now) })
	}
	return q.Event, true
}

// leave says goodbye when all is confirmed.
func (e *end) leave(why string, now time.Time) {
	switch e.phase {
	case stream.Opening:
		e.over()
		return
	case stream.Open:
		e.phase, e.began, e.why = stream.Flushing, now, link.Words(why, link.MaxReason)
	}
	e.at(now.Add(stream.Patience(stream.FlushTime, e.quick)), e.part)
	e.part(now)
}

// part goes on with a goodbye.
func (e *end) part(now time.Time) {
	if e.phase != stream.Flushing {
		return
	}
	all := e.streams[link.Control].out.Empty() && e.streams[link.Bulk].out.Empty()
	if all || now.Sub(e.began) >= stream.Patience(stream.FlushTime, e.quick) {
		e.phase, e.began = stream.Leaving, now
		e.sayBye(now)
	}
}

// sayBye repeats the goodbye until it is answered.
func (e *end) sayBye(now time.Time) {
	if e.phase != stream.Leaving {
		return
	}
	if now.Sub(e.began) > stream.Patience(stream.LeaveTime, e.quick) {
		e.quit(link.Reason{By: link.ByLocal, Text: e.why})
		return
	}
	why := e.why
	e.tell(classTalk, talkSize+len(why), now, func(o *end, now time.Time) {
		o.tell(classTalk, talkSize, now, func(e *end, _ time.Time) {
			if e.phase == stream.Leaving {
				e.quit(link.Reason{By: link.ByLocal, Text: e.why})
			}
		})
		o.left(link.Reason{By: link.ByRemote, Text: why})
	})
	e.at(now.Add(stream.ByeEvery), e.sayBye)
}

// left ends the connection because it is over for the other side.
func (e *end) left(r link.Reason) {
	switch e.phase {
	case stream.Opening:
		e.refused(link.Rejected, errors.New(r.Text))
	case stream.Flushing, stream.Leaving:
		e.quit(link.Reason{By: link.ByLocal, Text: e.why})
	default:
		e.quit(r)
	}
}

func (e *end) quit(r link.Reason) {
	if e.opened && e.phase != stream.Over {
		e.home.post(e, link.Event{Kind: link.Disconnected, Reason: r}, 0)
	}
	e.over()
}
