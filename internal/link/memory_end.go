package link

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link/impair"
)

// Classes of datagrams that have dice of their own, beyond the channels.
const (
	classTalk = 3 // pings, pongs, goodbyes
	classAck  = 4
	classes   = 5
)

// Sizes in bytes of datagrams, about those of the real ones.
const (
	memoryHeader = 21 // in front of an input or a segment
	memoryTalk   = 40
)

// memoryEnd is one side of a connection in a Memory.
type memoryEnd struct {
	net    *Memory
	home   *MemoryLink
	line   lineKey // from home to the other
	id     PeerID
	dialer bool
	other  *memoryEnd // nil until the other side has accepted
	phase  phase
	began  time.Time
	why    string // of our goodbye
	quick  bool

	model   impair.Line
	dice    [classes]*impair.Dice
	meter   meter
	heard   time.Time
	streams [streams]memoryStream
	ticking *entry

	ready   chan struct{} // closed when the phase is not opening any more
	opened  bool          // it has been open
	failure *DialError

	sent, received           int64
	sentBytes, receivedBytes int64
	inputsQueued             int
	inputsDropped            int64
}

func (m *Memory) newEnd(home *MemoryLink, line lineKey, dialer bool) *memoryEnd {
	m.last++
	nth := m.made[line]
	m.made[line]++
	e := &memoryEnd{
		net: m, home: home, line: line, id: m.last, dialer: dialer,
		ready: make(chan struct{}), heard: time.Now(), began: time.Now(),
	}
	for i := range e.dice {
		e.dice[i] = m.dice(line, nth, i)
	}
	e.streams[Control] = newMemoryStream(e, Control, controlWindow, controlBacklog)
	e.streams[Bulk] = newMemoryStream(e, Bulk, bulkWindow, bulkBacklog)
	home.ends = append(home.ends, e)
	return e
}

// transmit sends a datagram over the line; arrive is called for each copy that
// gets to the other side.
func (e *memoryEnd) transmit(class, size int, now time.Time, arrive func(now time.Time)) {
	e.sent++
	e.sentBytes += int64(size)
	// The dice are thrown in a blackout, too: it changes nothing of what comes after.
	fate := e.model.Send(now, size, e.net.impairment(e.line), e.dice[class])
	if e.net.isDark(e.line, now) {
		return
	}
	for _, at := range fate.At[:fate.Copies] {
		e.net.at(at, arrive)
	}
}

// tell sends something small to the other end, which hears it if it lives.
func (e *memoryEnd) tell(class, size int, now time.Time, hear func(o *memoryEnd, now time.Time)) {
	e.transmit(class, size, now, func(now time.Time) {
		if o := e.other; o != nil && o.listen(size, now) {
			hear(o, now)
		}
	})
}

