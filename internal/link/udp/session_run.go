package udp

import (
	"net/netip"
	"time"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/paths"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/relay"
)

const (
	busyTick  = 5 * time.Millisecond  // ENet looks after its time-outs
	idleTick  = 50 * time.Millisecond // nothing is in flight
	afterTick = time.Millisecond      // loopback may hand over late
	asleep    = 4 * idleTick          // between turns: something kept us from running
)

func newSession(l *Link, wire, nonce uint64, addr netip.AddrPort, dialer bool) *session {
	now := time.Now()
	s := &session{
		identity: identity{id: link.PeerID(lastPeer.Add(1)), wire: wire, nonce: nonce, name: l.shown(addr), dialer: dialer},
		signals:  signals{wake: make(chan struct{}, 1), ready: make(chan struct{}), done: make(chan struct{})},
		link:     l, course: course{began: now}, connects: bucket{rate: rate{8, 32}},
	}
	s.ways = ways{set: paths.New(addr, dialer, relay.IsRelayed), since: now}
	s.ways.set.Avoid(l.relays.client.Leaving)
	s.way.Store(&way{addr: addr})
	s.member = newMembership()
	s.beginSizes()
	s.in.heard = now
	for _, ch := range []link.Channel{link.Control, link.Bulk} {
		s.streams[ch], s.out.streams[ch] = stream.NewIn(ch), stream.NewOut(ch)
	}
	s.told = s.progress()
	return s
}

// add starts a session. The link is not closed; the caller holds mu.
func (l *Link) add(s *session) {
	l.byPeer[s.id] = s
	l.byWire[s.wire] = s
	l.held++
	l.sessions.Go(s.run)
}

// run is the session's goroutine, from its first datagram until its last event.
func (s *session) run() {
	defer close(s.done)
	defer s.link.release()
	var err error
	if !s.dialer {
		if err = s.sealing.answer(s.link.cfg.Key, s.nonce, s.opened.noise); err == nil {
			s.link.sayAccepted(s, s.opened.asking)
		}
	}
	if err == nil {
		s.hop, err = newHop()
	}
	if err != nil {
		s.quit(link.Reason{By: link.ByLocal, Text: "cannot open a connection: " + err.Error()}, true)
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for s.phase != stream.Over || !s.finished() {
		if s.phase != stream.Over {
			s.turn(time.Now())
			timer.Reset(s.rest(time.Now()))
		}
		s.wait(timer.C)
	}
}

// wait sleeps until there is something to do. It hands events to the consumer
// meanwhile.
func (s *session) wait(timer <-chan time.Time) {
	ev, out := s.offer()
	select {
	case <-s.wake:
	case <-timer:
	case out <- ev:
		s.given(ev)
		s.handEvents()
	case <-s.prev:
		s.prev = nil
	case <-s.closing():
		s.out.end("closed", true)
	}
}

// handEvents gives the consumer what it takes without waiting.
func (s *session) handEvents() {
	for {
		ev, out := s.offer()
		select {
		case out <- ev:
			s.given(ev)
		default:
			return
		}
	}
}

// offer is the next event, and where to send it: nil when there is none, or when
// nobody is to get it any more.
func (s *session) offer() (link.Event, chan<- link.Event) {
	if s.phase == stream.Opening || s.prev != nil || s.link.isClosing() {
		return link.Event{}, nil
	}
	ev, ok := s.pending.head()
	if !ok {
		return link.Event{}, nil
	}
	ev.Peer, ev.Addr, ev.Key, ev.Incoming = s.id, s.name, s.sealing.peer(), !s.dialer
	return ev, s.link.events
}

func (s *session) given(ev link.Event) {
	m := s.pending.pop(ev)
	if ev.Kind == link.Message && ev.Channel != link.Input {
		s.streams[ev.Channel].Consumed(m.Segs)
		s.active = true
	}
}

// finished reports whether a session that is over has nothing left to tell.
func (s *session) finished() bool {
	_, more := s.pending.head()
	return !more || s.link.isClosing()
}

// closing is the link's, while the session has not yet acted on it.
func (s *session) closing() <-chan struct{} {
	if s.out.isQuick() {
		return nil
	}
	return s.link.life.Done()
}

// turn does all there is to do now.
func (s *session) turn(now time.Time) {
	s.excuse(now)
	s.active = false
	s.shakeHands(now)
	if s.phase == stream.Over {
		return
	}
	more := s.hear(now)
	if s.phase != stream.Over {
		s.speak(now)
		s.work(now)
	}
	if s.phase != stream.Over {
		s.look(now)
	}
	if more {
		s.poke()
	}
	s.handEvents()
	if s.phase != stream.Over {
		s.tell(now)
		s.tendPaths(now)
		s.tendSize(now)
	}
}

// excuse does not count as the peer's silence what was our own sleep: a process
// that was stopped, or gets too little of the processor, has to hear first.
func (s *session) excuse(now time.Time) {
	if slept := now.Sub(s.lastTurn); !s.lastTurn.IsZero() && slept > asleep {
		s.in.excuse(slept, now)
	}
	s.lastTurn = now
}

// rest returns the time until the next turn if nothing happens.
func (s *session) rest(now time.Time) time.Duration {
	d := idleTick
	switch {
	case s.active:
		d = afterTick
	case s.phase != stream.Open || s.carriers.busy() || s.out.unconfirmed(link.Control) || s.out.unconfirmed(link.Bulk):
		d = busyTick
	}
	if !s.untold.IsZero() {
		d = min(d, s.untold.Add(progressDelay).Sub(now))
	}
	if d = s.together.rest(now, d); !s.ways.next.IsZero() {
		d = min(d, s.ways.next.Sub(now))
	}
	return max(d, 0)
}
