package memnet

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/agenda"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// Sizes in bytes of datagrams, about those of the real ones.
const (
	headerSize = 21 // in front of an input or a segment
	talkSize   = 40
)

// end is one side of a connection in a [Network].
type end struct {
	net    *Network
	home   *Link
	line   lineKey // from home to the other
	id     link.PeerID
	dialer bool
	other  *end // nil until the other side has accepted
	phase  stream.Phase
	began  time.Time
	why    string // of our goodbye
	quick  bool

	model   impair.Line
	dice    [classes]*impair.Dice
	meter   stream.Meter
	heard   time.Time
	streams [stream.Count]duplex
	ticking *agenda.Entry

	attempt *attempt // of the Dial that began it; nil on the other side
	opened  bool     // it has been open
	failure *link.DialError

	sent, received           int64
	sentBytes, receivedBytes int64
	inputsQueued             int
	inputsDropped            int64
}

func (m *Network) newEnd(home *Link, line lineKey, dialer bool) *end {
	m.last++
	nth := m.made[line]
	m.made[line]++
	e := &end{
		net: m, home: home, line: line, id: m.last, dialer: dialer,
		heard: time.Now(), began: time.Now(),
	}
	for i := range e.dice {
		e.dice[i] = m.dice(line, nth, i)
	}
	e.streams[link.Control] = newDuplex(e, link.Control)
	e.streams[link.Bulk] = newDuplex(e, link.Bulk)
	home.ends = append(home.ends, e)
	return e
}

// transmit sends a datagram over the line; arrive is called for each copy that
// gets to the other side.
func (e *end) transmit(class, size int, now time.Time, arrive func(now time.Time)) {
	e.sent++
	e.sentBytes += int64(size)
	// The dice are thrown in a blackout, too: it changes nothing of what comes after.
	fate := e.model.Send(now, size, e.net.impairment(e.line), e.dice[class])
	if e.net.isDark(e.line, now) {
		return
	}
	for _, at := range fate.At[:fate.Copies] {
		e.at(at, arrive)
	}
}

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

func (e *end) refused(why link.DialFailure, err error) {
	e.failure = &link.DialError{Addr: e.line.to, Why: why, Err: err}
	e.over()
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
			o.left(link.Reason{By: link.ByLoss, Text: "nothing was heard for " + o.net.silence.String()})
		})
		e.quit(link.Reason{By: link.ByTimeout, Text: "nothing was heard for " + e.net.silence.String()})
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

// progress returns what the other side should know of its streams.
func (e *end) progress() (p [stream.Count]stream.Progress) {
	for i := range e.streams {
		p[i] = e.streams[i].in.Progress()
	}
	return p
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

// taken is called when the consumer has an event.
func (e *end) taken(q queued, now time.Time) {
	switch {
	case q.Kind != link.Message:
	case q.Channel == link.Input:
		e.inputsQueued--
	case e.streams[q.Channel].consumed(q.segs):
		said := e.progress()
		e.tell(classTalk, talkSize, now, func(o *end, now time.Time) { o.confirmed(said, now) })
	}
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

// over ends this side.
func (e *end) over() {
	if e.phase == stream.Over {
		return
	}
	opening := e.phase == stream.Opening
	e.phase = stream.Over
	if opening {
		e.attempt.settle(e)
	}
	e.net.agenda.Cancel(e.ticking)
	for i := range e.streams {
		e.streams[i].stop()
	}
	e.home.ends = slices.DeleteFunc(e.home.ends, func(x *end) bool { return x == e })
	e.home.checkEmpty()
}

// settle is called when an end is not opening any more.
func (a *attempt) settle(e *end) {
	if a == nil || a.settled {
		return // of the other side, or another end has come about
	}
	if !e.opened && slices.ContainsFunc(a.ends, func(o *end) bool { return o.phase == stream.Opening }) {
		return
	}
	a.settled = true
	close(a.done)
	e.net.agenda.Stir()
	a.drop(e)
}

// drop forgets all ends but one.
func (a *attempt) drop(but *end) {
	for _, e := range a.ends {
		if e != but && e.phase == stream.Opening {
			e.over()
		}
	}
}
