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
	events chan link.Event
	stop   chan struct{} // closed when events are not to be handed on any more
	freed  chan struct{} // closed when Events is
	wake   chan struct{} // there is something in queue
	empty  chan struct{} // made by Close, closed when the last end is over

	// The network's mu guards what follows.
	closed bool
	ends   []*end // in the order of their making
	queue  []queued
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
	return link.Stats{
		RTT: e.meter.RTT(), MinRTT: e.meter.MinRTT(), Jitter: e.meter.Jitter(),
		Loss: e.meter.Loss(), LossIn: e.meter.LossIn(),
		Silent: time.Since(e.heard),
		Sent:   e.sentBytes, Received: e.receivedBytes,
		SentDatagrams: e.sent, ReceivedDatagrams: e.received,
		ControlBacklog: e.streams[link.Control].out.Backlog(), BulkBacklog: e.streams[link.Bulk].out.Backlog(),
		InputsDropped: e.inputsDropped,
	}, true
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
	if l.empty == nil || len(l.ends) > 0 {
		return
	}
	select {
	case <-l.empty:
	default:
		close(l.empty)
		l.unplug()
	}
}

// unplug takes the link off the network.
func (l *Link) unplug() {
	if l.net.links[l.name] == l {
		delete(l.net.links, l.name)
	}
	select {
	case <-l.stop:
	default:
		close(l.stop)
	}
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
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// pump is the goroutine that hands events to the consumer.
func (l *Link) pump() {
	defer close(l.freed)
	defer close(l.events)
	for {
		q, ok := l.next()
		if !ok {
			select {
			case <-l.wake:
				continue
			case <-l.stop:
				return
			}
		}
		l.net.rest()
		select {
		case l.events <- q.Event:
			l.taken(q)
		case <-l.stop:
			return
		}
	}
}

func (l *Link) next() (q queued, ok bool) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if len(l.queue) == 0 || l.closed {
		return queued{}, false
	}
	q = l.queue[0]
	l.queue[0] = queued{}
	l.queue = l.queue[1:]
	if q.Kind == link.Message && q.Channel == link.Input {
		q.end.inputsQueued--
	}
	return q, true
}

// taken gives room to the sender of a message that the consumer has.
func (l *Link) taken(q queued) {
	if q.Kind != link.Message || q.Channel == link.Input {
		return
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	q.end.streams[q.Channel].consumed(q.segs, time.Now())
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
