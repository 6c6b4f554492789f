package memnet

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/conn"
	"github.com/nettplay/nettplay/internal/testing/agenda"
	"github.com/nettplay/nettplay/internal/testing/impair"
)

// end is one side of a connection in a [Network]: it drives a [conn.Conn] by the agenda.
type end struct {
	net    *Network
	home   *Link
	line   lineKey // from home to the other
	id     link.PeerID
	dialer bool
	other  *end // nil until the other side has accepted
	conn   *conn.Conn

	model  impair.Line
	dice   [classes]*impair.Dice
	wake   *agenda.Entry // the conn's deadline, or an earlier one
	wakeAt time.Time

	attempt *attempt // of the Dial that began it; nil on the other side
	opened  bool     // it has been open
	gone    bool
	failure *link.DialError
	queued  int // events in the link's queue

	sentBytes, receivedBytes int64
}

// Sizes in bytes of what is around a datagram, as over UDP, and of a greeting.
const (
	around    = 42
	greetSize = 80
)

func (m *Network) newEnd(home *Link, line lineKey, dialer bool) *end {
	m.last++
	nth := m.made[line]
	m.made[line]++
	e := &end{
		net: m, home: home, line: line, id: m.last, dialer: dialer,
		conn: conn.New(time.Now(), conn.Config{Silence: m.silence, Around: around}),
	}
	for i := range e.dice {
		e.dice[i] = m.dice(line, nth, i)
	}
	home.ends = append(home.ends, e)
	return e
}

// transmit sends a datagram over the line; arrive is called for each copy that
// gets to the other side.
func (e *end) transmit(class, size int, now time.Time, arrive func(now time.Time)) {
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

// odd keeps deadlines off the round times at which programs send: of two that happen at one instant nobody could say
// which comes first.
const odd = 173

// drive sends what is to be sent, queues what has happened, and comes back at the deadline.
func (e *end) drive(now time.Time) {
	if e.gone {
		return
	}
	for {
		next, class := e.conn.Next(e.net.datagram[:0], now)
		if next == nil {
			break
		}
		e.net.datagram = next
		d := bytes.Clone(next)
		e.transmit(int(class), len(d)+around, now, func(now time.Time) {
			if o := e.other; o != nil {
				o.receive(d, now)
			}
		})
	}
	e.post()
	if e.conn.Phase() == conn.Over {
		e.over()
		return
	}
	at := e.conn.Deadline(now)
	if at.After(now) {
		at = at.Add(odd)
	}
	if at.IsZero() || e.wake != nil && !at.Before(e.wakeAt) {
		return
	}
	e.net.agenda.Cancel(e.wake)
	e.wakeAt = at
	e.wake = e.at(at, func(now time.Time) {
		if e.wake = nil; e.conn.Silent(now) {
			e.conn.GiveUp(now)
		}
		e.drive(now)
	})
}

// receive takes a datagram. Where another connection or none has taken the place, the sender is told.
func (e *end) receive(d []byte, now time.Time) {
	e.receivedBytes += int64(len(d) + around)
	if e.gone {
		if e.net.links[e.line.from] != nil {
			e.transmit(classGreeting, greetSize, now, func(now time.Time) {
				if o := e.other; o != nil {
					o.left(link.Reason{By: link.ByLoss, Text: "the other side does not know this connection any more"}, now)
				}
			})
		}
		return
	}
	e.open(now) // whatever it is, it says that the knock was heard
	e.conn.Receive(d, now)
	e.drive(now)
}

// open is called when a side knows that the other is there.
func (e *end) open(now time.Time) {
	if e.opened || e.gone {
		return
	}
	e.opened = true
	e.conn.Opened(now)
	e.attempt.settle(e)
	e.drive(now)
}

// leave says goodbye when all is confirmed.
func (e *end) leave(why string, quick bool, now time.Time) {
	if !e.opened {
		e.over()
		return
	}
	e.conn.Leave(why, quick, now)
	e.drive(now)
}

// left ends the connection because it is over for the other side.
func (e *end) left(r link.Reason, now time.Time) {
	switch {
	case e.gone:
	case !e.opened:
		e.refused(link.Rejected, errors.New(r.Text))
	default:
		e.conn.Left(r, now)
		e.drive(now)
	}
}

func (e *end) refused(why link.DialFailure, err error) {
	e.failure = &link.DialError{Addr: e.line.to, Why: why, Err: err}
	e.over()
}

// over ends this side.
func (e *end) over() {
	if e.gone {
		return
	}
	if e.gone = true; !e.opened {
		e.attempt.settle(e)
	}
	e.net.agenda.Cancel(e.wake)
	e.home.ends = slices.DeleteFunc(e.home.ends, func(x *end) bool { return x == e })
	e.home.checkEmpty()
}

func (e *end) opening() bool { return !e.opened && !e.gone }

// settle is called when an end is not opening any more.
func (a *attempt) settle(e *end) {
	if a == nil || a.settled {
		return // of the other side, or another end has come about
	}
	if !e.opened && slices.ContainsFunc(a.ends, func(o *end) bool { return o.opening() }) {
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
		if e != but && e.opening() {
			e.over()
		}
	}
}
