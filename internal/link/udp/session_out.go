package udp

import (
	"math"
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
	"github.com/nettplay/nettplay/internal/seal"
)

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
	s.take(link.Control, c.mainRoom(), now)
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

// transmit seals what stands in b behind headRoom free bytes, and sends it to the peer. A
// datagram that the system refuses is lost, like one that the network loses.
func (s *session) transmit(k kind, b []byte) {
	b[headRoom-1] = byte(k)
	b, ok := s.sealing.seal(sessionPrefix(b[:0], s.wire), b[headRoom-1:])
	if !ok {
		return // the handshake is not over: the peer could not read it
	}
	s.counters.sent.Add(1)
	s.counters.sentBytes.Add(int64(len(b)))
	_ = s.link.write(b, s.address())
}

// send sends a datagram that is not ENet's.
func (s *session) send(k kind, body []byte) {
	s.transmit(k, append(make([]byte, headRoom, headRoom+len(body)+seal.Overhead), body...))
}

func (s *session) sendWords(k kind, w string) { s.send(k, []byte(w)) }

// newPing is a ping that goes now.
func (s *session) newPing(now time.Time) []byte {
	count := uint32(s.counters.sent.Load()) + 1
	s.mu.Lock()
	seq := s.meter.Ping(now, count)
	s.mu.Unlock()
	return s.echo(echo{seq: seq, count: count})
}

// newPong answers a ping now.
func (s *session) newPong(p pinged, now time.Time) []byte {
	held := min(max(now.Sub(p.at)/heldUnit, 0), math.MaxUint16)
	return s.echo(echo{seq: p.seq, count: p.count, held: uint16(held)})
}

// echo is the body of a ping or a pong, which tells the peer our progress.
func (s *session) echo(e echo) []byte {
	if s.carriers.wanting {
		e.flags |= flagReopen
	}
	e.progress = s.tellProgress()
	return e.append(make([]byte, 0, 64))
}

// tell sends pings, and progress when there is enough of it.
func (s *session) tell(now time.Time) {
	s.sayFinish(now)
	s.ask(now)
	s.tellAlone(now)
	if !s.dialer && s.counters.received.Load() == 0 {
		return // the dialer does not know yet that it was accepted
	}
	if now.Sub(s.ping) >= s.pingInterval() {
		s.ping = now
		s.pingSoon(now)
		return
	}
	if !s.newsDue(now) {
		return
	}
	s.send(kindProgress, stream.AppendProgress(nil, s.tellProgress()))
}

// progress returns that of our streams.
func (s *session) progress() (p [stream.Count]stream.Progress) {
	for i := range s.streams {
		p[i] = s.streams[i].Progress()
	}
	return p
}

// tellProgress is the same, of which the peer is told now.
func (s *session) tellProgress() [stream.Count]stream.Progress {
	s.told, s.untold = s.progress(), time.Time{}
	return s.told
}

func (s *session) pingInterval() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.meter.Interval()
}

// newsDue reports whether the peer should hear of our progress now: at once when it
// may be waiting for it, else after a while, when one datagram tells of more.
func (s *session) newsDue(now time.Time) bool {
	progress := s.progress()
	for i, p := range progress {
		told := s.told[i]
		if p.Received >= told.Received+stream.ProgressAtOnce || p.Limit >= told.Limit+stream.ProgressAtOnce {
			return true
		}
	}
	switch {
	case progress == s.told:
		s.untold = time.Time{}
	case s.untold.IsZero():
		s.untold = now
	case now.Sub(s.untold) >= progressDelay:
		return true
	}
	return false
}