// listen notes that a datagram has come. It says whether anybody is there; where
// another connection or none has taken the place, the sender is told.
func (e *memoryEnd) listen(size int, now time.Time) bool {
	if e.phase == over {
		if home := e.net.links[e.line.from]; home != nil {
			e.transmit(classTalk, memoryTalk, now, func(now time.Time) {
				if o := e.other; o != nil && o.phase != over {
					o.left(Reason{ByLoss, "the other side does not know this connection any more"})
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

// knock asks the named machine for a connection, until there is an answer.
func (e *memoryEnd) knock(now time.Time) {
	if e.phase != opening {
		return
	}
	e.transmit(classTalk, memoryTalk, now, func(now time.Time) {
		switch there := e.net.links[e.line.to]; {
		case there == nil || there.closed:
			e.back(now, func() { e.refused(Refused, nil) })
		case there == e.home:
			e.back(now, func() { e.refused(Rejected, errors.New(refuseSelf.String())) })
		default:
			e.accepted(there, now)
		}
	})
	e.net.at(now.Add(greetEvery), e.knock)
}

// back brings an answer to a knock that has no end at the other side.
func (e *memoryEnd) back(now time.Time, do func()) {
	e.net.at(now.Add(e.net.impairment(lineKey{e.line.to, e.line.from}).Delay), func(time.Time) {
		if e.phase == opening {
			do()
		}
	})
}

func (e *memoryEnd) refused(why DialFailure, err error) {
	e.failure = &DialError{e.line.to, why, err}
	e.over()
}

// accepted is called when a knock has come to a machine.
func (e *memoryEnd) accepted(there *MemoryLink, now time.Time) {
	if e.phase == over {
		return
	}
	if e.other == nil {
		for _, old := range slices.Clone(there.ends) {
			if !old.dialer && old.line.to == e.line.from {
				old.left(Reason{ByLoss, "connected again from the same address"})
			}
		}
		e.other = e.net.newEnd(there, lineKey{e.line.to, e.line.from}, false)
		e.other.other = e
	}
	o := e.other
	if o.phase == over {
		return
	}
	o.open(now)
	o.tell(classTalk, memoryTalk, now, func(*memoryEnd, time.Time) {})
}

// open is called when a side knows that the other is there.
func (e *memoryEnd) open(now time.Time) {
	if e.phase != opening {
		return
	}
	e.phase, e.heard, e.opened = open, now, true
	close(e.ready)
	e.home.post(e, Event{Kind: Connected, Key: memoryKey(e.line.to)}, 0)
	e.tick(now)
	for i := range e.streams {
		e.streams[i].flow(now)
	}
}

// tick pings, and looks whether the other side is silent.
func (e *memoryEnd) tick(now time.Time) {
	if e.phase == over {
		return
	}
	if now.Sub(e.heard) > e.net.silence {
		e.tell(classTalk, memoryTalk, now, func(o *memoryEnd, _ time.Time) {
			o.left(Reason{ByLoss, "nothing was heard for " + o.net.silence.String()})
		})
		e.quit(Reason{ByTimeout, "nothing was heard for " + e.net.silence.String()})
		return
	}
	count := uint32(e.sent) + 1
	seq := e.meter.ping(now, count)
	e.tell(classTalk, memoryTalk, now, func(o *memoryEnd, now time.Time) { o.pinged(seq, count, now) })
	e.ticking = e.net.at(now.Add(e.meter.interval()), e.tick)
}

func (e *memoryEnd) pinged(seq, count uint32, now time.Time) {
	got := uint32(e.received)
	e.meter.pinged(count, got)
	said := e.progress()
	e.tell(classTalk, memoryTalk, now, func(o *memoryEnd, now time.Time) {
		o.meter.pong(now, seq, got)
		o.confirmed(said, now)
	})
}

// progress is what the other side should know of its streams.
func (e *memoryEnd) progress() (p [streams]progress) {
	for i := range e.streams {
		p[i] = e.streams[i].in.progress()
	}
	return p
}

func (e *memoryEnd) confirmed(p [streams]progress, now time.Time) {
	for i := range e.streams {
		e.streams[i].confirmed(p[i], now)
	}
	e.part(now)
}

// sendInput sends an input; one that is doubled on the way arrives once.
func (e *memoryEnd) sendInput(data []byte, now time.Time) {
	data = bytes.Clone(data)
	came := false
	e.tell(int(Input), memoryHeader+len(data), now, func(o *memoryEnd, _ time.Time) {
		if !came && o.phase != opening {
			o.home.post(o, Event{Kind: Message, Channel: Input, Data: data}, 0)
		}
		came = true
	})
}

// leave says goodbye when all is confirmed.
func (e *memoryEnd) leave(why string, now time.Time) {
	switch e.phase {
	case opening:
		e.over()
		return
	case open:
		e.phase, e.began, e.why = flushing, now, words(why, MaxReason)
	}
	e.net.at(now.Add(patience(flushTime, e.quick)), e.part)
	e.part(now)
}

// part goes on with a goodbye.
func (e *memoryEnd) part(now time.Time) {
	if e.phase != flushing {
		return
	}
	all := e.streams[Control].out.empty() && e.streams[Bulk].out.empty()
	if all || now.Sub(e.began) >= patience(flushTime, e.quick) {
		e.phase, e.began = leaving, now
		e.sayBye(now)
	}
}

// sayBye repeats the goodbye until it is answered.
func (e *memoryEnd) sayBye(now time.Time) {
	if e.phase != leaving {
		return
	}
	if now.Sub(e.began) > patience(leaveTime, e.quick) {
		e.quit(Reason{ByLocal, e.why})
		return
	}
	why := e.why
	e.tell(classTalk, memoryTalk+len(why), now, func(o *memoryEnd, now time.Time) {
		o.tell(classTalk, memoryTalk, now, func(e *memoryEnd, _ time.Time) {
			if e.phase == leaving {
				e.quit(Reason{ByLocal, e.why})
			}
		})
		o.left(Reason{ByRemote, why})
	})
	e.net.at(now.Add(byeEvery), e.sayBye)
}

// left ends the connection because it is over for the other side.
func (e *memoryEnd) left(r Reason) {
	switch e.phase {
	case opening:
		e.refused(Rejected, errors.New(r.Text))
	case flushing, leaving:
		e.quit(Reason{ByLocal, e.why})
	default:
		e.quit(r)
	}
}

func (e *memoryEnd) quit(r Reason) {
	if e.opened && e.phase != over {
		e.home.post(e, Event{Kind: Disconnected, Reason: r}, 0)
	}
	e.over()
}

// over ends this side.
func (e *memoryEnd) over() {
	if e.phase == over {
		return
	}
	if e.phase == opening {
		close(e.ready)
	}
	e.phase = over
	e.net.cancel(e.ticking)
	for i := range e.streams {
		e.streams[i].stop()
	}
	e.home.ends = slices.DeleteFunc(e.home.ends, func(x *memoryEnd) bool { return x == e })
	e.home.checkEmpty()
}
