package udp

import (
	"time"

	"github.com/codecat/go-enet"

	"github.com/nettplay/nettplay/internal/link"
	"github.com/nettplay/nettplay/internal/link/stream"
)

// hear acts on what the network brought, and says whether more is waiting.
func (s *session) hear(now time.Time) (more bool) {
	s.came, more = s.in.get(perTurn, s.came[:0])
	for _, p := range s.came {
		if s.phase != stream.Over {
			s.heardFrom(p, now)
			s.listen(p, now)
		}
		s.link.packets.Put(p)
	}
	return more
}

// admit gives a datagram to ENet if another link could have sent it.
func (s *session) admit(b []byte, side *side, now time.Time) {
	s.active = true
	bulk := side == &s.hop.bulk
	in, err := guardCarrier(b, bulk, s.acks[:0])
	s.acks = in.acks
	if err != nil || (in.connect && !s.connects.take(now.Sub(s.link.began))) {
		return
	}
	side.feed(b)
	if len(in.acks) > 0 {
		s.carriers.acknowledged(in.peer&enetNoPeer, in.acks, bulk)
	}
	if !in.connect && s.carriers.tame(in.peer, now) {
		off := throttleOff(in.peer)
		side.feed(off[:])
	}
}

// listen acts on a datagram.
func (s *session) listen(p *packet, now time.Time) {
	var err error
	k, b := p.kind(), p.body()
	switch k {
	case kindMain:
		s.admit(b, &s.hop.main, now)
	case kindBulk:
		s.admit(b, &s.hop.bulk, now)
	case kindPing, kindPong:
		var e echo
		if e, err = decodeEcho(b); err == nil {
			err = s.echoed(k, e, now)
			s.tellSeen(p.from, now)
		}
	case kindProgress:
		var p [stream.Count]stream.Progress
		if p, err = stream.DecodeProgress(b); err == nil {
			err = s.confirmed(p, now)
		}
	case kindBye:
		s.send(kindByeBye, nil)
		s.left(link.Reason{By: link.ByRemote, Text: link.Words(string(b), link.MaxReason)})
	case kindByeBye:
		if s.phase == stream.Leaving {
			s.quit(s.reason, false)
		}
	case kindGone:
		s.left(link.Reason{By: link.ByLoss, Text: "the other side does not know this connection any more"})
	case kindProbe, kindProbed, kindCandidates, kindSeen:
		s.listenPaths(p, now)
	case kindSize, kindSized:
		s.listenSize(k, b, now)
	case kindLost:
		s.left(link.Reason{By: link.ByLoss, Text: link.Words(string(b), link.MaxReason)})
	}
	if err != nil {
		s.broken(err)
	}
}

// left ends the session because it is over for the peer.
func (s *session) left(r link.Reason) {
	if s.phase == stream.Flushing || s.phase == stream.Leaving {
		s.quit(s.reason, false)
		return
	}
	s.quit(r, false)
}

func (s *session) echoed(k kind, e echo, now time.Time) error {
	got := uint32(s.counters.received.Load())
	s.mu.Lock()
	if k == kindPong {
		s.sizing.path.Alive(s.meter.SentAt(e.seq))
		s.meter.Pong(now, e.seq, e.count, time.Duration(e.held)*heldUnit)
	} else {
		s.meter.Pinged(e.count, got)
	}
	s.carriers.rtt, s.carriers.jitter = s.meter.RTT(), s.meter.Jitter()
	s.mu.Unlock()
	if k == kindPing {
		s.pongSoon(pinged{e.seq, got, now}, now)
	}
	s.carriers.wanted = e.flags&flagReopen != 0
	return s.confirmed(e.progress, now)
}

// confirmed takes what the peer says about our streams.
func (s *session) confirmed(p [stream.Count]stream.Progress, now time.Time) error {
	s.out.mu.Lock()
	defer s.out.mu.Unlock()
	for ch := range s.out.streams {
		n, err := s.out.streams[ch].Confirm(p[ch])
		if err != nil {
			return err
		}
		if n > 0 {
			s.carriers.progress[ch] = now
			s.active = true
			s.sizing.path.Carried(s.out.streams[ch].Full())
		}
	}
	return nil
}

// work lets ENet work until it has nothing more to say, and sends what it sends.
func (s *session) work(now time.Time) {
	for s.phase != stream.Over {
		ev := s.hop.host.Service(0)
		switch ev.GetType() {
		case enet.EventConnect:
			s.carrierUp(ev.GetPeer(), ev.GetData(), now)
		case enet.EventDisconnect:
			s.carrierDown(ev.GetPeer(), now)
		case enet.EventReceive:
			packet := ev.GetPacket()
			data := packet.GetData()
			packet.Destroy()
			s.arrived(ev.GetChannelID(), data)
		case enet.EventNone:
			s.forward(&s.hop.main, kindMain, now)
			s.forward(&s.hop.bulk, kindBulk, now)
			return
		}
	}
}

// arrived takes a packet from ENet. The guard let only the right ones through.
func (s *session) arrived(channel uint8, data []byte) {
	if channel == enetInput {
		if len(data) > link.MaxInput {
			return
		}
		if s.phase != stream.Opening && s.pending.input(data) {
			s.counters.inputsDropped.Add(1)
		}
		return
	}
	ch := link.Control
	if channel == enetBulk {
		ch = link.Bulk
	}
	before := len(s.pending.messages[ch])
	all, err := s.streams[ch].Accept(data, s.pending.messages[ch])
	s.pending.messages[ch] = all
	if err != nil {
		s.broken(err)
	}
	s.active = s.active || len(all) > before
}
