package memnet

import (
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// queued is an event that waits for the consumer.
type queued struct {
	link.Event
	end  taker
	segs int
}

// taker is the end that an event is of. It gives room to the sender of a message.
type taker interface{ taken(q queued, now time.Time) }

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

// pump is the goroutine that hands events to the consumer, one whenever it is roused. In turns
// it does so only where the consumer has no room.
func (l *Link) pump() {
	defer close(l.freed)
	defer close(l.events)
	for {
		select {
		case <-l.wake:
		case <-l.stop:
			return
		}
		l.net.mu.Lock()
		e, ok := l.next()
		l.net.mu.Unlock()
		if !ok {
			continue
		}
		select {
		case l.events <- e:
		case <-l.stop:
			return
		}
		l.net.mu.Lock()
		l.roused = false
		l.rouse()
		l.net.mu.Unlock()
	}
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
	q.end.taken(q, time.Now())
	return q.Event, true
}

// checkEmpty ends a link that is closing when its last end is over.
func (l *Link) checkEmpty() {
	if l.empty != nil && len(l.ends) == 0 && l.shut(l.empty) {
		l.unplug()
	}
}

// shut closes a channel, and tells whether it was open.
func (l *Link) shut(c chan struct{}) bool {
	select {
	case <-c:
		return false
	default:
		close(c)
		l.net.agenda.Stir()
		return true
	}
}

// unplug takes the link off the network.
func (l *Link) unplug() {
	if l.net.links[l.name] == l {
		delete(l.net.links, l.name)
	}
	l.shut(l.stop)
}
