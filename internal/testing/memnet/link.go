package memnet

import (
	"context"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/link"
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
	queue  []*end // of whom an event is to be taken
	roused bool   // the pump has an event to hand on, or its turn will come
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
		if ok {
			select {
			case l.events <- e:
			case <-l.stop:
				return
			}
		}
		l.net.mu.Lock()
		l.roused = false
		l.rouse()
		l.net.mu.Unlock()
	}
}

// Events implements Link.
func (l *Link) Events() <-chan link.Event { return l.events }

// SetRoom implements Link: there is no secret within a process.
func (l *Link) SetRoom(seal.Secret, bool) {}

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
	if e == nil {
		return link.ErrUnknownPeer
	}
	now := time.Now()
	if err := e.conn.Send(ch, data, now); err != nil {
		return err
	}
	e.drive(now)
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
		e.leave(why, false, time.Now())
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
	st := e.conn.Stats(time.Now())
	st.Sent, st.Received = e.sentBytes, e.receivedBytes
	return st, true
}

// Close implements Link.
func (l *Link) Close() error {
	l.net.mu.Lock()
	if !l.closed {
		l.closed = true
		l.empty = make(chan struct{})
		for _, e := range slices.Clone(l.ends) {
			e.leave("closed", true, time.Now())
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

// end finds a connected peer.
func (l *Link) end(p link.PeerID) *end {
	for _, e := range l.ends {
		if e.id == p && e.opened {
			return e
		}
	}
	return nil
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

// Cut ends the link of that name as if its process had been killed: it says
// nothing more, and its Events are closed. The others find it silent.
func (m *Network) Cut(name string) {
	m.mu.Lock()
	l := m.links[name]
	if l != nil {
		l.closed = true
		for _, e := range slices.Clone(l.ends) {
			e.over()
		}
		l.checkEmpty()
		l.unplug()
	}
	m.mu.Unlock()
	if l != nil {
		<-l.freed
	}
}
