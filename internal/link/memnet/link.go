package memnet

import (
	"context"
	"crypto/sha256"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/seal"
)

// Link is a [link.Link] in a Network. Its address is its name.
type Link struct {
	net    *Network
	name   string
	class  int // of what it sends; the next is that of its events
	events chan link.Event
	stop   chan struct{} // closed when events are not to be handed on any more
	freed  chan struct{} // closed when Events is
	wake   chan struct{} // the pump is to hand on an event
	empty  chan struct{} // made by Close, closed when the last end is over

	// The network's mu guards what follows.
	closed bool
	ends   []*end // in the order of their making
	queue  []queued
	roused bool // the pump has an event to hand on, or its turn will come
}

// queued is an event that waits for the consumer.
type queued struct {
	link.Event
	end  *end
	segs int
}

var _ link.Link = (*Link)(nil)

// Listen opens a link. An earlier one of the same name is cut, as if its process
// had been killed and was started again.
func (m *Network) Listen(name string) *Link {
	m.Cut(name)
	l := &Link{
		net: m, name: name,
		events: make(chan link.Event, link.EventRoom),
		stop:   make(chan struct{}), freed: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	m.mu.Lock()
	number, known := m.numbers[name]
	if !known {
		number = len(m.numbers)
		m.numbers[name] = number
	}
	l.class = -2 - 2*number
	m.links[name] = l
	m.mu.Unlock()
	go l.pump()
	return l
}

// Events implements Link.
func (l *Link) Events() <-chan link.Event { return l.events }

// SetRoom implements Link: there is no secret within a process.
func (l *Link) SetRoom(seal.Secret, bool) {}

// keyOf stands for the key of a machine's installation.
func keyOf(name string) seal.Public { return sha256.Sum256([]byte(name)) }

// Key implements Link.
func (l *Link) Key() seal.Public { return keyOf(l.name) }

// Addr implements Link.
func (l *Link) Addr() string { return l.name }

// Send implements Link.
func (l *Link) Send(p link.PeerID, ch link.Channel, data []byte) error {
	if err := link.CheckMessage(ch, data); err != nil {
		return err
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if l.closed {
		return link.ErrClosed
	}
	e := l.end(p)
	if e == nil || e.phase >= stream.Flushing {
		return link.ErrUnknownPeer
	}
	now := time.Now()
	if ch == link.Input {
		e.sendInput(data, now)
		return nil
	}
	if err := e.streams[ch].out.Push(data); err != nil {
		return err
	}
	e.streams[ch].flow(now)
	return nil
}

// Vouch implements Link. A network in memory has no strangers.
func (l *Link) Vouch(link.PeerID) {}

// Introduce implements Link. In a network in memory nobody carries for others.
func (l *Link) Introduce(link.PeerID) {}

// Disconnect implements Link.
func (l *Link) Disconnect(p link.PeerID, why string) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if e := l.end(p); e != nil {
		e.leave(why, time.Now())
	}
}

// Stats implements Link.
func (l *Link) Stats(p link.PeerID) (link.Stats, bool) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	e := l.end(p)
	if e == nil {
		return link.Stats{}, false
	}
	st := e.meter.Stats()
	st.Silent = time.Since(e.heard)
	st.Sent, st.Received = e.sentBytes, e.receivedBytes
	st.SentDatagrams, st.ReceivedDatagrams = e.sent, e.received
	st.ControlBacklog, st.BulkBacklog = e.streams[link.Control].out.Backlog(), e.streams[link.Bulk].out.Backlog()
	st.InputsDropped = e.inputsDropped
	return st, true
}

// Close implements Link.
func (l *Link) Close() error {
	l.net.mu.Lock()
	if !l.closed {
		l.closed = true
		l.empty = make(chan struct{})
		for _, e := range slices.Clone(l.ends) {
			e.quick = true
			e.leave("closed", time.Now())
		}
		l.checkEmpty()
	}
	empty := l.empty
	l.net.mu.Unlock()
	if empty != nil {
		<-empty
	}
	<-l.freed
	return nil
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

// die ends the link without a word.
func (l *Link) die() {
	l.closed = true
	for _, e := range slices.Clone(l.ends) {
		e.over()
	}
	l.checkEmpty()
	l.unplug()
}

// end finds a connected peer.
func (l *Link) end(p link.PeerID) *end {
	for _, e := range l.ends {
		if e.id == p && e.phase != stream.Opening {
			return e
		}
	}
	return nil
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
	switch {
	case q.Kind != link.Message:
	case q.Channel == link.Input:
		q.end.inputsQueued--
	default:
		q.end.streams[q.Channel].consumed(q.segs, time.Now())
	}
	return q.Event, true
}

// Absent implements Link; addr is a name.
func (l *Link) Absent(ctx context.Context, addr string) bool {
	there, back := lineKey{l.name, addr}, lineKey{addr, l.name}
	l.net.mu.Lock()
	wait := l.net.impairment(there).Delay + l.net.impairment(back).Delay
	l.net.mu.Unlock()
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-late.C:
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	now := time.Now()
	if l.net.isDark(there, now) || l.net.isDark(back, now) || l.net.impairment(there).Loss >= 1 || l.net.impairment(back).Loss >= 1 {
		return false
	}
	o := l.net.links[addr]
	return o == nil || o.closed
}
