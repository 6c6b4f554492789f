package memnet

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/agenda"
	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/impair"
	"github.com/nettplay/nettplay/internal/link/stream"
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

// progress returns what the other side should know of its streams.
func (e *end) progress() (p [stream.Count]stream.Progress) {
	for i := range e.streams {
		p[i] = e.streams[i].in.Progress()
	}
	return p
}

func (e *end) refused(why link.DialFailure, err error) {
	e.failure = &link.DialError{Addr: e.line.to, Why: why, Err: err}
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
