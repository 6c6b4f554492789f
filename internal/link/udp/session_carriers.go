package udp

import (
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// stuck reports whether a stream makes no progress although the line works.
func (s *session) stuck(ch link.Channel, now time.Time) bool {
	if now.Sub(s.in.lastHeard()) > hearsPeer {
		return false
	}
	return s.out.unconfirmed(ch) && now.Sub(s.carriers.progress[ch]) > stuckTime+8*s.carriers.rtt
}

// tend opens and replaces carriers as needed.
func (s *session) tend(now time.Time) {
	c := &s.carriers
	need := c.main == nil || s.stuck(link.Control, now)
	if s.dialer {
		s.tendMain(need || c.wanted, now)
	} else {
		c.wanting = need && s.phase != stream.Opening
	}
	s.tendLanes(now)
}

// tendMain is the dialer's.
func (s *session) tendMain(need bool, now time.Time) {
	c := &s.carriers
	if c.next != nil && c.late(c.next, now) {
		c.next.peer.DisconnectNow(0)
		c.next = nil
	}
	if !need || c.next != nil || now.Sub(c.lastOpen) < reopenGap+2*c.rtt {
		return
	}
	peer, err := s.hop.host.Connect(s.hop.main.addr, enetChannels, mainCarrier)
	if err != nil {
		return // all of ENet's places are taken by old ones: later
	}
	if s.phase != stream.Opening {
		s.counters.reopened.Add(1)
	}
	c.next, c.lastOpen = newCarrier(peer, false, now), now
	s.active = true
}

// tendLanes opens lanes when there is something to send, replaces them when they
// are stuck, and closes them after a while without use.
func (s *session) tendLanes(now time.Time) {
	c := &s.carriers
	s.out.mu.Lock()
	idle := s.out.streams[link.Bulk].Empty()
	s.out.mu.Unlock()
	switch {
	case !idle:
		c.lastBulk = now
	case c.lastBulk.IsZero():
		return
	case now.Sub(c.lastBulk) > laneIdle:
		c.lastBulk = time.Time{}
		s.closeLanes()
		return
	}
	if s.stuck(link.Bulk, now) {
		s.counters.reopened.Add(1)
		s.closeLanes()
		s.rewind(link.Bulk, now)
	}
	for i := range c.lanes {
		s.tendLane(i, now)
	}
}

func (s *session) tendLane(i int, now time.Time) {
	c := &s.carriers
	if l := c.lanes[i]; l != nil && c.late(l, now) {
		l.peer.DisconnectNow(0)
		c.lanes[i] = nil
	}
	if c.lanes[i] != nil || s.phase == stream.Opening {
		return
	}
	peer, err := s.hop.host.Connect(s.hop.bulk.addr, enetChannels, uint32(i)+1)
	if err != nil {
		return
	}
	c.lanes[i] = newCarrier(peer, false, now)
	s.active = true
}

func (s *session) closeLanes() {
	for i, l := range s.carriers.lanes {
		if l != nil {
			l.peer.DisconnectNow(0)
			s.carriers.lanes[i] = nil
		}
	}
}

// rewind has everything of a stream that is not confirmed sent again.
func (s *session) rewind(ch link.Channel, now time.Time) {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	s.out.streams[ch].Rewind()
	s.carriers.progress[ch] = now
}

// carrierUp is told of each new ENet connection, ours (data is 0 then) or the
// peer's.
func (s *session) carrierUp(p enet.Peer, data uint32, now time.Time) {
	c := &s.carriers
	if c.next != nil && c.next.peer == p {
		x := c.next
		c.next = nil
		s.newMain(x, now)
		return
	}
	for _, l := range c.lanes {
		if l != nil && l.peer == p {
			l.up = true
			s.active = true
			return
		}
	}
	switch {
	case data == mainCarrier && !s.dialer && s.hop.main.own(p):
		s.newMain(newCarrier(p, true, now), now)
	case data >= 1 && data <= stream.Lanes && s.hop.bulk.own(p):
		if old := c.inLanes[data-1]; old != nil && old != p {
			old.DisconnectNow(0)
		}
		c.inLanes[data-1] = p
	default: // another program on this machine, or a peer that does what it should not
		p.DisconnectNow(0)
	}
}

// newMain puts a new main carrier in the place of the old one.
func (s *session) newMain(x *carrier, now time.Time) {
	c := &s.carriers
	if c.main != nil && c.main.peer != x.peer {
		c.main.peer.DisconnectNow(0)
	}
	x.up = true
	c.main, c.wanted, c.wanting = x, false, false
	s.rewind(link.Control, now)
	s.active = true
	if s.phase == stream.Opening {
		s.enter(stream.Open, now)
		s.pending.connected = true
		close(s.ready)
	}
}

// carrierDown is told when ENet has given a connection up, or the peer closed it.
// ENet uses the place again, so no trace of it may be kept.
func (s *session) carrierDown(p enet.Peer, now time.Time) {
	c := &s.carriers
	s.active = true
	if c.main != nil && c.main.peer == p {
		c.main = nil
		return
	}
	if c.next != nil && c.next.peer == p {
		c.next = nil
		return
	}
	for i, l := range c.lanes {
		if l != nil && l.peer == p {
			c.lanes[i] = nil
			s.rewind(link.Bulk, now)
			return
		}
	}
	for i := range c.inLanes {
		if c.inLanes[i] == p {
			c.inLanes[i] = nil
		}
	}
}
