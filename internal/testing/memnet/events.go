package memnet

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
)

// post queues what has happened at an end. Events of one end are taken in the order that its conn gives them.
func (e *end) post() {
	l := e.home
	if l.closed && e.gone {
		return
	}
	for ; e.queued < e.conn.Pending(); e.queued++ {
		l.queue = append(l.queue, e)
	}
	l.rouse()
}

// rouse has the pump hand on the next event, in a turn if there are turns.
func (l *Link) rouse() {
	if l.roused || l.closed || len(l.queue) == 0 {
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
	e, ok := l.next()
	if ok {
		l.events <- e // open, as the link is
	}
	if l.roused = false; !l.closed {
		l.rouse()
	}
}

// next takes the next event from the queue, and gives room to the sender of a message. It
// does so before the consumer has it, and may send something on the same line.
func (l *Link) next() (ev link.Event, ok bool) {
	for len(l.queue) > 0 && !l.closed {
		e, now := l.queue[0], time.Now()
		l.queue = slices.Delete(l.queue, 0, 1) // short, and its memory is used again
		e.queued--
		if ev, ok = e.conn.Event(now); !ok {
			continue // an input had to make room
		}
		ev.Peer, ev.Addr, ev.Incoming = e.id, e.line.to, !e.dialer
		if ev.Kind == link.Connected {
			ev.Key = keyOf(e.line.to)
		}
		e.drive(now)
		return ev, true
	}
	return link.Event{}, false
}
