package udp

import (
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// repairsPerTurn is the limit of segments that are repaired in a turn, of each stream.
const repairsPerTurn = 16

// speak gives ENet what callers have queued: inputs first, then Control, then as
// much of Bulk as one turn may take.
func (s *session) speak(now time.Time) {
	c := &s.carriers
	if c.main == nil {
		return
	}
	s.out.mu.Lock()
	inputs := s.out.inputs
	s.out.inputs = nil
	s.take(link.Control, c.main.room(), now)
	if c.lane() != nil {
		s.take(link.Bulk, c.lanesRoom(), now)
	}
	s.out.mu.Unlock()

	for _, in := range inputs {
		s.give(c.main.peer, in, enetInput, enet.PacketFlagUnsequenced)
	}
	s.giveAll(link.Control, enetControl, func() *carrier { return c.main })
	s.giveAll(link.Bulk, enetBulk, c.lane)
	if len(inputs) > 0 {
		s.active, s.together.input = true, now
	}
}

// take takes segments off a stream: as many new ones as there is room for and,
// while the peer is heard, such as it lacks. Their bytes do not change any more.
// The caller holds out's lock.
func (s *session) take(ch link.Channel, room int, now time.Time) {
	stream := &s.out.streams[ch]
	if !stream.Unconfirmed() {
		s.carriers.progress[ch] = now
	}
	if now.Sub(s.in.lastHeard()) < hearsPeer {
		s.repairs[ch] = stream.Repair(repairsPerTurn, now, s.carriers.repairWait(), s.repairs[ch])
	}
	s.fresh[ch] = stream.Take(min(room, perTurn), now, s.fresh[ch])
}

// giveAll gives ENet what take has taken. A repair goes alone, without ENet's own
// repetition.
func (s *session) giveAll(ch link.Channel, channel uint8, on func() *carrier) {
	for _, seg := range s.repairs[ch] {
		s.give(on().peer, seg, channel, enet.PacketFlagUnsequenced)
	}
	for _, seg := range s.fresh[ch] {
		c := on()
		c.given()
		s.give(c.peer, seg, channel, enet.PacketFlagReliable)
	}
	n := len(s.repairs[ch]) + len(s.fresh[ch])
	s.active = s.active || n > 0
	s.counters.repaired.Add(int64(len(s.repairs[ch])))
	clear(s.repairs[ch])
	clear(s.fresh[ch])
	s.repairs[ch], s.fresh[ch] = s.repairs[ch][:0], s.fresh[ch][:0]
}

// give puts a packet into ENet's queue. ENet copies it. The peer is connected:
// its events were all seen, so ENet cannot refuse, which go-enet would not tell.
func (s *session) give(p enet.Peer, data []byte, channel uint8, flags enet.PacketFlags) {
	packet, err := enet.NewPacket(data, flags)
	if err != nil {
		return // out of memory in C: repeated like what the network loses
	}
	_ = p.SendPacket(packet, channel)
}

// forward sends what ENet has sent to one side.
func (s *session) forward(side *side, k kind, now time.Time) {
	for b := side.drain(); b != nil; b = side.drain() {
		if len(b) > headRoom+stream.CarrierMTU {
			continue // ENet was told not to
		}
		if number, data, ok := ownConnect(b[headRoom:]); ok {
			s.carriers.numbered(number, data)
		}
		s.active = true
		switch {
		case k != kindMain:
			s.transmit(k, b)
		case !s.together.keep(b, now):
			s.transmitAll(b, now)
		}
	}
}
