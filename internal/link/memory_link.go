package link

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"github.com/nettplay/nettplay/internal/seal"
)

// MemoryLink is a Link in a Memory. Its address is its name.
type MemoryLink struct {
	net    *Memory
	name   string
	events chan Event
	stop   chan struct{} // closed when events are not to be handed on any more
	freed  chan struct{} // closed when Events is
	wake   chan struct{} // there is something in queue
	empty  chan struct{} // made by Close, closed when the last end is over

	// The network's mu guards what follows.
	closed bool
	ends   []*memoryEnd // in the order of their making
	queue  []queued
}

// queued is an event that waits for the consumer.
type queued struct {
	Event
	end  *memoryEnd
	segs int
}

var _ Link = (*MemoryLink)(nil)

// Listen opens a link. An earlier one of the same name is cut, as if its process
// had been killed and was started again.
func (m *Memory) Listen(name string) *MemoryLink {
	m.Cut(name)
	l := &MemoryLink{
		net: m, name: name,
		events: make(chan Event, eventRoom),
		stop:   make(chan struct{}), freed: make(chan struct{}), wake: make(chan struct{}, 1),
	}
	m.mu.Lock()
	m.links[name] = l
	m.mu.Unlock()
	go l.pump()
	return l
}

// Events implements Link.
func (l *MemoryLink) Events() <-chan Event { return l.events }

// SetRoom implements Link: there is no secret within a process.
func (l *MemoryLink) SetRoom(seal.Secret, bool) {}

// memoryKey stands for the key of a machine's installation.
func memoryKey(name string) seal.Public { return sha256.Sum256([]byte(name)) }

// Key implements Link.
func (l *MemoryLink) Key() seal.Public { return memoryKey(l.name) }

// Addr implements Link.
func (l *MemoryLink) Addr() string { return l.name }

// Send implements Link.
func (l *MemoryLink) Send(p PeerID, ch Channel, data []byte) error {
	if err := checkMessage(ch, data); err != nil {
		return err
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	e := l.end(p)
	if e == nil || e.phase >= flushing {
		return ErrUnknownPeer
	}
	now := time.Now()
	if ch == Input {
		e.sendInput(data, now)
		return nil
	}
	if err := e.streams[ch].out.push(data); err != nil {
		return err
	}
	e.streams[ch].flow(now)
	return nil
}

// Vouch implements Link. A network in memory has no strangers.
func (l *MemoryLink) Vouch(PeerID) {}

// Disconnect implements Link.
func (l *MemoryLink) Disconnect(p PeerID, why string) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if e := l.end(p); e != nil {
		e.leave(why, time.Now())
	}
}

// Stats implements Link.
func (l *MemoryLink) Stats(p PeerID) (Stats, bool) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	e := l.end(p)
	if e == nil {
		return Stats{}, false
	}
	return Stats{
		RTT: e.meter.rtt, MinRTT: e.meter.minRTT(), Jitter: e.meter.jitter,
		Loss: e.meter.out.share(), LossIn: e.meter.in.share(),
		Silent: time.Since(e.heard),
		Sent:   e.sentBytes, Received: e.receivedBytes,
		SentDatagrams: e.sent, ReceivedDatagrams: e.received,
		ControlBacklog: e.streams[Control].out.bytes, BulkBacklog: e.streams[Bulk].out.bytes,
		InputsDropped: e.inputsDropped,
	}, true
}

// Close implements Link.
func (l *MemoryLink) Close() error {
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
func (l *MemoryLink) checkEmpty() {
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
func (l *MemoryLink) unplug() {
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
func (l *MemoryLink) die() {
	l.closed = true
	for _, e := range slices.Clone(l.ends) {
		e.over()
	}
	l.checkEmpty()
	l.unplug()
}

// end finds a connected peer.
func (l *MemoryLink) end(p PeerID) *memoryEnd {
	for _, e := range l.ends {
		if e.id == p && e.phase != opening {
			return e
		}
	}
	return nil
}

// post queues an event of e. An input too many takes the place of the oldest.
func (l *MemoryLink) post(e *memoryEnd, ev Event, segs int) {
	if l.closed {
		return
	}
	ev.Peer, ev.Addr, ev.Incoming = e.id, e.line.to, !e.dialer
	if ev.Kind == Message && ev.Channel == Input {
		if e.inputsQueued == maxPendingInputs {
			oldest := slices.IndexFunc(l.queue, func(q queued) bool { return q.end == e && q.Channel == Input && q.Kind == Message })
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
func (l *MemoryLink) pump() {
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

func (l *MemoryLink) next() (q queued, ok bool) {
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	if len(l.queue) == 0 || l.closed {
		return queued{}, false
	}
	q = l.queue[0]
	l.queue = popFront(l.queue)
	if q.Kind == Message && q.Channel == Input {
		q.end.inputsQueued--
	}
	return q, true
}

// taken gives room to the sender of a message that the consumer has.
func (l *MemoryLink) taken(q queued) {
	if q.Kind != Message || q.Channel == Input {
		return
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	q.end.streams[q.Channel].consumed(q.segs, time.Now())
}

// Dial implements Link; addr is a name.
func (l *MemoryLink) Dial(ctx context.Context, target string) (PeerID, error) {
	_, addrs, err := splitTarget(target)
	if err != nil {
		return 0, &DialError{target, Unresolved, err}
	}
	addr := addrs[0]
	l.net.mu.Lock()
	if l.closed {
		l.net.mu.Unlock()
		return 0, &DialError{addr, Aborted, ErrClosed}
	}
	e := l.net.newEnd(l, lineKey{l.name, addr}, true)
	wait := l.net.connect
	e.knock(time.Now())
	l.net.mu.Unlock()

	late := time.NewTimer(wait)
	defer late.Stop()
	var why *DialError
	select {
	case <-e.ready:
	case <-late.C:
		why = &DialError{addr, NoAnswer, fmt.Errorf("within %v", wait)}
	case <-ctx.Done():
		why = &DialError{addr, Aborted, ctx.Err()}
	}
	l.net.mu.Lock()
	defer l.net.mu.Unlock()
	switch {
	case e.opened:
		return e.id, nil
	case l.closed:
		return 0, &DialError{addr, Aborted, ErrClosed}
	case e.failure != nil:
		return 0, e.failure
	}
	e.over()
	if why == nil {
		why = &DialError{addr, Rejected, nil}
	}
	return 0, why
}
